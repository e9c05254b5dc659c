"""The clock of the one whose turn it is.

All decisions of an own turn share the time of a turn; what goes beyond it is taken from a reserve
that each player has once for the whole game.  It only counts: what happens when time is up is
decided by whoever asks (:mod:`server.play`).  Times are in seconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf

from server.stopwatch import Stopwatch

WARNINGS = (30.0, 10.0)
"""Seconds before the end of any time at which those who are asked are warned."""


def next_warning(due: float, now: float) -> float:
    """When to warn next of something that ends at ``due``; infinity if not any more."""
    return min((due - early for early in WARNINGS if due - early > now), default=inf)


class TurnClock:
    """The clock of a table; ``seats`` are those whose players have one (bots have none).

    ``turn`` are the seconds of a turn, or 0: then there is no clock, and no end.
    """

    def __init__(self, turn: float, reserve: float, seats: Iterable[int]) -> None:
        self._turn = turn
        self._reserve = dict.fromkeys(seats, reserve) if turn else {}
        self._watch = Stopwatch()
        self.seat = -1
        """Whose turn it is, or -1 if that seat has no clock."""

    def begin(self, seat: int, now: float) -> None:
        """A turn begins: what the last one took beyond its time is gone.  It does not run yet."""
        self.stop(now)
        if self.seat >= 0:
            self._reserve[self.seat] = self.reserve_left(self.seat, now)
        self.seat = seat if seat in self._reserve else -1
        self._watch = Stopwatch()

    def take_up(self, turn_left: float, reserves: Mapping[int, float]) -> None:
        """The turn goes on with so much of its own time left, and everybody with so much of their
        reserve."""
        self._reserve.update({s: left for s, left in reserves.items() if s in self._reserve})
        self._watch = Stopwatch(max(0.0, self._turn - turn_left))

    def start(self, now: float) -> None:
        """Run, if the seat has a clock."""
        if self.seat >= 0:
            self._watch.start(now)

    def stop(self, now: float) -> None:
        """Stand still."""
        self._watch.stop(now)

    def run_out(self, now: float) -> None:
        """The time is up, to the last bit."""
        self.stop(now)
        self._watch = Stopwatch(max(self._limit, self._watch.spent(now)))

    @property
    def running(self) -> bool:
        return self._watch.running

    @property
    def _limit(self) -> float:
        return self._turn + self._reserve[self.seat] if self.seat >= 0 else inf

    @property
    def due(self) -> float:
        """When turn and reserve will both be used up; infinity while it stands still."""
        return self._watch.due(self._limit)

    def turn_left(self, now: float) -> float:
        """What is left of the turn's own time."""
        return self._watch.left(self._turn, now)

    def left(self, now: float) -> tuple[float, float]:
        """What is left of the turn's own time, and of the reserve of the one whose turn it is."""
        spent = self._watch.spent(now)
        reserve = self._reserve[self.seat] - max(0.0, spent - self._turn)
        return max(0.0, self._turn - spent), max(0.0, reserve)

    def reserve_left(self, seat: int, now: float) -> float:
        """What is left of a seat's reserve."""
        reserve = self._reserve[seat]
        if seat != self.seat:
            return reserve
        return max(0.0, reserve - max(0.0, self._watch.spent(now) - self._turn))

    def reserves(self, now: float) -> dict[int, float]:
        """What is left of the reserve of every seat that has one."""
        return {seat: self.reserve_left(seat, now) for seat in self._reserve}
