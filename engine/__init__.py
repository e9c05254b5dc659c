"""The game of Trains: pure and deterministic, without clock, tasks or logging.

>>> from engine import Game, Setup
>>> game = Game.new(Setup(seed=bytes(32), players=2))
>>> decision = game.decisions[0]
>>> decision.kind, decision.seat
('start-rail', 0)
>>> facts = game.answer(decision.id, [decision.options[0].key])
>>> game.decisions[0].seat
1
"""

from __future__ import annotations

from engine.boxes import box_hash, known_boards, known_boxes
from engine.errors import AnswerError, BoxError, EngineError, SavedGameError, SetupError
from engine.events import (
    RECORD,
    Fact,
    event_of,
    events_for,
    events_for_all,
    owner_of,
    part_for,
    seats_in,
)
from engine.game import RULES_VERSION, Game
from engine.observation import Observer
from engine.setup import Setup
from engine.types import SPECTATOR

__all__ = [
    "RECORD",
    "RULES_VERSION",
    "SPECTATOR",
    "AnswerError",
    "BoxError",
    "EngineError",
    "Fact",
    "Game",
    "Observer",
    "SavedGameError",
    "Setup",
    "SetupError",
    "box_hash",
    "event_of",
    "events_for",
    "events_for_all",
    "known_boards",
    "known_boxes",
    "owner_of",
    "part_for",
    "seats_in",
]
