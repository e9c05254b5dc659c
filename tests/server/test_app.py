"""The server on real sockets: a happy path, too many connections, the end."""

from __future__ import annotations

import io
from contextlib import suppress
from typing import Any

import pytest
import trio

from protocol.messages import AddBot, Closed, Create, Error, Hello, Loaded, Ping, Start, Welcome
from server import listener
from server.app import Server
from server.listener import address_of
from server.oplog import operational_log


class Serving:
    """A server in this process, on a free port."""

    def __init__(self, house: Any, server: Server, player_type: Any) -> None:
        self.house = house
        self.server = server
        self._player_type = player_type

    async def connect(self) -> Any:
        ((host, port),) = self.server.addresses
        return self._player_type(await trio.open_tcp_stream(host, port))

    async def player(self, name: str) -> Any:
        player = await self.connect()
        await player.send(Hello((1, 1), name))
        await player.next(Welcome)
        return player


@pytest.fixture
async def serve(nursery: trio.Nursery, house_type: Any, player_type: Any, tmp_path: Any) -> Any:
    async def start(**options: Any) -> Serving:
        house = house_type(nursery, tmp_path, **options)
        listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
        server = Server(house.hall, listeners, operational_log(io.StringIO()))
        await nursery.start(server.run)
        return Serving(house, server, player_type)

    return start


async def test_a_game_begins_over_sockets(serve: Any, quick: Any) -> None:
    serving = await serve()
    ann = await serving.player("Ann")
    table = (await ann.do(Create, options=quick))["table"]
    await ann.do(AddBot, table=table)
    await ann.do(Start, table=table)
    await ann.do(Loaded, table=table)
    decision = await ann.asked()
    assert decision.kind == "start-rail"
    await ann.answer(table, decision.options[-1].key)
    assert (await ann.asked()).kind == "turn"
    await ann.stream.aclose()


async def test_the_end_is_told_and_nobody_is_let_in_any_more(serve: Any, quick: Any) -> None:
    serving = await serve()
    ann = await serving.player("Ann")
    stranger = await serving.connect()
    table = (await ann.do(Create, options=quick))["table"]
    serving.server.end()
    *_, closed, error = await ann.rest()
    assert isinstance(closed, Closed)
    assert closed.table == table
    assert isinstance(error, Error)
    assert error.code == "shutting-down"
    assert await stranger.rest() == []
    await serving.server.ended.wait()
    with pytest.raises(OSError, match="refused|all attempts to connect"):
        await serving.connect()
    for player in (ann, stranger):
        await player.stream.aclose()


async def test_one_address_has_so_many_connections_and_no_more(serve: Any) -> None:
    serving = await serve(settings={"per_address": 2})
    ann, ben = await serving.player("Ann"), await serving.player("Ben")
    cid = await serving.connect()
    await cid.send(Hello((1, 1), "Cid"))
    (error,) = await cid.rest()
    assert isinstance(error, Error)
    assert error.code == "too-many"
    assert "at most 2 connections" in error.text
    stranger = await trio.open_tcp_stream(*serving.server.addresses[0])
    await stream_of_a_stranger(stranger)
    await ann.do(Ping)
    await ben.stream.aclose()
    while len(serving.server.reception.connections) > 1:
        await ann.do(Ping)
    dan = await serving.player("Dan")
    for player in (ann, cid, dan):
        await player.stream.aclose()


async def test_there_are_so_many_connections_and_no_more(serve: Any) -> None:
    serving = await serve(settings={"connections": 2})
    ann, ben = await serving.player("Ann"), await serving.player("Ben")
    cid = await serving.connect()
    await cid.send(Hello((1, 1), "Cid"))
    (error,) = await cid.rest()
    assert error.code == "too-many"
    assert "too many connections" in error.text
    await ann.do(Ping)
    await ben.do(Ping)
    for player in (ann, ben, cid):
        await player.stream.aclose()


async def test_only_a_few_are_told_at_a_time_why_they_are_not_wanted(
    serve: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listener, "TURNED_AWAY_AT_ONCE", 1)
    serving = await serve(settings={"connections": 1})
    ann = await serving.player("Ann")
    ben, cid = await serving.connect(), await serving.connect()
    assert await cid.rest() == []
    await ben.send(Hello((1, 1), "Ben"))
    assert [error.code for error in await ben.rest()] == ["too-many"]
    for player in (ann, ben, cid):
        await player.stream.aclose()


async def stream_of_a_stranger(stream: Any) -> None:
    """One that is no client gets not a byte, there being room or not."""
    await stream.send_all(b"GET / HTTP/1.1\r\n\r\n")
    with suppress(trio.BrokenResourceError):
        assert await stream.receive_some(100) == b""
    await stream.aclose()


async def test_a_client_that_vanishes_harms_nobody(serve: Any) -> None:
    serving = await serve()
    ann, ben = await serving.player("Ann"), await serving.player("Ben")
    await trio.aclose_forcefully(ben.stream)
    while len(serving.server.reception.connections) > 1:
        await ann.do(Ping)
    await ann.stream.aclose()


async def test_a_mistake_in_one_connection_ends_that_one(house: Any) -> None:
    house.failures_expected = True
    ann, ben = await house.player("Ann"), await house.player("Ben")
    house.hall.create = None  # whatever is wrong in the server
    await ann.send(Create(1))
    *_, error = await ann.rest()
    assert error.code == "internal"
    await ben.do(Ping)
    assert "request failed" in house.log.getvalue()


async def test_when_the_system_has_run_out_of_something_only_the_request_is_refused(
    house: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(24, "Too many open files")

    ann = await house.player("Ann")
    monkeypatch.setattr(house.hall, "create", fail)
    assert await ann.refused(Create) == "busy"
    await ann.do(Ping)
    assert "Too many open files" in house.log.getvalue()


def test_a_stream_in_memory_has_no_address() -> None:
    mine, _ = trio.testing.memory_stream_pair()
    assert address_of(mine) == ""
