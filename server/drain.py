"""Ends a server gently: no new games, and those that run are waited for, but not for ever."""

from __future__ import annotations

import trio

from server.hall import Hall

WARNINGS = (60.0, 10.0)
"""Seconds before the end at which those who still play are warned."""

LOOK = 0.25
"""Seconds between looks at whether a game still runs."""


async def drain(hall: Hall) -> bool:
    """Wait until no game runs that somebody is at, or the time is up; says whether all came to
    their end.  Everybody is told."""
    hall.order.draining = True
    limit = hall.settings.drain
    due = trio.current_time() + limit
    hall.log.info("draining", limit=limit, running=running(hall))
    if running(hall):
        hall.announce(
            "The server is about to end. No new games begin; those that run have "
            f"{_length(limit)} to come to their end."
        )
    warnings = [seconds for seconds in WARNINGS if seconds < limit]
    while running(hall):
        left = due - trio.current_time()
        if left <= 0:
            hall.log.warning("drain cut short", running=running(hall))
            return False
        while warnings and left <= warnings[0]:
            hall.announce(f"The server ends in {_length(warnings.pop(0))}.")
        await trio.sleep(min(LOOK, left))
    return True


def running(hall: Hall) -> int:
    """How many games run that somebody is at."""
    return sum(table.state == "playing" and table.attended for table in hall.tables.values())


def _length(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} seconds"
    return f"{seconds / 60:.0f} minutes"
