"""Why a game stands still."""

from __future__ import annotations

import pytest

from server.pauses import AGREED, DESERTED, JOURNAL, LOADING, Pauses


def test_it_goes_on_when_the_last_reason_is_gone() -> None:
    pauses = Pauses()
    assert pauses
    assert not pauses.set(DESERTED, True)  # nothing stops by that
    assert not pauses.set(LOADING, False)
    assert pauses
    assert pauses.set(DESERTED, False)
    assert not pauses
    assert not pauses.set(DESERTED, False)
    assert pauses.set(JOURNAL, True)


def test_only_what_somebody_can_see_is_shown() -> None:
    pauses = Pauses()
    pauses.set(DESERTED, True)
    assert not pauses.shown
    pauses.set(AGREED, True)
    assert (pauses.shown, pauses.agreed) == (True, True)


@pytest.mark.parametrize(
    ("wishes", "connected", "agreed"),
    [
        ([], [0, 1], False),
        ([(0, True)], [0, 1], False),
        ([(0, True), (1, True)], [0, 1], True),
        ([(0, True)], [0], True),  # the other is not there
        ([(0, True), (1, True), (0, False)], [0, 1], False),
        ([(0, True), (1, True), (0, False), (1, True)], [0, 1], False),
        ([(0, True)], [], False),
    ],
)
def test_all_who_are_connected_have_to_wish_for_it(
    wishes: list[tuple[int, bool]], connected: list[int], agreed: bool
) -> None:
    pauses = Pauses()
    for seat, pause in wishes:
        pauses.wish(seat, pause)
    assert pauses.agree(connected, [0, 1]) == agreed


def test_it_lasts_until_somebody_wishes_to_go_on() -> None:
    pauses = Pauses()
    assert pauses.wish(0, True)
    assert not pauses.wish(0, True)  # that was known
    pauses.set(AGREED, pauses.agree([0], [0, 1]))
    assert pauses.agree([0, 1], [0, 1])  # who comes back finds a pause
    assert pauses.agree([], [0, 1])
    assert not pauses.agree([], [])  # nobody is left who could end it
    assert pauses.wish(1, False)
    assert not pauses.agree([0, 1], [0, 1])
    assert not pauses.wish(1, False)
