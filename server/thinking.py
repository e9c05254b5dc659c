"""Bots at a table: their chance, and their thoughts, during which others have their turn."""

from __future__ import annotations

from hashlib import sha256

import trio

from engine.bots import Bot, think
from engine.game import Game
from engine.types import Decision


def bot_seed(seed: bytes, seat: int, use: str = "bot") -> bytes:
    """The seed of a bot: a stream of its own that nobody can tell from the game's."""
    return sha256(b"senro %s %d " % (use.encode(), seat) + seed).digest()


async def thought(bot: Bot, game: Game, decision: Decision) -> tuple[str, ...]:
    """A bot's answer; other tasks have their turn before it, and while it thinks."""
    thinking = think(bot, game.observe(decision.seat), decision)
    while True:
        await trio.lowlevel.checkpoint()
        try:
            next(thinking)
        except StopIteration as done:
            keys: tuple[str, ...] = done.value
            return keys
