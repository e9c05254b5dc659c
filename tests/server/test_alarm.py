"""An alarm rings at the time set last, and needs no new task or timer for that."""

from __future__ import annotations

from typing import Any

import pytest
import trio

from server.alarm import Alarm


@pytest.mark.parametrize(
    ("sets", "rings"),
    [
        ([(0, 5)], [5]),
        ([(0, 5), (1, 9)], [9]),
        ([(0, 9), (1, 5)], [5]),
        ([(0, 5), (6, 8), (9, 10)], [5, 8, 10]),
        ([(0, 5), (1, float("inf"))], []),
        ([(3, 1)], [3]),
    ],
)
async def test_it_rings_at_the_time_set_last(
    sets: list[tuple[float, float]],
    rings: list[float],
    nursery: trio.Nursery,
    autojump_clock: Any,
) -> None:
    begun, rang = trio.current_time(), []
    alarm = Alarm(lambda: rang.append(trio.current_time() - begun))
    nursery.start_soon(alarm.run)
    for when, due in sets:
        await trio.sleep_until(begun + when)
        alarm.set(begun + due)
    await trio.sleep(100)
    assert rang == rings
