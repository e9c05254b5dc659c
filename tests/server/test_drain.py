"""The gentle end: no new games, running ones are waited for, but not for ever."""

from __future__ import annotations

import io
from typing import Any

import msgspec
import pytest
import trio

from protocol.messages import AddBot, Create, Error, Leave, Notice, Start
from server.app import Server
from server.oplog import operational_log


@pytest.fixture
async def drain(make_house: Any, nursery: trio.Nursery) -> Any:
    """A house that can be drained: ``house, server = await drain(drain=60)``."""

    async def make(**settings: Any) -> tuple[Any, Server]:
        house = await make_house(settings=settings)
        server = Server(house.hall, [], operational_log(io.StringIO()))
        server.reception = house.reception
        await nursery.start(server.run)
        return house, server

    return make


async def test_without_games_it_ends_at_once(drain: Any, autojump_clock: Any) -> None:
    house, server = await drain()
    ann = await house.player("Ann")
    began = trio.current_time()
    server.drain()
    await server.ended.wait()
    assert trio.current_time() - began < 10
    assert (await ann.rest())[-1].code == "shutting-down"


async def test_no_tables_are_opened_and_no_games_begun_any_more(
    drain: Any, autojump_clock: Any, quick: Any
) -> None:
    house, server = await drain()
    await house.playing("Ann", "Ben")
    cid = await house.player("Cid")
    table = (await cid.do(Create, options=quick))["table"]
    await cid.do(AddBot, table=table)
    server.drain()
    await cid.next(Notice)
    assert await cid.refused(Create) == "shutting-down"
    assert await cid.refused(Start, table=table) == "shutting-down"


async def test_running_games_come_to_their_end(drain: Any, autojump_clock: Any, quick: Any) -> None:
    house, server = await drain(drain=1e6)
    table, (ann,) = await house.playing(
        "Ann", bots=1, options=msgspec.structs.replace(quick, absence_ms=0)
    )
    server.drain()
    assert "have 16667 minutes" in (await ann.next(Notice)).text
    for _ in range(20):
        await ann.answer(table)
    assert not server.ended.is_set()
    await ann.do(Leave, table=table)
    await server.ended.wait()
    assert "drain cut short" not in house.log.getvalue()


async def test_those_who_take_too_long_are_warned_and_cut_short(
    drain: Any, autojump_clock: Any
) -> None:
    house, server = await drain(drain=300, silence=1e9)
    _, (ann, _) = await house.playing("Ann", "Ben")
    began = trio.current_time()
    server.drain()
    heard = await ann.rest()
    notices = [message.text for message in heard if isinstance(message, Notice)]
    assert [text[:40] for text in notices] == [
        "The server is about to end. No new games",
        "The server ends in 60 seconds.",
        "The server ends in 10 seconds.",
    ]
    assert isinstance(heard[-1], Error)
    assert 300 <= trio.current_time() - began < 310
    await server.ended.wait()
    assert "drain cut short" in house.log.getvalue()


async def test_it_can_be_ended_at_once_while_draining(drain: Any, autojump_clock: Any) -> None:
    house, server = await drain(drain=300, silence=1e9)
    _, (ann, _) = await house.playing("Ann", "Ben")
    began = trio.current_time()
    server.drain()
    server.drain()
    await ann.next(Notice)
    server.end()
    await server.ended.wait()
    assert trio.current_time() - began < 10
