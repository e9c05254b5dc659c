"""Things that happen some time from now unless somebody thinks better of it: one task for all.

It knows what is to be called and when, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from math import inf

import trio

from server.oplog import Log


class Reminders:
    """At most one reminder for each key, on Trio's clock."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._due: dict[Hashable, tuple[float, Callable[[], None]]] = {}
        self._wakes_at = inf
        self._alarm = trio.CancelScope()

    def __contains__(self, key: Hashable) -> bool:
        return key in self._due

    def set(self, key: Hashable, due: float, action: Callable[[], None]) -> None:
        """Call ``action`` at that time, and not what was to be called for this key before."""
        self._due[key] = due, action
        if due < self._wakes_at:
            self._wakes_at = self._alarm.deadline = due

    def drop(self, key: Hashable) -> None:
        """Call nothing for this key."""
        self._due.pop(key, None)

    async def run(self) -> None:
        """Call what is due; an exception out of an action is logged and stops no other."""
        while True:
            self._wakes_at = min((due for due, _ in self._due.values()), default=inf)
            with trio.CancelScope(deadline=self._wakes_at) as self._alarm:
                await trio.sleep_forever()
            now = trio.current_time()
            for key in [key for key, (due, _) in self._due.items() if due <= now]:
                # one action may have dropped or put off another
                due, action = self._due.get(key, (inf, None))
                if action is None or due > now:
                    continue
                del self._due[key]
                try:
                    action()
                except Exception as error:  # noqa: BLE001 - the others go on
                    self._log.error("reminder failed", exc_info=error)
