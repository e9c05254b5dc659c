"""The plain stream does what Trio's does, on a real socket."""

from __future__ import annotations

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from server.sockets import PlainStream


async def pair() -> tuple[PlainStream, PlainStream]:
    mine, theirs = trio.socket.socketpair()
    return PlainStream(trio.SocketStream(mine)), PlainStream(trio.SocketStream(theirs))


async def tcp_pair() -> tuple[PlainStream, PlainStream]:
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    async with listener:
        host, port = listener.socket.getsockname()[:2]
        mine = await trio.open_tcp_stream(host, port)
        theirs = await listener.accept()
    return PlainStream(mine), PlainStream(theirs)


async def test_bytes_arrive_and_then_the_end(nursery: trio.Nursery) -> None:
    mine, theirs = await tcp_pair()
    await mine.send_all(b"hello")
    assert await theirs.receive_some() == b"hello"
    await mine.send_eof()
    assert await theirs.receive_some(10) == b""
    await theirs.send_all(b"still")
    assert await mine.receive_some(2) == b"st"
    await mine.aclose()
    await mine.aclose()
    await theirs.aclose()


async def test_more_than_the_system_takes_waits_for_the_reader(nursery: trio.Nursery) -> None:
    mine, theirs = await tcp_pair()
    data = bytes(range(256)) * 40_000
    done = trio.Event()

    async def send() -> None:
        await mine.send_all(data)
        await mine.aclose()
        done.set()

    nursery.start_soon(send)
    await wait_all_tasks_blocked()
    assert not done.is_set()
    heard = bytearray()
    while chunk := await theirs.receive_some():
        heard += chunk
    assert heard == data
    await theirs.aclose()


@pytest.mark.parametrize("action", ["receive_some", "send_eof", "wait_send_all_might_not_block"])
async def test_a_closed_stream_says_so(action: str) -> None:
    mine, theirs = await pair()
    await mine.aclose()
    with pytest.raises(trio.ClosedResourceError):
        await getattr(mine, action)()
    with pytest.raises(trio.ClosedResourceError):
        await mine.send_all(b"x")
    await theirs.aclose()


async def test_closing_wakes_a_reader(nursery: trio.Nursery) -> None:
    mine, theirs = await pair()

    async def close() -> None:
        await wait_all_tasks_blocked()
        await mine.aclose()

    nursery.start_soon(close)
    with pytest.raises(trio.ClosedResourceError):
        await mine.receive_some()
    await theirs.aclose()


async def test_a_reader_that_is_gone_breaks_the_stream() -> None:
    mine, theirs = await tcp_pair()
    await theirs.aclose()

    async def send_on() -> None:
        while True:
            await mine.send_all(b"x" * 100_000)

    with pytest.raises(trio.BrokenResourceError):
        await send_on()
    await mine.aclose()
