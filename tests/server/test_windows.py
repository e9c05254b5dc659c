"""Windows as values: who is in one, in which order, and what a preference answers."""

from __future__ import annotations

from math import inf

import pytest

from engine.game import Game
from engine.types import Decision, Option
from server.windows import Window, outside_turn, preferred

PASS = Option("pass")
REACT = Decision("1-0", 1, "react", 1, 1, (Option("reveal:legal-counsel"), PASS), ("pass",))
CANNOT = Decision("2-0", 2, "react", 1, 1, (PASS,), ("pass",), cause="regulations")
FORCED = Decision("3-0", 3, "discard-down", 1, 1, (Option("card:waste"),), ("card:waste",))


class State:
    def __init__(self, phase: str, active: int) -> None:
        self.phase, self.active, self.seats = phase, active, range(4)


class FakeGame:
    """What a window looks at."""

    def __init__(self, *seats: int, active: int = 0, phase: str = "turn") -> None:
        self.state = State(phase, active)
        self.decisions = [Decision(f"{i}-0", i, "x", 0, 0, ()) for i in seats]


@pytest.mark.parametrize(
    ("game", "seats"),
    [
        (FakeGame(), []),
        (FakeGame(0), []),
        (FakeGame(1), [1]),
        (FakeGame(0, 1, 2, active=1), [1, 2, 0]),
        (FakeGame(0, 2, 3, active=1), [2, 3, 0]),
        (FakeGame(2, active=2), []),
        (FakeGame(2, phase="start"), []),
    ],
)
def test_a_window_is_there_if_others_than_the_active_player_are_asked(
    game: Game, seats: list[int]
) -> None:
    assert [decision.seat for decision in outside_turn(game)] == seats


@pytest.mark.parametrize(
    ("decision", "preference", "keys"),
    [
        (REACT, "ask", None),
        (REACT, "always", ("reveal:legal-counsel",)),
        (REACT, "never", ("pass",)),
        (CANNOT, "always", ("pass",)),
        (FORCED, "always", None),
        (FORCED, "never", None),
    ],
)
def test_a_preference_answers_reactions_and_nothing_else(
    decision: Decision, preference: str, keys: tuple[str, ...] | None
) -> None:
    assert preferred(decision, preference) == keys


def test_what_comes_by_itself_comes_no_sooner_than_the_window_may_close() -> None:
    window = Window(3, [CANNOT, FORCED, REACT], 15, 2)
    assert (window.id, window.card, window.seats) == ("w3", "regulations", (2, 3, 1))
    window.watch.start(100)
    assert (window.due, window.ripe_at) == (115, 102)
    assert window.reply(3, ("card:waste",), "player", 0.5).after == 0.5
    assert window.reply(2, ("pass",), "preference", 0.0).after == 2
    assert window.missing() == [1]


def test_a_window_without_an_end_says_so() -> None:
    window = Window(1, [CANNOT], inf, 2)
    window.watch.start(0)
    assert (window.due, window.ripe_at, window.to_plain()["window_ms"]) == (inf, 2, 0)
