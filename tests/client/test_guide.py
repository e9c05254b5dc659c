from __future__ import annotations

import msgspec
import pytest

from client.plain import guide, table
from client.plain.lines import UNICODE, WIDTH, Line, columns_of, plain
from client.plain.maps import rails, stations
from engine.running import RUNNING
from engine.types import CardInfo, Decision, HexView, Option
from protocol.messages import TableCatalogue
from tests.client.games import model_of, opening, play_on

SCREEN = (80, 24)


def text(lines: list[Line]) -> str:
    return "\n".join(plain(line) for line in lines)


def test_the_rules_are_ten_points_that_fit_one_screen() -> None:
    shown = text(guide.rules())
    assert [f"\n{n:>2} " in shown for n in range(1, 12)] == [True] * 10 + [False]
    assert len(guide.rules()) <= 24
    assert max(columns_of(plain(line)) for line in guide.rules()) <= WIDTH


def test_what_scores_is_said() -> None:
    shown = text(guide.scoring())
    for words in ("0, 2, 4 or 8 points", "0, 1, 2 or 3 stations", "its number", "Victory cards"):
        assert words in " ".join(shown.split())


def test_the_introduction_names_board_players_and_the_eight_cards() -> None:
    model = model_of(opening(3), 1)
    shown = " ".join(text(guide.introduction(model)).split())
    assert shown.startswith("Tokyo, in turn order: a Anna, B Ben (you), c Cleo. Cards: ")
    kingdom = guide.kingdom_cards(model)
    assert len(kingdom) == 8
    assert all(card.name in shown for card in kingdom)
    assert "help rules" in shown
    assert "help rules" not in text(guide.introduction(model, newcomer=False))


def test_every_card_of_the_table_is_listed_with_cost_value_and_text() -> None:
    model = model_of(opening(2))
    shown = text(guide.cards(model))
    assert max(columns_of(plain(line)) for line in guide.cards(model)) <= WIDTH
    assert model.catalogue is not None
    joined = " ".join(shown.split())
    for pile in model.catalogue.supply:
        assert model.cards[pile].name in joined
    assert " $3 Passing Station        +1  Action. Draw 1 card." in shown
    assert " $5 Tower                 2VP  Victory. When you buy this, gain 1 Waste." in shown


WITH_ICON = {
    # type and icon of a card, and how the list of cards says it
    ("train", True): "Train, action icon. x",
    ("train", False): "Train. x",
    ("action", True): "Action. x",
    ("action", False): "Action, no action icon. x",
    ("rail", False): "Rail. x",
    ("victory", False): "Victory. x",
}


@pytest.mark.parametrize(("type_", "action"), WITH_ICON)
def test_type_and_action_icon_are_told_wherever_cards_are(type_: str, action: bool) -> None:
    model = model_of(opening(2))
    assert model.catalogue is not None
    odd = CardInfo("tower", "Tower", "base", type_, 5, action=action, text="x")
    cards = [odd if card.id == "tower" else card for card in model.catalogue.cards]
    catalogue = msgspec.structs.replace(model.catalogue, cards=cards)
    model.apply(TableCatalogue("t1", "other", catalogue))
    assert WITH_ICON[type_, action] in text(guide.cards(model))
    facts = text(table.card(model, "tower")).splitlines()[0]
    assert f" - {type_}{', action icon' * action}, costs 5" in facts
    shown = text(table.supply(model))
    assert ("$5 Tower                 A" in shown) == action
    assert shown.endswith("A action icon; card NAME tells what a card does")


def test_what_runs_this_turn_is_no_looser_than_it_is() -> None:
    for name, words in table.EFFECTS.items():
        assert ("no surcharge" in words) == name.startswith("waive")
    assert {*table.EFFECTS} == {*RUNNING}


def test_own_victory_cards_are_counted_wherever_they_are() -> None:
    model = model_of(play_on(opening(2), [20, 40]), 0)
    assert "Your victory cards: none yet." in text(guide.own_victory(model))
    assert model.view is not None
    assert model.view.own
    model.view.own.deck = {"tower": 1, "waste": 3}
    model.view.own.discard = {"tower": 1}
    model.view.seats["0"].gained = {"apartment": 1}
    shown = " ".join(text(guide.own_victory(model)).split())
    assert "Your victory cards: Apartment, 2 Tower, worth 5." in shown
    assert "Those of others stay unknown until the end." in shown
    assert guide.own_victory(model_of(opening(2), -1)) == []
    assert "sum: both, without victory cards" in " ".join(text(table.scores(model)).split())


def test_a_station_is_asked_with_the_free_slots_and_a_rail_with_prices() -> None:
    model = model_of(play_on(opening(2), [20, 40]), 0)
    assert model.view is not None
    model.view.hexes = {"C7": HexView([0, 1], 1), "D7": HexView([1], 1)}
    station = Decision("0-1", 0, "place-station", 1, 1, (Option("hex:C7"), Option("hex:C1")))
    for show in (rails, stations):
        shown = text(show(model, station, UNICODE, SCREEN))
        assert "│●○+1Ab│" in shown
        assert "│○○○+3 │" in shown
        assert shown.count("+") == 3  # these two, and the legend
        assert "number of stations free" in shown
        assert "<->" not in shown
    assert "stations free" in plain(rails(model, station, UNICODE, SCREEN)[-1])  # the board last
    laying = Decision(
        "0-1", 0, "turn", 1, 1, (Option("lay:D7", money=3, waste=1), Option("end-turn"))
    )
    shown = text(rails(model, laying, UNICODE, SCREEN))
    assert "┃●○$3wb│" in shown
    assert "│●○ Ab │" in shown
    assert "1 D7 Tokyo-Akihabara $3w b" in shown
    assert "You watch" in text(rails(model_of(opening(2), -1), None, UNICODE, SCREEN))
