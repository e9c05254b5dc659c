"""What the plain client says of clocks, windows, autopilots and pauses."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from client.plain.clock import clock_lines, left, news, running_out
from protocol.messages import Clocks
from tests.client.games import model_of, opening
from tests.client.test_session import Person, asked, meet, sit_down

RESERVES = {"0": 60_000, "1": 41_500}
TURN = Clocks("t1", seats=[0], ms=20_000, reserve_ms=RESERVES)
WINDOW = Clocks("t1", True, "lay-rails", [0, 1], 15_000, RESERVES)
ENDLESS = Clocks("t1", True, "lay-rails", [1])
IDLE = Clocks("t1", reserve_ms=RESERVES)
PAUSED = Clocks("t1", seats=[0], ms=20_000, reserve_ms=RESERVES, paused=True)


@pytest.mark.parametrize(
    ("clocks", "passed", "expected"),
    [
        (TURN, 0, (20, 60)),
        (TURN, 19, (1, 60)),
        (TURN, 50, (0, 30)),
        (TURN, 500, (0, 0)),
        (WINDOW, 4, (11, 0)),
        (WINDOW, 16, (0, 0)),
        (PAUSED, 500, (20, 60)),
        (ENDLESS, 5, None),
        (IDLE, 5, None),
    ],
)
def test_what_is_left_is_the_turns_own_time_first(
    clocks: Clocks, passed: float, expected: tuple[float, float] | None
) -> None:
    assert left(clocks, passed) == expected


@pytest.mark.parametrize(
    ("clocks", "passed", "shown"),
    [
        (None, 0, ""),
        (TURN, 0, ""),
        (TURN, 50, "30 s"),
        (TURN, 79.6, "0 s"),
        (WINDOW, 3, "12 s"),
        (PAUSED, 79, ""),
        (ENDLESS, 0, ""),
    ],
)
def test_the_prompt_shows_time_that_is_short(
    clocks: Clocks | None, passed: float, shown: str
) -> None:
    assert running_out(clocks, passed) == shown


@pytest.mark.parametrize(
    ("clocks", "passed", "lines"),
    [
        (None, 0, ["No clock runs at this table."]),
        (
            TURN,
            5,
            [
                "Turn of you: 0:15 left, 1:00 in reserve.",
                "In reserve for the rest of the game: Ben 0:42.",
            ],
        ),
        (
            WINDOW,
            5,
            [
                "Asked because of Lay Rails: you, Ben; 0:10 left.",
                "In reserve for the rest of the game: you 1:00, Ben 0:42.",
            ],
        ),
        (ENDLESS, 0, ["Asked because of Lay Rails: Ben; as long as they like."]),
        (Clocks("t1", autopilot=[1]), 0, ["No clock runs now.", "A bot plays for Ben."]),
        (
            Clocks("t1", seats=[1], ms=90_000, reserve_ms={"1": 0}, paused=True),
            500,
            [
                "Turn of Ben: 1:30 left, 0:00 in reserve.",
                "The game is paused; resume lets it go on.",
            ],
        ),
    ],
)
def test_the_clock_is_told_in_words(clocks: Clocks | None, passed: float, lines: list[str]) -> None:
    model = model_of(opening(2))
    model.clocks = clocks
    assert clock_lines(model, passed) == lines


WARNED = Clocks("t1", seats=[0], ms=0, reserve_ms={"0": 10_000}, warning=True)


@pytest.mark.parametrize(
    ("before", "now", "told"),
    [
        (None, TURN, []),
        (TURN, WINDOW, ["15 seconds to answer."]),
        (WINDOW, WINDOW, []),
        (TURN, WARNED, ["10 seconds left to answer."]),
        (TURN, Clocks("t1", True, "", [1], 15_000), []),
        (TURN, Clocks("t1", seats=[1], ms=10_000, warning=True), []),
        (TURN, Clocks("t1", autopilot=[1]), ["A bot plays for Ben until they are back."]),
        (TURN, Clocks("t1", autopilot=[0]), ["A bot plays for you until you answer something."]),
        (Clocks("t1", autopilot=[0, 1]), Clocks("t1", autopilot=[1]), None),
    ],
)
def test_what_changes_is_told_to_whom_it_concerns(
    before: Clocks | None, now: Clocks, told: list[str] | None
) -> None:
    game = opening(2)
    model = model_of(game, game.decisions[0].seat)
    assert model.seat == 0
    assert news(model, before, now) == (
        ["No bot plays for you any more."] if told is None else told
    )


def test_nobody_is_hurried_who_has_answered_already() -> None:
    model = model_of(opening(2), 1)
    assert model.decisions == ()
    assert news(model, TURN, WINDOW) == []


def test_a_model_keeps_the_clocks_and_says_what_they_were() -> None:
    model = model_of(opening(2))
    assert not model.apply(Clocks("another", seats=[0])).clocks
    change = model.apply(TURN)
    assert (change.clocks, change.clocks_before, model.clocks) == (True, None, TURN)
    assert model.apply(WINDOW).clocks_before == TURN


def test_people_look_at_the_clock_prefer_and_pause(tmp_path: Path) -> None:
    async def visit(anna: Person, ben: Person) -> None:
        await sit_down(anna, ben)
        await anna.type("start")
        first, second = await asked(anna, ben)
        await second.type("clock")
        await second.see("Turn of ")
        await second.see("In reserve for the rest of the game: you 1:00.")
        await second.type("prefer")
        await second.see("When others attack, you are asked whether to react.")
        await second.type("prefer sometimes")
        await second.see("! Prefer is ask, always, never, not “sometimes”.")
        await second.type("prefer never")
        await second.see("When others attack, you do not react and are not asked.")
        await second.console.until(lambda: second.session.model.reactions == "never")
        assert first.session.model.reactions == "ask"
        await first.type("pause")
        await second.see("would like a pause.")
        await second.type("pause")
        await first.see("* The game pauses until a player wants to go on.")
        await first.console.until(lambda: first.session.model.clocks.paused)
        await first.type("C5")
        await first.see("! The game is paused; any player can let it go on.")
        await first.type("clock")
        await first.see("The game is paused; resume lets it go on.")
        await second.type("resume")
        await first.see("* The game goes on.")
        await first.type("C5")
        await second.see("starts at Kichijoji (C5).")

    meet(tmp_path, visit)


def test_time_that_is_short_is_shown_as_it_passes(tmp_path: Path) -> None:
    async def visit(anna: Person, ben: Person) -> None:
        await anna.type("create seed=3 title=Evening turn=2 reserve=none window=none")
        await anna.see("and 0 s in reserve")
        await ben.type("join")
        await ben.see("Ben (you)")
        await ben.type("ready")
        await anna.see("type start")
        await anna.type("start")
        first, second = await asked(anna, ben)
        assert " s, answer > " in first.session.prompt()
        assert " s to move) > " in second.session.prompt()
        await first.see("* Your time was over, and what is harmless was chosen.")
        await first.type("C5")
        await first.see("! Nothing is asked of you now")

    async def swiftly(anna: Person, ben: Person) -> None:
        async with asyncio.timeout(20):
            await visit(anna, ben)

    meet(tmp_path, swiftly)
