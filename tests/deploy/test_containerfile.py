"""The recipe of the container, read as its builder would: what it names is there."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

from server.config import ALL
from server.control import command

ROOT = Path(__file__).parents[2]


class Step(NamedTuple):
    """An instruction and its arguments."""

    word: str
    rest: str


def read(text: str) -> list[list[Step]]:
    """The steps of each stage."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    whole = re.sub(r"\\\n", " ", "\n".join(lines))
    stages: list[list[Step]] = []
    for line in filter(None, map(str.strip, whole.splitlines())):
        word, _, rest = line.partition(" ")
        assert word.isupper(), line
        if word == "FROM":
            stages.append([])
        stages[-1].append(Step(word, rest.strip()))
    return stages


BUILD, FINAL = read((ROOT / "deploy" / "Containerfile").read_text())
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def only(word: str) -> str:
    """The arguments of the one step of this kind in the last stage."""
    (found,) = [step.rest for step in FINAL if step.word == word]
    return found


def variables() -> dict[str, str]:
    return dict(part.split("=", 1) for part in shlex.split(only("ENV")))


def test_every_instruction_is_one_that_builders_know() -> None:
    known = {"FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "VOLUME", "EXPOSE"}
    known |= {"STOPSIGNAL", "HEALTHCHECK", "ENTRYPOINT"}
    assert {step.word for stage in (BUILD, FINAL) for step in stage} <= known


def test_what_is_copied_is_there_and_is_all_that_the_project_is_packed_from() -> None:
    copied = [shlex.split(step.rest)[:-1] for step in BUILD if step.word == "COPY"]
    names = {name for names in copied for name in names}
    for name in names:
        assert (ROOT / name).exists(), name
    needed = {"pyproject.toml", PROJECT["project"]["readme"], *PROJECT["project"]["license-files"]}
    needed |= set(PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"])
    assert names == needed


def test_what_is_copied_is_not_ignored() -> None:
    ignored = (ROOT / ".containerignore").read_text().split()
    assert not {"engine", "protocol", "server", "client", "pyproject.toml"} & set(ignored)


def test_the_python_is_one_that_the_project_supports() -> None:
    images = {step.rest.split()[0] for stage in (BUILD, FINAL) for step in stage[:1]}
    (image,) = images
    version = re.search(r"python:(3\.\d+)-slim", image)
    assert version is not None
    wanted = f"Programming Language :: Python :: {version[1]}"
    assert wanted in PROJECT["project"]["classifiers"]


def test_it_runs_the_server_and_not_as_root() -> None:
    entry = json.loads(only("ENTRYPOINT"))
    assert entry[0] in PROJECT["project"]["scripts"]
    assert int(only("USER")) > 0
    assert f"--uid {only('USER')} " in only("RUN")
    assert only("STOPSIGNAL") == "SIGTERM"


def test_its_settings_are_settings_and_its_state_is_on_a_volume() -> None:
    given = {name: value for name, value in variables().items() if name.startswith("SENRO_")}
    assert set(given) <= {setting.variable for setting in ALL.values()}
    assert given["SENRO_STATE"] == only("VOLUME")
    assert f"0700 {only('VOLUME')}" in only("RUN")
    assert only("EXPOSE") == str(ALL["port"].default)


def test_its_check_of_health_is_a_command_that_there_is() -> None:
    words = json.loads(only("HEALTHCHECK").partition("CMD ")[2])
    assert words[:2] == ["senro-server", "ctl"]
    assert command._parser().parse_args(words[2:]).command == "status"


@pytest.mark.parametrize("step", [s for s in FINAL if s.word == "HEALTHCHECK"], ids=["health"])
def test_health_is_asked_less_often_than_it_may_take(step: Step) -> None:
    seconds = dict(re.findall(r"--(interval|timeout)=(\d+)s", step.rest))
    assert int(seconds["timeout"]) < int(seconds["interval"])
