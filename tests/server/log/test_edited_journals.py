"""Whatever is done to a journal: never a traceback, and never "good" for what is not."""

from __future__ import annotations

import copy
import io
import json
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server.log.__main__ import main
from tests.server.log.journals import rewrite, write_game

Lines = list[dict[str, Any]]
Place = tuple[Any, ...]

JUNK: list[Any] = [
    *(None, True, False, 0, 1, -1, 2, 7, 2**53, 2**64, -(10**30), 1.5, 1.0, 1e308),
    *("", "x", "\x1b[31m\n", "\u202e", "base", "player", "clock", "random", "seats", "0" * 32),
    *([], {}, [[]], [None], {"x": 1}, ["x"] * 5, [{}], {"type": "turn", "seat": 9}),
]
FREE = {
    *("title", "table", "creator", "host", "reason", "latency_ms", "seeded"),
    *("turn_ms", "reserve_ms", "window_ms", "sealed_min_ms", "absence_ms", "loaded_ms", "order"),
}
"""Fields in which another value of the right form may be as true: nothing else tells of them."""


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Lines:
    """The start of a game."""
    return write_game(tmp_path_factory.mktemp("log") / "short.jsonl", answers=8)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Lines:
    """A game to its end."""
    return write_game(tmp_path_factory.mktemp("log") / "whole.jsonl")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("log") / "edited.jsonl"


def run(command: str, path: Path) -> tuple[int, str, str]:
    """The exit code, and what is said; a traceback fails the test by itself."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main([command, str(path)])
    for line in (out.getvalue() + err.getvalue()).split("\n"):
        assert line.isprintable() or not line
    return code, out.getvalue(), err.getvalue()


def judged(path: Path) -> int:
    """What verify says of it; show says the same."""
    code, out, err = run("verify", path)
    assert (out.count("\n"), err) == (1, "")
    shown, _, said = run("show", path)
    if code == 1:
        assert shown == 1
        assert "this journal does not verify: line " in said.splitlines()[0]
    elif code == 0:
        assert (shown, said) == (0, "")
    return code


def places(value: Any, at: Place = ()) -> Iterator[Place]:
    """The way to every value inside."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in items:
        yield (*at, key)
        if isinstance(inner, dict | list):
            yield from places(inner, (*at, key))


def change(lines: Lines, place: Place, new: Callable[[Any, Any], None]) -> None:
    inside: Any = lines
    for key in place[:-1]:
        inside = inside[key]
    new(inside, place[-1])


def edit(lines: Lines, data: st.DataObject, first: int) -> tuple[Lines, Place]:
    """The lines with one value changed or taken away, from a line on."""
    edited = copy.deepcopy(lines)
    number = data.draw(st.integers(first, len(lines) - 1), "line")
    place = data.draw(st.sampled_from([(number, *at) for at in places(lines[number])]), "place")
    if data.draw(st.integers(0, 3), "what") == 0:
        change(edited, place, lambda inside, key: inside.pop(key))
    else:
        value = data.draw(st.sampled_from(JUNK), "value")
        change(edited, place, lambda inside, key: inside.__setitem__(key, value))
    return edited, place


def strictly(value: Any) -> str:
    """For comparing: 1, 1.0 and true are three values here."""
    return json.dumps(value)


def check(lines: Lines, edited: Lines, place: Place, file: Path) -> None:
    rewrite(file, edited)
    code = judged(file)
    if place[-1] in FREE or place[-1] == "prev" or strictly(edited) == strictly(lines):
        return  # (prev has been put right)
    assert code in {1, 2}, place


quick = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


@quick
@given(st.data())
def test_a_changed_value_is_never_good(short: Lines, file: Path, data: st.DataObject) -> None:
    edited, place = edit(short, data, 0)
    check(short, edited, place, file)


@settings(quick, max_examples=12)
@given(st.data())
def test_a_changed_end_is_never_good(whole: Lines, file: Path, data: st.DataObject) -> None:
    edited, place = edit(whole, data, len(whole) - 1)
    check(whole, edited, place, file)


@quick
@given(st.data())
def test_values_changed_under_other_rules_are_shown_without_a_traceback(
    short: Lines, file: Path, data: st.DataObject
) -> None:
    lines = copy.deepcopy(short)
    lines[0]["rules"] = 999  # shown without the engine, which then checks nothing
    edited, _ = edit(lines, data, 1)
    rewrite(file, edited)
    assert run("verify", file)[0] == 2
    assert run("show", file)[0] in {0, 1}


