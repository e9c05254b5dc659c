"""A server in memory, and players who talk to it: shared by the tests of the server."""

from __future__ import annotations

import io
import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest
import trio
from trio.testing import memory_stream_pair

import engine
from protocol import ClientConnection, Fault
from protocol.messages import (
    AddBot,
    Answer,
    Create,
    Error,
    Hello,
    Join,
    Loaded,
    Ok,
    Ready,
    Request,
    ServerMessage,
    Snapshot,
    Start,
    TableOptions,
    Update,
    Welcome,
)
from protocol.patch import apply
from server.hall import Hall
from server.journal import Journals
from server.listener import Reception
from server.locks import Locksmith
from server.oplog import operational_log
from server.settings import Settings

M = TypeVar("M")

QUICK = TableOptions(order="seats", reactions="fast", loaded_ms=1_000)
"""Options of a table whose seats stay as they were taken."""


async def at_once(function: Callable[..., Any], /, *args: object) -> Any:
    """Instead of a thread, for which a clock that jumps does not wait."""
    await trio.lowlevel.checkpoint()
    return function(*args)


class Player:
    """A client: sends requests, keeps what it is told in order, and follows its table."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        self.stream = stream
        self.wire = ClientConnection()
        self.inbox: list[ServerMessage] = []
        self.faults: list[Fault] = []
        self.view: dict[str, Any] = {}
        self.seq = -1
        self.decisions: list[engine.types.Decision] = []
        self.events: list[engine.types.Event] = []
        self.token = ""
        self._id = 0

    async def send(self, message: Any) -> None:
        await self.stream.send_all(self.wire.send(message))

    async def receive(self) -> bool:
        """Take in some bytes; False at the end of the stream."""
        try:
            data = await self.stream.receive_some(65_536)
        except trio.BrokenResourceError:
            return False
        for message in self.wire.receive(bytes(data)):
            if isinstance(message, Fault):
                self.faults.append(message)
                continue
            self._follow(message)
            self.inbox.append(message)
        return bool(data)

    def _follow(self, message: ServerMessage) -> None:
        if isinstance(message, Snapshot):
            self.view, self.seq, self.decisions = message.view, message.seq, message.decisions
        elif isinstance(message, Update):
            assert message.seq == self.seq + 1
            self.seq = message.seq
            self.view = apply(self.view, message.patch)
            self.events += message.events
            if message.decisions is not msgspec.UNSET:
                self.decisions = message.decisions

    async def next(self, kind: type[M], where: Callable[[M], bool] = lambda _: True) -> M:
        """The next message of this kind; others stay in the inbox."""
        seen = 0
        while True:
            for i in range(seen, len(self.inbox)):
                message = self.inbox[i]
                if isinstance(message, kind) and where(message):
                    del self.inbox[i]
                    return message
            seen = len(self.inbox)
            assert await self.receive(), f"the server ended before {kind}: {self.inbox}"

    async def ask(self, kind: type[Request], **fields: Any) -> Ok | Error:
        """Send a request and wait for its reply."""
        self._id += 1
        number = self._id
        await self.send(kind(id=number, **fields))
        return await self.next(Ok | Error, lambda reply: reply.re == number)  # type: ignore[arg-type]

    async def do(self, kind: type[Request], **fields: Any) -> dict[str, Any]:
        """Send a request that has to be carried out; returns its result."""
        reply = await self.ask(kind, **fields)
        assert isinstance(reply, Ok), reply
        return reply.result

    async def refused(self, kind: type[Request], **fields: Any) -> str:
        """Send a request that has to be refused; returns the code."""
        reply = await self.ask(kind, **fields)
        assert isinstance(reply, Error), reply
        assert reply.text
        return reply.code

    async def rest(self) -> list[ServerMessage]:
        """Everything up to the end of the stream."""
        while await self.receive():
            pass
        rest, self.inbox = self.inbox, []
        return rest

    async def until(self, condition: Callable[[Player], bool]) -> None:
        """Take in messages until something holds."""
        while not condition(self):
            assert await self.receive(), "the server ended"

    async def asked(self) -> engine.types.Decision:
        """Wait until a decision is open, and return it."""
        await self.until(lambda me: bool(me.decisions))
        return self.decisions[0]

    async def answer(self, table: str, *keys: str) -> None:
        """Answer the open decision; without keys with its default."""
        decision = await self.asked()
        self.decisions = []
        await self.do(
            Answer, table=table, decision=decision.id, keys=keys or tuple(decision.default)
        )


async def no_sync(fd: int) -> None:
    """Nothing: a test that waits for threads would not wait for its clock."""


class House:
    """A hall, its journals, and connections over streams in memory."""

    def __init__(self, nursery: trio.Nursery, folder: Path, **options: Any) -> None:
        self.folder = folder
        self.nursery = nursery
        before = options.pop("before", None)
        self.journals = journals = Journals(
            folder,
            now=options.pop("now", lambda: 0.0),
            write=options.pop("write", os.write),
            sync=options.pop("sync", no_sync),
        )
        self.log = io.StringIO()
        self.failures_expected = False
        log = operational_log(self.log)
        settings = Settings(**options.pop("settings", {}))
        ids = iter(f"t{n}" for n in range(1, 1000))
        options.setdefault("new_id", lambda: next(ids))
        options.setdefault("locksmith", Locksmith(settings, at_once))
        self.hall = Hall(settings, journals, log=log, **options)
        self.reception = Reception(self.hall, log)
        if before is not None:
            before(self)

    async def connect(
        self, pair: Callable[[], tuple[trio.abc.Stream, trio.abc.Stream]] = memory_stream_pair
    ) -> Player:
        mine, theirs = pair()
        self.nursery.start_soon(self.reception.receive, theirs)
        return Player(mine)

    async def player(self, name: str) -> Player:
        """A player who has been let in."""
        player = await self.connect()
        await player.send(Hello((1, 1), name))
        player.token = (await player.next(Welcome)).token
        return player

    async def back(self, token: str, *unanswered: int) -> Player:
        """The player with this token, over a new connection; requests that have got no reply will
        be sent again."""
        player = await self.connect()
        await player.send(Hello((1, 1), "whoever", resume=token, unanswered=unanswered))
        player.token = token
        return player

    async def playing(
        self, *names: str, options: TableOptions = QUICK, bots: int = 0
    ) -> tuple[str, list[Player]]:
        """A table in play: the first name is the host's."""
        players = [await self.player(name) for name in names]
        options = msgspec.structs.replace(options, players=len(names) + bots)
        table = (await players[0].do(Create, options=options))["table"]
        for player in players[1:]:
            await player.do(Join, table=table)
            await player.do(Ready, table=table)
        for _ in range(bots):
            await players[0].do(AddBot, table=table, level="random")
        await players[0].do(Start, table=table)
        for player in players:
            await player.next(Snapshot)
            await player.do(Loaded, table=table)
        return table, players

    def journal(self) -> list[dict[str, Any]]:
        """The lines of the one journal."""
        (path,) = self.folder.glob("*.jsonl")
        return [msgspec.json.decode(line) for line in path.read_bytes().splitlines()]


