"""What the client's tests share: real games, and table models that have been told of them."""

from __future__ import annotations

from functools import cache

import msgspec

import engine
from client.model import TableModel
from engine.scenario import Scenario, position, take_step
from engine.text import Words
from engine.types import SPECTATOR, Catalogue
from protocol.messages import Lobby, SeatInfo, ShownOptions, Snapshot, TableCatalogue, TableInfo

NAMES = ["Anna", "Ben", "Cleo", "Dora"]
WORDS = Words("en")


RISING_SUN = {"nagoya", "chiba", "kyushu"}


@cache
def opening(players: int, board: str = "tokyo") -> engine.Game:
    """A new game on Tokyo, or on another board with both boxes and, if it is one of the second,
    with route bonuses; copy it before playing."""
    if board not in RISING_SUN:
        kingdom = ("tokyo-first-game",)
        return engine.Game.new(
            engine.Setup(players=players, seed=bytes(32), kingdom=kingdom, board=board)
        )
    return engine.Game.new(
        engine.Setup(
            players=players,
            seed=bytes(32),
            boxes=("base", "rising-sun"),
            board=board,
            kingdom=("rising-sun-for-players-of-trains",),
            bonuses=True,
            starts="marked" if board == "chiba" else "any",
        )
    )


@cache
def catalogue_of(players: int) -> Catalogue:
    return _catalogue(opening(players))


def _catalogue(game: engine.Game) -> Catalogue:
    return game.setting.catalogue(WORDS, game.setup.boxes, game.setup.reactions)


def table_info(players: int, state: str = "playing") -> TableInfo:
    seats = [SeatInfo("human", name, ready=True, connected=True) for name in NAMES[:players]]
    return TableInfo("t1", "", state, "Anna", ShownOptions(players=players), seats)


def model_of(game: engine.Game, seat: int = 0) -> TableModel:
    """A model that has been told of this game as a server would."""
    players = game.setup.players
    model = TableModel("t1")
    model.apply(Lobby(table_info(players, "over" if game.over else "playing"), seat))
    model.apply(TableCatalogue("t1", "hash", _catalogue(game)))
    view = msgspec.to_builtins(game.observe(seat if seat >= 0 else SPECTATOR))
    asked = [WORDS.decision(game.setting, one) for one in game.decisions if one.seat == seat]
    model.apply(Snapshot("t1", 1, view, asked, 0))
    return model


def reach(hand: list[str], deck: list[str], *steps: list[str]) -> engine.Game:
    """The game of seat 0 with these cards, after some answers."""
    plain = {
        "name": "client",
        "board": "osaka",
        "players": 2,
        "kingdom": ["signals", "information-central", "early-train"],
        "given": {"seats": [{"hand": hand, "deck": deck}], "turn": {"money": 5}},
    }
    game = position(msgspec.convert(plain, Scenario))
    for step in steps:
        assert take_step(game, step) == ""
    return game


def play_on(game: engine.Game, moves: list[int]) -> engine.Game:
    """Answer open decisions by taking options by number, as often as there are moves."""
    game = game.copy()
    for move in moves:
        if game.over:
            break
        decision = game.decisions[0]
        picks = [option.key for option in decision.options for _ in range(option.count)]
        start = move % len(picks)
        keys = (picks[start:] + picks[:start])[: max(decision.min, min(1, decision.max))]
        game.answer(decision.id, keys)
    return game
