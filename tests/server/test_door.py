"""The door with TLS, over streams in memory: who comes through, and what the others are told."""

from __future__ import annotations

import ssl
from typing import Any

import pytest
import trio
from trio.testing import memory_stream_pair

from protocol import MAGIC
from protocol.messages import Chat, Create, Error, Hello, Ping, Welcome
from server.certificate import identity
from server.door import Door
from server.listener import Reception
from server.oplog import operational_log
from server.settings import Site


@pytest.fixture(scope="module")
def server_context(tmp_path_factory: pytest.TempPathFactory) -> ssl.SSLContext:
    found = identity(Site(tls="auto"), tmp_path_factory.mktemp("state"))
    assert found is not None
    return found.context


@pytest.fixture
async def secured(make_house: Any, server_context: ssl.SSLContext) -> Any:
    """Makes a house whose door speaks TLS."""

    async def make(**settings: Any) -> Any:
        house = await make_house(settings=settings)
        log = operational_log(house.log)
        house.reception = Reception(house.hall, log, Door(house.hall.settings, server_context))
        return house

    return make


def trusting(lowest: ssl.TLSVersion = ssl.TLSVersion.TLSv1_2) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.minimum_version = lowest
    return context


def through_tls(context: ssl.SSLContext | None = None) -> tuple[trio.abc.Stream, trio.abc.Stream]:
    mine, theirs = memory_stream_pair()
    return trio.SSLStream(mine, context or trusting(), https_compatible=True), theirs


async def test_a_player_inside_tls_is_like_any_other(secured: Any, autojump_clock: Any) -> None:
    house = await secured()
    ann = await house.connect(through_tls)
    await ann.send(Hello((1, 1), "Ann"))
    assert (await ann.next(Welcome)).name == "Ann"
    table = (await ann.do(Create))["table"]
    await ann.do(Chat, table=table, text="x" * 300)
    await trio.aclose_forcefully(ann.stream)
    await house.reception.empty()


async def test_several_at_once_and_much_at_once(secured: Any, autojump_clock: Any) -> None:
    house = await secured()
    players = [await house.connect(through_tls) for _ in range(4)]
    for number, player in enumerate(players):
        await player.send(Hello((1, 1), f"Player {number}"))
        await player.next(Welcome)
    for _ in range(40):  # more than the reader of a socket takes at once
        for player in players:
            await player.do(Ping)


@pytest.mark.parametrize("versions", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
async def test_both_versions_of_tls_are_spoken(
    secured: Any, versions: ssl.TLSVersion, autojump_clock: Any
) -> None:
    house = await secured()
    context = trusting()
    context.minimum_version = context.maximum_version = versions
    ann = await house.connect(lambda: through_tls(context))
    await ann.send(Hello((1, 1), "Ann"))
    await ann.next(Welcome)


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion.TLSv1_1 is deprecated")
async def test_older_versions_are_refused(secured: Any, autojump_clock: Any) -> None:
    house = await secured()
    context = trusting(ssl.TLSVersion.TLSv1_1)
    context.maximum_version = ssl.TLSVersion.TLSv1_1
    context.set_ciphers("DEFAULT:@SECLEVEL=0")
    ann = await house.connect(lambda: through_tls(context))
    with pytest.raises(trio.BrokenResourceError):
        await ann.send(Hello((1, 1), "Ann"))
    assert house.hall.sessions == {}


async def test_plain_words_are_answered_in_plain_words(secured: Any, autojump_clock: Any) -> None:
    house = await secured()
    ann = await house.connect()
    await ann.send(Hello((1, 1), "Ann"))
    (error,) = await ann.rest()
    assert isinstance(error, Error)
    assert error.code == "tls-needed"
    assert "--tls" in error.text
    assert house.hall.sessions == {}
    assert "plain words where only TLS is spoken" in house.log.getvalue()


@pytest.mark.parametrize(
    "stranger",
    [
        b"",
        b"GET / HTTP/1.1\r\n\r\n",
        MAGIC[:1] + b"x" * 100,
        b"\x16",
        b"\x16\x03\x01\x00\x05hello",
        b"\x16" * 10_000,
    ],
)
async def test_a_stranger_gets_no_magic(secured: Any, stranger: bytes, autojump_clock: Any) -> None:
    house = await secured()
    mine, theirs = memory_stream_pair()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(house.reception.receive, theirs)
        await mine.send_all(stranger)
        await mine.send_eof()
        said = b""
        with trio.fail_after(60):
            while data := await mine.receive_some():
                said += data
    assert MAGIC not in said
    assert len(said) < 20  # an alert at most
    assert house.hall.sessions == {}


@pytest.mark.parametrize(
    "begun", [b"", b"\x16", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc", MAGIC[:3]]
)
async def test_who_does_not_go_through_in_time_is_left_standing(
    secured: Any, begun: bytes, autojump_clock: Any
) -> None:
    house = await secured(hello=5.0, farewell=1.0)
    mine, theirs = memory_stream_pair()
    await mine.send_all(begun)
    with trio.fail_after(5.5):
        await house.reception.receive(theirs)
    with trio.fail_after(1):
        assert await mine.receive_some() == b""


async def test_who_is_one_too_many_is_told_so_inside_tls(secured: Any, autojump_clock: Any) -> None:
    house = await secured(per_address=1)
    ann = await house.connect(through_tls)
    await ann.send(Hello((1, 1), "Ann"))
    await ann.next(Welcome)
    ben = await house.connect(through_tls)
    await ben.send(Hello((1, 1), "Ben"))
    (error,) = await ben.rest()
    assert isinstance(error, Error)
    assert error.code == "too-many"


@pytest.mark.parametrize("cut", range(0, 1500, 97))
async def test_a_client_that_hangs_up_anywhere_harms_nobody(
    secured: Any, cut: int, autojump_clock: Any
) -> None:
    """A client whose bytes end after so many, in the handshake or later."""
    house = await secured()
    mine, theirs = memory_stream_pair()
    left = cut
    send_all = mine.send_stream.send_all

    async def limited(data: bytes) -> None:
        nonlocal left
        kept, left = bytes(data)[:left], max(0, left - len(data))
        if kept:
            await send_all(kept)
        if not left:
            await trio.aclose_forcefully(mine)

    mine.send_stream.send_all = limited  # type: ignore[method-assign]
    ann = await house.connect(
        lambda: (trio.SSLStream(mine, trusting(), https_compatible=True), theirs)
    )
    try:
        await ann.send(Hello((1, 1), "Ann"))
        await ann.next(Welcome)
        for _ in range(30):
            await ann.do(Ping)
    except (trio.BrokenResourceError, trio.ClosedResourceError, AssertionError):
        pass
    await trio.aclose_forcefully(mine)
    await house.reception.empty()
