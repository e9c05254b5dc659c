"""Windows: what is asked outside the own turn, of several seats at the same time.

A window is a value: who is asked what, until when, and what has been replied.  Replies are kept to
themselves until it closes and are then carried out in seat order from the active player on, so it
does not matter in which order they came.  Nothing is decided here about players who are not there;
see :mod:`server.play`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf
from typing import Any, NamedTuple

from engine.game import Game
from engine.types import Decision
from server.stopwatch import Stopwatch

ASK, ALWAYS, NEVER = "ask", "always", "never"
"""What a player may prefer to happen when others attack."""


def outside_turn(game: Game) -> list[Decision]:
    """The open decisions in the order they are carried out, if they make a window: somebody but
    the one whose turn it is is asked.  Otherwise there are none."""
    decisions = game.decisions
    active = game.state.active
    if game.state.phase == "start" or all(one.seat == active for one in decisions):
        return []
    seats = len(game.state.seats)
    return sorted(decisions, key=lambda one: (one.seat - active) % seats)


def preferred(decision: Decision, preference: str) -> tuple[str, ...] | None:
    """What a preference answers; None if the player is to be asked.  Only reactions can be
    answered like that."""
    if decision.kind != "react" or preference == ASK:
        return None
    if preference == ALWAYS:
        for option in decision.options:
            if option.key.startswith("reveal:"):
                return (option.key,)
    return decision.default


class Reply(NamedTuple):
    """The answer of one seat: its keys, who gave it (player, clock, preference, bot, autopilot),
    and how many seconds after the window had opened."""

    keys: tuple[str, ...]
    by: str
    after: float


class Window:
    """An open window.

    ``card`` is the card that asks; ``seats`` are asked, in the order of resolution.  ``limit`` are
    the seconds it may be open (infinity: there is no end), ``least`` those it is open in any case,
    so that its length does not tell who had a choice.
    """

    def __init__(
        self, number: int, decisions: Iterable[Decision], limit: float, least: float
    ) -> None:
        self.number = number
        self.decisions = {decision.seat: decision for decision in decisions}
        self.limit = limit
        self.least = min(least, limit)
        self.replies: dict[int, Reply] = {}
        self.watch = Stopwatch()  # to be started

    @property
    def id(self) -> str:
        return f"w{self.number}"

    @property
    def seats(self) -> tuple[int, ...]:
        return tuple(self.decisions)

    @property
    def card(self) -> str:
        return next(iter(self.decisions.values())).cause

    @property
    def due(self) -> float:
        """When it closes whatever has been replied; infinity while time stands still."""
        return self.watch.due(self.limit)

    @property
    def ripe_at(self) -> float:
        """When it may close at the earliest; infinity while time stands still."""
        return self.watch.due(self.least)

    def reply(self, seat: int, keys: tuple[str, ...], by: str, after: float) -> Reply:
        """Note a seat's answer, which has to be its first and legal.  One that came by itself came
        no sooner than the window may close."""
        if by != "player":
            after = max(after, self.least)
        self.replies[seat] = reply = Reply(keys, by, after)
        return reply

    def take_up(self, replies: Mapping[int, Reply], spent: float) -> None:
        """The window goes on: these replies were given, and so many seconds have gone by."""
        self.replies = {seat: replies[seat] for seat in self.decisions if seat in replies}
        self.watch = Stopwatch(spent)

    def missing(self) -> list[int]:
        """The seats that have not replied yet."""
        return [seat for seat in self.decisions if seat not in self.replies]

    def to_plain(self) -> dict[str, Any]:
        """The window as the journal keeps it; ``window_ms`` is 0 if it has no end."""
        return {
            "window": self.id,
            "card": self.card,
            "seats": self.seats,
            "window_ms": round(self.limit * 1000) if self.limit < inf else 0,
            "least_ms": round(self.least * 1000),
        }
