"""Players without a person.  A bot sees its observation and its decision, nothing else."""

from __future__ import annotations

from collections.abc import Generator
from typing import Protocol

from engine.bots.greedy import GreedyBot
from engine.bots.planner import PlannerBot
from engine.bots.random import RandomBot
from engine.boxes import Box
from engine.chance import Stream
from engine.types import Catalogue, Decision, Observation

__all__ = ["LEVELS", "Bot", "GreedyBot", "PlannerBot", "RandomBot", "make", "think"]


class Bot(Protocol):
    """Anything that answers decisions."""

    def choose(self, observation: Observation, decision: Decision) -> tuple[str, ...]:
        """A legal answer to the decision."""
        ...


LEVELS = ("random", "greedy", "planner")
"""From the weakest to the strongest."""


def make(
    level: str, seed: bytes, seat: int, catalogue: Catalogue, own: tuple[Box, ...] = ()
) -> Bot:
    """A bot of a level (one of ``LEVELS``) for a seat; its draws come from a stream of its own.
    ``own`` are the host's own boxes, if the game has some: a bot that searches needs them.

    Raises ValueError for a level that does not exist.
    """
    stream = Stream(seed, f"bot/{seat}")
    if level == "random":
        return RandomBot(stream)
    if level == "greedy":
        return GreedyBot(stream, seat, catalogue)
    if level == "planner":
        return PlannerBot(stream, seat, catalogue, own=own)
    raise ValueError(f"there is no bot {level!r}; known levels: {', '.join(LEVELS)}")


def think(
    bot: Bot, observation: Observation, decision: Decision
) -> Generator[None, None, tuple[str, ...]]:
    """The answer of any bot as a generator's return value; one that thinks long yields now and
    then, so that others can do something in between."""
    if isinstance(bot, PlannerBot):
        return (yield from bot.think(observation, decision))
    return bot.choose(observation, decision)
