"""Does what whoever runs the server asks for.

A command returns its result as plain data, or raises :class:`OfficeError` and has changed nothing.
What it takes from the game is only what everybody in the lobby may see.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec
import trio

from protocol.messages import TableInfo
from protocol.names import TextError, clean_text, name_key
from server.app import Server
from server.bans import Ban as KeptBan
from server.bans import BanError
from server.control import words
from server.session import Session
from server.table import Table

REASON_COLUMNS = 200
TEXT_COLUMNS = 300


class OfficeError(Exception):
    """A command cannot be carried out; the sentence says why."""


class Done(NamedTuple):
    """The result of a command, and what is to be done once whoever asked has it."""

    result: dict[str, Any]
    then: Callable[[], None] | None = None


class Office:
    """Carries out commands on one server."""

    def __init__(self, server: Server, version: str) -> None:
        self._server = server
        self._hall = server.hall
        self._version = version
        self._began = trio.current_time()

    def do(self, command: words.AnyCommand) -> Done:
        """Carry out a command.  Raises OfficeError."""
        try:
            return self._do(command)
        except (BanError, TextError) as wrong:
            raise OfficeError(str(wrong)) from None

    def _do(self, command: words.AnyCommand) -> Done:
        match command:
            case words.Status():
                return Done(self._status())
            case words.Tables():
                return Done({"tables": [_table(t) for t in self._hall.tables.values()]})
            case words.Sessions():
                return Done({"sessions": [self._session(s) for s in self._hall.sessions.values()]})
            case words.Kick(name, reason):
                return self._kick(self._known(name), "kicked", "you have been put out", reason)
            case words.Mute(name, seconds):
                session = self._known(name)
                self._hall.order.mute(session.name, seconds)
                return Done({"name": session.name, "seconds": seconds})
            case words.Unmute(name):
                if not self._hall.order.unmute(name):
                    raise OfficeError("nobody of this name is muted")
                return Done({"name": name})
            case words.Ban():
                return self._ban(command)
            case words.Unban(name, address):
                gone = self._hall.order.bans.remove(name=name, address=address)
                return Done({"bans": [_ban(b) for b in gone]})
            case words.Bans():
                return Done({"bans": [_ban(b) for b in self._hall.order.bans.all()]})
            case words.Announce(text, table):
                return self._announce(clean_text(text, TEXT_COLUMNS, "announcement"), table)
            case words.Drain():
                return Done({"limit": self._hall.settings.drain}, self._server.drain)
            case words.Stop():
                return Done({}, self._server.end)

    # ------------------------------------------------------------------ how things stand

    def _status(self) -> dict[str, Any]:
        hall = self._hall
        return {
            "version": self._version,
            "pid": os.getpid(),
            "uptime": round(trio.current_time() - self._began, 3),
            "addresses": [f"{host} port {port}" for host, port in self._server.addresses],
            "draining": hall.order.draining,
            "connections": len(self._server.reception.connections),
            "sessions": len(hall.sessions),
            "tables": dict(Counter(table.state for table in hall.tables.values())),
            "bans": len(hall.order.bans.all()),
        }

    def _session(self, session: Session) -> dict[str, Any]:
        return {
            "name": session.name,
            "address": session.address,
            "connected": session.connected,
            "tables": list(session.tables),
            "waiting": len(session.outbox),
            "muted": self._hall.order.muted(session.key),
        }

    def _known(self, name: str) -> Session:
        session = self._hall.sessions.get(name_key(name))
        if session is None:
            raise OfficeError("nobody of this name is here")
        return session

    # ------------------------------------------------------------------ putting out

    def _kick(self, session: Session, code: str, what: str, reason: str) -> Done:
        reason = clean_text(reason, REASON_COLUMNS, "reason") if reason else ""
        text = f"{what}: {reason}" if reason else what
        return Done({"kicked": [session.name]}, lambda: self._hall.expel(session, code, text))

    def _ban(self, command: words.Ban) -> Done:
        hall = self._hall
        reason = clean_text(command.reason, REASON_COLUMNS, "reason") if command.reason else ""
        new = hall.order.bans.add(
            name=command.name, address=command.address, reason=reason, seconds=command.seconds
        )
        out = [s for s in hall.sessions.values() if self._banned(s)]
        text = f"you are not let in any more: {reason}" if reason else "you are not let in any more"

        def then() -> None:
            for session in out:
                hall.expel(session, "banned", text)

        return Done({"bans": [_ban(b) for b in new], "kicked": [s.name for s in out]}, then)

    def _banned(self, session: Session) -> bool:
        bans = self._hall.order.bans
        return bool(bans.of_name(session.key) or bans.of_address(session.address))

    # ------------------------------------------------------------------ telling

    def _announce(self, text: str, table_id: str) -> Done:
        hall = self._hall
        if not table_id:
            hall.announce(text)
            return Done({"told": sum(s.connected for s in hall.sessions.values())})
        table = hall.tables.get(table_id)
        if table is None:
            raise OfficeError("there is no table of that name")
        table.announce(text)
        return Done({"told": len(table.members)})


def _table(table: Table) -> dict[str, Any]:
    info: TableInfo = table.info()
    return {
        "table": info.table,
        "title": info.title,
        "state": info.state,
        "host": info.host,
        "board": info.options.board,
        "seats": [msgspec.to_builtins(seat) for seat in info.seats],
        "watchers": info.watchers,
    }


def _ban(ban: KeptBan) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(ban)
    return plain
