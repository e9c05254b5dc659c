"""What the cards of the base box ask: which options, how often, how many, in what order."""

from __future__ import annotations

from typing import NamedTuple

import pytest

import engine
from engine.scenario import Given, Scenario, SeatGiven, TurnGiven, position, take_step
from engine.setting import compile_setting
from engine.types import Decision, Option


def reach(steps: list[list[str]], **seat: list[str]) -> engine.Game:
    """The game of a position of seat 0 (with money, rails at B8 and B9, piles for all that it
    holds) after some answers."""
    named = {card for zone in seat.values() for card in zone}
    every = compile_setting(("base",), "osaka", 2, (), all_cards=True).cards
    kingdom = [c.id for c in every if c.id in named and c.spec.role == "randomizer"]
    given = Given(
        seats=[SeatGiven(**seat, rails=["B8", "B9"]), SeatGiven(rails=["C10", "A9"])],
        turn=TurnGiven(money=7),
        stations={"A9": 2},
    )
    scenario = Scenario("", "osaka", 2, kingdom=kingdom, given=given)
    game = position(scenario)
    for step in steps:
        assert take_step(game, step) == ""
    return game


def the_decision(game: engine.Game) -> Decision:
    (decision,) = game.decisions
    assert decision.seat == 0
    return decision


def counts(decision: Decision) -> dict[str, int]:
    assert len({option.key for option in decision.options}) == len(decision.options)
    return {option.key: option.count for option in decision.options}


class Asked(NamedTuple):
    """What must be asked; ``default`` of None: any answer that is legal."""

    options: dict[str, int]
    min: int
    max: int
    default: tuple[str, ...] | None
    ordered: bool = False


def of_cards(*cards: str, **many: int) -> dict[str, int]:
    named = dict.fromkeys(cards, 1) | {k.replace("_", "-"): n for k, n in many.items()}
    return {f"card:{card}": n for card, n in named.items()}


STANDARD_NAMES = [
    "normal-train",
    "express-train",
    "limited-express-train",
    "lay-rails",
    "station-expansion",
    "waste",
    "apartment",
    "tower",
    "skyscraper",
]

