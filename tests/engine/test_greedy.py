"""What the greedy bot makes of the cards of the base box: one clear case of each kind of decision;
and that no kind of either box is without an answer."""

from __future__ import annotations

from typing import NamedTuple

import pytest

import engine
from engine import bots
from engine.bots.answers import ANSWERS
from engine.bots.greedy import BETWEEN, FREE_PLAYS, WAIVERS
from engine.bots.valuation import ACTIONS, RAILS, TRAINS
from engine.boxes import load_boxes
from engine.effects import OPERATIONS, Choice
from engine.game import check_answer
from engine.running import RUNNING
from tests.engine.games import catalogue_of
from tests.engine.test_base_box_decisions import reach
from tests.engine.test_greedy_rising_sun import CASES as RISING_SUN

CARDS = {card.id: card for box in load_boxes(("base", "rising-sun")) for card in box.cards}


def chosen(game: engine.Game) -> tuple[str, ...]:
    """What the bot of seat 0 answers, and that it may."""
    (decision,) = game.decisions
    bot = bots.make("greedy", bytes(32), 0, catalogue_of(game))
    answer = bot.choose(game.observe(0), decision)
    check_answer(decision, answer)
    return answer


class Case(NamedTuple):
    kind: str
    hand: list[str]
    steps: list[list[str]]
    answer: tuple[str, ...]
    deck: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()
    play: tuple[str, ...] = ()


NORMAL, EXPRESS, LIMITED = "normal-train", "express-train", "limited-express-train"

