"""What the lobby shows of tables, as lines and sentences."""

from __future__ import annotations

from collections.abc import Sequence

from client.plain.lines import NARROWEST, Line, clip, pad, safe, text, wrap
from client.table_words import OPTIONS, in_words
from protocol.messages import TableInfo

HEADINGS: Line = [("class:label", f"  N {'title':24} {'board':10} seats state    players")]


def all_tables(infos: Sequence[TableInfo], width: int) -> list[Line]:
    """The list of tables, numbered from 1, each with how it is played."""
    lines: list[Line] = [HEADINGS] if infos else [text("There are no tables yet.")]
    for number, info in enumerate(infos, 1):
        lines.append(_list_line(number, info, width))
        words = [*(["password"] if info.locked else []), *in_words(info.options)]
        lines += wrap(f"    {'; '.join(words)}", width, "    ")
    return lines


def one_table(info: TableInfo, me: int, width: int) -> list[Line]:
    """A table with how it is played and who sits where; ``me`` is the reader's seat."""
    options = info.options
    title = f" “{safe(info.title, 40)}”" if info.title else ""
    words = f"Table {safe(info.table, 12)}{title}: {safe(options.board, 20)}, "
    words += f"{options.players} players" + (", seed chosen by the host" if info.seeded else "")
    words += ", with a password" if info.locked else ""
    lines = [[("class:heading", line[0][1])] for line in wrap(words, width, "  ")]
    lines += wrap(f"  {_sentence(in_words(options))}", width, "  ")
    for number, seat in enumerate(info.seats):
        name = safe(seat.name, 20) or "free"
        notes = [seat.kind] if seat.kind == "bot" else []
        notes += ["you"] if number == me else []
        notes += ["host"] if seat.kind == "human" and seat.name == info.host else []
        notes += ["ready"] if seat.kind == "human" and seat.ready else []
        notes += ["not connected"] if seat.kind == "human" and not seat.connected else []
        tail = f" ({', '.join(notes)})" if notes else ""
        tail += f", {safe(seat.color, 10)}" if seat.color else ""
        style = "class:own" if number == me else ""
        lines.append([(style, f"  seat {number + 1}  {name}{tail}")])
    return lines


def opened(number: int, info: TableInfo) -> str:
    """The news of a table that is new in the list."""
    name = f"“{safe(info.title, 40)}”" if info.title else f"{safe(info.host, 20)}'s table"
    free = sum(seat.kind == "open" for seat in info.seats)
    seats = "no seat free" if not free else "1 seat free" if free == 1 else f"{free} seats free"
    way = f"join {number} sits down" if free else f"watch {number} looks on"
    return f"New: {name}, {safe(info.options.board, 20)}, {seats}; {way}."


def _list_line(number: int, info: TableInfo, width: int) -> Line:
    taken = [safe(seat.name, 20) for seat in info.seats if seat.kind != "open"]
    places = f"{len(taken)}/{len(info.seats)}"
    title = safe(info.title, 40) or f"{safe(info.host, 20)}'s table"
    words = f" {pad(clip(title, 24), 24)} {pad(safe(info.options.board, 10), 10)}"
    words += f" {places:<5} {pad(safe(info.state, 8), 8)} {', '.join(taken)}"
    return [("class:number", f"{number:>3}"), ("", clip(words, width - 4))]


def _sentence(words: list[str]) -> str:
    joined = ", ".join(words)
    return f"{joined[:1].upper()}{joined[1:]}."


def create_help(width: int) -> list[Line]:
    """All options of ``create``, a line each."""
    lines = [text("create [OPTION ...], each with what follows it:")]
    for name, word in OPTIONS.items():
        usage = pad(f"{name}={word.value}" if word.value else name, 22)
        first, *more = wrap(f"{word.about}.", max(NARROWEST, width - 26))
        lines.append([("class:number", f"  {usage}"), *first])
        lines += [[("", " " * 24), *line] for line in more]
    return lines


def not_ready(info: TableInfo) -> list[str]:
    return [
        safe(seat.name, 20)
        for seat in info.seats
        if seat.kind == "human" and not seat.ready and seat.name != info.host
    ]


def differences(before: TableInfo, now: TableInfo) -> list[str]:
    """What changed on the seats, a sentence each."""
    told: list[str] = []
    sat = {seat.name: seat for seat in before.seats if seat.name}
    sits = {seat.name for seat in now.seats if seat.name}
    for number, (old, new) in enumerate(zip(before.seats, now.seats, strict=False), 1):
        name = safe(new.name, 20)
        if old.name != new.name:
            if old.name and old.name not in sits:
                told.append(f"{safe(old.name, 20)} leaves seat {number}.")
            if new.name in sat:
                told.append(f"{name} is on seat {number} now.")
            elif new.name:
                kind = f", a {safe(new.level, 20)} bot," if new.kind == "bot" else ""
                told.append(f"{name}{kind} sits down on seat {number}.")
        earlier = sat.get(new.name)
        if earlier is None or new.kind != "human":
            continue
        if earlier.ready != new.ready:
            told.append(f"{name} is {'ready' if new.ready else 'not ready any more'}.")
        if earlier.connected != new.connected:
            lost = "has lost the connection, and may come back"
            told.append(f"{name} {'is back' if new.connected else lost}.")
        if earlier.color != new.color:
            told.append(f"{name} plays {safe(new.color, 10)}.")
    return told + _rights(before, now)


def _rights(before: TableInfo, now: TableInfo) -> list[str]:
    """What the host has changed besides the seats."""
    told = []
    if before.locked != now.locked:
        told.append(f"Who joins has to know a password{'' if now.locked else ' no more'}.")
    told += [f"{safe(n, 20)} may not chat." for n in now.muted if n not in before.muted]
    return told + [f"{safe(n, 20)} may chat again." for n in before.muted if n not in now.muted]
