"""When a bot plays for somebody, and when not any more."""

from __future__ import annotations

from math import inf
from typing import Any

import pytest

from server.autopilot import Autopilot, Switch


def pilot(seats: tuple[int, ...] = (0, 2)) -> Autopilot:
    made = Autopilot(seats, 60, lambda seat: f"bot {seat}")  # type: ignore[arg-type,return-value]
    made.start(0)
    return made


def test_who_is_away_for_long_enough_is_played_for_until_they_are_back() -> None:
    auto = pilot()
    auto.away(0, 10, left=False)
    auto.away(0, 30, left=False)  # it was known already
    assert auto.due == 70
    assert auto.switch(69) == []
    assert auto.switch(70) == [Switch(0, True, "absence")]
    assert auto.switch(71) == []
    assert (0 in auto, 2 in auto, auto.seats, auto.due) == (True, False, [0], inf)
    auto.back(0)
    assert auto.switch(72) == [Switch(0, False, "back")]
    assert auto.seats == []


def test_an_absence_counts_only_while_time_runs() -> None:
    auto = pilot()
    auto.away(0, 10, left=False)
    auto.stop(40)
    assert auto.due == inf
    auto.away(2, 50, left=False)
    assert auto.switch(1000) == []
    auto.start(1000)
    assert auto.due == 1030
    assert auto.switch(1030) == [Switch(0, True, "absence")]
    assert auto.due == 1060


def test_who_has_left_is_not_waited_for() -> None:
    auto = pilot()
    auto.stop(0)
    auto.away(2, 10, left=False)
    auto.away(2, 20, left=True)
    assert auto.switch(20) == [Switch(2, True, "left")]


@pytest.mark.parametrize(
    ("happened", "on"),
    [
        ("t", False),
        ("tt", True),
        ("tat", False),
        ("tatt", True),
        ("ttb", False),
        ("ttbt", False),
        ("ttbtt", True),
        ("tta", False),
    ],
)
def test_two_timeouts_in_a_row_are_too_many(happened: str, on: bool) -> None:
    auto = pilot()
    for what in happened:
        {"t": auto.timed_out, "a": auto.answered, "b": auto.back}[what](0)
        auto.switch(0)
    assert (0 in auto, 2 in auto) == (on, False)


def test_each_seat_has_one_bot_made_when_it_is_needed() -> None:
    made: list[int] = []

    def make(seat: int) -> Any:
        made.append(seat)
        return object()

    auto = Autopilot((0, 1), 60, make)
    assert auto.bot(1) is auto.bot(1)
    assert auto.bot(0) is not auto.bot(1)
    assert made == [1, 0]