CASES = {
    "Garage gives up Waste first, then points": Case(
        "discard",
        ["garage", "tower", EXPRESS, "waste"],
        [["play:garage"]],
        ("card:waste", "card:tower"),
        deck=(
            NORMAL,
            "lay-rails",
        ),
    ),
    "Conductor Area gives up what is only in the way": Case(
        "discard-any",
        ["conductor-area", "waste", EXPRESS, "waste", "apartment"],
        [["play:conductor-area"]],
        ("card:waste", "card:waste", "card:apartment"),
        deck=(NORMAL,),
    ),
    "Mail Train turns nothing useful into money": Case(
        "discard-any", ["mail-train", EXPRESS, "signaling-area"], [["play:mail-train"]], ()
    ),
    "Freight Train returns all Waste": Case(
        "return-any-waste",
        ["freight-train", "waste", "waste"],
        [["play:freight-train"]],
        ("card:waste", "card:waste"),
    ),
    "Station Crew returns Waste": Case(
        "choose-one",
        ["station-crew", "waste"],
        [["play:station-crew"]],
        ("return-waste",),
        [NORMAL],
    ),
    "Station Crew draws": Case(
        "choose-one", ["station-crew"], [["play:station-crew"]], ("draw",), (NORMAL,)
    ),
    "Station Crew takes the money with nothing to draw": Case(
        "choose-one", ["station-crew"], [["play:station-crew"]], ("money",)
    ),
    "Signals: away with Waste": Case(
        "look-and-may-discard",
        ["signals"],
        [["play:signals"]],
        ("discard",),
        deck=(
            NORMAL,
            "waste",
        ),
    ),
    "Signals: a good card stays": Case(
        "look-and-may-discard",
        ["signals"],
        [["play:signals"]],
        ("keep",),
        deck=(
            NORMAL,
            LIMITED,
        ),
    ),
    "Command Central names what the deck has most of": Case(
        "name-and-reveal",
        ["command-central"],
        [["play:command-central"]],
        ("card:express-train",),
        deck=(
            LIMITED,
            NORMAL,
            EXPRESS,
            LIMITED,
            EXPRESS,
        ),
    ),
    "Command Central names what was put on top": Case(
        "name-and-reveal",
        ["signals", "command-central"],
        [["play:signals"], ["keep"], ["play:command-central"]],
        ("card:normal-train",),
        deck=(
            "tower",
            EXPRESS,
            NORMAL,
            NORMAL,
            NORMAL,
        ),
    ),
    "Command Central, the deck empty": Case(
        "name-and-reveal",
        ["command-central"],
        [["play:command-central"]],
        ("card:tower",),
        deck=(NORMAL,),
        discard=(
            "tower",
            "tower",
            EXPRESS,
        ),
    ),
    "Information Central takes the best": Case(
        "reveal-and-take",
        ["information-central"],
        [["play:information-central"]],
        ("card:limited-express-train",),
        deck=(
            "waste",
            NORMAL,
            LIMITED,
            "tower",
        ),
    ),
    "Information Central puts the best on top": Case(
        "order",
        ["information-central"],
        [["play:information-central"], ["card:limited-express-train"]],
        ("card:express-train", "card:normal-train", "card:waste"),
        deck=(
            "waste",
            NORMAL,
            LIMITED,
            EXPRESS,
        ),
    ),
    "Early Train: a Train goes on the deck": Case(
        "place-purchase",
        ["early-train"],
        [["play:early-train"], ["buy:express-train"]],
        ("deck",),
    ),
    "Early Train: a victory card does not": Case(
        "place-purchase", ["early-train"], [["play:early-train"], ["buy:tower"]], ("gained",)
    ),
    "Wagon Factory trashes the weakest": Case(
        "trade-train",
        ["wagon-factory", EXPRESS, NORMAL],
        [["play:wagon-factory"]],
        ("card:normal-train",),
    ),
    "Wagon Factory gains the best": Case(
        "gain-train",
        ["wagon-factory", EXPRESS],
        [["play:wagon-factory"]],
        ("card:limited-express-train",),
    ),
    "Stationmaster Office copies what brings most": Case(
        "copy-action",
        ["stationmaster-office", "landfill", "control-room", "signals"],
        [["play:stationmaster-office"]],
        ("card:control-room",),
        deck=(NORMAL,),
    ),
    "Stationmaster Office returns no Waste that is not there": Case(
        "copy-action",
        ["stationmaster-office", "landfill", "station-crew"],
        [["play:stationmaster-office"]],
        ("card:station-crew",),
    ),
    "Pulling fetches the best": Case(
        "choose",
        ["pulling"],
        [["play:pulling"]],
        ("card:limited-express-train",),
        discard=(
            NORMAL,
            LIMITED,
            EXPRESS,
        ),
    ),
    "Switchback puts the best back": Case(
        "choose",
        ["switchback"],
        [["play:switchback"]],
        ("card:express-train",),
        play=(
            NORMAL,
            EXPRESS,
        ),
    ),
    "Maintenance Factory shows what there is to gain": Case(
        "choose",
        ["maintenance-factory", NORMAL, EXPRESS],
        [["play:maintenance-factory"]],
        ("card:express-train",),
    ),
    "Holiday Timetable is kept at the beginning": Case(
        "may-trash-this", ["holiday-timetable"], [["play:holiday-timetable"]], ("no",)
    ),
    "Station Expansion builds where the own rails are": Case(
        "place-station", ["station-expansion"], [["play:station-expansion"]], ("hex:B7",)
    ),
}


def position(case: Case) -> engine.Game:
    return reach(case.steps, hand=case.hand, deck=case.deck, discard=case.discard, play=case.play)


@pytest.mark.parametrize("name", CASES)
def test_one_clear_case(name: str) -> None:
    case = CASES[name]
    game = position(case)
    assert game.decisions[0].kind == case.kind
    assert chosen(game) == case.answer


def test_every_kind_of_decision_has_an_answer_and_a_case() -> None:
    kinds = {op.kind for op in OPERATIONS.values() if isinstance(op, Choice)} - {"turn"}
    assert {*ANSWERS} == kinds
    cases = {case.kind for case in CASES.values()} | {*RISING_SUN}
    assert cases == kinds - {"start-rail"}


def test_a_train_that_the_supply_has_no_more_is_not_shown() -> None:
    game = reach([], hand=["maintenance-factory", LIMITED, EXPRESS])
    game.state.supply[game.setting.index[LIMITED]] = 0
    game.answer(game.decisions[0].id, ["play:maintenance-factory"])
    assert chosen(game) == ("card:express-train",)


