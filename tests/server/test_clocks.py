"""The clock of a turn, and the reserve behind it."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.clocks import TurnClock, next_warning


def test_a_turn_takes_its_own_time_first_and_then_the_reserve() -> None:
    clock = TurnClock(120, 60, [0, 1])
    clock.begin(0, 0)
    assert clock.due == inf  # it does not run yet
    clock.start(0)
    assert clock.due == 180
    assert (clock.turn_left(100), clock.reserve_left(0, 100)) == (20, 60)
    assert (clock.turn_left(150), clock.reserve_left(0, 150)) == (0, 30)
    clock.begin(1, 150)
    assert clock.reserves(150) == {0: 30, 1: 60}
    clock.begin(0, 200)
    clock.start(200)
    assert (clock.turn_left(200), clock.due) == (120, 350)


def test_time_that_was_not_needed_is_not_saved() -> None:
    clock = TurnClock(120, 60, [0])
    for turn in range(5):
        clock.begin(0, turn * 10)
        clock.start(turn * 10)
        assert clock.reserves(turn * 10 + 10) == {0: 60}


def test_when_it_has_run_out_nothing_is_left() -> None:
    clock = TurnClock(0.1, 0.2, [0])
    clock.begin(0, 0)
    clock.start(0)
    clock.run_out(0.3)  # 0.1 + 0.2 is not 0.3 in a computer
    assert (clock.turn_left(1), clock.reserves(1), clock.running) == (0, {0: 0}, False)
    clock.start(1)
    assert clock.due == 1


@pytest.mark.parametrize(("turn", "seat"), [(0, 0), (120, 1)])
def test_without_time_or_for_a_bot_there_is_no_clock(turn: float, seat: int) -> None:
    clock = TurnClock(turn, 60, [0])
    clock.begin(seat, 0)
    clock.start(0)
    assert (clock.seat, clock.due) == (-1, inf)
    clock.begin(0, 10**9)
    assert clock.reserves(10**9) == ({0: 60} if turn else {})


@given(
    st.lists(
        st.tuples(st.sampled_from(("begin", "start", "stop", "run_out")), st.floats(0, 90)),
        max_size=40,
    )
)
def test_no_reserve_ever_grows_or_gets_negative(happened: list[tuple[str, float]]) -> None:
    clock, now = TurnClock(60, 100, [0, 1, 3]), 0.0
    reserves = clock.reserves(now)
    for n, (what, step) in enumerate(happened):
        now += step
        if what == "begin":
            clock.begin(n % 4, now)
        else:
            getattr(clock, what)(now)
        before, reserves = reserves, clock.reserves(now)
        assert all(0 <= reserves[seat] <= before[seat] + 1e-6 for seat in before)
        assert clock.due >= now or not any(reserves.values()) or clock.turn_left(now) == 0


@pytest.mark.parametrize(
    ("due", "now", "when"),
    [
        (100, 0, 70),
        (100, 70, 90),
        (100, 89, 90),
        (100, 90, inf),
        (15, 0, 5),
        (9, 0, inf),
        (inf, 0, inf),
        (-inf, 0, inf),
    ],
)
def test_warnings_come_30_and_10_seconds_before_an_end(due: float, now: float, when: float) -> None:
    assert next_warning(due, now) == when
