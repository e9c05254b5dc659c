"""Single operations, in ways that no card of this set needs yet: the running effects of rails, and
feasibility as a fold over a card's effects (rules, sections 3 and 5)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

import engine
from engine.effects import parse_effect
from engine.movement import gain_waste
from engine.running import RUNNING
from engine.scenario import Scenario, position
from engine.setting import Card, Setting
from engine.state import Task
from engine.turn import can_use, play

Seat = dict[str, Any]


def game_of(*seats: Seat, money: int = 0, points: int = 0, **given: Any) -> engine.Game:
    plain = {
        "name": "effects",
        "board": "tokyo",
        "players": max(2, len(seats)),
        "given": {"seats": list(seats), "turn": {"money": money, "rail_points": points}, **given},
    }
    return position(msgspec.convert(plain, Scenario))


def offered(game: engine.Game) -> dict[str, tuple[int, int]]:
    (decision,) = game.decisions
    return {o.key[4:]: (o.money, o.waste) for o in decision.options if o.key.startswith("lay:")}


# C3 touches the river C2, the plain C4 and the cities' neighbours; D6 the city C5's plain and so on
PRICES: dict[str, tuple[list[str], str, list[str], dict[str, int], dict[str, tuple[int, int]]]] = {
    # own rails, hex, where opponents are, stations; the price and the Waste by running effect
    "river": (["C3"], "C2", [], {}, {"": (1, 0), "waive-river": (0, 0), "waive-money": (0, 0)}),
    "mountain": (
        ["B3"],
        "B2",
        [],
        {},
        {"": (2, 0), "waive-mountain": (0, 0), "waive-river": (2, 0), "waive-money": (0, 0)},
    ),
    "city": (
        ["D5"],
        "D6",
        [],
        {"D6": 2},
        {"": (3, 0), "waive-city": (0, 0), "waive-river": (3, 0), "waive-money": (0, 0)},
    ),
    "remote": (
        ["B1"],
        "A1",
        [],
        {},
        {"": (4, 0), "waive-city": (4, 0), "waive-mountain": (4, 0), "waive-money": (0, 0)},
    ),
    "opponents on a plain": (
        ["C5"],
        "C4",
        ["C4", "C4"],
        {},
        {
            "": (2, 1),
            "waive-opponents": (0, 0),
            "waive-money": (0, 1),
            "waive-city": (2, 1),
            "no-waste": (2, 0),
        },
    ),
    "opponents in a city": (
        ["D5"],
        "D6",
        ["D6"],
        {"D6": 1},
        {
            "": (3, 1),
            "waive-city": (1, 1),
            "waive-opponents": (2, 0),
            "waive-money": (0, 1),
            "no-waste": (3, 0),
        },
    ),
    "an opponent on a remote location": (
        ["C9"],
        "C10",
        ["C10"],
        {},
        {"": (4, 1), "waive-opponents": (3, 0), "waive-money": (0, 1)},
    ),
}


@pytest.mark.parametrize(
    ("rails", "target", "opponents", "stations", "effect", "price"),
    [
        pytest.param(rails, target, opponents, stations, effect, price, id=f"{what}, {effect}")
        for what, (rails, target, opponents, stations, prices) in PRICES.items()
        for effect, price in prices.items()
    ],
)
def test_what_running_effects_waive(  # noqa: PLR0917  a table's columns
    rails: list[str],
    target: str,
    opponents: list[str],
    stations: dict[str, int],
    effect: str,
    price: tuple[int, int],
) -> None:
    others = [{"rails": [name]} for name in opponents]
    game = game_of({"rails": rails}, *others, money=9, points=1, stations=stations)
    if effect:
        game.state.running[RUNNING.index(effect)] += 1
    game.reopen()
    assert offered(game)[target] == price
    game.answer(game.decisions[0].id, [f"lay:{target}"])
    assert game.state.money == 9 - price[0]
    assert game.state.seats[0].gained[game.setting.waste] == price[1]


def test_running_effects_add_up_in_the_state_and_end_with_the_turn() -> None:
    game = game_of({"rails": ["C3"]}, points=1)
    for effect in ("waive-river", "waive-river", "no-waste"):
        game.state.running[RUNNING.index(effect)] += 1
    game.reopen()
    assert game.observe(0).turn.effects == {"waive-river": 2, "no-waste": 1}
    game.answer(game.decisions[0].id, ["end-turn"])
    assert game.observe(0).turn.effects == {}


def card_with(setting: Setting, *effects: dict[str, Any]) -> Card:
    """A card like Passing Station, with other effects."""
    index = setting.index["passing-station"]
    spec = msgspec.structs.replace(setting.cards[index].spec, effects=list(effects))
    for effect in effects:
        name, arg = parse_effect(effect)
        assert name
        assert arg
    return Card(spec, index, setting.players, dealt=True)


TRAIN_IN_HAND = {"choose": {"from": "hand", "type": "train", "then": "earn-value"}}
TRAIN_IN_PLAY = {"choose": {"from": "play", "type": "train", "then": "earn-value"}}
RAIL_IN_PLAY = {"choose": {"from": "play", "type": "rail", "then": "earn-value"}}
STATION = {"place-station": 1}


@pytest.mark.parametrize(
    ("seat", "effects", "usable"),
    [
        ({}, [{"draw": 1}], True),
        ({}, [TRAIN_IN_HAND], False),
        ({"hand": ["normal-train"]}, [TRAIN_IN_HAND], True),
        ({"hand": ["normal-train"]}, [TRAIN_IN_PLAY], False),
        ({"play": ["normal-train"]}, [TRAIN_IN_PLAY], True),
        ({"play": ["lay-rails"]}, [RAIL_IN_PLAY], True),
        ({"play": ["normal-train"]}, [RAIL_IN_PLAY], False),
        ({}, [{"earn": 1}, {"gain-waste": 1}, STATION], True),
        ({}, [STATION, TRAIN_IN_HAND], False),
        ({"hand": ["normal-train"]}, [STATION, TRAIN_IN_HAND], True),
        ({"hand": ["normal-train"]}, [TRAIN_IN_HAND, TRAIN_IN_PLAY], False),
        ({"hand": ["waste"]}, [{"return-all-waste": {"from": "hand"}}, TRAIN_IN_HAND], False),
        (
            {"hand": ["waste", "normal-train"]},
            [{"return-all-waste": {"from": "hand"}}, TRAIN_IN_HAND],
            True,
        ),
        ({"hand": ["waste"]}, [{"discard-any": {"each": {"earn": 1}}}, STATION], True),
    ],
)
def test_one_part_that_cannot_be_blocks_all(
    seat: Seat, effects: list[dict[str, Any]], usable: bool
) -> None:
    hand = [*seat.get("hand", []), "passing-station"]
    game = game_of({**seat, "hand": hand})
    assert can_use(game, 0, card_with(game.setting, *effects)) is usable


@pytest.mark.parametrize(
    ("left", "stations", "usable"), [(2, 2, True), (1, 2, False), (1, 1, True), (0, 1, False)]
)
def test_tokens_are_counted_through_the_card(left: int, stations: int, usable: bool) -> None:
    game = game_of({"hand": ["passing-station"]})
    game.state.stations_left = left
    assert can_use(game, 0, card_with(game.setting, *[STATION] * stations)) is usable


def test_the_card_itself_is_in_play_when_its_effect_is_judged() -> None:
    game = game_of({"hand": ["passing-station"]})
    action_in_play = {"choose": {"from": "play", "type": "action", "then": "earn-value"}}
    action_in_hand = {"choose": {"from": "hand", "type": "action", "then": "earn-value"}}
    assert can_use(game, 0, card_with(game.setting, action_in_play))
    assert not can_use(game, 0, card_with(game.setting, action_in_hand))


def played(game: engine.Game, *effects: dict[str, Any]) -> None:
    """Seat 0 plays a Passing Station that has these effects."""
    game.state.prompts.clear()
    game._open.clear()
    game.state.stack.append(Task("turn", 0))
    play(game, 0, card_with(game.setting, *effects), use=True)
    game.resume()


def test_effects_run_top_to_bottom() -> None:
    game = game_of({"hand": ["passing-station"], "deck": ["waste", "waste", "tower"]})
    played(game, {"draw": 2}, {"return-all-waste": {"from": "hand"}}, {"draw": 1}, {"earn": 2})
    assert [fact[0] for fact in game.facts[-5:]] == ["played", "drew", "returned", "drew", "earned"]
    assert game.state.money == 1 + 2
    assert game.observe(0).own.hand == {"tower": 1}  # type: ignore[union-attr]
    assert game.observe(0).supply["waste"] == 72


def test_discarding_for_money() -> None:
    game = game_of({"hand": ["passing-station", "waste", "waste", "tower"]})
    played(game, {"discard-any": {"each": {"earn": 2}}}, {"draw": 1})
    (decision,) = game.decisions
    assert (decision.kind, decision.min, decision.max) == ("discard-any", 0, 3)
    assert {option.key: option.count for option in decision.options} == {
        "card:tower": 1,
        "card:waste": 2,
    }
    game.answer(decision.id, ["card:waste", "card:waste"])
    assert game.state.money == 1 + 4
    own = game.observe(0).own
    assert sum(own.hand.values()) == 2  # type: ignore[union-attr]


def test_discarding_none_brings_nothing() -> None:
    game = game_of({"hand": ["passing-station", "waste"]})
    played(game, {"discard-any": {"each": {"earn": 2}}})
    facts = game.answer(game.decisions[0].id, [])
    assert [fact[0] for fact in facts] == ["discarded"]
    assert game.state.money == 1


def test_no_waste_is_for_the_player_of_the_turn() -> None:
    game = game_of({"hand": ["dump-site"]})
    game.answer(game.decisions[0].id, ["play:dump-site"])
    for seat in (0, 1):
        gain_waste(game, seat)
    gained = game.observe(engine.SPECTATOR).seats
    assert gained["0"].gained == {}
    assert gained["1"].gained == {"waste": 1}


def test_running_effects_are_counted() -> None:
    game = game_of({"hand": ["dump-site", "dump-site", "steel-bridge"]})
    for card in ("dump-site", "steel-bridge", "dump-site"):
        game.answer(game.decisions[0].id, [f"play:{card}"])
    assert game.observe(1).turn.effects == {"waive-river": 1, "no-waste": 2}


def test_drawing_stops_when_there_is_nothing_left() -> None:
    game = game_of({"hand": ["passing-station"], "deck": ["tower"], "discard": ["apartment"]})
    played(game, {"draw": 9})
    assert game.observe(0).own.hand == {"tower": 1, "apartment": 1}  # type: ignore[union-attr]


def test_several_waste_as_far_as_the_pile_goes() -> None:
    game = game_of({"hand": ["passing-station"]}, supply={"waste": 2})
    played(game, {"gain-waste": 3})
    assert game.observe(0).seats["0"].gained == {"waste": 2}


def test_nothing_else_happens_before_a_choice_is_answered() -> None:
    game = game_of({"hand": ["passing-station"], "deck": ["tower"]})
    played(game, STATION, {"draw": 1})
    assert game.decisions[0].kind == "place-station"
    assert game.observe(0).own.hand == {}  # type: ignore[union-attr]
    game.answer(game.decisions[0].id, ["hex:C5"])
    assert game.observe(0).own.hand == {"tower": 1}  # type: ignore[union-attr]


def test_a_train_in_hand_for_its_value() -> None:
    game = game_of({"hand": ["passing-station", "express-train", "normal-train"]})
    played(game, TRAIN_IN_HAND)
    assert game.decisions[0].default == ("card:normal-train",)
    game.answer(game.decisions[0].id, ["card:express-train"])
    assert game.state.money == 1 + 2


def test_a_revealed_card_is_shown_to_all() -> None:
    game = game_of({"hand": ["maintenance-factory", "express-train"]})
    facts = game.answer(game.decisions[0].id, ["play:maintenance-factory"])
    events = engine.events_for(game.setting, facts, engine.SPECTATOR)
    assert [(e.type, e.card) for e in events[1:]] == [
        ("revealed", "express-train"),
        ("gained", "express-train"),
    ]


def test_the_discard_is_hidden_from_others_and_the_trash_is_not() -> None:
    game = game_of({"hand": ["conductor-area", "tower"], "deck": ["waste"]})
    game.answer(game.decisions[0].id, ["play:conductor-area"])
    facts = game.answer(game.decisions[0].id, ["card:tower"])
    for event in engine.events_for(game.setting, facts, 1):
        assert b"tower" not in msgspec.json.encode(event)
    game = game_of({"hand": ["holiday-timetable"]})
    game.answer(game.decisions[0].id, ["play:holiday-timetable"])
    facts = game.answer(game.decisions[0].id, ["yes"])
    (trashed, earned) = engine.events_for(game.setting, facts, 1)
    assert (trashed.type, trashed.card, earned.type, earned.money) == (
        "trashed",
        "holiday-timetable",
        "earned",
        3,
    )
