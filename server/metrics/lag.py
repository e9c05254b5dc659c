"""Measures how late the loop is: what every task of the server waits longer than it has to."""

from __future__ import annotations

from collections.abc import Callable

import trio

EVERY = 0.5
"""Seconds between two looks."""


async def measure(observe: Callable[[float], None]) -> None:
    """Hand over, again and again, by how many seconds a sleep was too long."""
    while True:
        due = trio.current_time() + EVERY
        await trio.sleep_until(due)
        observe(max(0.0, trio.current_time() - due))
