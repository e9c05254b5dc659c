from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.model import TableModel
from client.plain.prompt import is_turn
from client.plain.reasons import why_not
from engine.types import Decision, HexView, Option
from tests.client.games import model_of, opening, play_on


def in_a_turn() -> tuple[TableModel, Decision]:
    """Anna's first turn: her rail is on C5, the other's elsewhere; three money, no rail point."""
    model = model_of(play_on(opening(2), [20, 40]), 0)
    assert model.view is not None
    assert model.view.own
    model.view.hexes = {"C5": HexView([0], 1), "C6": HexView([1])}
    model.view.own.hand = {"normal-train": 1, "apartment": 1}
    model.view.turn.money = 3
    model.view.supply["passing-station"] = 0
    return model, model.decisions[0]


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("maintenance", "Maintenance Factory costs 5, you have 3"),
        ("buy maintenance factory", "Maintenance Factory costs 5, you have 3"),
        ("buy:maintenance-factory", "Maintenance Factory costs 5, you have 3"),
        ("passing-station", "the pile of Passing Station is empty"),
        ("buy waste", "Waste cannot be bought"),
        ("buy normal train", "Normal Train is not for sale"),
        ("play lay rails", "Lay Rails is not in your hand"),
        ("plain lay rails", "Lay Rails is not in your hand"),
        ("play apartment", "Apartment cannot be played"),
        ("plain normal train", "Normal Train has no effect to leave out"),
        ("C4", "play a rail card first: it gives the rail point"),
        ("lay c4", "play a rail card first: it gives the rail point"),
        ("kichi", "you have a rail on Kichijoji (C5) already"),
        ("H1", "H1 is not next to your rails"),
        ("E9", "E9 is sea"),
        ("clear", "you hold no Waste"),
        ("zeppelin", ""),
        ("lay", "play a rail card first: it gives the rail point"),
        ("plain", "no card in your hand has an effect to leave out"),
        ("bonus", "you hold no route bonus whose ability can be used now"),
        ("buy", "nothing can be bought for the 3 money you have"),
        ("pass", "to end your turn type end, or 0"),
        ("e", "to end your turn type end, or 0"),
        ("done", "to end your turn type end, or 0"),
        ("buy control room", "Control Room is not in this game"),
        ("control", "Control Room is not in this game"),
        ("legal counsel", "Legal Counsel is not in this game"),
        ("maintenance.", "Maintenance Factory costs 5, you have 3"),
        ("meguro", "Shinagawa-Meguro (E7) is not next to your rails"),
        ("Z99", ""),
        ("\x1b[31m", ""),
    ],
)
def test_the_reason_is_given_where_it_can_be_known(typed: str, reason: str) -> None:
    model, decision = in_a_turn()
    found = why_not(model, decision, typed)
    if typed in ("H1", "meguro"):
        assert found.endswith("is not next to your rails")
    else:
        assert found == reason


def test_with_a_rail_point_a_hex_in_reach_is_too_dear() -> None:
    model, decision = in_a_turn()
    assert model.view is not None
    model.view.turn.rail_points = 1
    assert why_not(model, decision, "C4") == "a rail on C4 costs more than the 3 money you have"
    model.view.seats["0"].rails_left = 0
    assert why_not(model, decision, "C4") == "all your rails are laid"


@pytest.mark.parametrize(
    ("kind", "key", "typed", "reason"),
    [
        ("start-rail", "hex:C4", "C6", "somebody starts at C6 already"),
        ("start-rail", "hex:C4", "A1", "nobody starts at a remote location such as"),
        ("place-station", "hex:C7", "C4", "C4 is no city"),
        ("place-station", "hex:C7", "C5", "all stations of Kichijoji (C5) are built"),
        ("discard-any", "card:normal-train", "tower", "Tower is not in your hand"),
        ("choose", "yes", "tower", ""),
    ],
)
def test_other_questions_have_reasons_of_their_own(
    kind: str, key: str, typed: str, reason: str
) -> None:
    model, _ = in_a_turn()
    decision = Decision("0-1", 0, kind, 1, 1, (Option(key),))
    found = why_not(model, decision, typed)
    assert found.startswith(reason)
    assert bool(found) == bool(reason)


@given(st.lists(st.integers(0, 90), max_size=40), st.text(max_size=20))
def test_no_reason_is_ever_given_against_an_option_and_nothing_breaks_it(
    moves: list[int], typed: str
) -> None:
    game = play_on(opening(2), moves)
    for seat in (0, 1):
        model = model_of(game, seat)
        for decision in model.decisions:
            assert isinstance(why_not(model, decision, typed), str)
            offered = {option.key for option in decision.options}
            if not is_turn(decision):
                continue
            for name in model.catalogue.board.hexes if model.catalogue else ():
                assert bool(why_not(model, decision, f"lay {name}")) or f"lay:{name}" in offered
            for card in model.cards:
                if f"buy:{card}" not in offered:
                    assert why_not(model, decision, f"buy {card}")
                if f"play:{card}" not in offered:
                    assert why_not(model, decision, f"play {card}")
