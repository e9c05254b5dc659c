"""From the options of a table to the setup of its game, refusing what cannot be played."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import msgspec

import engine
from engine.boxes import Box
from engine.chance import SEED_BYTES
from protocol.messages import TableOptions
from protocol.names import shorten
from server.refusal import Refusal
from server.resolve import resolve

REFUSAL_COLUMNS = 2_000
"""More than any list of what is allowed has: a name cut in half helps nobody."""

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


def to_setup(options: TableOptions, seed: bytes, own: tuple[Box, ...] = ()) -> engine.Setup:
    """The setup that resolved options ask for; whether it can be played is found out by making
    the game.  ``own`` are the host's own boxes.  Raises Refusal for times that do not fit."""
    if options.reactions == "sealed" and 0 < options.window_ms < options.sealed_min_ms:
        raise Refusal(
            "bad-options",
            f"window_ms: a window of {options.window_ms} ms ends before the sealed_min_ms "
            f"({options.sealed_min_ms}) that it is open in any case at a sealed table",
        )
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
        own=tuple(box for box in own if box.id in options.boxes),
    )


def bare(setup: engine.Setup) -> dict[str, Any]:
    """The setup as a journal keeps it, whose first line has the host's own boxes."""
    return msgspec.structs.replace(setup, own=()).to_plain()


def make_game(factory: GameFactory, setup: engine.Setup) -> engine.Game:
    """The game.  Raises Refusal with the engine's sentence if it cannot be set up like this."""
    try:
        return factory(setup)
    except engine.EngineError as wrong:
        raise Refusal("bad-options", shorten(str(wrong), REFUSAL_COLUMNS)) from None


def check_playable(options: TableOptions, own: tuple[Box, ...] = ()) -> None:
    """Raises Refusal unless a game can be made of these options."""
    setup = to_setup(resolve(options, own=own), bytes(SEED_BYTES), own)
    make_game(engine.Game.new, setup)
