"""Plays a journal again through the engine, line by line, and notes the first difference."""

from __future__ import annotations

from typing import Any

import msgspec

import engine
from engine.chance import commitment
from engine.types import Event


class ReplayError(ValueError):
    """A line does not say what the engine says; the sentence tells the difference."""


class _Start(msgspec.Struct):
    setup: dict[str, Any]
    seats: list[dict[str, Any]]
    commitment: str
    events: list[Any]
    digest: str


class _Answer(msgspec.Struct):
    decision: str
    seat: int
    keys: tuple[str, ...]
    events: list[Any]
    digest: str


class _Over(msgspec.Struct):
    results: list[Any]
    seed: str


def names_of(start: dict[str, Any]) -> list[str]:
    """The players' names by seat, out of a line of type ``start``.  Raises ReplayError."""
    return [str(seat.get("name", "?")) for seat in _read(start, _Start).seats]


def events_of(line: dict[str, Any]) -> list[Event]:
    """The events a line tells.  Raises ReplayError."""
    try:
        return msgspec.convert(line.get("events", []), list[Event])
    except msgspec.ValidationError as error:
        raise ReplayError(f"its events cannot be read: {error}") from None


def begin(start: dict[str, Any]) -> engine.Game:
    """The game that a line of type ``start`` begins.  Raises ReplayError."""
    line = _read(start, _Start)
    try:
        game = engine.Game.new(engine.Setup.from_plain(line.setup))
    except engine.EngineError as error:
        raise ReplayError(f"its setup cannot be played: {error}") from None
    if len(line.seats) != game.setup.players:
        raise ReplayError(f"it seats {len(line.seats)} players, not {game.setup.players}")
    if line.commitment != commitment(game.setup.seed):
        raise ReplayError("its commitment is not the SHA-256 of its seed")
    _compare(game, game.facts, line.events, line.digest)
    return game


def follow(game: engine.Game, answer: dict[str, Any]) -> None:
    """Give the answer of a line of type ``answer``.  Raises ReplayError."""
    line = _read(answer, _Answer)
    asked = {decision.id: decision for decision in game.decisions}
    if line.decision in asked and asked[line.decision].seat != line.seat:
        raise ReplayError(f"decision {line.decision} is not seat {line.seat}'s")
    try:
        facts = game.answer(line.decision, line.keys)
    except engine.AnswerError as error:
        raise ReplayError(f"the engine refuses its answer: {error}") from None
    _compare(game, facts, line.events, line.digest)


def finish(game: engine.Game, over: dict[str, Any]) -> None:
    """Compare the end.  Raises ReplayError."""
    line = _read(over, _Over)
    if not game.over:
        raise ReplayError("the game is not over here")
    if line.results != msgspec.to_builtins(game.results):
        raise ReplayError("its results are not those of the game")
    if line.seed != game.setup.seed.hex():
        raise ReplayError("its seed is not that of the game")


def _compare(game: engine.Game, facts: Any, events: list[Any], digest: str) -> None:
    happened = msgspec.to_builtins(engine.events_for(game.setting, facts, engine.RECORD))
    if happened != events:
        raise ReplayError("its events are not what happens in the game")
    if game.digest() != digest:
        raise ReplayError(f"its digest is {digest[:16]}, the game's is {game.digest()}")


def _read(data: dict[str, Any], kind: type[Any]) -> Any:
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise ReplayError(f"it cannot be read: {error}") from None