@pytest.fixture
async def make_house(nursery: trio.Nursery, tmp_path: Path) -> AsyncIterator[Callable[..., Any]]:
    """Makes a :class:`House`: ``await make_house(settings={...}, write=..., ...)``.

    Tests with deadlines have to ask for ``autojump_clock`` themselves (pytest-trio looks no
    further than a test's own arguments).  A test in which the server has logged a traceback
    fails, unless it expected one.
    """
    houses: list[House] = []

    async def make(**options: Any) -> House:
        house = House(nursery, tmp_path / "journals", **options)
        houses.append(house)
        await nursery.start(house.hall.run)
        return house

    yield make
    for house in houses:
        assert house.failures_expected or "Traceback" not in house.log.getvalue(), (
            house.log.getvalue()
        )


@pytest.fixture
async def house(make_house: Any) -> Any:
    return await make_house()


@pytest.fixture(scope="session")
def house_type() -> type[House]:
    """For tests that run Trio themselves, inside Hypothesis."""
    return House


@pytest.fixture(scope="session")
def player_type() -> type[Player]:
    """For tests that bring streams of their own."""
    return Player


@pytest.fixture
def quick() -> TableOptions:
    """Options of a table that loses no time."""
    return QUICK


class Disk:
    """Stands in for :func:`os.write`: fails while ``full`` is set, after writing ``part`` bytes."""

    def __init__(self) -> None:
        self.full = False
        self.part = 0
        self.raises = False

    def __call__(self, fd: int, data: bytes) -> int:
        if not self.full:
            return os.write(fd, data)
        if self.part:
            os.write(fd, data[: self.part])
        if self.raises:
            raise OSError(28, "No space left on device")
        return self.part


@pytest.fixture
def disk() -> Disk:
    return Disk()
