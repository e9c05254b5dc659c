"""A connection breaks anywhere, again and again: nothing is lost, and nothing happens twice.

One player's streams are cut after any number of bytes in either direction, at the edge of a frame
or inside it; each time the player connects again, takes the session up, and sends what has no
reply again.  In the end the journal has the answers that were given, others have heard what was
said, and the player's view, questions, events and chat are the server's.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec
import pytest
import trio
from hypothesis import event, given
from hypothesis import strategies as st
from trio.testing import MockClock, memory_stream_pair, wait_all_tasks_blocked

from client.model import TableModel
from engine.types import Event
from protocol import ClientConnection
from protocol.messages import (
    AddBot,
    Answer,
    Chat,
    ChatLine,
    Create,
    Error,
    GetHistory,
    Hello,
    Join,
    Loaded,
    Ok,
    Ping,
    Request,
    ServerMessage,
    Start,
    TableOptions,
    Welcome,
)
from tests.server.conftest import House

ANSWERS = 12
ENDLESS = (10**9, 10**9)
BROKEN = (trio.BrokenResourceError, trio.ClosedResourceError)
OPTIONS = TableOptions(order="seats", reactions="fast", seed="5e" * 32)


class CutStream:
    """A stream that breaks after so many bytes out, or in."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        self._stream = stream
        self._sending = trio.Lock()
        self.limit(*ENDLESS)

    def limit(self, out: int, back: int) -> None:
        """Break after so many more bytes."""
        self._out = out
        self._back = back

    async def send_all(self, data: bytes) -> None:
        piece = data[: self._out]
        self._out -= len(piece)
        async with self._sending:
            if piece:
                await self._stream.send_all(piece)
        if len(piece) < len(data):
            await self.cut()

    async def receive_some(self) -> bytes:
        """Some bytes, but none of those after the break; its end is a break too."""
        if self._back <= 0:
            await self.cut()
        data = bytes(await self._stream.receive_some(65_536))[: self._back]
        self._back -= len(data)
        if not data:
            await self.cut()
        return data

    async def cut(self) -> None:
        await trio.aclose_forcefully(self._stream)
        raise trio.BrokenResourceError


class Stubborn:
    """A client over connections that break: requests wait for their replies over all of them."""

    def __init__(self, house: House, cuts: list[tuple[int, int]]) -> None:
        self.model = TableModel("t1")
        self.lines: list[str] = []
        self.events: list[Event] = []
        self.connections = 0
        self._house = house
        self._cuts = iter(cuts)
        self._token = ""
        self._wire = ClientConnection()
        self._stream: CutStream | None = None
        self._last_id = 0
        self._waiting: dict[int, tuple[Request, list[Any], trio.Event]] = {}
        self._news, self._messages = trio.open_memory_channel[ServerMessage](10_000)
        self.changed = trio.Condition()

    async def run(self) -> None:
        """Connect, again and again."""
        while True:
            try:
                await self._connect()
            except BROKEN:
                self._stream = None

    async def _connect(self) -> None:
        mine, theirs = memory_stream_pair()
        self._house.nursery.start_soon(self._house.reception.receive, theirs)
        self.connections += 1
        stream = CutStream(mine)
        if self._token:
            stream.limit(*next(self._cuts, ENDLESS))
        self._wire = ClientConnection()
        unanswered = tuple(self._waiting) if self._token else ()
        hello = Hello((1, 1), "Ann", resume=self._token, unanswered=unanswered)
        await stream.send_all(self._wire.send(hello))
        while True:
            data = await stream.receive_some()
            for message in self._wire.receive(data):
                assert not isinstance(message, Error) or message.re is not msgspec.UNSET, message
                if isinstance(message, Welcome):
                    self._token = self._token or message.token
                    self._stream = stream
                    for request, _, _ in list(self._waiting.values()):
                        await stream.send_all(self._wire.send(request))  # type: ignore[arg-type]
                elif isinstance(message, Ok | Error):
                    waiting = self._waiting.get(message.re)  # type: ignore[arg-type]
                    if waiting is not None:
                        waiting[1].append(message)
                        waiting[2].set()
                else:
                    self._news.send_nowait(message)  # type: ignore[arg-type]

    def begin_to_break(self) -> None:
        """From now on connections are cut."""
        assert self._stream is not None
        self._stream.limit(*next(self._cuts, ENDLESS))

    async def do(self, kind: type[Request], **fields: Any) -> dict[str, Any]:
        """Have a request carried out."""
        self._last_id += 1
        request, replies, done = kind(id=self._last_id, **fields), [], trio.Event()
        self._waiting[self._last_id] = request, replies, done
        stream = self._stream
        if stream is not None:
            with suppress(*BROKEN):  # the reader sees it
                await stream.send_all(self._wire.send(request))  # type: ignore[arg-type]
        await done.wait()
        del self._waiting[request.id]
        assert isinstance(replies[0], Ok), (request, replies)
        return replies[0].result

    async def follow(self) -> None:
        """Take in what the server tells, as the client does."""
        async for message in self._messages:
            change = self.model.apply(message)
            assert not change.snapshot_wanted
            if change.chat is not None:
                self.lines.append(change.chat.text)
            if change.history_wanted is not None:
                since, until = change.history_wanted
                while since < until:
                    limit = min(100, until - since)
                    page = await self.do(GetHistory, table="t1", since=since, limit=limit)
                    found = msgspec.convert(page["events"], list[Event])
                    self.events += found
                    since += len(found)
            self.events += [logged.event for logged in change.events]
            async with self.changed:
                self.changed.notify_all()

    async def until(self, holds: Any) -> None:
        async with self.changed:
            while not holds():
                await self.changed.wait()


