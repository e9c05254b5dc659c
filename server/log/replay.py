"""Plays a journal again through the engine, line by line, and notes the first difference."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

import engine
from engine.chance import Stream, commitment
from engine.types import Event
from protocol.names import shorten
from server.log.lines import (
    AnswerLine,
    AnySeat,
    BotSeat,
    OverLine,
    StartLine,
    TableLine,
    TakenSeat,
    same,
)
from server.options import bare, to_setup


class ReplayError(ValueError):
    """A line does not say what the engine says; the sentence tells the difference."""


def begin(table: TableLine, start: StartLine) -> engine.Game:
    """The game that a line of type ``start`` begins, at a table with the options of the first line.

    Raises ReplayError.
    """
    options = table.options
    if table.boxes.names != options.boxes or options.seed:
        raise ReplayError("the boxes and options of the first line contradict each other")
    try:
        claimed = engine.Setup.from_plain(start.setup)
        if table.seeded and table.seed != claimed.seed.hex():
            raise ReplayError("its seed is not the one that the host has chosen")
        setup = to_setup(options, claimed.seed, table.boxes.own or ())
        setup = msgspec.structs.replace(setup, decks=claimed.decks)
        game = engine.Game.new(setup)
    except engine.EngineError as error:
        raise ReplayError(f"its setup cannot be played: {shorten(str(error), 200)}") from None
    if not same(bare(game.setup), start.setup):
        raise ReplayError("its setup is not the one that the options of the table ask for")
    if len(start.seats) != game.setup.players:
        raise ReplayError(f"it seats {len(start.seats)} players, not {game.setup.players}")
    if start.commitment != commitment(game.setup.seed):
        raise ReplayError("its commitment is not the SHA-256 of its seed")
    _compare(game, game.facts, start.events, start.digest)
    return game


def seats_in_order(table: TableLine, taken: Sequence[AnySeat], seed: bytes) -> list[AnySeat]:
    """Who sits where once the game begins, after what the lobby said last."""
    seats = list(taken)
    if table.options.order == "random":
        Stream(seed, "seats").shuffle(seats)
    return seats


def follow(game: engine.Game, seats: Sequence[TakenSeat], answer: AnswerLine) -> None:
    """Give the answer of a line of type ``answer``.  Raises ReplayError."""
    decision = {one.id: one for one in game.decisions}.get(answer.decision)
    if decision is not None:
        if decision.seat != answer.seat:
            raise ReplayError(f"decision {decision.id} is not seat {answer.seat}'s")
        if (answer.by == "bot") != isinstance(seats[decision.seat], BotSeat):
            raise ReplayError(f"seat {answer.seat} is not one for which a {answer.by} answers")
        if answer.by == "clock" and answer.keys != decision.default:
            raise ReplayError("its keys are not the default answer, which is what a clock gives")
    try:
        facts = game.answer(answer.decision, answer.keys)
    except engine.AnswerError as error:
        raise ReplayError(f"the engine refuses its answer: {shorten(str(error), 200)}") from None
    _compare(game, facts, answer.events, answer.digest)


def finish(game: engine.Game, over: OverLine) -> None:
    """Compare the end.  Raises ReplayError."""
    if not game.over:
        raise ReplayError("the game is not over here")
    if over.results != game.results:
        raise ReplayError("its results are not those of the game")
    if over.seed != game.setup.seed.hex():
        raise ReplayError("its seed is not that of the game")


def _compare(
    game: engine.Game, facts: Sequence[engine.Fact], events: list[Event], digest: str
) -> None:
    happened = engine.events_for(game.setting, facts, engine.RECORD)
    if msgspec.to_builtins(happened) != msgspec.to_builtins(events):
        raise ReplayError("its events are not what happens in the game")
    if game.digest() != digest:
        raise ReplayError(f"its digest is {digest}, the game's is {game.digest()}")