CASES: dict[str, tuple[list[str], list[list[str]], list[str], list[str], Asked]] = {
    # name: hand, steps, deck, discard, what is asked then
    "Freight Train": (
        ["freight-train", "waste", "waste", "waste", "normal-train"],
        [["play:freight-train"]],
        [],
        ["waste"],
        Asked(of_cards(waste=3), 0, 3, ()),
    ),
    "Mail Train": (
        ["mail-train", "mail-train", "normal-train", "normal-train", "waste"],
        [["play:mail-train"]],
        ["tower"],
        [],
        Asked(of_cards("mail-train", "waste", normal_train=2), 0, 4, ()),
    ),
    "Conductor Area": (
        ["conductor-area", "waste", "waste"],
        [["play:conductor-area"]],
        ["tower"],
        [],
        Asked(of_cards(waste=2), 0, 2, ()),
    ),
    "Early Train": (
        ["early-train"],
        [["play:early-train"], ["buy:express-train"]],
        [],
        [],
        Asked({"deck": 1, "gained": 1}, 1, 1, ("gained",)),
    ),
    "Signals": (
        ["signals"],
        [["play:signals"]],
        ["tower", "waste"],
        [],
        Asked({"discard": 1, "keep": 1}, 1, 1, ("keep",)),
    ),
    "Station Crew, Waste in hand": (
        ["station-crew", "waste"],
        [["play:station-crew"]],
        ["tower"],
        [],
        Asked({"draw": 1, "money": 1, "return-waste": 1}, 1, 1, None),
    ),
    "Station Crew, Waste elsewhere": (
        ["station-crew"],
        [["play:station-crew"]],
        ["waste"],
        ["waste"],
        Asked({"draw": 1, "money": 1}, 1, 1, None),
    ),
    "Command Central": (
        ["command-central", "tourist-train"],
        [["play:command-central"]],
        ["tower", "waste"],
        [],
        Asked(of_cards(*STANDARD_NAMES, "command-central", "tourist-train"), 1, 1, ("card:waste",)),
    ),
    "Garage: Waste first, then the cheapest": (
        ["garage", "apartment", "waste", "normal-train"],
        [["play:garage"]],
        ["express-train", "lay-rails", "tower"],
        [],
        Asked(
            of_cards("apartment", "waste", "normal-train", "express-train", "lay-rails"),
            2,
            2,
            ("card:waste", "card:normal-train"),
        ),
    ),
    "Garage: of equal cost the first in the catalogue": (
        ["garage", "station-expansion", "lay-rails", "express-train"],
        [["play:garage"]],
        [],
        [],
        Asked(
            of_cards("express-train", "lay-rails", "station-expansion"),
            2,
            2,
            ("card:express-train", "card:lay-rails"),
        ),
    ),
    "Garage: two Waste": (
        ["garage", "waste", "waste", "tower"],
        [["play:garage"]],
        [],
        [],
        Asked(of_cards("tower", waste=2), 2, 2, ("card:waste", "card:waste")),
    ),
    "Pulling": (
        ["pulling"],
        [["play:pulling"]],
        ["early-train"],
        ["limited-express-train", "bullet-train", "bullet-train", "waste", "lay-rails"],
        Asked(of_cards("limited-express-train", "bullet-train"), 1, 1, ("card:bullet-train",)),
    ),
    "Switchback": (
        ["switchback", "normal-train", "normal-train", "limited-express-train"],
        [
            ["play:limited-express-train"],
            ["play:normal-train"],
            ["play:normal-train"],
            ["play:switchback"],
        ],
        [],
        [],
        Asked(of_cards("normal-train", "limited-express-train"), 1, 1, ("card:normal-train",)),
    ),
    "Information Central: taking": (
        ["information-central", "tower"],
        [["play:information-central"]],
        ["waste", "waste", "normal-train", "lay-rails", "skyscraper"],
        [],
        Asked(of_cards("normal-train", "lay-rails", waste=2), 0, 1, ()),
    ),
    "Information Central: ordering": (
        ["information-central", "tower"],
        [["play:information-central"], ["card:lay-rails"]],
        ["waste", "waste", "normal-train", "lay-rails", "skyscraper"],
        [],
        Asked(of_cards("normal-train", waste=2), 3, 3, None, ordered=True),
    ),
    "Stationmaster Office": (
        ["stationmaster-office", "stationmaster-office", "pulling", "control-room", "mail-train"],
        [["play:stationmaster-office"]],
        [],
        [],
        Asked(of_cards("control-room", "mail-train"), 1, 1, ("card:mail-train",)),
    ),
    "Holiday Timetable, copied": (
        ["stationmaster-office", "holiday-timetable"],
        [["play:stationmaster-office"]],
        [],
        [],
        Asked({"yes": 1, "no": 1}, 1, 1, ("no",)),
    ),
    "Wagon Factory: what to trash": (
        ["wagon-factory", "normal-train", "normal-train", "express-train", "lay-rails"],
        [["play:wagon-factory"]],
        [],
        ["limited-express-train"],
        Asked(of_cards("normal-train", "express-train"), 1, 1, ("card:normal-train",)),
    ),
    "Wagon Factory: what to gain": (
        ["wagon-factory", "bullet-train", "early-train", "freight-train"],
        [["play:wagon-factory"], ["card:bullet-train"]],
        [],
        ["limited-express-train", "tourist-train"],
        Asked(
            of_cards(
                "express-train", "bullet-train", "freight-train", "tourist-train", "early-train"
            ),
            1,
            1,
            ("card:bullet-train",),
        ),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_asked(name: str) -> None:
    hand, steps, deck, discard, asked = CASES[name]
    game = reach(steps, hand=hand, deck=deck, discard=discard)
    decision = the_decision(game)
    assert counts(decision) == asked.options
    assert (decision.min, decision.max) == (asked.min, asked.max)
    assert decision.ordered is asked.ordered
    if asked.default is not None:
        assert tuple(sorted(decision.default)) == tuple(sorted(asked.default))
    game.answer(decision.id, decision.default)


@pytest.mark.parametrize("name", CASES)
def test_too_few_too_many_and_too_often_are_refused(name: str) -> None:
    hand, steps, deck, discard, _ = CASES[name]
    game = reach(steps, hand=hand, deck=deck, discard=discard)
    decision, before = the_decision(game), game.digest()
    first = decision.options[0]
    wrong = [[o.key for o in decision.options for _ in range(o.count)] + [first.key]]
    wrong.append([first.key] * (first.count + 1))
    wrong.append(["end-turn"])
    if decision.min:
        wrong.append([])
        wrong.append(list(decision.default[1:]))
    for keys in wrong:
        with pytest.raises(engine.AnswerError) as caught:
            game.answer(decision.id, keys)
        assert caught.value.code == "illegal-answer"
        assert game.digest() == before
        assert game.decisions == (decision,)


def test_options_stand_in_catalogue_order() -> None:
    game = reach(
        [["play:mail-train"]],
        hand=["mail-train", "control-room", "waste", "tower", "normal-train", "bullet-train"],
    )
    order = [f"card:{card.id}" for card in game.setting.cards]
    keys = [option.key for option in the_decision(game).options]
    assert keys == sorted(keys, key=order.index)


def test_the_catalogue_stands_as_the_reference_lists_it() -> None:
    game = reach([], hand=["mail-train"])
    ids = [card.id for card in game.setting.cards]
    assert ids[:4] == ["normal-train", "express-train", "limited-express-train", "lay-rails"]
    assert ids.index("bullet-train") < ids.index("steel-bridge") < ids.index("landfill")
    assert len(ids) == 39


PLAYS: list[tuple[str, dict[str, list[str]], tuple[str, ...]]] = [
    # a card in hand, the rest of the position, what playing it would do
    ("garage", {"deck": ["tower"]}, ("impossible",)),
    ("garage", {"deck": ["tower"], "discard": ["tower"]}, ("used", "refused")),
    ("garage", {"hand": ["waste"], "deck": ["tower"]}, ("used", "refused")),
    ("garage", {"hand": ["waste", "waste"]}, ("used", "refused")),
    ("pulling", {"deck": ["normal-train"], "hand": ["normal-train"]}, ("impossible",)),
    ("pulling", {"discard": ["normal-train"]}, ("used", "refused")),
    ("switchback", {"hand": ["normal-train"]}, ("impossible",)),
    ("switchback", {"play": ["mail-train"]}, ("used", "refused")),
    ("wagon-factory", {"play": ["normal-train"]}, ("impossible",)),
    ("wagon-factory", {"hand": ["normal-train"]}, ("used", "refused")),
    ("stationmaster-office", {"hand": ["tunnel", "express-train"]}, ("impossible",)),
    ("stationmaster-office", {"hand": ["garage"]}, ("impossible",)),
    ("stationmaster-office", {"hand": ["garage"], "deck": ["tower"]}, ("used", "refused")),
    ("stationmaster-office", {"hand": ["tourist-train"]}, ("used", "refused")),
    ("stationmaster-office", {"hand": ["wagon-factory"]}, ("impossible",)),
    ("information-central", {}, ("used", "refused")),
    ("temporary-timetable", {}, ("used", "refused")),
    ("control-room", {}, ("used", "refused")),
    ("freight-train", {}, ("used", "refused")),
    ("ironworks", {}, ("used", "refused")),
    ("subway-excavation", {}, ("used", "refused")),
    ("express-train", {}, ("",)),
]


@pytest.mark.parametrize(("card", "rest", "effects"), PLAYS)
def test_playing_says_what_becomes_of_the_effect(
    card: str, rest: dict[str, list[str]], effects: tuple[str, ...]
) -> None:
    game = reach([], **(rest | {"hand": [card, *rest.get("hand", [])]}))
    found = {o.key: o for o in the_decision(game).options if o.key.endswith(f":{card}")}
    expected = [f"play:{card}", f"play-plain:{card}"][: len(effects)]
    plays = [key for key in found if key.startswith("play")]
    assert plays == expected
    assert tuple(found[key].effect for key in plays) == effects
    value = next(c.value for c in game.setting.cards if c.id == card)
    assert {found[key].gain for key in plays} == {value}


def option(game: engine.Game, key: str) -> Option | None:
    return next((o for o in the_decision(game).options if o.key == key), None)


LAYS: list[tuple[list[str], dict[str, tuple[int, int] | None]]] = [
    # rail cards played; money and Waste of laying (7 money; opponents at C10 and A9; A9 has two
    # stations; C10 a city, A10 remote of 3, A8 a mountain, C8 a river)
    (["lay-rails"], {"A8": (2, 0), "C8": (1, 0), "A9": (4, 1), "C10": (2, 1), "A10": (3, 0)}),
    (["tunnel"], {"A8": (0, 0), "C8": (1, 0), "A9": (4, 1), "C10": (2, 1), "A10": (3, 0)}),
    (["viaduct"], {"A8": (2, 0), "C8": (1, 0), "A9": (1, 1), "C10": (1, 1), "A10": (3, 0)}),
    (["collaboration"], {"A8": (2, 0), "C8": (1, 0), "A9": (3, 0), "C10": (1, 0), "A10": (3, 0)}),
    (
        ["subway-excavation"],
        {"A8": (0, 0), "C8": (0, 0), "A9": (0, 1), "C10": (0, 1), "A10": (0, 0)},
    ),
    (
        ["subway-excavation", "collaboration"],
        {"A8": (0, 0), "C8": (0, 0), "A9": (0, 0), "C10": (0, 0), "A10": (0, 0)},
    ),
    (
        ["dump-site", "steel-bridge"],
        {"A8": (2, 0), "C8": (0, 0), "A9": (4, 0), "C10": (2, 0), "A10": (3, 0)},
    ),
    (["tunnel", "viaduct"], {"A8": (0, 0), "A9": (1, 1), "A10": (3, 0), "B8": None, "D8": None}),
]


@pytest.mark.parametrize(("cards", "prices"), LAYS)
def test_laying_says_what_it_costs(
    cards: list[str], prices: dict[str, tuple[int, int] | None]
) -> None:
    game = reach([[f"play:{card}"] for card in cards], hand=cards)
    for name, price in prices.items():
        found = option(game, f"lay:{name}")
        assert (found and (found.money, found.waste)) == price, name


def test_buying_says_what_it_costs_and_what_waste_it_brings() -> None:
    game = reach([], hand=["tunnel"])
    apartment, tunnel = option(game, "buy:apartment"), option(game, "buy:tunnel")
    assert apartment is not None
    assert tunnel is not None
    assert (apartment.money, apartment.waste) == (3, 1)
    assert (tunnel.money, tunnel.waste) == (5, 0)
    assert option(game, "buy:skyscraper") is None
    assert option(game, "buy:waste") is None
    assert option(game, "buy:normal-train") is None


def test_what_signals_looks_at_is_told_to_its_player_alone() -> None:
    game = reach([["play:signals"]], hand=["signals"], deck=["tower", "skyscraper"])
    assert the_decision(game).cards == ("skyscraper",)
    facts = engine.events_for(game.setting, game.facts, 0)
    assert any(event.order == ["skyscraper"] for event in facts)
    for audience in (1, engine.SPECTATOR):
        events = engine.events_for(game.setting, game.facts, audience)
        assert "skyscraper" not in repr(events)
        assert "tower" not in repr(events)
        assert "skyscraper" not in repr(game.observe(audience).seats)


@pytest.mark.parametrize("steps", [[], [["card:lay-rails"]]])
def test_what_information_central_reveals_is_seen_by_all(steps: list[list[str]]) -> None:
    game = reach(
        [["play:information-central"], *steps],
        hand=["information-central"],
        deck=["waste", "normal-train", "lay-rails", "normal-train", "tower"],
    )
    revealed = {"waste": 1, "normal-train": 2} | ({} if steps else {"lay-rails": 1})
    for audience in (0, 1, engine.SPECTATOR):
        seat = game.observe(audience).seats["0"]
        assert seat.revealed == revealed
        assert seat.deck == 1


def test_the_order_of_information_central_is_hidden_from_others() -> None:
    game = reach(
        [["play:information-central"], ["card:lay-rails"]],
        hand=["information-central"],
        deck=["waste", "normal-train", "lay-rails", "tower"],
    )
    order = ["card:tower", "card:waste", "card:normal-train"]
    other = game.copy()
    facts = game.answer(the_decision(game).id, order)
    other_facts = other.answer(the_decision(other).id, order[::-1])
    for audience in (1, engine.SPECTATOR):
        assert game.observe(audience) == other.observe(audience)
        assert engine.events_for(game.setting, facts, audience) == engine.events_for(
            other.setting, other_facts, audience
        )
    assert game.observe(0).own.top == ["tower", "waste", "normal-train"]
    assert other.observe(0).own.top == ["normal-train", "waste", "tower"]
