"""Takes connections in: one task each, which nothing that happens in another can harm."""

from __future__ import annotations

from collections import Counter
from typing import Any

import trio
from trio.abc import Stream

from protocol.errors import error
from server.connection import Connection
from server.door import Door
from server.hall import Hall
from server.oplog import Log
from server.refusal import Refusal
from server.turned_away import turn_away


def address_of(stream: Stream) -> str:
    """The other end's address without its port; empty if it has none (a stream in memory)."""
    if not isinstance(stream, trio.SocketStream):
        return ""
    try:
        peer: Any = stream.socket.getpeername()
    except OSError:  # gone already
        return ""
    return str(peer[0])


TURNED_AWAY_AT_ONCE = 64
"""Connections that are told at the same time why they are not wanted; more are just closed."""


class Reception:
    """All connections of a server; :meth:`receive` is the handler of its listeners.  They come in
    through ``door``, which is an open one if none is given."""

    def __init__(self, hall: Hall, log: Log, door: Door | None = None) -> None:
        self.connections: set[Connection] = set()
        self._hall = hall
        self._door = door or Door(hall.settings)
        self._log = log
        self._from: Counter[str] = Counter()
        self._turned_away: Counter[str] = Counter()
        self._waiting = trio.lowlevel.ParkingLot()

    async def receive(self, stream: Stream) -> None:
        """Serve one client to the end.  Raises nothing but Cancelled."""
        address = address_of(stream)
        try:
            self._check(address)
        except Refusal as no:
            self._log.warning("turned away", address=address, code=no.code)
            self._hall.tally.refused[no.code] += 1
            await self._turn_away(stream, address, no)
            return
        log = self._log.bind(address=address)
        self._from[address] += 1
        try:
            entered = await self._door.enter(stream, log, self._hall.settings.hello)
            if entered is not None:
                await self._serve(Connection(entered, self._hall, log, address))
        except Exception as error:  # whatever it is, it ends this connection only
            log.error("connection broken", exc_info=error)
        finally:
            self._from[address] -= 1
            if not self._from[address]:
                del self._from[address]

    async def _serve(self, connection: Connection) -> None:
        self.connections.add(connection)
        try:
            await connection.run()
        finally:
            self.connections.discard(connection)
            self._waiting.unpark_all()

    def _check(self, address: str) -> None:
        """Raises Refusal if one more connection from there cannot be served."""
        self._hall.order.check_address(address)
        settings = self._hall.settings
        if self._from.total() >= settings.connections:  # those at the door too
            raise Refusal("too-many", "there are too many connections already; try again later")
        most = settings.per_address
        if self._from[address] >= most:
            text = f"at most {most} connections may come from one address; close another first"
            raise Refusal("too-many", text)

    async def _turn_away(self, stream: Stream, address: str, why: Refusal) -> None:
        """Tell the client why, unless as many others of its address are being told just now."""
        others = self._turned_away
        if (
            others[address] >= self._hall.settings.per_address
            or others.total() >= TURNED_AWAY_AT_ONCE
        ):
            await trio.aclose_forcefully(stream)
            return
        self._turned_away[address] += 1
        try:
            settings = self._hall.settings
            entered = await self._door.enter(stream, self._log, settings.farewell)
            if entered is not None:
                await turn_away(entered, settings, error(why.code, why.text))
        finally:
            self._turned_away[address] -= 1
            if not self._turned_away[address]:
                del self._turned_away[address]

    def close(self) -> None:
        """Tell every client that the server ends; their connections close when they know."""
        for connection in self.connections:
            connection.end("shutting-down", "the server is shutting down")

    async def empty(self) -> None:
        """Wait until the last connection has ended."""
        while self.connections:
            await self._waiting.park()
