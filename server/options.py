"""From the options of a table to the setup of its game, refusing what cannot be played."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import engine
from engine.chance import SEED_BYTES
from protocol.messages import TableOptions
from protocol.names import shorten
from server.refusal import Refusal
from server.resolve import resolve

GameFactory: TypeAlias = Callable[[engine.Setup], engine.Game]
"""Makes the game of a table; one that is not :meth:`engine.Game.new` may prepare decks."""


def chosen_seed(options: TableOptions) -> bytes | None:
    """The seed that the host has chosen, if any.  Raises Refusal unless it is 64 hex digits."""
    if not options.seed:
        return None
    digits = options.seed
    if len(digits) != 64 or not all(c in "0123456789abcdefABCDEF" for c in digits):
        raise Refusal("bad-options", "seed: it has 64 hexadecimal digits (or is left out)")
    return bytes.fromhex(digits)


def to_setup(options: TableOptions, seed: bytes) -> engine.Setup:
    """The setup that resolved options ask for; whether it can be played is found out by making
    the game."""
    return engine.Setup(
        boxes=options.boxes,
        board=options.board,
        players=options.players,
        kingdom=options.kingdom,
        victory=options.victory,
        bonuses=options.bonuses,
        starts=options.starts,
        seed=seed,
        reactions=options.reactions,
    )


def make_game(factory: GameFactory, setup: engine.Setup) -> engine.Game:
    """The game.  Raises Refusal with the engine's sentence if it cannot be set up like this."""
    try:
        return factory(setup)
    except engine.EngineError as wrong:
        raise Refusal("bad-options", shorten(str(wrong), 300)) from None


def check_playable(options: TableOptions) -> None:
    """Raises Refusal unless a game can be made of these options."""
    make_game(engine.Game.new, to_setup(resolve(options), bytes(SEED_BYTES)))
