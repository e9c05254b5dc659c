"""The scenario command: what it prints, how it exits, and how it names mistakes.

That scenarios compare what they should is shown by turning single facts of a passing one false.
"""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.scenario import main
from tests.engine.games import new_game

ROOT = Path(__file__).parents[2]

GOOD: dict[str, Any] = {
    "name": "a station and a purchase",
    "board": "tokyo",
    "players": 2,
    "kingdom": ["holiday-timetable"],
    "given": {
        "seats": [
            {
                "hand": ["station-expansion", "holiday-timetable", "waste"],
                "deck": ["tower", "waste"],
                "discard": ["apartment"],
                "rails": ["C5"],
                "score": 2,
            },
            {"hand": ["normal-train"]},
        ],
        "stations": {"A5": 1},
        "turn": {"money": 1, "rail_points": 2},
        "supply": {"waste": 50},
    },
    "steps": [
        ["play:station-expansion"],
        ["hex:B3"],
        ["play:holiday-timetable"],
        ["yes"],
        ["lay:C4"],
        ["buy:apartment"],
    ],
    "refused": ["clear-waste", "lay:D6"],
    "expect": {
        "seats": [
            {
                "hand": ["waste"],
                "deck": ["tower", "waste"],
                "discard": ["apartment"],
                "play": ["station-expansion"],
                "gained": ["apartment", "waste", "waste"],
                "rails": ["C4", "C5"],
                "score": 2,
            },
            {"hand": ["normal-train"], "gained": []},
        ],
        "stations": {"A5": 1, "B3": 1, "C1": 0},
        "turn": {"money": 1, "rail_points": 1},
        "supply": {"waste": 48, "apartment": 9},
        "trash": ["holiday-timetable"],
    },
}


def changed(place: str, value: Any) -> dict[str, Any]:
    """The good scenario with one place (``given/seats/0/hand``) set to something else."""
    scenario = copy.deepcopy(GOOD)
    *path, last = place.split("/")
    at: Any = scenario
    for step in path:
        at = at[int(step)] if isinstance(at, list) else at[step]
    at[int(last) if isinstance(at, list) else last] = value
    return scenario


def write(tmp_path: Path, *scenarios: dict[str, Any], name: str = "file.json") -> str:
    path = tmp_path / name
    path.write_text(json.dumps(list(scenarios)), encoding="utf-8")
    return str(path)


def test_one_that_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([write(tmp_path, GOOD)]) == 0
    assert capsys.readouterr().out == "1 passed, 0 failed\n"


def test_an_empty_file_passes_with_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([write(tmp_path)]) == 0
    assert capsys.readouterr().out == "0 passed, 0 failed\n"


FALSE = {
    "hand": ("expect/seats/0/hand", []),
    "hand of the other seat": ("expect/seats/1/hand", ["waste"]),
    "hand with a copy too many": ("expect/seats/0/hand", ["waste", "waste"]),
    "order of the deck": ("expect/seats/0/deck", ["waste", "tower"]),
    "discard": ("expect/seats/0/discard", []),
    "play": ("expect/seats/0/play", ["station-expansion", "holiday-timetable"]),
    "gained": ("expect/seats/0/gained", ["apartment", "waste"]),
    "rails": ("expect/seats/0/rails", ["C5"]),
    "score": ("expect/seats/0/score", 3),
    "stations": ("expect/stations", {"B3": 2}),
    "no stations": ("expect/stations", {"C1": 1}),
    "money": ("expect/turn/money", 0),
    "rail_points": ("expect/turn/rail_points", 0),
    "supply": ("expect/supply", {"waste": 49}),
    "trash": ("expect/trash", []),
    "refused": ("refused", ["end-turn"]),
    "not offered": ("steps/4", ["lay:A1"]),
    "too many picks": ("steps/1", ["hex:B3", "hex:B3"]),
    "too few picks": ("steps/1", []),
}


@pytest.mark.parametrize(("place", "value"), FALSE.values(), ids=FALSE)
def test_one_that_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], place: str, value: Any
) -> None:
    path = write(tmp_path, GOOD, changed(place, value))
    assert main([path]) == 1
    trouble, closing = capsys.readouterr().out.splitlines()
    assert trouble.startswith(f"{path}: a station and a purchase: ")
    assert closing == "1 passed, 1 failed"


