"""Time that has been used never gets less, and what is left never gets negative."""

from __future__ import annotations

from math import inf

from hypothesis import given
from hypothesis import strategies as st

from server.stopwatch import Stopwatch

SECONDS = st.floats(0, 1000)


@given(st.lists(st.tuples(st.sampled_from(("start", "stop", "look")), SECONDS)), st.floats(0, 500))
def test_what_is_left_only_ever_gets_less(happened: list[tuple[str, float]], limit: float) -> None:
    watch, now, left = Stopwatch(), 100.0, limit
    for what, step in happened:
        now += step
        if what == "start":
            watch.start(now)
        elif what == "stop":
            watch.stop(now)
        before, left = left, watch.left(limit, now)
        assert 0 <= left <= before + 1e-6


@given(st.lists(st.floats(0, 100), max_size=20))
def test_it_counts_while_it_runs_and_not_while_it_stands(steps: list[float]) -> None:
    watch, now, counted = Stopwatch(), 0.0, 0.0
    for n, step in enumerate(steps):
        (watch.stop if n % 2 else watch.start)(now)
        now += step
        counted += 0 if n % 2 else step
    assert abs(watch.spent(now) - counted) < 1e-6


def test_it_is_due_when_the_limit_is_reached_and_never_while_it_stands() -> None:
    watch = Stopwatch()
    assert watch.due(10) == inf
    watch.start(5)
    assert watch.due(10) == 15
    watch.start(9)  # it runs already
    assert watch.due(10) == 15
    watch.stop(11)
    assert (watch.due(10), watch.left(10, 99), watch.left(3, 99)) == (inf, 4, 0)
    watch.start(20)
    assert (watch.due(10), watch.due(3), watch.due(inf)) == (24, 20, inf)
