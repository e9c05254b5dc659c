"""A server as a process of its own, to be burdened: its memory and descriptors can be looked at."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import trio

from protocol.messages import (
    AddBot,
    Create,
    Hello,
    Leave,
    Loaded,
    Snapshot,
    Start,
    TableOptions,
    Welcome,
)
from tests.server.conftest import Player


class Gamer:
    """Somebody who plays on and on, to show that games go on."""

    def __init__(self, server: ServerProcess, player: Player) -> None:
        self.server = server
        self.player = player
        self.table = ""

    async def moves(self, count: int) -> None:
        """Give so many answers; a game that is over is followed by another."""
        for _ in range(count):
            if not self.table:
                self.table = await self.server.table(self.player, bots=1)
            player = self.player
            await player.until(lambda me: bool(me.decisions) or me.view["phase"] == "over")
            if player.decisions:
                await player.answer(self.table)
            else:
                await player.do(Leave, table=self.table)
                self.table = ""


LIMITED = """
import resource, runpy, sys
most = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
sys.argv[1:2] = []
runpy.run_module("server", run_name="__main__", alter_sys=True)
"""


class ServerProcess:
    """A running server.  ``log`` is where it writes its operational log."""

    def __init__(self, process: subprocess.Popen[str], port: int, log: Path) -> None:
        self.process = process
        self.port = port
        self.log = log
        self.streams: list[trio.SocketStream] = []

    async def stream(self, source: str = "127.0.0.1") -> trio.SocketStream:
        """A bare connection from an address of the loopback network."""
        stream = await trio.open_tcp_stream("127.0.0.1", self.port, local_address=source)
        self.streams.append(stream)
        return stream

    async def player(self, name: str, source: str = "127.0.0.1") -> Player:
        """Somebody who has been let in."""
        player = Player(await self.stream(source))
        await player.send(Hello((1, 1), name))
        await player.next(Welcome)
        return player

    async def table(self, player: Player, *, bots: int, watch: bool = False) -> str:
        """A game of this player, or one that they watch, with bots; returns its id."""
        options = TableOptions(
            reactions="fast", order="seats", loaded_ms=0, players=bots + (not watch)
        )
        table: str = (await player.do(Create, options=options, watch=watch))["table"]
        for _ in range(bots):
            await player.do(AddBot, table=table, level="random")
        await player.do(Start, table=table)
        await player.next(Snapshot, lambda message: message.table == table)
        await player.do(Loaded, table=table)
        return table

    async def gamer(self, name: str) -> Gamer:
        """Somebody who plays on and on."""
        return Gamer(self, await self.player(name))

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def memory(self) -> int:
        """Bytes of memory that it has now."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) * 1024

    def descriptors(self) -> int:
        """How many files and sockets it has open."""
        return sum(1 for _ in Path(f"/proc/{self.process.pid}/fd").iterdir())

    async def until_descriptors(self, *, least: int = 0, most: int = 1_000_000) -> None:
        """Wait until it has so many open."""
        while not least <= self.descriptors() <= most:  # noqa: ASYNC110 - nobody tells
            await trio.sleep(0.05)

    async def hang_up(self) -> None:
        """Close every connection that is still open."""
        for stream in self.streams:
            await trio.aclose_forcefully(stream)
        self.streams.clear()


@asynccontextmanager
async def server_process(
    folder: Path, *flags: str, descriptors: int | None = None, **settings: float
) -> AsyncIterator[ServerProcess]:
    """Start a server with these settings; with ``descriptors`` it may have no more than so many
    open, whatever it asks for."""
    command = [sys.executable, *(["-m", "server"] if descriptors is None else ["-c", LIMITED])]
    command += [] if descriptors is None else [str(descriptors)]
    command += ["--child", "--port", "0", "--journals", str(folder / "journals"), *flags]
    for name, value in settings.items():
        command += ["--set", f"{name.replace('_', '-')}={value}"]
    log = folder / "log"
    with (
        log.open("w") as err,
        subprocess.Popen(  # noqa: ASYNC220 - to start it does not take long
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=err, text=True
        ) as process,
    ):
        try:
            assert process.stdout is not None
            ready = process.stdout.readline().split()
            assert ready, log.read_text()
            server = ServerProcess(process, int(ready[2]), log)
            try:
                yield server
            finally:
                await server.hang_up()
            assert server.alive
            assert "Traceback" not in log.read_text()
        finally:
            process.kill()
