"""What a setting compiles and remembers."""

from __future__ import annotations

import pytest

import engine
from engine import setting as module
from engine.boxes import load_boxes
from engine.setting import Setting
from tests.engine.games import EIGHT, new_game, play_on


def fresh_setting() -> Setting:
    """A setting of its own with the cards of a game, nothing remembered yet."""
    boxes = load_boxes(("base",))
    kingdom = {*EIGHT}
    cards = [
        card
        for box in boxes
        for card in box.cards
        if card.role != "randomizer" or card.id in kingdom
    ]
    return Setting(cards, frozenset(card.id for card in cards), boxes[1].boards["tokyo"], 2)


def test_memory_is_bounded_and_forgetting_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    setting = fresh_setting()
    monkeypatch.setattr(module, "MEMO_LIMIT", 5)
    asked = [
        (money, (1 << piles) - 1, waste, discount)
        for money in range(6)
        for piles in range(17)
        for waste in (0, 1)
        for discount in (0, 2)
    ]
    first = [[*setting.buy_options(*key)] for key in asked]
    assert len(setting._buy) <= 5
    assert [setting.buy_options(*key) for key in asked] == first
    hexes = [(1 << n) - 1 for n in range(40)]
    before = [setting.hex_options(mask) for mask in hexes]
    assert len(setting._hexes) <= 5
    assert [setting.hex_options(mask) for mask in hexes] == before


def test_a_game_is_the_same_with_little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    game = new_game(2, 8)
    answers = [*play_on(game, 8, 300)]
    monkeypatch.setattr(module, "MEMO_LIMIT", 1)
    other = new_game(2, 8)
    other.setting = fresh_setting()
    for decision_id, keys in answers:
        other.answer(decision_id, keys)
    assert other.digest() == game.digest()


def test_remembered_options_are_not_spoilt_by_a_game() -> None:
    """The list of a turn's options is made of remembered lists; those stay as they are."""
    game = new_game(2, 1)
    before = {key: list(options) for key, options in game.setting._buy.items()}
    for _ in play_on(game, 1, 200):
        pass
    for key, options in before.items():
        assert game.setting._buy[key] == options


def test_the_catalogue() -> None:
    from engine.text import Words

    game = new_game(3)
    catalogue = game.setting.catalogue(Words(), ("base",), "fast")
    assert catalogue.players == 3
    assert catalogue.supply == [card.id for card in catalogue.cards if card.id != "normal-train"]
    assert {card.id for card in catalogue.cards} >= {*EIGHT}
    assert catalogue.board.id == "tokyo"
    assert all(card.source for card in catalogue.cards)
    assert {card.id for card in catalogue.cards if not card.text} == {
        card.id for card in game.setting.cards if card.type == "train" and not card.operations
    }


@pytest.mark.parametrize(
    ("picks", "count", "default"),
    [
        ((("tower", 1), ("waste", 1)), 1, ("card:waste",)),
        ((("tower", 1), ("waste", 1)), 2, ("card:waste", "card:tower")),
        (
            (("limited-express-train", 2), ("normal-train", 1)),
            2,
            ("card:normal-train", "card:limited-express-train"),
        ),
        ((("lay-rails", 1), ("express-train", 1)), 1, ("card:express-train",)),
        ((("waste", 3), ("normal-train", 1)), 3, ("card:waste",) * 3),
    ],
)
def test_the_default_of_a_forced_pick(
    picks: tuple[tuple[str, int], ...], count: int, default: tuple[str, ...]
) -> None:
    """Waste first, then the lowest printed cost, then catalogue order."""
    setting = new_game().setting
    zone = [0] * len(setting.cards)
    for card, copies in picks:
        zone[setting.index[card]] = copies
    assert setting.cheapest(setting.card_options(zone), count) == default


def test_the_default_of_a_turn_ends_it() -> None:
    game = new_game()
    for key in ("hex:C5", "hex:C4"):
        game.answer(game.decisions[0].id, [key])
    assert game.decisions[0].default == ("end-turn",)
    assert isinstance(game, engine.Game)