TURNS = {
    # hand; the deck; what lies in play; the first act
    "what brings cards comes first": ([NORMAL, "control-room"], [NORMAL], [], "control-room"),
    "copying comes before what it copies": (
        ["control-room", "stationmaster-office"],
        [NORMAL],
        [],
        "stationmaster-office",
    ),
    "Waste for money before Waste for nothing": (
        ["landfill", "freight-train", "waste"],
        [],
        [],
        "freight-train",
    ),
    "Bullet Train after a Normal Train": (["bullet-train", NORMAL], [], [], NORMAL),
    "Wagon Factory before the Trains": ([NORMAL, "wagon-factory"], [], [], "wagon-factory"),
    "Amusement Park after the Trains": (["amusement-park", NORMAL], [], [LIMITED], NORMAL),
    "Switchback after Amusement Park": (
        ["switchback", "amusement-park"],
        [],
        [LIMITED],
        "amusement-park",
    ),
    "Mail Train last": (["mail-train", "switchback"], [], [NORMAL], "switchback"),
    "Ironworks before rails": (["ironworks", "lay-rails"], [], [], "ironworks"),
}


@pytest.mark.parametrize("name", TURNS)
def test_the_order_of_plays(name: str) -> None:
    hand, deck, in_play, first = TURNS[name]
    assert chosen(reach([], hand=hand, deck=deck, play=in_play)) == (f"play:{first}",)


def test_what_cannot_be_carried_out_and_brings_nothing_is_not_played() -> None:
    (answer,) = chosen(reach([], hand=["pulling"]))
    assert not answer.startswith("play")


def test_a_rail_is_laid_with_the_card_that_spares_its_price() -> None:
    """At B8 and B9 the city A9 with an opponent's rail and two stations costs 4 and a Waste."""
    game = reach([], hand=["lay-rails", "collaboration"])
    assert chosen(game) == ("play:collaboration",)
    game = reach([], hand=["lay-rails", "viaduct"])
    assert chosen(game) == ("play:viaduct",)


def test_what_runs_already_is_counted() -> None:
    """Without money the only place worth its Waste is in reach because others' rails and the city
    are free."""
    game = reach([["play:subway-excavation"], ["lay:A9"]], hand=["subway-excavation", "lay-rails"])
    game.state.money = 0
    game.reopen()
    assert game.observe(0).turn.effects == {"waive-money": 1}
    assert chosen(game) == ("play:lay-rails",)
    game.state.running = [0] * len(RUNNING)
    game.reopen()
    assert chosen(game) == ("end-turn",)


def test_a_rail_card_is_played_for_its_money_alone_where_there_is_no_rail_to_lay() -> None:
    hand = ["ironworks", "lay-rails"]
    game = reach([["play:ironworks"]], hand=hand)
    game.state.seats[0].laid = list(range(20))
    game.reopen()
    assert chosen(game) == ("play-plain:lay-rails",)


def test_the_tables_name_cards_that_are_there_and_leave_none_out() -> None:
    randomizers = [card for card in CARDS.values() if card.role == "randomizer"]
    by_type = {
        kind: {c.id for c in randomizers if c.type == kind} for kind in ("train", "rail", "action")
    }
    assert {*TRAINS} == by_type["train"]
    assert {*RAILS} == by_type["rail"]
    waiving = {
        card.id
        for card in randomizers
        for effect in card.effects
        if str(effect.get("this-turn", "")).startswith("waive-")
    }
    assert {*WAIVERS} == waiving
    assert {*ACTIONS} == by_type["action"]
    assert {*FREE_PLAYS} <= by_type["train"] | by_type["action"]
    assert {*WAIVERS.values()} <= {*RUNNING}
    assert BETWEEN not in FREE_PLAYS.values()
    for card, effect in WAIVERS.items():
        assert {"this-turn": effect} in CARDS[card].effects
