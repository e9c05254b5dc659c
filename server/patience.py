"""Deadlines that move with every message, at the price of setting an attribute.

A cancel scope whose deadline is moved for each message costs more than reading the message.  Here
the deadlines are plain numbers; a task of its own wakes up when the earliest that it knew of comes,
and mostly finds that it has moved.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

import trio


class Patience:
    """The deadlines of one connection, on Trio's clock: for reading, and for writing."""

    def __init__(self) -> None:
        self.read_due = inf
        self.write_due = inf
        self._wakes_at = inf
        self._alarm = trio.CancelScope()

    def read_by(self, due: float) -> None:
        """Something has to be read by then."""
        self.read_due = due
        if due < self._wakes_at:
            self._set_alarm(due)

    def write_by(self, due: float) -> None:
        """Something has to be written by then."""
        self.write_due = due
        if due < self._wakes_at:
            self._set_alarm(due)

    def _set_alarm(self, due: float) -> None:
        self._wakes_at = self._alarm.deadline = due

    async def watch(self, read_late: Callable[[], None], write_late: Callable[[], None]) -> None:
        """Call one of these, once, when its deadline has come; runs until then or cancelled."""
        while True:
            self._wakes_at = min(self.read_due, self.write_due)
            with trio.CancelScope(deadline=self._wakes_at) as self._alarm:
                await trio.sleep_forever()
            now = trio.current_time()
            if self.write_due <= now:
                write_late()
                return
            if self.read_due <= now:
                read_late()
                return
