"""A real server on a real port of this machine, and players who connect to it."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

import engine
from engine.boxes import Box
from protocol.messages import Hello
from server.app import Server
from server.hall import Hall
from server.journal import Journals
from server.oplog import operational_log
from server.settings import Settings
from tests.server.conftest import Player

Serving = Callable[..., AsyncIterator["RealServer"]]


class RealServer:
    """A running server, its port and its journals."""

    def __init__(self, server: Server, folder: Path, log: io.StringIO) -> None:
        self.server = server
        self.folder = folder
        self.log = log
        self.port = server.addresses[0][1]
        self._streams: list[trio.SocketStream] = []

    async def stream(self) -> trio.SocketStream:
        """A bare connection."""
        stream = await trio.open_tcp_stream("127.0.0.1", self.port)
        self._streams.append(stream)
        return stream

    async def hang_up(self) -> None:
        """Close every connection."""
        for stream in self._streams:
            await trio.aclose_forcefully(stream)

    async def player(self, name: str) -> Player:
        """A player who has been let in."""
        player = Player(await self.stream())
        await player.send(Hello((1, 1), name))
        await player.next(object)
        return player

    def journal(self) -> Path:
        """The one journal."""
        (path,) = self.folder.glob("*.jsonl")
        return path


@pytest.fixture
def serving(tmp_path: Path) -> Serving:
    """``async with serving() as house``: a server on a free port of the loopback interface."""

    @asynccontextmanager
    async def serve(
        game_factory: Callable[[engine.Setup], engine.Game] = engine.Game.new,
        own: tuple[Box, ...] = (),
        **settings: object,
    ) -> AsyncIterator[RealServer]:
        log = io.StringIO()
        hall = Hall(
            Settings(**settings),  # type: ignore[arg-type]
            Journals(tmp_path / "journals"),
            log=operational_log(log),
            game_factory=game_factory,
            own=own,
        )
        listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
        async with trio.open_nursery() as nursery:
            server = Server(hall, listeners, operational_log(log))
            await nursery.start(server.run)
            house = RealServer(server, tmp_path / "journals", log)
            try:
                yield house
            finally:
                await house.hang_up()
                server.end()

    return serve
