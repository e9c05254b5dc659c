"""Time that has been used: plain numbers, on whatever clock they are read from."""

from __future__ import annotations

from math import inf


class Stopwatch:
    """Counts seconds while it runs; stopped and started again it goes on where it was.

    What is left of a limit never grows and is never negative, as long as the clock it is read from
    does not go back.
    """

    __slots__ = ("_since", "_spent")

    def __init__(self, spent: float = 0.0) -> None:
        self._spent = spent
        self._since = inf  # not running

    @property
    def running(self) -> bool:
        return self._since < inf

    def start(self, now: float) -> None:
        """Run, if it does not yet."""
        if not self.running:
            self._since = now

    def stop(self, now: float) -> None:
        """Stand still, if it runs."""
        self._spent = self.spent(now)
        self._since = inf

    def spent(self, now: float) -> float:
        """Seconds counted so far."""
        return self._spent + max(0.0, now - self._since) if self.running else self._spent

    def left(self, limit: float, now: float) -> float:
        """Seconds left of a limit: never negative."""
        return max(0.0, limit - self.spent(now))

    def due(self, limit: float) -> float:
        """When so many seconds will have been counted; infinity while it stands still."""
        return self._since + max(0.0, limit - self._spent)