@quick
@given(st.data())
def test_lines_moved_doubled_or_lost_are_never_good(
    short: Lines, file: Path, data: st.DataObject
) -> None:
    lines = copy.deepcopy(short)
    one = data.draw(st.integers(0, len(lines) - 2))
    what = data.draw(st.sampled_from(["swap", "double", "lose"]))
    if what == "swap":
        other = data.draw(st.integers(one + 1, len(lines) - 1))
        lines[one], lines[other] = lines[other], lines[one]
    elif what == "double":
        lines.insert(one, copy.deepcopy(lines[one]))
    else:
        del lines[one]
    rewrite(file, lines, chained=data.draw(st.booleans()))
    assert run("verify", file)[0] in {1, 2}
    assert run("show", file)[0] in {1, 2}


@quick
@given(st.data())
def test_bytes_cut_or_put_in_bring_no_traceback(
    short: Lines, file: Path, data: st.DataObject
) -> None:
    rewrite(file, copy.deepcopy(short))
    content = file.read_bytes()
    start = data.draw(st.integers(0, len(content)))
    end = data.draw(st.integers(start, len(content)))
    file.write_bytes(content[:start] + data.draw(st.binary(max_size=20)) + content[end:])
    run("verify", file)
    run("show", file)


def put(*place: Any, value: Any) -> Callable[[Lines], Any]:
    """Changes one value."""
    return lambda lines: change(lines, place, lambda inside, key: inside.__setitem__(key, value))


SEATS = [{"kind": "bot", "name": "Ann", "level": "random"}]
TAMPERED: dict[str, Callable[[Lines], Any]] = {
    "a seat fewer at the start": lambda lines: lines[2]["seats"].pop(),
    "a seat fewer in the lobby": lambda lines: lines[1]["seats"].pop(),
    "no seats were taken": lambda lines: lines[1].update(seats=[{"kind": "open"}] * 2),
    "another player sits down": put(2, "seats", 0, "name", value="Zoe"),
    "a seat of an unknown kind": put(1, "seats", 0, "kind", value="ghost"),
    "a player with a level": put(1, "seats", 0, "kind", value="human"),
    "results are text": put(-1, "results", value="two to one"),
    "a result is true": put(-1, "results", 0, "rank", value=True),
    "a total is another": put(-1, "results", 0, "total", value=99),
    "a seat won that is not there": put(-1, "results", 0, "seat", value=3),
    "answered by nobody known": put(4, "by", value="wizard"),
    "a bot answered as a player": put(4, "by", value="player"),
    "a negative time to think": put(4, "latency_ms", value=-1),
    "half a millisecond": put(4, "latency_ms", value=0.5),
    "a whole float": put(4, "latency_ms", value=0.0),
    "no time": put(4, "time", value="yesterday"),
    "no such day": put(4, "time", value="2026-02-30T00:00:00.000Z"),
    "a time and a line end": put(4, "time", value="2026-02-20T00:00:00.000Z\n"),
    "an unknown field": put(4, "x", value=1),
    "an unknown field of an event": put(2, "events", 0, "x", value=1),
    "more players than seats": put(0, "options", "players", value=3),
    "another board": put(0, "options", "board", value="osaka"),
    "another box": put(0, "options", "boxes", value=["common"]),
    "other reactions": put(0, "options", "reactions", value="sealed"),
    "other piles": put(0, "options", "kingdom", value=["first-game"]),
    "a seed that is shown": put(0, "options", "seed", value="0" * 64),
    "perhaps seeded": put(0, "seeded", value="perhaps"),
    "a setup of other players": put(2, "setup", "players", value=3),
    "a setup of two and no half": put(2, "setup", "players", value=2.0),
    "a setup with more in it": put(2, "setup", "x", value=1),
    "decks of nothing": put(2, "setup", "decks", value=[[], []]),
    "decks of numbers": put(2, "setup", "decks", value=[[1], [2]]),
    "a seed that is a number": put(2, "setup", "seed", value=5),
}


@pytest.mark.parametrize("tamper", TAMPERED.values(), ids=TAMPERED.keys())
def test_what_was_tampered_with_is_wrong(
    whole: Lines, file: Path, tamper: Callable[[Lines], Any]
) -> None:
    lines = copy.deepcopy(whole)
    tamper(lines)
    rewrite(file, lines)
    assert judged(file) == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [(b'"seq":3', b'"seq": 3'), (b'"seq":3', b'"seq":9,"seq":3'), (b'"by":', b'"\\u0062y":')],
)
def test_the_same_in_other_bytes_is_wrong(whole: Lines, file: Path, old: bytes, new: bytes) -> None:
    rewrite(file, copy.deepcopy(whole[:4]))  # its last line, which nothing follows
    content = file.read_bytes()
    assert old in content
    file.write_bytes(content.replace(old, new))
    assert judged(file) == 1
