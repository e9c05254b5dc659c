"""How questions and the own cards look, for the kinds of decisions that cards bring."""

from __future__ import annotations

import msgspec
import pytest

import engine
from client.plain import prompt, table
from client.plain.answers import harmless_default, parse
from client.plain.lines import plain
from tests.client.games import model_of, reach

DECK = ["waste", "normal-train", "waste", "tower", "express-train"]
ORDERING = [["play:information-central"], ["card:tower"]]


def asked(game: engine.Game) -> str:
    model = model_of(game)
    return "\n".join(plain(line) for line in prompt.ask(model, model.decisions[0]))


def test_a_look_at_the_top_card_names_it() -> None:
    screen = asked(reach(["signals"], DECK, ["play:signals"]))
    assert "Signals: Draw 1 card." in screen
    assert "On top of your deck is Normal Train. Discard or keep it?" in screen
    assert "1 discard - Discard it" in screen
    assert "2 keep - Keep it on the deck" in screen


def test_a_purchase_is_named_when_its_place_is_asked() -> None:
    game = reach(["early-train"], DECK, ["play:early-train"], ["buy:express-train"])
    assert "Where does Express Train go?" in asked(game)


def test_the_cards_of_a_question_are_named_even_if_its_sentence_does_not() -> None:
    game = reach(["signals"], DECK, ["play:signals"])
    model = model_of(game)
    bare = msgspec.structs.replace(model.decisions[0], text="")
    assert prompt.question_text(model, bare) == (
        "Signals: Normal Train: Choose (look-and-may-discard)."
    )


def test_an_order_is_asked_for_and_given_top_first() -> None:
    game = reach(["information-central"], DECK, *ORDERING)
    screen = asked(game)
    assert "In which order do you put the revealed cards back on your deck, top" in screen
    assert "exactly 3" in screen
    assert "what you want twice you name" in screen
    assert "the first comes on top" in screen
    model = model_of(game)
    question = prompt.question_of(model, model.decisions[0])
    keys = parse(question, "waste, normal waste")
    assert keys == ("card:waste", "card:normal-train", "card:waste")
    game.answer(model.decisions[0].id, keys)
    lines = [plain(line) for line in table.hand(model_of(game))]
    assert "On top of the deck, next first: Waste, Normal Train, Waste" in lines


def test_what_lies_revealed_is_shown_to_its_owner_and_to_others() -> None:
    game = reach(["information-central"], DECK, *ORDERING)
    own = [plain(line) for line in table.hand(model_of(game))]
    assert "Revealed (3): Normal Train, 2 Waste" in own
    assert not any("On top of the deck" in line for line in own)
    for seat in (1, -1):
        scores = " ".join(plain(line).strip() for line in table.scores(model_of(game, seat)))
        assert "revealed by Anna: Normal Train, 2 Waste" in scores


def test_what_was_looked_at_is_known_afterwards() -> None:
    game = reach(["signals"], DECK, ["play:signals"], ["keep"])
    lines = [plain(line) for line in table.hand(model_of(game))]
    assert "On top of the deck, next first: Normal Train" in lines


@pytest.mark.parametrize(
    ("hand", "steps", "default"),
    [
        (["signals"], [["play:signals"]], ("keep",)),
        (["early-train"], [["play:early-train"], ["buy:tower"]], ("gained",)),
        (["information-central"], [["play:information-central"]], ()),
        (["information-central"], ORDERING, None),
    ],
)
def test_enter_alone_leaves_all_as_it_is(
    hand: list[str], steps: list[list[str]], default: tuple[str, ...] | None
) -> None:
    (decision,) = model_of(reach(hand, DECK, *steps)).decisions
    assert harmless_default(decision) == default
