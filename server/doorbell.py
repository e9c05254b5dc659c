"""Wakes up the one task that waits: what a queue with a single reader needs, and no more."""

from __future__ import annotations

import trio


class Doorbell:
    """One task may :meth:`wait`; :meth:`ring` wakes it, or does nothing if it does not wait."""

    __slots__ = ("_task",)

    def __init__(self) -> None:
        self._task: trio.lowlevel.Task | None = None

    @property
    def awaited(self) -> bool:
        """Somebody waits for a ring."""
        return self._task is not None

    async def wait(self) -> None:
        """Wait for the next ring."""
        assert self._task is None, "somebody waits already"
        self._task = trio.lowlevel.current_task()
        await trio.lowlevel.wait_task_rescheduled(self._cancelled)

    def ring(self) -> None:
        """Wake up who waits."""
        task = self._task
        if task is not None:
            self._task = None
            trio.lowlevel.reschedule(task)

    def _cancelled(self, _: object) -> trio.lowlevel.Abort:
        self._task = None
        return trio.lowlevel.Abort.SUCCEEDED
