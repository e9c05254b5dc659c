"""Shows a journal as text: the turn history, and the final scores.

Works on unfinished and damaged files as far as they go.  The scores after each turn are worked out
by the engine, as long as the journal was played under the rules and with the cards of this version;
otherwise they are left out.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence

import engine
from engine.scoring import results
from engine.text import Words
from engine.types import Event, Result
from server.log import replay
from server.log.lines import (
    AbandonedLine,
    AnswerLine,
    BotSeat,
    BrokenLine,
    Line,
    OverLine,
    StartLine,
    TableLine,
    shown,
)
from server.log.meanwhile import Meanwhile
from server.log.reading import JournalFile, other_rules
from server.log.turns import LABEL, Glossary, block, turns
from server.oplog import printable

WIDTH = 80
"""Columns of a line."""


class StoppedError(ValueError):
    """The rest of a journal cannot be shown; the sentence says why."""


def show(journal: JournalFile) -> Iterator[str]:
    """The lines to print.  Raises StoppedError, perhaps after some of them."""
    for line in _show(journal):
        yield from _folded(printable(line))


def _folded(line: str) -> Iterator[str]:
    """A line in pieces that are no longer than the screen; what goes on stands below its text."""
    labelled = line.startswith("  ") and line[2:3].isalpha()
    indent = " " * (LABEL + 2) if labelled else "  "
    yield from textwrap.wrap(
        line, WIDTH, subsequent_indent=indent, break_on_hyphens=False, drop_whitespace=True
    ) or [""]


def _show(journal: JournalFile) -> Iterator[str]:
    header = journal.lines[0].data or {}
    yield f"Table {_text(header.get('table'))}: {_text(header.get('title'))}"
    at = next((n for n, line in enumerate(journal.lines) if _kind(line) == "start"), None)
    if at is None:
        yield "The game has not begun."
        yield from _torn(journal)
        return
    start = journal.lines[at].said
    if not isinstance(start, StartLine):
        raise _stopped(journal.lines[at])
    rest = journal.lines[at + 1 :]
    seats = [seat.name for seat in start.seats]
    game, problem = _game(journal.lines[0], start)
    words = _glossary(seats, game)
    yield from _settings(start, game, words)
    if problem:
        yield f"Without scores: this journal {problem}."
    for turn in turns(_events(start, rest, game)):
        if game is not None and turn.number:  # nothing scores between two turns
            turn.scores = [result.total for result in results(game)]
        yield ""
        yield from block(turn, words)
    yield ""
    yield from _end(rest, seats)
    yield from _torn(journal)


def _kind(line: Line) -> object:
    return None if line.data is None else line.data.get("type")


def _text(value: object) -> str:
    return value if isinstance(value, str) else shown(value)


def _stopped(line: Line, why: str = "") -> StoppedError:
    return StoppedError(f"line {line.number}: {why or line.problem}")


def _game(first: Line, start: StartLine) -> tuple[engine.Game | None, str]:
    """The game at its start, or why it cannot be played again."""
    if not isinstance(first.said, TableLine):
        return None, "has a first line that cannot be read"
    problem = other_rules(first.data or {})
    if problem:
        return None, problem
    try:
        return replay.begin(first.said, start), ""
    except replay.ReplayError as wrong:
        return None, f"does not replay: {wrong}"


def _settings(start: StartLine, game: engine.Game | None, words: Glossary) -> Iterator[str]:
    kinds = [
        f"{seat.name} ({seat.level} bot)" if isinstance(seat, BotSeat) else seat.name
        for seat in start.seats
    ]
    yield f"Players: {', '.join(kinds)}"
    setup = start.setup
    board = _text(setup.get("board")) if game is None else game.setting.board.spec.name
    yield f"Board: {board}; boxes: {_names(setup.get('boxes'), str)}"
    yield f"Cards: {_names(setup.get('kingdom'), words.card)}"
    yield f"Victory cards: {_names(setup.get('victory'), words.card)}"
    if game is not None and game.state.bonuses:
        bonuses = [game.setting.bonuses[held.bonus].spec.name for held in game.state.bonuses]
        yield f"Route bonuses: {', '.join(bonuses)}"
    if start.setup.get("decks"):
        yield "The first decks were prepared."


def _names(names: object, call: Callable[[str], str]) -> str:
    """A list of a file, each called by its name if it is one."""
    if not isinstance(names, list):
        return shown(names)
    return ", ".join(call(name) if isinstance(name, str) else shown(name) for name in names)


def _glossary(seats: list[str], game: engine.Game | None) -> Glossary:
    if game is None:  # names of cards and hexes are not known for sure: their ids have to do
        return Glossary(seats, str, str, lambda event: event.text or event.type)
    words, setting = Words("en"), game.setting
    board = setting.board.info()

    def card(card_id: str) -> str:
        return setting.cards[setting.index[card_id]].spec.name

    def place(name: str) -> str:
        title = board.hexes[name].title
        return f"{title} ({name})" if title else f"{name} ({board.hexes[name].terrain})"

    return Glossary(
        seats, card, place, lambda event: event.text or words.event(setting, event, seats)
    )


def _events(start: StartLine, rest: Sequence[Line], game: engine.Game | None) -> Iterator[Event]:
    """All events of the journal; the game follows, always as far as the events have been taken.
    Those that the game does not know of are never handed out, or, without a game, have seats that
    are there."""
    if not _seated(start.events, start):
        raise StoppedError("the start of the game tells of a seat that is not there")
    yield from start.events
    meanwhile = Meanwhile([seat.name for seat in start.seats])
    for line in rest:
        said = line.said
        if said is None:
            raise _stopped(line)
        sentence = meanwhile.take(said)
        if sentence:
            yield Event("meanwhile", text=sentence)
        if isinstance(said, AnswerLine):
            if game is not None:
                try:
                    replay.follow(game, start.seats, said)
                except replay.ReplayError as wrong:
                    raise _stopped(line, str(wrong)) from None
            if not _seated(said.events, start):
                raise _stopped(line, "it tells of a seat that is not there")
            yield from said.events


def _seated(events: Sequence[Event], start: StartLine) -> bool:
    seats = range(len(start.seats))
    return all(event.seat in seats for event in events if isinstance(event.seat, int))


def _end(rest: Sequence[Line], seats: list[str]) -> Iterator[str]:
    last = rest[-1].said if rest else None
    if isinstance(last, OverLine):
        if any(not 0 <= result.seat < len(seats) for result in last.results):
            raise _stopped(rest[-1], "its results tell of a seat that is not there")
        yield from _scores(last.results, seats)
    elif isinstance(last, AbandonedLine | BrokenLine):
        yield f"The game was {last.__struct_config__.tag}: {last.reason}."
    else:
        yield "The game is not over."


def _scores(account: Sequence[Result], seats: list[str]) -> Iterator[str]:
    yield "Final scores"
    width = max(map(len, seats))
    for result in sorted(account, key=lambda r: (r.rank, r.seat)):
        yield (
            f"  {result.rank}. {seats[result.seat]:<{width}}  {result.total:>3} points: "
            f"track {result.track}, rails {result.rails_vp}, cards {result.cards_vp}; "
            f"{result.rails} rails on the board"
        )


def _torn(journal: JournalFile) -> Iterator[str]:
    if journal.torn:
        yield "The last line of the file is torn; it was left out."
