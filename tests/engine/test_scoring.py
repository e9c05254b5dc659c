"""Scores and ties (rules, section 10), in positions made for it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

import engine
from engine.scenario import Scenario, position
from engine.scoring import ended_by, results


def game_of(*seats: dict[str, Any], stations: dict[str, int] | None = None) -> engine.Game:
    plain = {
        "name": "scores",
        "board": "tokyo",
        "players": max(2, len(seats)),
        "given": {"seats": list(seats), "stations": stations or {}},
    }
    return position(msgspec.convert(plain, Scenario))


def totals(game: engine.Game) -> list[int]:
    return [row.total for row in results(game)]


@pytest.mark.parametrize(("stations", "vp"), [(0, 0), (1, 2), (2, 4), (3, 8)])
def test_a_rail_in_a_city(stations: int, vp: int) -> None:
    game = game_of({"rails": ["C1"]}, stations={"C1": stations})
    assert totals(game) == [vp, 0]
    assert results(game)[0].rails_vp == vp


@pytest.mark.parametrize(
    ("name", "vp"), [("A1", 4), ("A10", 4), ("C10", 3), ("E10", 2), ("G1", 3), ("H1", 2)]
)
def test_a_rail_on_a_remote_location(name: str, vp: int) -> None:
    assert totals(game_of({"rails": [name]})) == [vp, 0]


@pytest.mark.parametrize("name", ["C4", "C2", "A2"])
def test_a_rail_elsewhere(name: str) -> None:
    assert totals(game_of({"rails": [name]})) == [0, 0]


def test_every_player_with_a_rail_scores_in_full() -> None:
    game = game_of({"rails": ["D6", "A1"]}, {"rails": ["D6"]}, {"rails": []}, stations={"D6": 2})
    assert totals(game) == [8, 4, 0]


def test_stations_without_own_rails_bring_nothing() -> None:
    assert totals(game_of({"rails": ["C4"]}, stations={"C1": 3, "D6": 2})) == [0, 0]


@pytest.mark.parametrize("zone", ["hand", "deck", "discard", "play", "gained"])
def test_victory_cards_count_wherever_they_are(zone: str) -> None:
    cards = ["apartment", "tower", "skyscraper", "skyscraper", "waste", "normal-train"]
    game = game_of({zone: cards})
    assert totals(game) == [1 + 2 + 4 + 4, 0]
    assert results(game)[0].cards_vp == 11


def test_everything_adds_up() -> None:
    game = game_of(
        {"score": 3, "rails": ["C1", "C10", "C4"], "deck": ["tower"], "hand": ["apartment"]},
        {"score": 1},
        stations={"C1": 3},
    )
    first = results(game)[0]
    assert (first.track, first.rails_vp, first.cards_vp, first.total) == (3, 11, 3, 17)
    assert first.rails == 3


RANKS: dict[str, tuple[list[tuple[int, int]], list[int]]] = {
    # (track, number of rails on plains) of each seat; ranks
    "most points": ([(5, 1), (7, 1), (6, 1)], [3, 1, 2]),
    "the last seat": ([(1, 1), (2, 1)], [2, 1]),
    "a tie goes to more rails": ([(5, 1), (5, 3)], [2, 1]),
    "more rails do not help with fewer points": ([(5, 1), (4, 6)], [1, 2]),
    "still tied, the victory is shared": ([(5, 2), (5, 2)], [1, 1]),
    "and the next is third": ([(5, 2), (5, 2), (1, 1)], [1, 1, 3]),
    "a tie behind the first": ([(5, 2), (3, 2), (3, 2), (1, 1)], [1, 2, 2, 4]),
    "a tie behind, decided by rails": ([(5, 1), (3, 2), (3, 3)], [1, 3, 2]),
    "all tied": ([(0, 1), (0, 1), (0, 1), (0, 1)], [1, 1, 1, 1]),
    "all without anything": ([(0, 0), (0, 0)], [1, 1]),
}
PLAINS = ["B4", "B5", "B8", "C4", "C6", "C9"]


@pytest.mark.parametrize(("seats", "ranks"), RANKS.values(), ids=RANKS)
def test_ranks(seats: list[tuple[int, int]], ranks: list[int]) -> None:
    game = game_of(*({"score": track, "rails": PLAINS[:rails]} for track, rails in seats))
    assert [row.rank for row in results(game)] == ranks
    assert [row.seat for row in results(game)] == list(range(len(seats)))


def test_results_are_empty_until_the_game_is_over() -> None:
    game = game_of({"rails": PLAINS})
    assert game.results == []
    game.state.stations_left = 0
    game.answer(game.decisions[0].id, ["end-turn"])
    assert game.over
    assert [row.rank for row in game.results] == [1, 2]
    assert game.observe(engine.SPECTATOR).ended_by == "stations"


def test_what_ends_the_game() -> None:
    game = game_of({}, {})
    assert ended_by(game) == ""
    assert game.state.stations_left == 30
    game.state.stations_left = 0
    assert ended_by(game) == "stations"


def test_money_points_and_effects_are_gone_when_it_is_over() -> None:
    game = game_of({})
    game.state.stations_left = 0
    game.state.money, game.state.rail_points, game.state.running[0] = 5, 2, 1
    game.answer(game.decisions[0].id, ["end-turn"])
    turn = game.observe(0).turn
    assert (turn.money, turn.rail_points, turn.effects) == (0, 0, {})
    assert game.decisions == ()