async def play(ann: Stubborn) -> list[tuple[str, list[str]]]:
    """Play some decisions against a bot, and chat; returns the answers."""
    await ann.do(AddBot, table="t1", level="random")
    await ann.do(Chat, table="t1", text="line 0")
    await ann.do(Start, table="t1")
    await ann.until(lambda: ann.model.view is not None)
    await ann.do(Loaded, table="t1")
    given = []
    for number in range(1, ANSWERS + 1):
        done = [decision for decision, _ in given]
        await ann.until(lambda: any(d.id not in done for d in ann.model.decisions))  # noqa: B023
        (decision,) = ann.model.decisions
        keys = [o.key for o in decision.options for _ in range(o.count)][: max(1, decision.min)]
        given.append((decision.id, keys))
        await ann.do(Answer, table="t1", decision=decision.id, keys=tuple(keys))
        if number % 3 == 0:
            await ann.do(Chat, table="t1", text=f"line {number // 3}")
    await ann.until(lambda: any(d.id != given[-1][0] for d in ann.model.decisions))
    return given


# Hello, a request: some hundred bytes.  A table that is taken up again: some ten thousand.
OUT = st.one_of(st.integers(0, 300), st.integers(0, 3_000))
BACK = st.one_of(st.integers(0, 600), st.integers(0, 60_000))


@given(st.lists(st.tuples(OUT, BACK), max_size=12))
def test_wherever_connections_break_nothing_is_lost_or_happens_twice(
    tmp_path_factory: pytest.TempPathFactory, cuts: list[tuple[int, int]]
) -> None:
    async def main() -> None:
        async with trio.open_nursery() as nursery:
            house = House(nursery, tmp_path_factory.mktemp("j"))
            await nursery.start(house.hall.run)
            ann = Stubborn(house, cuts)
            nursery.start_soon(ann.run)
            nursery.start_soon(ann.follow)
            await ann.do(Ping)
            ben = await house.player("Ben")
            await ann.do(Create, options=OPTIONS)
            ann.begin_to_break()
            nursery.start_soon(_join, ben)
            given = await play(ann)
            await ann.do(Ping)
            await wait_all_tasks_blocked()  # all that has come is taken in
            event(f"connections: {min(ann.connections, 10)}")

            table = house.hall.tables["t1"]
            game, views = table.play._game, table.play.views
            lines = house.journal()
            answers = [
                (line["decision"], line["keys"])
                for line in lines
                if line["type"] == "answer" and line["seat"] == 0
            ]
            assert answers == given
            assert all(line["by"] != "default" for line in lines if line["type"] == "answer")
            said = [f"line {n}" for n in range(ANSWERS // 3 + 1)]
            assert ann.lines == said
            heard = [m.text for m in ben.inbox if isinstance(m, ChatLine)]
            assert heard == said[-len(heard) :]
            assert msgspec.to_builtins(ann.model.view) == msgspec.to_builtins(game.observe(0))
            audience = views._audiences[0]
            assert ann.model.seq == audience.seq
            assert list(ann.model.decisions) == audience.decisions
            assert ann.events == [
                msgspec.msgpack.decode(raw, type=Event) for raw in audience.events
            ]
            assert "Traceback" not in house.log.getvalue()
            nursery.cancel_scope.cancel()

    trio.run(main, clock=MockClock(autojump_threshold=0))


async def _join(ben: Any) -> None:
    """Watch the table, and listen."""
    await ben.do(Join, table="t1", watch=True)
    while await ben.receive():
        pass
