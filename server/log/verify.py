"""Verifies a journal: its chain, its order, and every answer against the engine."""

from __future__ import annotations

from typing import NamedTuple

import engine
from server.journal import line_digest
from server.log import replay
from server.log.reading import JournalFile, Line


class WrongLineError(ValueError):
    """The first line that is wrong, by its number in the file, and why."""

    def __init__(self, number: int, text: str) -> None:
        super().__init__(f"line {number}: {text}")
        self.number = number


class Verdict(NamedTuple):
    """What a good journal holds; ``state`` is lobby, playing, over, abandoned or broken."""

    lines: int
    answers: int
    state: str


_MAY_FOLLOW = {
    "table": {"seats", "start", "abandoned"},
    "seats": {"seats", "start", "abandoned"},
    "start": {"answer", "abandoned", "broken"},
    "answer": {"answer", "over", "abandoned", "broken"},
    "over": set[str](),
    "abandoned": set[str](),
    "broken": set[str](),
}
"""The types of lines, and which may come next."""

_STATES = {"table": "lobby", "seats": "lobby", "start": "playing", "answer": "playing"}


def verify(journal: JournalFile) -> Verdict:
    """Check all whole lines.  Raises WrongLineError at the first that is wrong."""
    game: engine.Game | None = None
    kind = ""
    prev = ""
    answers = 0
    for index, line in enumerate(journal.lines):
        data = _linked(line, index, prev)
        prev = line_digest(line.raw)
        following = str(data.get("type"))
        if index and following not in _MAY_FOLLOW[kind]:
            raise WrongLineError(
                line.number, f"a line of type {following[:20]!r} cannot follow one of type {kind!r}"
            )
        kind = following
        try:
            if kind == "start":
                game = replay.begin(data)
            elif kind == "answer" and game is not None:
                replay.follow(game, data)
                answers += 1
            elif kind == "over" and game is not None:
                replay.finish(game, data)
        except replay.ReplayError as wrong:
            raise WrongLineError(line.number, str(wrong)) from None
    return Verdict(len(journal.lines), answers, _STATES.get(kind, kind))


def _linked(line: Line, index: int, prev: str) -> dict[str, object]:
    """What the line says, if it stands where it should."""
    if line.data is None:
        raise WrongLineError(line.number, "it is no JSON object")
    if line.data.get("seq") != index:
        raise WrongLineError(line.number, f"its seq is not {index}: lines are missing or moved")
    if line.data.get("prev") != prev:
        raise WrongLineError(
            line.number, "its prev is not the digest of the line before: one of them was changed"
        )
    return line.data
