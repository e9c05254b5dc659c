"""Setting a game up (rules, section 2), and what is refused."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import msgspec
import pytest

import engine
from engine.boxes import load_boxes
from engine.setting import Setting, compile_setting
from engine.setup import first_state
from tests.engine.games import EIGHT, cards_of, new_game

FIRST = ("normal-train",) * 7 + ("lay-rails",) * 2 + ("station-expansion",)
SEED = "00" * 32

REFUSED: dict[str, tuple[dict[str, Any], list[str]]] = {
    "no seed": ({"seed": ""}, ["32 bytes", "not 0"]),
    "a short seed": ({"seed": "00" * 31}, ["32 bytes", "31"]),
    "a seed that is no hex": ({"seed": "zz"}, ["hex"]),
    "a seed that is a number": ({"seed": 5}, ["setup"]),
    "one player": ({"players": 1}, ["2 to 4 players", "1"]),
    "five players": ({"players": 5}, ["2 to 4 players", "5"]),
    "no players": ({"players": 0}, ["2 to 4 players"]),
    "players as text": ({"players": "2"}, ["players"]),
    "an unknown board": ({"board": "atlantis"}, ["atlantis", "tokyo"]),
    "an unknown box": ({"boxes": ["atlantis"]}, ["atlantis", "base"]),
    "a path for a box": ({"boxes": ["../boxes/base"]}, ["base"]),
    "common as a box": ({"boxes": ["common"]}, ["common"]),
    "no box": ({"boxes": []}, ["at least one box"]),
    "a box twice": ({"boxes": ["base", "base"]}, ["once", "base"]),
    "a kingdom of one": ({"kingdom": ["landfill"]}, ["8", "1"]),
    "a kingdom of nine": ({"kingdom": [*EIGHT, "landfill"]}, ["8", "9"]),
    "a pile twice": ({"kingdom": [*EIGHT[:7], "landfill"]}, ["twice: landfill"]),
    "a standard card as a pile": (
        {"kingdom": [*EIGHT[:7], "lay-rails"]},
        ["lay-rails", "base", "landfill"],
    ),
    "a pile with a slip": ({"kingdom": [*EIGHT[:7], "landfil"]}, ["mean landfill?"]),
    "a pile by half its name": ({"kingdom": [*EIGHT[:7], "dump"]}, ["mean dump-site?"]),
    "a set with a slip": ({"kingdom": ["tokyo-game"]}, ["'tokyo-game'", "mean tokyo-first-game?"]),
    "a set by half its name": ({"kingdom": ["Osaka"]}, ["'Osaka'", "mean osaka-first-game?"]),
    "a set that is none": ({"kingdom": ["foo"]}, ["'foo'", "8", "tokyo-first-game"]),
    "an unknown pile": ({"kingdom": [*EIGHT[:7], "fly"]}, ["fly"]),
    "unknown reactions": ({"reactions": "slow"}, ["slow", "sealed", "fast"]),
    "an unknown field": ({"colour": 1}, ["colour"]),
    "too few decks": ({"decks": [FIRST]}, ["2 seats", "1"]),
    "too many decks": ({"decks": [FIRST] * 3}, ["2 seats", "3"]),
    "an unknown card in a deck": ({"decks": [FIRST, ("fly", *FIRST[1:])]}, ["seat 1", "fly"]),
    "a wrong card in a deck": ({"decks": [FIRST, ("waste", *FIRST[1:])]}, ["seat 1"]),
    "a short deck": ({"decks": [FIRST[1:], FIRST]}, ["seat 0"]),
    "a long deck": ({"decks": [(*FIRST, "waste"), FIRST]}, ["seat 0"]),
}


@pytest.mark.parametrize(("change", "named"), REFUSED.values(), ids=REFUSED)
def test_refused(change: dict[str, Any], named: list[str]) -> None:
    with pytest.raises(engine.SetupError) as caught:
        engine.Game.new(engine.Setup.from_plain({"seed": SEED, **change}))
    assert "\n" not in str(caught.value)
    for word in named:
        assert word in str(caught.value)


WRONG_TYPES: dict[str, list[Any]] = {
    "seed": ["00" * 32, None, 5],
    "players": ["2", 2.0, True, None, -1, 10**5000, [2]],
    "boxes": ["base", None, [5], 5, {"base": 1}],
    "board": [None, 5, ["tokyo"], b"tokyo"],
    "kingdom": ["landfill", None, [5], [["landfill"]], 8],
    "victory": ["base", None, [None], 3],
    "bonuses": ["yes", None, 1, []],
    "starts": [None, 1, ["any"]],
    "reactions": [None, 0, ("fast",)],
    "decks": ["x", [["x"], 5], [None], 5],
    "own": ["base", None, ["base"], 5],
}


def test_every_field_of_a_setup_has_wrong_types_to_try() -> None:
    assert [*WRONG_TYPES] == [field.name for field in msgspec.structs.fields(engine.Setup)]


@pytest.mark.parametrize(
    ("field", "value"),
    [(field, value) for field, values in WRONG_TYPES.items() for value in values],
    ids=lambda value: str(type(value).__name__) if not isinstance(value, str) else value[:10],
)
def test_a_setup_made_in_the_code_is_checked_too(field: str, value: Any) -> None:
    given = {"seed": bytes(32), field: value}
    with pytest.raises(engine.SetupError, match=field) as caught:
        engine.Game.new(engine.Setup(**given))
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("plain", [None, 5, "x", []])
def test_what_is_no_setup_at_all(plain: Any) -> None:
    with pytest.raises(engine.SetupError, match="not a setup"):
        engine.Setup.from_plain(plain)


@pytest.mark.parametrize("decks", [None, (FIRST, FIRST[::-1])])
def test_a_setup_survives_json(decks: tuple[tuple[str, ...], ...] | None) -> None:
    setup = engine.Setup(seed=bytes(range(32)), kingdom=EIGHT, decks=decks, reactions="sealed")
    assert engine.Setup.from_plain(json.loads(json.dumps(setup.to_plain()))) == setup


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_pieces_at_the_start(players: int) -> None:
    game = new_game(players)
    view = game.observe(engine.SPECTATOR)
    assert view.supply == {
        "express-train": 20,
        "limited-express-train": 10,
        "lay-rails": 20 - 2 * players,
        "station-expansion": 20 - players,
        "apartment": 10,
        "tower": 10,
        "skyscraper": 10,
        "waste": 70,
        **dict.fromkeys(EIGHT, 10),
    }
    removed = {card.id: game.state.removed[card.index] for card in game.setting.cards}
    assert {card: n for card, n in removed.items() if n} == {"normal-train": 30 - 7 * players}
    assert sum(cards_of(game).values()) == 280
    assert view.stations_left == 30
    assert view.phase == "start"
    assert len(view.seats) == players
    for seat in range(players):
        own = game.observe(seat).own
        cards = Counter(own.hand) + Counter(own.deck)  # type: ignore[union-attr]
        assert cards == Counter(FIRST)
        public = view.seats[str(seat)]
        assert (public.hand, public.deck, public.discard) == (5, 5, 0)
        assert (public.rails_left, public.score) == (20, 0)


def test_a_board_that_cuts_the_piles() -> None:
    """Every pile but Waste, after the first decks are made; what is cut leaves the game."""
    boxes = load_boxes(("base",))
    cards = [card for box in boxes for card in box.cards]
    board = msgspec.structs.replace(boxes[1].boards["tokyo"], pile_size=7, stations=16)
    setting = Setting(cards, frozenset(card.id for card in cards), board, 2)
    state = first_state(setting, 2)
    piles = {card.id: state.supply[card.index] for card in setting.cards}
    assert piles.pop("waste") == 70
    assert piles.pop("normal-train") == 0
    assert {*piles.values()} == {7}
    for card in setting.cards:
        seats = sum(seat.discard[card.index] for seat in state.seats)
        assert state.supply[card.index] + state.removed[card.index] + seats == card.spec.copies
    assert state.stations_left == 16


def test_the_start_rails() -> None:
    """In turn order; not on sea, not on a remote location, not where another player's rail is."""
    game = new_game(4)
    board = game.setting.board
    taken: list[str] = []
    allowed = [
        f"hex:{name}"
        for name, terrain in zip(board.names, board.terrain, strict=True)
        if terrain not in ("sea", "remote")
    ]
    for seat, key in enumerate(("hex:A2", "hex:C5", "hex:C2", "hex:C4")):
        (decision,) = game.decisions
        assert (decision.seat, decision.kind, decision.min, decision.max) == (
            seat,
            "start-rail",
            1,
            1,
        )
        assert [o.key for o in decision.options] == [k for k in allowed if k not in taken]
        assert decision.default == (decision.options[0].key,)
        if taken:
            with pytest.raises(engine.AnswerError):
                game.answer(decision.id, [taken[-1]])
        facts = game.answer(decision.id, [key])
        assert facts[0][:2] == ("start-rail", seat)
        assert not any(fact[0] == "gained" for fact in facts)
        taken.append(key)
    view = game.observe(engine.SPECTATOR)
    assert {name: there.rails for name, there in view.hexes.items()} == {
        "A2": [0],
        "C2": [2],
        "C4": [3],
        "C5": [1],
    }
    assert view.supply["waste"] == 70
    assert [view.seats[str(seat)].rails_left for seat in range(4)] == [19] * 4
    assert (view.phase, view.turn.number, view.turn.seat, view.turn.money) == ("turn", 1, 0, 0)


