"""Those who watch with a delay: what they are told depends on nothing that is newer."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

import engine
from engine.text import Words
from engine.types import SPECTATOR
from protocol.messages import Snapshot
from server.audience import Views
from server.lag import Lag, Sight
from tests.server.test_audience import ROOM, SEED, step

NAMES = ["Ann", "Ben"]


def sight(number: int) -> Sight:
    return Sight({"turn": number}, number)


@given(st.lists(st.integers(0, 3), max_size=30), st.integers(1, 5))
def test_what_is_shown_is_whole_turns_old(steps: list[int], turns: int) -> None:
    """Each step of a game may begin some turns; only their beginnings are ever shown."""
    lag, turn, begun = Lag(turns, sight(0), 0), 0, [0]
    for more in steps:
        turn += bool(more)
        if more:
            begun.append(turn)
        changed = lag.see(sight(turn), turn, over=False)
        assert lag.shown.events == max(0, turn - turns)
        assert changed == (bool(more) and turn > turns)
    assert lag.see(sight(99), turn, over=True)
    assert lag.shown.events == 99


def delayed(delay: int) -> tuple[engine.Game, Views]:
    game = engine.Game.new(engine.Setup(seed=SEED, players=2))
    views = Views("t1", game, Words("en"), NAMES, range(2), delay=delay)
    views.ask()
    return game, views


def begun(game: engine.Game) -> int:
    return game.state.turn


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(1, 3))
def test_the_last_turns_make_no_difference_to_who_is_told_later(
    before: int, after: int, delay: int
) -> None:
    """Two games that are the same up to some turn, and go on in different ways."""

    def shown(rest: int) -> tuple[dict[int, Any], Any]:
        game, views = delayed(delay)
        chance = random.Random(before)
        while begun(game) < 6:
            step(game, views, chance)
        chance, seen = random.Random(rest), {}
        while begun(game) <= 6 + delay and not game.over:
            page, _ = views.history(SPECTATOR, 0, 10**6, ROOM)
            told = (views.snapshot(SPECTATOR), *map(bytes, page))
            seen.setdefault(begun(game), set()).add(told)
            step(game, views, chance)
        return seen, views._public

    (one, public), (other, other_public) = shown(after), shown(after + 1)
    for turn in one.keys() & other.keys():
        assert one[turn] == other[turn]
        assert len(one[turn]) == 1  # whatever happens within a turn
    event(f"{len(one.keys() & other.keys())} turns, differing: {public != other_public}")


@pytest.mark.parametrize("viewer", [SPECTATOR, -2, 2, 99, 10**9])
@pytest.mark.parametrize("delay", [0, 2])
def test_an_audience_that_is_none_is_never_told_more_than_spectators(
    viewer: int, delay: int
) -> None:
    game, views = delayed(delay) if delay else _watched()
    chance = random.Random(5)
    while begun(game) < 5:
        step(game, views, chance)
        assert views.snapshot(viewer) == views.snapshot(SPECTATOR)
        assert views.history(viewer, 0, 500, ROOM) == views.history(SPECTATOR, 0, 500, ROOM)
        assert b"own" not in views.snapshot(viewer)


def _watched() -> tuple[engine.Game, Views]:
    game = engine.Game.new(engine.Setup(seed=SEED, players=2))
    views = Views("t1", game, Words("en"), NAMES, range(2))
    views.ask()
    return game, views


def test_a_game_that_is_taken_up_shows_its_opening_until_the_delay_is_over() -> None:
    game, views = delayed(2)
    chance = random.Random(7)
    opening = views.snapshot(SPECTATOR)
    while begun(game) < 8:
        step(game, views, chance)
    again = Views("t1", game, Words("en"), NAMES, range(2), past=game.facts, delay=2)
    again.ask()
    assert again.snapshot(SPECTATOR) == opening
    seen = []
    while begun(game) < 12:
        step(game, again, chance)
        seen.append(again.snapshot(SPECTATOR) == opening)
        assert seen[-1] == (begun(game) < 11)


def test_a_whole_game_is_shown_when_it_is_over() -> None:
    game, views = delayed(20)
    chance = random.Random(1)
    frame = b""
    while not game.over:
        frame = step(game, views, chance).get(SPECTATOR, frame)
    assert frame == views.snapshot(SPECTATOR)
    whole = engine.Observer(game).public()
    assert views._lag is not None
    assert views._lag.shown.view == whole
    assert Snapshot.__struct_config__.tag == "snapshot"
