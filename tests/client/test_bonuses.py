"""Route bonuses as they are shown: which there are, who has them, what is missing."""

from __future__ import annotations

import pytest

from client.model import TableModel
from client.plain import bonuses, guide, table
from client.plain.lines import Line, plain
from engine.running import RUNNING
from engine.types import BonusView, HexView
from tests.client.games import model_of, opening


def text(lines: list[Line]) -> str:
    return " ".join(" ".join(plain(line) for line in lines).split())


def at_chiba(seat: int, rails: str = "", **lies: BonusView) -> TableModel:
    """A game on Chiba with the bonus Cross Boso (Kisarazu F1, Mobara E4)."""
    model = model_of(opening(2, "chiba"), seat)
    assert model.view is not None
    model.view.bonuses = {"chiba-cross-boso": lies.get("lies", BonusView())}
    model.view.hexes = {name: HexView([0]) for name in rails.split()}
    return model


@pytest.mark.parametrize(
    ("seat", "rails", "lies", "says"),
    [
        (0, "", BonusView(), "nobody has it yet; you have no rail in Kisarazu (F1), Mobara (E4)"),
        (0, "F1", BonusView(), "nobody has it yet; you have no rail in Mobara (E4)"),
        (
            0,
            "F1 E4",
            BonusView(),
            "nobody has it yet; your rails do not join Mobara (E4) to the rest yet",
        ),
        (1, "F1 E4", BonusView(), "you have no rail in Kisarazu (F1), Mobara (E4)"),
        (
            -1,
            "F1",
            BonusView(),
            "Cross Boso - 1 VP; nobody has it yet Kisarazu (F1) - Mobara (E4).",
        ),
        (0, "", BonusView(0), "you have it, its ability unused"),
        (0, "", BonusView(0, used=True), "you have used it"),
        (1, "", BonusView(0), "Anna has it, its ability unused"),
        (-1, "", BonusView(0, used=True), "Anna has used it"),
    ],
)
def test_who_holds_a_bonus_and_what_is_missing(
    seat: int, rails: str, lies: BonusView, says: str
) -> None:
    shown = text(bonuses.bonuses(at_chiba(seat, rails, lies=lies)))
    assert says in shown
    assert "Cross Boso - 1 VP" in shown
    assert "The next card that you buy this turn costs 2 less" in shown
    assert "Senro's own design" in shown


def test_a_game_without_bonuses_says_so_and_its_rules_do_not_speak_of_them() -> None:
    plainly = model_of(opening(2))
    assert text(bonuses.bonuses(plainly)) == bonuses.NONE
    assert "route bonus" not in text(guide.rules(80, plainly)).lower()
    assert "ATTACK" not in text(guide.rules(80, plainly))
    model = at_chiba(0)
    told = text(guide.rules(80, model))
    assert "11 A card that says ATTACK" in told
    assert "12 A route bonus goes to" in told
    assert "Route bonuses: Cross Boso (1 VP); bonuses tells more." in text(
        guide.introduction(model)
    )
    assert "Chiba (a board of Senro's own)" in text(guide.introduction(model))


def test_every_running_effect_is_told_in_words() -> None:
    assert set(table.EFFECTS) == set(RUNNING)
    model = model_of(opening(2))
    assert model.view is not None
    for name, words in table.EFFECTS.items():
        model.view.turn.effects = {name: 2, "hovering-trains": 1}
        assert f"this turn: {words} (×2); hovering trains." in text(table.status(model))


def test_where_facts_are_our_own_the_card_says_so_and_which() -> None:
    model = at_chiba(0)
    assert "value and the result of the reaction: house" in text(table.card(model, "legal"))
    assert "own design" not in text(table.card(model, "express"))
    assert "(house): some of its facts" in text(guide.cards(model))
    assert "(house)" not in text(guide.cards(model_of(opening(2))))


def test_a_card_that_is_not_in_the_game_is_known_all_the_same() -> None:
    model = at_chiba(0)
    assert text(table.card(model, "control")) == (
        "Not in this game: Control Room (box base). supply lists the cards of this game."
    )
    assert "No card is called “zeppelin”" in text(table.card(model, "zeppelin"))
