from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

import protocol
from client.connection import Connection, ConnectionLostError, RefusedError
from client.errors import ClientError
from protocol.messages import (
    Bye,
    ChatLine,
    Error,
    Hello,
    ListTables,
    Ok,
    Ping,
    ServerMessage,
    Welcome,
)

Peer = Callable[["Script"], Awaitable[None]]
WELCOME = Welcome(1, "Anna", "test", 8192, ["greedy"], ["tokyo"])


class Script:
    """The server's end of a connection, to be driven by a test."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self.wire = protocol.ServerConnection()
        self._got: list[object] = []

    async def get(self) -> object:
        while not self._got:
            data = await self.reader.read(65536)
            if not data:
                return None
            self._got += self.wire.receive(data)
        return self._got.pop(0)

    async def say(self, *messages: ServerMessage) -> None:
        self.writer.write(b"".join(self.wire.send(one) for one in messages))
        await self.writer.drain()


@asynccontextmanager
async def serving(peer: Peer) -> AsyncIterator[int]:
    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await peer(Script(reader, writer))
        finally:
            writer.close()

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


async def greet(script: Script) -> None:
    hello = await script.get()
    assert isinstance(hello, Hello)
    await script.say(WELCOME)


def run(peer: Peer, visit: Callable[[int], Awaitable[None]]) -> None:
    async def main() -> None:
        async with asyncio.timeout(20), serving(peer) as port:
            await visit(port)

    asyncio.run(main())


def test_answers_find_their_questions_and_everything_else_comes_in_order() -> None:
    async def peer(script: Script) -> None:
        await greet(script)
        one, other = await script.get(), await script.get()
        assert isinstance(one, ListTables)
        assert isinstance(other, Ping)
        await script.say(ChatLine("t", "Ben", "1"), Ok(other.id, {"n": 2}))
        await script.say(Error("busy", "not now", one.id), ChatLine("t", "Ben", "2"))
        assert await script.get() == Bye()

    async def visit(port: int) -> None:
        async with await Connection.open("127.0.0.1", port, "Anna") as connection:
            assert connection.welcome == WELCOME
            first = connection.request(ListTables(connection.next_id()))
            second = connection.request(Ping(connection.next_id()))
            refused, answered = await asyncio.gather(first, second, return_exceptions=True)
            assert isinstance(refused, RefusedError)
            assert (refused.code, refused.text) == ("busy", "not now")
            assert answered == {"n": 2}
            chat = [await connection.next(), await connection.next()]
            assert chat == [ChatLine("t", "Ben", "1"), ChatLine("t", "Ben", "2")]

    run(peer, visit)


def test_a_refused_name_is_said_in_the_servers_words() -> None:
    async def peer(script: Script) -> None:
        await script.get()
        await script.say(Error("name-taken", "somebody here is called\x1b[2J Anna"))

    async def visit(port: int) -> None:
        with pytest.raises(ClientError, match="^somebody here is called") as caught:
            await Connection.open("127.0.0.1", port, "Anna")
        assert "\x1b" not in str(caught.value)

    run(peer, visit)


@pytest.mark.parametrize("text", ["the house is full; try again later", ""])
def test_who_is_one_too_many_is_told_so(text: str) -> None:
    """The server does not wait for a hello, and cuts the connection right after its words."""

    async def peer(script: Script) -> None:
        await script.reader.read(1)
        script.wire.receive(protocol.MAGIC)
        await script.say(Error("too-many", text))
        script.writer.transport.abort()

    async def visit(port: int) -> None:
        with pytest.raises(ClientError, match=f"^{text or 'too many'}"):
            await Connection.open("127.0.0.1", port, "Anna")

    run(peer, visit)


def test_a_host_that_no_name_can_be_is_one_clear_sentence() -> None:
    with pytest.raises(ClientError, match=r"^Cannot connect to a\.\.b:72: "):
        asyncio.run(Connection.open("a..b", 72, "Anna"))


@pytest.mark.parametrize(
    ("bytes_said", "says"),
    [(b"HTTP/1.1 400 Bad Request\r\n\r\n", "not understood"), (b"", "closed the connection")],
)
def test_what_is_no_senro_server_is_named_as_such(bytes_said: bytes, says: str) -> None:
    async def peer(script: Script) -> None:
        await script.reader.read(1)
        script.writer.write(bytes_said)

    async def visit(port: int) -> None:
        with pytest.raises(ClientError, match=f"127.0.0.1:{port}: .*{says}"):
            await Connection.open("127.0.0.1", port, "Anna")

    run(peer, visit)


def test_a_server_that_says_nothing_is_given_up() -> None:
    async def peer(script: Script) -> None:
        while await script.reader.read(100):
            pass

    async def visit(port: int) -> None:
        with pytest.raises(ClientError, match=r"did not answer within 0\.05 seconds"):
            await Connection.open("127.0.0.1", port, "Anna", seconds=0.05)

    run(peer, visit)


def test_a_closed_port_is_refused_in_one_line() -> None:
    async def visit() -> None:
        server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        server.close()
        await server.wait_closed()
        with pytest.raises(ClientError, match=rf"Cannot connect to 127\.0\.0\.1:{port}: "):
            await Connection.open("127.0.0.1", port, "Anna")

    asyncio.run(visit())


async def _hang_up(script: Script) -> None:
    await greet(script)
    await script.get()


async def _say_why(script: Script) -> None:
    await greet(script)
    await script.get()
    await script.say(Error("shutting-down", "the server is shutting down"))


async def _talk_nonsense(script: Script) -> None:
    await greet(script)
    await script.get()
    script.writer.write(b"\xff" * 100)
    while await script.reader.read(100):
        pass


@pytest.mark.parametrize(
    ("peer", "says"),
    [
        (_hang_up, "closed the connection"),
        (_say_why, "shutting down"),
        (_talk_nonsense, "given up"),
    ],
)
def test_a_lost_connection_is_told_to_all_who_wait(peer: Peer, says: str) -> None:
    async def visit(port: int) -> None:
        async with await Connection.open("127.0.0.1", port, "Anna") as connection:
            waiting = asyncio.create_task(connection.next())
            with pytest.raises(ConnectionLostError, match=says):
                await connection.request(Ping(connection.next_id()))
            with pytest.raises(ConnectionLostError, match=says):
                await waiting
            for _ in range(2):  # and to all who come later
                with pytest.raises(ConnectionLostError, match=says):
                    await connection.next()
                with pytest.raises(ConnectionLostError, match=says):
                    await connection.request(Ping(connection.next_id()))

    run(peer, visit)


def test_a_connection_that_is_silent_is_pinged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("client.connection.PING_SECONDS", 0.001)
    monkeypatch.setattr("client.connection.SILENCE_SECONDS", 0.05)

    async def peer(script: Script) -> None:
        await greet(script)
        for _ in range(3):
            ping = await script.get()
            assert isinstance(ping, Ping)
            await script.say(Ok(ping.id))
        while await script.get() is not None:
            pass

    async def visit(port: int) -> None:
        async with await Connection.open("127.0.0.1", port, "Anna") as connection:
            with pytest.raises(ConnectionLostError, match="fallen silent"):
                await connection.next()

    run(peer, visit)
