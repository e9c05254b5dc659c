"""Who is played by a bot because they are not there, or let time run out again and again.

A seat goes on autopilot when its player has left, has been away for long enough, or has not
answered in time twice in a row; it comes off as soon as the player is back.  How long somebody has
been away counts only while :meth:`Autopilot.start` lets it: not in a pause, and not while nobody
at all is there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from math import inf
from typing import NamedTuple

from engine.bots import Bot
from server.stopwatch import Stopwatch

TIMEOUTS = 2
"""Times in a row that nothing came in time until a bot takes over."""


class Switch(NamedTuple):
    """A seat went on autopilot or came off; ``why`` is left, absence, timeouts or back."""

    seat: int
    on: bool
    why: str


class Autopilot:
    """The autopilots of a table; ``seats`` are those of people.  ``absence`` is how many seconds
    they may be away; ``make`` makes a bot for a seat, the first time one is needed."""

    def __init__(self, seats: Iterable[int], absence: float, make: Callable[[int], Bot]) -> None:
        self._absence = absence
        self._make = make
        self._bots: dict[int, Bot] = {}
        self._timeouts = dict.fromkeys(seats, 0)
        self._away: dict[int, Stopwatch] = {}
        self._left: set[int] = set()
        self._why: dict[int, str] = {}
        self._running = False

    def __contains__(self, seat: int) -> bool:
        return seat in self._why

    @property
    def seats(self) -> list[int]:
        """The seats on autopilot."""
        return sorted(self._why)

    def bot(self, seat: int) -> Bot:
        """Who plays for a seat."""
        if seat not in self._bots:
            self._bots[seat] = self._make(seat)
        return self._bots[seat]

    def take_up(self, seats: Collection[int], left: Collection[int]) -> None:
        """These seats are on autopilot from before; the players of those in ``left`` have gone."""
        self._why = {seat: "left" if seat in left else "absence" for seat in sorted(seats)}
        self._left |= {*left}

    # ------------------------------------------------------------------ what happens to a seat

    def timed_out(self, seat: int) -> int:
        """Its time ran out; returns how often that has happened in a row."""
        self._timeouts[seat] += 1
        return self._timeouts[seat]

    def answered(self, seat: int) -> None:
        """Its player has answered in time."""
        self._timeouts[seat] = 0

    def is_away(self, seat: int) -> bool:
        """Whether its player was not there when that was looked at last."""
        return seat in self._away

    def back(self, seat: int) -> None:
        """Its player is there again."""
        self._timeouts[seat] = 0
        self._away.pop(seat, None)
        self._left.discard(seat)

    def away(self, seat: int, now: float, *, left: bool) -> None:
        """Its player is not there; ``left``: for good."""
        if left:
            self._left.add(seat)
        if seat not in self._away:
            self._away[seat] = watch = Stopwatch()
            if self._running:
                watch.start(now)

    # ------------------------------------------------------------------ time

    def start(self, now: float) -> None:
        """From now on absences count."""
        self._running = True
        for watch in self._away.values():
            watch.start(now)

    def stop(self, now: float) -> None:
        """Until further notice they do not."""
        self._running = False
        for watch in self._away.values():
            watch.stop(now)

    @property
    def due(self) -> float:
        """When the next absence will have lasted long enough."""
        return min(
            (
                watch.due(self._absence)
                for seat, watch in self._away.items()
                if seat not in self._why
            ),
            default=inf,
        )

    def switch(self, now: float) -> list[Switch]:
        """Put seats on autopilot, or take them off, as things stand now."""
        switches = []
        for seat in self._timeouts:
            why = self._reason(seat, now)
            if bool(why) != (seat in self._why):
                switches.append(Switch(seat, bool(why), why or "back"))
            if why:
                self._why.setdefault(seat, why)
            else:
                self._why.pop(seat, None)
        return switches

    def _reason(self, seat: int, now: float) -> str:
        if seat in self._left:
            return "left"
        watch = self._away.get(seat)
        if watch is not None and (seat in self._why or watch.due(self._absence) <= now):
            return "absence"
        return "timeouts" if self._timeouts[seat] >= TIMEOUTS else ""
