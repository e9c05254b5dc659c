"""The token bucket."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from server.meter import Meter


def test_a_burst_is_free_and_what_follows_comes_at_the_rate() -> None:
    meter = Meter(rate=10, burst=3, now=0.0)
    assert [meter.take(0.0) for _ in range(3)] == [0.0, 0.0, 0.0]
    assert meter.take(0.0) == 0.1
    assert meter.take(0.1) == 0.1


def test_it_fills_up_again_but_not_above_the_burst() -> None:
    meter = Meter(rate=10, burst=2, now=0.0)
    assert all(meter.try_take(0.0) for _ in range(2))
    assert not meter.try_take(0.05)
    assert [meter.try_take(100.0) for _ in range(3)] == [True, True, False]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=200))
def test_nobody_gets_more_than_burst_and_rate_allow(gaps: list[float]) -> None:
    meter, now, taken = Meter(rate=5, burst=4, now=0.0), 0.0, 0
    for gap in gaps:
        now += gap
        taken += meter.try_take(now)
    assert taken <= 4 + 5 * now + 1e-6
