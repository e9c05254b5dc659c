"""What senro-log makes of windows, clocks, preferences and autopilots."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trio
from msgspec.structs import replace
from trio.testing import MockClock

from protocol.messages import Leave, Prefer
from server.log.reading import read_journal
from server.log.show import show
from server.log.verify import WrongLineError, read_story, verify
from tests.server.ambush import OPTIONS, ambush_box, dealer
from tests.server.conftest import House
from tests.server.log.journals import rewrite

Lines = list[dict[str, Any]]


async def _play(folder: Path) -> None:
    """A game with all of it: a window in which one replies, one prefers and one is silent; one in
    which a bot has to answer; and turns that are ended by the clock."""
    async with trio.open_nursery() as nursery:
        house = House(
            nursery,
            folder / "journals",
            settings={"silence": 1e9},
            own=(ambush_box(folder / "box"),),
            game_factory=dealer("ATTTT", "RTTTA", "RTTTA", "TTTTT"),
        )
        await nursery.start(house.hall.run)
        options = replace(OPTIONS, seed="22" * 32)
        table, players = await house.playing("Ann", "Ben", "Cid", "Dan", options=options)
        ann, ben, cid, dan = players
        await ben.do(Prefer, table=table, reactions="always")
        for player in players:
            await player.answer(table)
        await ann.answer(table, "play:station-expansion")
        await cid.answer(table, "pass")  # and Dan says nothing
        await cid.asked()
        await cid.answer(table, "card:normal-train", "card:lay-rails")
        await dan.do(Leave, table=table)
        await ann.asked()
        await trio.sleep(10)
        await ann.answer(table, "play:normal-train")
        await ben.asked()  # Ann's time is over
        await ben.answer(table, "play:normal-train")
        nursery.cancel_scope.cancel()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made: Path = tmp_path_factory.mktemp("timing")
    trio.run(_play, made, clock=MockClock(autojump_threshold=0))
    return made


@pytest.fixture
def path(folder: Path) -> Path:
    (found,) = (folder / "journals").glob("*.jsonl")
    return found


@pytest.fixture
def lines(path: Path) -> Lines:
    return [line.data or {} for line in read_journal(path).lines]


def test_it_is_sound_and_holds_all_there_is(path: Path, lines: Lines) -> None:
    assert verify(read_journal(path)).state == "playing"
    assert {line["type"] for line in lines} >= {"prefer", "window", "reply", "autopilot", "answer"}
    assert {line["by"] for line in lines if line["type"] == "answer"} == {
        "player",
        "clock",
        "preference",
        "autopilot",
    }


def test_a_story_tells_what_a_table_goes_on_with(path: Path) -> None:
    timing = read_story(read_journal(path)).timing
    assert timing is not None
    assert timing.preferences == {0: "ask", 1: "always", 2: "ask", 3: "ask"}
    assert (timing.autopilots, timing.windows, timing.waiting) == ({3}, 2, {})
    assert (timing.turn_ms, timing.reserve_ms) == (120_000, {0: 0, 1: 60_000, 2: 60_000, 3: 60_000})


def test_a_story_that_ends_in_a_window_tells_who_has_replied(
    path: Path, lines: Lines, tmp_path: Path
) -> None:
    last = max(n for n, line in enumerate(lines) if line["type"] == "reply")
    rewrite(tmp_path / "cut.jsonl", copy.deepcopy(lines[: last + 1]))
    timing = read_story(read_journal(tmp_path / "cut.jsonl")).timing
    assert timing is not None
    assert [*timing.waiting] == [2, 3]
    assert timing.replies[2].keys == ("card:normal-train", "card:lay-rails")


def nth(lines: Lines, kind: str, n: int = 0, **fields: Any) -> dict[str, Any]:
    """The line of a type that has these fields."""
    found = [
        line
        for line in lines
        if line["type"] == kind and all(line.get(key) == value for key, value in fields.items())
    ]
    return found[n]


Edit = Callable[[Lines], object]

EDITS: dict[str, tuple[Edit, str]] = {
    "a window of others": (lambda ls: nth(ls, "window").update(seats=[1, 2]), "its seats are not"),
    "another order": (lambda ls: nth(ls, "window").update(seats=[2, 1, 3]), "its seats are not"),
    "another card": (lambda ls: nth(ls, "window").update(card="waste"), "its card is not"),
    "another number": (lambda ls: nth(ls, "window").update(window="w9"), "it is window w1"),
    "another end": (lambda ls: nth(ls, "window").update(window_ms=1), "its times are not"),
    "another minimum": (lambda ls: nth(ls, "window").update(least_ms=0), "its times are not"),
    "no window": (
        lambda ls: (ls.remove(nth(ls, "window", 1)), ls.remove(nth(ls, "reply", 1))),
        "no window was opened",
    ),
    "a window too many": (lambda ls: _twice(ls, "window"), "cannot follow"),
    "a reply of somebody else": (lambda ls: nth(ls, "reply").update(seat=3), "no window asks"),
    "a reply to something else": (lambda ls: nth(ls, "reply").update(decision="2-9"), "no window"),
    "a reply that is not legal": (lambda ls: nth(ls, "reply").update(keys=["fly"]), "the engine"),
    "a reply after the end": (
        lambda ls: nth(ls, "reply").update(latency_ms=15_001),
        "after the window has ended",
    ),
    "a reply twice": (lambda ls: _twice(ls, "reply"), "cannot reply"),
    "a reply of one who prefers": (
        lambda ls: nth(ls, "reply").update(seat=1, decision="1-1", keys=["pass"]),
        "prefers not to be asked",
    ),
    "a reply that is lost": (lambda ls: ls.remove(nth(ls, "reply")), "type 'reply'"),
    "an answer that was not the reply": (
        lambda ls: nth(ls, "answer", seat=2, by="player", n=1).update(latency_ms=3),
        "not what the player has replied",
    ),
    "a preference that nobody has": (
        lambda ls: nth(ls, "answer", by="preference").update(by="clock"),
        "what seat 1 prefers",
    ),
    "a preference that is lost": (lambda ls: ls.remove(nth(ls, "prefer")), "prefers"),
    "a preference that is none": (
        lambda ls: nth(ls, "prefer").update(reactions="ask"),
        "prefers that already",
    ),
    "a clock before the end": (
        lambda ls: nth(ls, "answer", by="clock").update(latency_ms=14_999),
        "at the end of a window",
    ),
    "a bot before the minimum": (
        lambda ls: nth(ls, "answer", by="autopilot").update(latency_ms=1_999),
        "before the window may close",
    ),
    "an autopilot that was never on": (
        lambda ls: ls.remove(nth(ls, "autopilot")),
        "no bot plays for seat 3",
    ),
    "an autopilot for no reason": (
        lambda ls: nth(ls, "autopilot").update(why="back"),
        "is no reason",
    ),
    "an autopilot that is on already": (lambda ls: _twice(ls, "autopilot"), "already"),
    "a clock with time left": (
        lambda ls: nth(ls, "answer", by="clock", keys=["end-turn"]).update(reserve_ms=1),
        "has time left",
    ),
    "a clock that has gained": (
        lambda ls: nth(ls, "answer", keys=["play:normal-train"]).update(turn_ms=120_001),
        "more time left than before",
    ),
    "a clock that is not told": (
        lambda ls: nth(ls, "answer", keys=["play:normal-train"]).pop("turn_ms"),
        "does not say what seat 0 has left",
    ),
    "a clock in a window": (
        lambda ls: nth(ls, "answer", by="preference").update(turn_ms=1, reserve_ms=1),
        "does not run in a window",
    ),
    "a preference in a turn": (
        lambda ls: nth(ls, "answer", keys=["play:normal-train"]).update(by="preference"),
        "in windows only",
    ),
    "a clock that answers something else": (
        lambda ls: nth(ls, "answer", by="clock", seat=3).update(keys=["reveal:lay-rails"]),
        "not the default",
    ),
}


def _twice(lines: Lines, kind: str) -> None:
    at = lines.index(nth(lines, kind))
    lines.insert(at, copy.deepcopy(lines[at]))


@pytest.mark.parametrize("edit", EDITS)
def test_what_does_not_fit_is_found(edit: str, lines: Lines, tmp_path: Path) -> None:
    change, words = EDITS[edit]
    changed = copy.deepcopy(lines)
    change(changed)
    for seq, line in enumerate(changed):
        line["seq"] = seq
    rewrite(tmp_path / "edited.jsonl", changed)
    with pytest.raises(WrongLineError, match=words):
        verify(read_journal(tmp_path / "edited.jsonl"))


def test_windows_and_autopilots_are_shown_where_they_belong(path: Path) -> None:
    shown = " ".join(" ".join(show(read_journal(path))).split())
    first = shown.index(
        "Window w1: Ben reveal:lay-rails (preference, 2.0 s); Cid pass (player, 0.0 s); "
        "Dan pass (clock, 15.0 s)"
    )
    assert first < shown.index("Ben reveals Lay Rails") < shown.index("A bot plays for Dan")
    assert shown.index("A bot plays for Dan, who has left") < shown.index("Window w2: Cid")
