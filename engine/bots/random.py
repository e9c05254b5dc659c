"""The bot that answers anything that is allowed."""

from __future__ import annotations

from engine.chance import Stream
from engine.types import Decision, Observation


class RandomBot:
    """Picks a number of picks, and then the picks, each with the same chance."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream

    def choose(self, observation: Observation, decision: Decision) -> tuple[str, ...]:
        return random_answer(self._stream, decision)


def random_answer(stream: Stream, decision: Decision) -> tuple[str, ...]:
    """A random legal answer."""
    if decision.min == decision.max == 1:
        return (decision.options[stream.below(len(decision.options))].key,)
    count = decision.min + stream.below(decision.max - decision.min + 1)
    picks = [option.key for option in decision.options for _ in range(option.count)]
    stream.shuffle(picks)
    return tuple(picks[:count])