def test_the_first_difference_says_both_sides(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main([write(tmp_path, changed("expect/turn/money", 7))])
    assert "turn money: expected 7, found 1" in capsys.readouterr().out


def test_zones_are_multisets(tmp_path: Path) -> None:
    assert (
        main([write(tmp_path, changed("expect/seats/0/gained", ["waste", "apartment", "waste"]))])
        == 0
    )


def test_only_what_is_named_is_compared(tmp_path: Path) -> None:
    scenario = copy.deepcopy(GOOD)
    del scenario["expect"]
    assert main([write(tmp_path, scenario)]) == 0


def test_a_step_after_the_end_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    over = {
        "name": "over",
        "board": "tokyo",
        "players": 2,
        "given": {"supply": dict.fromkeys(("tower", "apartment", "skyscraper", "lay-rails"), 0)},
        "steps": [["end-turn"], ["end-turn"]],
    }
    assert main([write(tmp_path, over)]) == 1
    assert "step 2 ['end-turn']: no decision is open" in capsys.readouterr().out


LAND = [f"{row}{n}" for row in "ABCDE" for n in range(1, 6)]
STATIONS = {
    **dict.fromkeys(("A5", "A7", "B3", "C3", "C7", "D6", "D7", "D9", "E2", "E7", "F3", "H4"), 2),
    "C1": 3,
    "H2": 3,
    "C5": 1,
}
"""31, one more than there are tokens."""

MISTAKES: dict[str, tuple[str, Any, list[str]]] = {
    "card in hand": ("given/seats/0/hand", ["lay-rail"], ["lay-rail"]),
    "card in deck": ("given/seats/0/deck", ["nonsense"], ["nonsense"]),
    "card expected": ("expect/seats/0/gained", ["nonsense"], ["nonsense"]),
    "card expected in trash": ("expect/trash", ["nonsense"], ["nonsense"]),
    "pile given": ("given/supply", {"nonsense": 3}, ["nonsense"]),
    "pile expected": ("expect/supply", {"nonsense": 3}, ["nonsense"]),
    "pile not in the game": ("given/supply", {"landfill": 3}, ["landfill"]),
    "pile of no supply": ("given/supply", {"normal-train": 3}, ["normal-train"]),
    "kingdom": ("kingdom", ["lay-rails"], ["lay-rails", "landfill"]),
    "kingdom twice": ("kingdom", ["landfill", "landfill"], ["twice"]),
    "key in a step": ("steps/0", ["play:nonsense"], ["play:nonsense"]),
    "key without a verb": ("steps/0", ["landfill"], ["landfill"]),
    "key refused": ("refused", ["lay:Z9"], ["lay:Z9"]),
    "pile not in the game in a step": ("steps/0", ["buy:landfill"], ["buy:landfill", "pile"]),
    "pile not in the game refused": ("refused", ["buy:landfill"], ["buy:landfill", "pile"]),
    "rail on sea expected": ("expect/seats/0/rails", ["E9"], ["E9", "sea"]),
    "rail twice expected": ("expect/seats/0/rails", ["C5", "C5"], ["one rail"]),
    "too many rails expected": ("expect/seats/0/rails", LAND[:21], ["20 rail tokens"]),
    "station on a plain expected": ("expect/stations", {"C4": 1}, ["C4", "0 slots"]),
    "too many stations expected": ("expect/stations", {"C5": 2}, ["C5", "1 slots"]),
    "too many stations expected in all": ("expect/stations", STATIONS, ["more stations"]),
    **{
        f"too great: {place}": (place, value, ["999"])
        for place, value in {
            "players": 10**25,
            "given/turn/money": 1000,
            "given/turn/rail_points": 10**25,
            "given/seats/0/score": 10**19,
            "given/supply": {"waste": 10**25},
            "given/stations": {"C5": 10**25},
            "given/seats/0/hand": ["waste"] * 1000,
            "given/seats/0/deck": ["waste"] * 1000,
            "steps/0": ["card:waste"] * 1000,
            "expect/turn/money": 1000,
            "expect/supply": {"waste": 1000},
            "expect/trash": ["waste"] * 1000,
            "expect/running": {"no-waste": 10**25},
        }.items()
    },
    "hex of a rail": ("given/seats/0/rails", ["Z9"], ["Z9", "Tokyo"]),
    "hex of a station": ("given/stations", {"B10": 1}, ["B10", "Tokyo"]),
    "hex expected": ("expect/stations", {"b3": 1}, ["b3", "Tokyo"]),
    "rail expected on no hex": ("expect/seats/0/rails", ["C55"], ["C55"]),
    "rail on sea": ("given/seats/0/rails", ["E9"], ["E9", "sea"]),
    "rail twice": ("given/seats/0/rails", ["C5", "C5"], ["one rail"]),
    "station on a plain": ("given/stations", {"C4": 1}, ["C4", "0 slots"]),
    "too many stations in a city": ("given/stations", {"C5": 2}, ["C5", "1 slots"]),
    "too many rails": ("given/seats/1/rails", LAND[:21], ["20 rail tokens"]),
    "too many stations in all": ("given/stations", STATIONS, ["more stations"]),
    "negative stations": ("given/stations", {"A5": -1}, ["A5", "-1"]),
    "negative supply": ("given/supply", {"waste": -1}, ["waste", "-1"]),
    "negative money": ("given/turn/money", -1, ["money", "-1"]),
    "negative rail points": ("given/turn/rail_points", -2, ["rail_points", "-2"]),
    "negative score": ("given/seats/0/score", -2, ["score", "-2"]),
    "negative score expected": ("expect/seats/0/score", -2, ["score", "-2"]),
    "negative money expected": ("expect/turn/money", -1, ["money", "-1"]),
    "negative points expected": ("expect/turn/rail_points", -1, ["rail_points", "-1"]),
    "negative stations expected": ("expect/stations", {"B3": -1}, ["B3", "-1"]),
    "negative supply expected": ("expect/supply", {"waste": -1}, ["waste", "-1"]),
    "unknown field": ("extra", 1, ["extra"]),
    "unknown field in given": ("given/extra", 1, ["extra"]),
    "unknown field of a seat": ("given/seats/0/trash", [], ["trash"]),
    "unknown field of the turn": ("given/turn/moneys", 1, ["moneys"]),
    "unknown field in expect": ("expect/extra", 1, ["extra"]),
    "trash given": ("given/trash", [], ["trash"]),
    "wrong type": ("players", "2", ["players"]),
    "step not a list": ("steps/0", "end-turn", ["steps"]),
    "fraction": ("given/turn/money", 1.5, ["money"]),
    "board": ("board", "osaka2", ["osaka2", "tokyo"]),
    "box": ("boxes", ["basis"], ["basis", "base"]),
    "no box": ("boxes", [], ["box"]),
    "players": ("players", 5, ["5", "2 to 4"]),
    "too many seats given": ("given/seats", [{}, {}, {}], ["3 seats", "2 players"]),
    "too many seats expected": ("expect/seats", [{}, {}, {}], ["3 seats", "2 players"]),
    "reactions": ("reactions", "slow", ["slow", "sealed", "fast"]),
}


@pytest.mark.parametrize(("place", "value", "named"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_named(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    place: str,
    value: Any,
    named: list[str],
) -> None:
    path = write(tmp_path, changed(place, value))
    assert main([path]) not in (0, None)
    out, err = capsys.readouterr()
    assert out == "0 passed, 1 failed\n"
    assert err.startswith(f"{path}: ")
    assert len(err.splitlines()) == 1
    for word in named:
        assert word in err


@pytest.mark.parametrize("missing", ["name", "board", "players"])
def test_a_missing_field_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], missing: str
) -> None:
    scenario = copy.deepcopy(GOOD)
    del scenario[missing]
    assert main([write(tmp_path, scenario)]) != 0
    assert missing in capsys.readouterr().err


TEXTS = {
    "empty": b"",
    "no JSON": b"hello",
    "cut off": b'[{"name": "a"',
    "no list": b"{}",
    "a list of numbers": b"[1]",
    "no UTF-8": b'[{"name": "\xff"}]',
    "a lone surrogate": b'[{"name": "\\ud800"}]',
    "a deep list": b"[" * 100_000,
    "a deep scenario": b'[{"name": "a", "given": '
    + b'{"a":' * 50_000
    + b"1"
    + b"}" * 50_001
    + b"]",
    "UTF-16": "[]".encode("utf-16"),
    "a byte order mark": b"\xef\xbb\xbf[]",
    "an endless number": b'[{"name": "a", "board": "tokyo", "players": ' + b"9" * 10_000 + b"}]",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_file_that_is_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: bytes
) -> None:
    path = tmp_path / "broken.json"
    path.write_bytes(text)
    assert main([str(path)]) != 0
    err = capsys.readouterr().err
    assert err.startswith(f"{path}: ")
    assert len(err.splitlines()) == 1
    assert len(err) < 300


@pytest.mark.parametrize(
    ("once", "twice", "named"),
    [
        ('"players": 2', '"players": 2, "players": 2', "players"),
        ('"turn": {', '"turn": {}, "turn": {', "turn"),
        ('"waste": 69', '"waste": 68, "waste": 69', "waste"),
    ],
)
def test_a_field_that_is_there_twice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], once: str, twice: str, named: str
) -> None:
    """Two readers would take different ones, so neither is taken."""
    path = tmp_path / "twice.json"
    good = json.dumps([{**GOOD, "expect": {**GOOD["expect"], "supply": {"waste": 69}}}])
    assert once in good
    path.write_text(good.replace(once, twice, 1), encoding="utf-8")
    assert main([str(path)]) == 1
    assert f"scenario number 1: a field is there twice in one object: {named}" in (
        capsys.readouterr().err
    )


