"""Players without a person.  A bot sees its observation and its decision, nothing else."""

from __future__ import annotations

from typing import Protocol

from engine.bots.greedy import GreedyBot
from engine.bots.random import RandomBot
from engine.chance import Stream
from engine.types import Catalogue, Decision, Observation

__all__ = ["LEVELS", "Bot", "GreedyBot", "RandomBot", "make"]


class Bot(Protocol):
    """Anything that answers decisions."""

    def choose(self, observation: Observation, decision: Decision) -> tuple[str, ...]:
        """A legal answer to the decision."""
        ...


LEVELS = ("random", "greedy")


def make(level: str, seed: bytes, seat: int, catalogue: Catalogue) -> Bot:
    """A bot of a level (one of ``LEVELS``) for a seat; its draws come from a stream of its own.

    Raises ValueError for a level that does not exist.
    """
    stream = Stream(seed, f"bot/{seat}")
    if level == "random":
        return RandomBot(stream)
    if level == "greedy":
        return GreedyBot(stream, seat, catalogue)
    raise ValueError(f"there is no bot {level!r}; known levels: {', '.join(LEVELS)}")