def test_prepared_decks_are_drawn_from_the_top() -> None:
    decks = (FIRST[::-1], FIRST)
    game = new_game(2, decks=decks)
    for seat, deck in enumerate(decks):
        own = game.observe(seat).own
        assert own.hand == Counter(deck[:5])  # type: ignore[union-attr]
        assert own.deck == Counter(deck[5:])  # type: ignore[union-attr]
    assert not any(fact[0] == "shuffled" for fact in game.facts)
    assert game.setup.decks == decks


def test_a_kingdom_is_drawn_from_the_seed() -> None:
    setups = [engine.Game.new(engine.Setup(seed=bytes([n]) * 32)).setup for n in (1, 1, 2)]
    assert setups[0] == setups[1]
    assert all(len(set(setup.kingdom)) == 8 for setup in setups)
    assert engine.Game.new(setups[0]).setup == setups[0]


def test_different_seeds_deal_differently() -> None:
    hands = {str(new_game(2, n).observe(0).own) for n in range(30)}
    assert len(hands) > 3


VICTORY = ("apartment", "tower", "skyscraper")


def test_settings_are_shared_between_games() -> None:
    assert new_game(2, 1).setting is new_game(2, 2).setting
    assert new_game(3).setting is not new_game(2).setting
    setting = compile_setting(("base",), "tokyo", 2, EIGHT, victory=VICTORY, own=())
    assert setting is new_game(2).setting


def test_a_suggested_set_can_be_named() -> None:
    setup = engine.Setup(seed=bytes(32), kingdom=("tokyo-first-game",))
    kingdom = engine.Game.new(setup).setup.kingdom
    assert len(kingdom) == 8
    assert kingdom == engine.Game.new(engine.Setup(seed=bytes(32), kingdom=kingdom)).setup.kingdom


def test_a_set_that_nobody_suggested_is_refused() -> None:
    with pytest.raises(engine.SetupError, match="one suggested set: tokyo-first-game"):
        engine.Game.new(engine.Setup(seed=bytes(32), kingdom=("moon-game",)))