def test_the_sign_before_utf_8_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "marked.json"
    path.write_text("[]", encoding="utf-8-sig")
    assert main([str(path)]) == 1
    assert "byte order mark; save it as UTF-8 without one" in capsys.readouterr().err


def test_piles_that_are_not_in_the_game_are_not_for_sale() -> None:
    game = new_game(2)
    for key in ("hex:C5", "hex:C4"):
        game.answer(game.decisions[0].id, [key])
    game.state.money = 99
    game.reopen()
    bought = {o.key[4:] for o in game.decisions[0].options if o.key.startswith("buy:")}
    assert bought == {*game.observe(0).supply} - {"waste"}


def test_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "none.json")]) != 0
    assert "none.json: cannot be read" in capsys.readouterr().err


def test_the_other_files_still_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [
        write(tmp_path, changed("board", "nowhere"), name="a.json"),
        write(tmp_path, GOOD, changed("expect/trash", []), name="b.json"),
        write(tmp_path, GOOD, name="c.json"),
    ]
    assert main(files) != 0
    assert capsys.readouterr().out.splitlines()[-1] == "2 passed, 2 failed"


@pytest.mark.parametrize(
    "mistaken", [{**GOOD, "foo": 1}, {**GOOD, "players": "two"}, changed("board", "nowhere"), 7]
)
def test_the_other_scenarios_of_the_file_still_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], mistaken: object
) -> None:
    path = tmp_path / "three.json"
    path.write_text(json.dumps([GOOD, mistaken, GOOD]), encoding="utf-8")
    assert main([str(path)]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "2 passed, 1 failed"


def test_names_cannot_act_on_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([write(tmp_path, {**changed("expect/trash", []), "name": "\x1b[31m\nred"})]) == 1
    said = capsys.readouterr().out
    assert "\x1b" not in said
    assert len(said.splitlines()) == 2


def test_clearing_waste_is_over_once_something_was_done(tmp_path: Path) -> None:
    """A position with cards in play is one in which something was done."""
    given = {"seats": [{"hand": ["waste"], "play": ["normal-train"]}]}
    base = {"name": "acted", "board": "tokyo", "players": 2, "refused": ["clear-waste"]}
    assert main([write(tmp_path, {**base, "given": given})]) == 0


@pytest.mark.parametrize(("scenario", "code"), [(GOOD, 0), (changed("expect/trash", []), 1)])
def test_the_command_itself(tmp_path: Path, scenario: dict[str, Any], code: int) -> None:
    path = write(tmp_path, scenario)
    ran = subprocess.run(
        [sys.executable, "-m", "engine.scenario", path],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert ran.returncode == code
    assert ran.stderr == ""
    assert ran.stdout.splitlines()[-1] == f"{1 - code} passed, {code} failed"


def test_the_example_of_the_documentation(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "scenarios.md").read_text(encoding="utf-8")
    example = text.split("```json\n")[1].split("```")[0]
    path = tmp_path / "example.json"
    path.write_text(example, encoding="utf-8")
    assert main([str(path)]) == 0
    assert json.loads(example)


def test_a_folder_is_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) != 0
    assert "cannot be read" in capsys.readouterr().err
