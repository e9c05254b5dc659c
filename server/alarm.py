"""A deadline that moves often, at the price of a comparison: one sleeping task for all of them."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

import trio


class Alarm:
    """Calls ``ring`` at or after the time set last.

    It may also call it too early: a deadline that was put off is noticed only when the earlier one
    comes.  Whoever is rung up looks at the clock.
    """

    def __init__(self, ring: Callable[[], None]) -> None:
        self._ring = ring
        self._due = inf
        self._wakes_at = inf
        self._scope = trio.CancelScope()

    def set(self, due: float) -> None:
        """Ring then (Trio's clock)."""
        self._due = due
        if due < self._wakes_at:
            self._wakes_at = self._scope.deadline = due

    async def run(self) -> None:
        """Sleep and ring until cancelled."""
        while True:
            self._wakes_at = self._due
            with trio.CancelScope(deadline=self._wakes_at) as self._scope:
                await trio.sleep_forever()
            if self._due <= trio.current_time():
                self._due = inf
                self._ring()
