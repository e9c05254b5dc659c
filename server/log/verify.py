"""Verifies a journal: its chain, its order, and every answer against the engine."""

from __future__ import annotations

from typing import NamedTuple

import engine
from server.journal import line_digest
from server.log import replay
from server.log.lines import (
    AnswerLine,
    JournalLine,
    Line,
    OverLine,
    SeatsLine,
    StartLine,
    TableLine,
)
from server.log.reading import JournalFile
from server.log.timing import Timing, take


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


_ASIDES = {"prefer", "autopilot", "abandoned", "broken"}
"""What may come at any time in a running game."""

_MAY_FOLLOW = {
    "": {"table"},
    "table": {"seats", "abandoned"},
    "seats": {"seats", "start", "abandoned"},
    "start": _ASIDES | {"answer"},
    "window": _ASIDES | {"reply", "answer"},
    "reply": _ASIDES | {"reply", "answer"},
    "answer": _ASIDES | {"answer", "window", "over"},
    **dict.fromkeys(("prefer", "autopilot"), _ASIDES | {"answer", "window", "reply", "over"}),
    "over": set[str](),
    "abandoned": set[str](),
    "broken": set[str](),
}
"""The types of lines, and which may come next; the first one follows nothing."""

_STATES = {
    **dict.fromkeys(("table", "seats"), "lobby"),
    **dict.fromkeys(("start", "prefer", "autopilot", "window", "reply", "answer"), "playing"),
}


def verify(journal: JournalFile, *, replaying: bool = True) -> Verdict:
    """Check all whole lines; without ``replaying`` everything but what the engine has to say.

    Raises WrongLineError at the first that is wrong.
    """
    story = read_story(journal, replaying=replaying)
    return Verdict(len(journal.lines), story.answers, _STATES.get(story.kind, story.kind))


def read_story(journal: JournalFile, *, replaying: bool = True) -> Story:
    """What all whole lines tell, checked as :func:`verify` does.  Raises WrongLineError."""
    story = Story(replaying)
    prev = ""
    for index, line in enumerate(journal.lines):
        said = _linked(line, index, prev)
        prev = line_digest(line.raw)
        following = str(said.__struct_config__.tag)
        if following not in _MAY_FOLLOW[story.kind]:
            raise WrongLineError(
                line.number,
                f"a line of type {following!r} cannot follow one of type {story.kind!r}",
            )
        try:
            story.take(said)
        except replay.ReplayError as wrong:
            raise WrongLineError(line.number, str(wrong)) from None
    return story


def _linked(line: Line, index: int, prev: str) -> JournalLine:
    """What the line says, if it is whole and stands where it should."""
    said = line.said
    if said is None:
        raise WrongLineError(line.number, line.problem)
    if said.seq != index:
        raise WrongLineError(line.number, f"its seq is not {index}: lines are missing or moved")
    if said.prev != prev:
        raise WrongLineError(
            line.number, "its prev is not the digest of the line before: one of them was changed"
        )
    if line.problem:
        raise WrongLineError(line.number, line.problem)
    return said


class Story:
    """What the lines have told so far, and whether the next one goes with it.

    ``kind`` is the type of the last line; ``game`` the game as it stands, ``facts`` all that has
    happened in it and ``timing`` what is known of its clocks, if the answers are replayed.
    """

    def __init__(self, replaying: bool) -> None:
        self._replaying = replaying
        self.kind = ""
        self.answers = 0
        self.table: TableLine | None = None
        self.lobby: SeatsLine | None = None
        self.start: StartLine | None = None
        self.game: engine.Game | None = None
        self.facts: list[engine.Fact] = []
        self.timing: Timing | None = None

    def take(self, said: JournalLine) -> None:
        """Take the next line.  Raises ReplayError."""
        self.kind = str(said.__struct_config__.tag)
        self.answers += self.kind == "answer"
        if isinstance(said, TableLine):
            self.table = said
        elif isinstance(said, SeatsLine):
            self.lobby = said
            if self.table is not None and len(said.seats) != self.table.options.players:
                raise replay.ReplayError("it has not as many seats as the table")
        elif isinstance(said, StartLine):
            self._begin(said)
        elif self.game is not None and self.start is not None and self.timing is not None:
            if isinstance(said, OverLine):
                replay.finish(self.game, said)
            else:
                take(self.game, self.timing, self.start.seats, said)
                if isinstance(said, AnswerLine):
                    self.facts += self.game.facts

    def _begin(self, start: StartLine) -> None:
        self.start = start
        if self.table is None or not self._replaying:
            return
        self.game = replay.begin(self.table, start)
        self.facts = [*self.game.facts]
        self.timing = Timing(self.table.options, start.seats)
        taken = self.lobby.seats if self.lobby is not None else ()
        if replay.seats_in_order(self.table, taken, self.game.setup.seed) != [*start.seats]:
            raise replay.ReplayError("its seats are not those that were taken in the lobby")
