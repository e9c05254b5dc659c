"""What the greedy bot makes of the cards and route bonuses of Rising Sun: a clear case of each kind
of decision that the base box does not know, and of each ability."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from engine import bots
from engine.boxes import load_boxes
from engine.game import check_answer
from engine.scenario import BonusGiven, Given, Scenario, SeatGiven, TurnGiven, position, take_step
from tests.engine.games import catalogue_of

NORMAL, EXPRESS, LIMITED = "normal-train", "express-train", "limited-express-train"

CASES: dict[str, tuple[int, list[dict[str, Any]], list[list[str]], tuple[str, ...]]] = {
    # kind: the seat that is asked, what each seat has, the answers before, its answer
    "react": (
        1,
        [{"hand": ["protesters"]}, {"hand": ["legal-counsel", NORMAL]}],
        [["play:protesters"]],
        ("reveal:legal-counsel",),
    ),
    "hand-to-deck": (
        1,
        [{"hand": ["regulations"]}, {"hand": ["waste", NORMAL, LIMITED, "tower", EXPRESS]}],
        [["play:regulations"]],
        ("card:normal-train",),
    ),
    "discard-down": (
        1,
        [{"hand": ["protesters"]}, {"hand": ["tower", NORMAL, LIMITED, "waste", EXPRESS, EXPRESS]}],
        [["play:protesters"]],
        ("card:waste", "card:tower"),
    ),
    "discard-or-pay": (
        1,
        [{"hand": ["politician"]}, {"hand": [NORMAL, LIMITED]}],
        [["play:politician"]],
        ("money",),
    ),
    "look-and-take": (
        0,
        [{"hand": ["surveyor"], "deck": [NORMAL, "station-expansion", "trail-blazer", "waste"]}],
        [["play:surveyor"]],
        ("card:trail-blazer",),
    ),
    "look-and-discard": (
        0,
        [{"hand": ["dispatcher"], "deck": ["waste", LIMITED, "tower", NORMAL, "waste"]}],
        [["play:dispatcher"]],
        ("card:waste", "card:tower"),
    ),
    "order-top": (
        0,
        [{"hand": ["dispatcher"], "deck": [NORMAL, LIMITED, EXPRESS, NORMAL]}],
        [["play:dispatcher"], []],
        (
            "card:limited-express-train",
            "card:express-train",
            "card:normal-train",
            "card:normal-train",
        ),
    ),
    "lay-free": (
        0,
        [{"hand": ["waste"]}],
        [["bonus:tokyo-bay-shore"]],
        ("hex:B4",),
    ),
}

ABILITIES = {
    # the ability: its bonus, its board, what the seat holds, whether it is used now
    "draw-two": ("tokyo-inner-loop", "tokyo", {"hand": [NORMAL]}, True),
    "three-money": ("osaka-yamato-arc", "osaka", {"hand": [NORMAL]}, True),
    "fetch-train": ("osaka-yodo-bank", "osaka", {"hand": [], "discard": [LIMITED]}, True),
    "clear-waste": ("tokyo-northern-arc", "tokyo", {"hand": ["waste", "waste"]}, True),
    "discount-two": ("tokyo-yokohama-line", "tokyo", {"hand": []}, True),
    "buy-on-top": ("tokyo-northern-gate", "tokyo", {"hand": []}, True),
    "clear-waste, none there": ("tokyo-northern-arc", "tokyo", {"hand": [NORMAL]}, False),
    "buy-on-top, a card to play first": ("tokyo-northern-gate", "tokyo", {"hand": [NORMAL]}, False),
}


def the_answer(game: engine.Game, seat: int) -> tuple[str, ...]:
    """What the bot of a seat answers, and that it may."""
    (decision,) = (d for d in game.decisions if d.seat == seat)
    bot = bots.make("greedy", bytes(32), seat, catalogue_of(game))
    answer = bot.choose(game.observe(seat), decision)
    check_answer(decision, answer)
    return answer


@pytest.mark.parametrize("kind", CASES)
def test_one_clear_case(kind: str) -> None:
    seat, seats, steps, answer = CASES[kind]
    rails = {0: ["C5"], 1: ["D7"]}
    given = Given(
        seats=[SeatGiven(**who, rails=rails[i]) for i, who in enumerate(seats)],
        bonuses={"tokyo-bay-shore": BonusGiven(holder=0)},
    )
    game = start("tokyo", given)
    for step in steps:
        assert take_step(game, step) == ""
    (decision,) = (d for d in game.decisions if d.seat == seat)
    assert decision.kind == kind
    assert the_answer(game, seat) == answer


@pytest.mark.parametrize("name", ABILITIES)
def test_abilities_are_used_when_they_help(name: str) -> None:
    bonus, board, seat, used = ABILITIES[name]
    given = Given(
        seats=[SeatGiven(**seat, deck=[NORMAL] * 5, rails=["C5"])],  # type: ignore[arg-type]
        turn=TurnGiven(money=6),
        bonuses={bonus: BonusGiven(holder=0)},
    )
    game = start(board, given)
    assert (the_answer(game, 0) == (f"bonus:{bonus}",)) is used


def start(board: str, given: Given) -> engine.Game:
    """The position, with piles for all that is held."""
    boxes = ["base", "rising-sun"]
    held = {card for seat in given.seats for zone in (seat.hand, seat.deck) for card in zone or []}
    piles = [
        card.id
        for box in load_boxes(tuple(boxes))
        for card in box.cards
        if card.role == "randomizer" and card.id in held
    ]
    return position(Scenario("", board, 2, boxes=boxes, kingdom=piles, given=given))
