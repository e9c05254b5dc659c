"""Shows a journal as text: the turn history, and the final scores.

Works on unfinished and damaged files as far as they go.  The scores after each turn are worked out
by the engine, as long as the journal was played under the rules and with the cards of this version;
otherwise they are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

import engine
from engine.scoring import results
from engine.text import Words
from engine.types import Event, Result
from server.log import replay
from server.log.reading import JournalFile, other_rules
from server.log.turns import Glossary, block, turns
from server.oplog import printable


def show(journal: JournalFile) -> Iterator[str]:
    """The lines to print."""
    for line in _show(journal):
        yield printable(line)


def _show(journal: JournalFile) -> Iterator[str]:
    data = [line.data for line in journal.lines if line.data is not None]
    header = data[0]
    yield f"Table {header.get('table')}: {header.get('title')}"
    start = next((line for line in data if line.get("type") == "start"), None)
    if start is None:
        yield "The game has not begun."
        return
    try:
        seats = replay.names_of(start)
        game, problem = _game(header, start)
        yield from _settings(start)
        words = _glossary(seats, game)
        if problem:
            yield f"Without scores: this journal {problem}."
        for turn in turns(_events(data, game)):
            if game is not None and turn.number:  # nothing scores between two turns
                turn.scores = [result.total for result in results(game)]
            yield ""
            yield from block(turn, words)
    except replay.ReplayError as wrong:
        yield f"The journal cannot be read any further: {wrong}."
        return
    yield ""
    yield from _end(data, seats, journal.torn)


def _game(header: dict[str, Any], start: dict[str, Any]) -> tuple[engine.Game | None, str]:
    """The game at its start, or why it cannot be played again."""
    problem = other_rules(header)
    if problem:
        return None, problem
    try:
        return replay.begin(start), ""
    except replay.ReplayError as wrong:
        return None, f"does not replay: {wrong}"


def _settings(start: dict[str, Any]) -> Iterator[str]:
    setup = start["setup"]
    kinds = []
    for seat in start["seats"]:
        level = f" ({seat['level']} bot)" if seat.get("level") else ""
        kinds.append(f"{seat.get('name', '?')}{level}")
    yield f"Players: {', '.join(kinds)}"
    yield f"Board: {setup.get('board')}; piles: {', '.join(map(str, setup.get('kingdom', ())))}"
    if setup.get("decks"):
        yield "The first decks were prepared."


def _glossary(seats: list[str], game: engine.Game | None) -> Glossary:
    if game is None:  # names of cards and hexes are not known for sure: their ids have to do
        return Glossary(seats, str, str, lambda event: event.type)
    words, setting = Words("en"), game.setting
    board = setting.board.info()

    def card(card_id: str) -> str:
        return setting.cards[setting.index[card_id]].spec.name

    def place(name: str) -> str:
        title = board.hexes[name].title
        return f"{title} ({name})" if title else f"{name} ({board.hexes[name].terrain})"

    return Glossary(seats, card, place, lambda event: words.event(setting, event, seats))


def _events(data: list[dict[str, Any]], game: engine.Game | None) -> Iterator[Event]:
    """All events of the journal; the game follows, always as far as the events have been taken."""
    for line in data:
        if line.get("type") in {"start", "answer"}:
            events = replay.events_of(line)
            if game is not None and line["type"] == "answer":
                replay.follow(game, line)
            yield from events


def _end(data: list[dict[str, Any]], seats: list[str], torn: bool) -> Iterator[str]:
    last = data[-1]
    kind = last.get("type")
    if kind == "over":
        yield "Final scores"
        try:
            account = msgspec.convert(last.get("results"), list[Result])
        except msgspec.ValidationError as error:
            raise replay.ReplayError(str(error)) from None
        width = max(map(len, seats))
        for result in sorted(account, key=lambda r: (r.rank, r.seat)):
            yield (
                f"  {result.rank}. {seats[result.seat]:<{width}}  {result.total:>3} points: "
                f"track {result.track}, rails {result.rails_vp}, cards {result.cards_vp}; "
                f"{result.rails} rails on the board"
            )
    elif kind in {"abandoned", "broken"}:
        yield f"The game was {kind}: {last.get('reason')}."
    else:
        yield "The game is not over."
    if torn:
        yield "The last line of the file is torn; it was left out."
