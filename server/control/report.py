"""The results of commands as lines for people; what they hold of strangers is made printable by
whoever prints them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from protocol.names import width
from server.control import words

Plain = dict[str, Any]


def lines(command: words.AnyCommand, result: Plain) -> Iterator[str]:
    """What the result of this command says."""
    match command:
        case words.Status():
            yield from _status(result)
        case words.Tables():
            yield from _tables(result["tables"])
        case words.Sessions():
            yield from _sessions(result["sessions"])
        case words.Kick():
            yield f"put out: {', '.join(result['kicked'])}"
        case words.Mute():
            yield f"{result['name']} cannot chat {_for(result['seconds'], 'until the server ends')}"
        case words.Unmute():
            yield f"{result['name']} can chat again"
        case words.Ban():
            yield from (f"banned: {_who(ban)}" for ban in result["bans"])
            if result["kicked"]:
                yield f"put out: {', '.join(result['kicked'])}"
        case words.Unban():
            yield from (f"not banned any more: {_who(ban)}" for ban in result["bans"])
        case words.Bans():
            yield from _bans(result["bans"])
        case words.Announce():
            yield f"told {_many(result['told'], 'player')}"
        case words.Drain():
            yield f"no new games begin; the server ends in {_length(result['limit'])} at the latest"
        case words.Stop():
            yield "the server ends"


def _status(result: Plain) -> Iterator[str]:
    draining = ", draining" if result["draining"] else ""
    yield f"senro {result['version']}, process {result['pid']}{draining}"
    yield f"up for {_length(result['uptime'])}, listening at {', '.join(result['addresses'])}"
    tables = ", ".join(f"{n} {state}" for state, n in sorted(result["tables"].items()))
    yield (
        f"{_many(result['sessions'], 'session')}, {_many(result['connections'], 'connection')}, "
        f"tables: {tables or 'none'}, {_many(result['bans'], 'ban')}"
    )


def _tables(tables: Sequence[Plain]) -> Iterator[str]:
    rows = [("TABLE", "STATE", "BOARD", "SEATS", "WATCHERS", "HOST", "TITLE")]
    for table in tables:
        seats = [seat.get("name", seat["kind"]) for seat in table["seats"]]
        rows.append(
            (
                table["table"],
                table["state"],
                table["board"],
                ", ".join(seats),
                str(table["watchers"]),
                table["host"],
                table["title"],
            )
        )
    yield from _columns(rows) if tables else ["no tables"]


def _sessions(sessions: Sequence[Plain]) -> Iterator[str]:
    rows = [("NAME", "ADDRESS", "TABLES", "WAITING", "")]
    for session in sessions:
        tables = ", ".join(session["tables"]) or "-"
        muted = "muted" if session["muted"] else ""
        address = session["address"] or "-"
        rows.append((session["name"], address, tables, str(session["waiting"]), muted))
    yield from _columns(rows) if sessions else ["nobody is here"]


def _bans(bans: Sequence[Plain]) -> Iterator[str]:
    rows = [("WHO", "SINCE", "UNTIL", "REASON")]
    for ban in bans:
        until = _date(ban["until"]) if ban.get("until") else "for good"
        rows.append((_who(ban), _date(ban["since"]), until, ban.get("reason", "")))
    yield from _columns(rows) if bans else ["no bans"]


def _who(ban: Plain) -> str:
    return str(ban.get("name") or ban.get("address"))


def _columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [cell + " " * (most - width(cell)) for cell, most in zip(row, widths, strict=True)]
        yield "  ".join(cells).rstrip()


def _date(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")


def _many(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _for(seconds: float, forever: str) -> str:
    return f"for {_length(seconds)}" if seconds else forever


def _length(seconds: float) -> str:
    for size, noun in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= 2 * size:
            return _many(round(seconds / size), noun)
    return _many(round(seconds), "second")
