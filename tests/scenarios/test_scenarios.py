"""Every scenario in this folder is a test of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.scenario import Scenario, load, run

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*.json"))


def cases() -> list[object]:
    return [
        pytest.param(scenario, id=f"{path.stem}: {scenario.name}")
        for path in FILES
        for scenario in load(path)
    ]


@pytest.mark.parametrize("scenario", cases())
def test_scenario(scenario: Scenario) -> None:
    assert run(scenario) == ""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_scenarios_of_a_file_have_different_names(path: Path) -> None:
    names = [scenario.name for scenario in load(path)]
    assert names
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_scenario_expects_or_refuses_something(path: Path) -> None:
    for scenario in load(path):
        expected = scenario.expect != type(scenario.expect)()
        assert scenario.refused or expected, scenario.name
