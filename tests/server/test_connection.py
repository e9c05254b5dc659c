"""One connection: what it puts up with, for how long, and what it says when it has had enough."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from trio.testing import MockClock, lockstep_stream_pair, memory_stream_pair, wait_all_tasks_blocked

from protocol import MAGIC, ClientConnection, encode_frame
from protocol.messages import (
    AddBot,
    Bye,
    Create,
    Error,
    Hello,
    Loaded,
    Ok,
    Ping,
    Snapshot,
    Start,
    TableOptions,
    Update,
    Welcome,
)


async def spoken_to(house: Any, *pieces: bytes) -> tuple[list[Any], bytes]:
    """What a connection says to these bytes until it ends, as messages and as bytes."""
    mine, theirs = memory_stream_pair()
    house.nursery.start_soon(house.reception.receive, theirs)
    heard = bytearray()
    with suppress(trio.BrokenResourceError):  # it may end before it has heard everything
        for piece in pieces:
            await mine.send_all(piece)
            await wait_all_tasks_blocked()
    with suppress(trio.BrokenResourceError):
        while data := await mine.receive_some(65_536):
            heard += data
    wire = ClientConnection()
    wire.send(Hello((1, 1), "somebody"))
    return wire.receive(bytes(heard)), bytes(heard)


def hello(*more: bytes, name: str = "Ann") -> bytes:
    return MAGIC + encode_frame(Hello((1, 1), name)) + b"".join(more)


# ------------------------------------------------------------------ strangers


@pytest.mark.parametrize(
    "stranger",
    [
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        b"\x00" * 100,
        MAGIC[:-1] + b"x",
    ],
)
async def test_strangers_are_dropped_without_a_word(
    house: Any, stranger: bytes, autojump_clock: Any
) -> None:
    begun = trio.current_time()
    assert await spoken_to(house, stranger) == ([], b"")
    assert trio.current_time() - begun < 1
    assert house.hall.sessions == {}


async def test_who_speaks_tls_where_none_is_spoken_is_told_what_to_do(
    house: Any, autojump_clock: Any
) -> None:
    (error,), _ = await spoken_to(house, b"\x16\x03\x01\x02\x00\x01")
    assert isinstance(error, Error)
    assert error.code == "no-tls"
    assert "senro://" in error.text
    assert house.hall.sessions == {}


async def test_who_says_nothing_is_dropped_without_a_word(house: Any, autojump_clock: Any) -> None:
    begun = trio.current_time()
    assert await spoken_to(house) == ([], b"")
    assert trio.current_time() - begun == pytest.approx(10, abs=0.1)


async def test_who_says_only_the_magic_is_told_that_time_is_up(
    house: Any, autojump_clock: Any
) -> None:
    begun = trio.current_time()
    ((error,), heard) = await spoken_to(house, MAGIC)
    assert heard.startswith(MAGIC)
    assert error.code == "timeout"
    assert trio.current_time() - begun == pytest.approx(10, abs=0.1)


async def test_trickling_bytes_do_not_stretch_the_time_for_hello(
    house: Any, autojump_clock: Any
) -> None:
    begun = trio.current_time()
    mine, theirs = memory_stream_pair()

    async def trickle() -> None:
        for byte in hello():
            await mine.send_all(bytes([byte]))
            await trio.sleep(3)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(trickle)
        await house.reception.receive(theirs)
        nursery.cancel_scope.cancel()
    assert trio.current_time() - begun == pytest.approx(10, abs=0.1)


# ------------------------------------------------------------------ patience


async def test_silence_ends_a_connection_and_pings_prevent_it(
    house: Any, autojump_clock: Any
) -> None:
    ann = await house.player("Ann")
    for _ in range(5):
        await trio.sleep(25)
        await ann.do(Ping)
    quiet = trio.current_time()
    (error,) = await ann.rest()
    assert error.code == "timeout"
    assert trio.current_time() - quiet == pytest.approx(30, abs=0.1)
    assert not house.hall.sessions["ann"].connected


async def test_the_rest_of_a_frame_has_to_come_in_time(house: Any, autojump_clock: Any) -> None:
    ann = await house.player("Ann")
    begun = trio.current_time()
    ping = encode_frame(Ping(1))
    await ann.stream.send_all(ping + ping[:3])
    await trio.sleep(4)
    await ann.stream.send_all(ping[3:5])  # more of it gives no more time
    *_, error = await ann.rest()
    assert error.code == "timeout"
    assert "frame" in error.text
    assert trio.current_time() - begun == pytest.approx(10, abs=0.1)


async def test_each_frame_has_its_own_time(house: Any, autojump_clock: Any) -> None:
    ann = await house.player("Ann")
    ping = encode_frame(Ping(1))
    await ann.stream.send_all(ping[:3])
    for _ in range(5):
        await trio.sleep(8)
        await ann.stream.send_all(ping[3:] + ping[:3])
        await ann.next(Ok)


# ------------------------------------------------------------------ bad input


async def test_a_bad_message_is_refused_and_the_connection_goes_on(house: Any) -> None:
    ann = await house.player("Ann")
    body = b"\x83\xa4type\xa4ping\xa2id\x07\xa1x\x01"
    await ann.stream.send_all(len(body).to_bytes(4, "big") + body)
    error = await ann.next(Error)
    assert (error.code, error.re) == ("bad-message", 7)
    await ann.do(Ping)


@pytest.mark.parametrize(
    ("more", "code"),
    [
        (b"\x00\x00\x00\x01\xc1", "bad-frame"),
        (b"\xff\xff\xff\xff", "frame-too-long"),
        (encode_frame(Hello((1, 1), "Ben")), "unexpected-message"),
    ],
)
async def test_what_breaks_the_framing_ends_the_connection_with_a_word(
    house: Any, more: bytes, code: str, autojump_clock: Any
) -> None:
    messages, _ = await spoken_to(house, hello(more))
    assert [type(m) for m in messages] == [Welcome, Error]
    assert messages[-1].code == code
    assert house.hall.sessions == {}


@pytest.mark.parametrize("stays", [True, False], ids=["stays", "goes"])
@pytest.mark.parametrize("data", [b"\xff\xff\xff\xff", b"\0\0\0\x01\xc0", b"\0\0\0\x00"])
async def test_nothing_is_left_of_a_connection_that_ended_with_a_fault(
    house: Any, autojump_clock: Any, data: bytes, stays: bool
) -> None:
    ann = await house.player("Ann")
    await ann.stream.send_all(data + b"and more")
    (said,) = await ann.rest()
    assert isinstance(said, Error)
    if not stays:
        await ann.stream.aclose()
    await trio.sleep(house.hall.settings.farewell + 1)
    assert not house.reception.connections


async def test_a_request_in_the_same_breath_as_hello_is_answered(house: Any) -> None:
    messages, _ = await spoken_to(house, hello(encode_frame(Ping(5)), encode_frame(Bye())))
    assert [type(m) for m in messages] == [Welcome, Ok]


async def test_another_version_is_told_which_ones_there_are(
    house: Any, autojump_clock: Any
) -> None:
    ((error,), _) = await spoken_to(house, MAGIC + encode_frame(Hello((7, 9), "Ann")))
    assert error.code == "version"
    assert "1 to 1" in error.text


@given(st.lists(st.binary(max_size=60), max_size=6), st.booleans())
def test_arbitrary_bytes_never_break_the_server(
    house_type: Any, tmp_path_factory: pytest.TempPathFactory, pieces: list[bytes], greeted: bool
) -> None:
    async def main() -> None:
        async with trio.open_nursery() as nursery:
            house = house_type(nursery, tmp_path_factory.mktemp("j"))
            if greeted:
                pieces.insert(0, hello())
            messages, _ = await spoken_to(house, *pieces)
            assert {type(m) for m in messages} <= {Welcome, Error}
            await (await house.player("Ben")).do(Ping)
            assert "Traceback" not in house.log.getvalue()
            nursery.cancel_scope.cancel()

    trio.run(main, clock=MockClock(autojump_threshold=0))


# ------------------------------------------------------------------ rates and slow readers


async def test_a_thousand_requests_in_one_packet_are_metered(
    house: Any, autojump_clock: Any
) -> None:
    ann = await house.player("Ann")
    begun = trio.current_time()
    await ann.stream.send_all(b"".join(encode_frame(Ping(n)) for n in range(1000)))
    for n in range(1000):
        reply = await ann.next(Ok)
        assert reply.re == n
    # 60 at once (hello was one of them), the others 30 a second
    assert trio.current_time() - begun == pytest.approx((1000 - 59) / 30, abs=0.2)


async def test_what_has_to_wait_is_not_even_read(house: Any, autojump_clock: Any) -> None:
    ann = await house.player("Ann")
    await ann.stream.send_all(b"".join(encode_frame(Ping(n)) for n in range(500)))
    await trio.sleep(1)
    assert house.hall.tally.frames_in < 100


async def test_who_sends_too_much_for_too_long_is_told_and_sent_away(
    make_house: Any, autojump_clock: Any
) -> None:
    house = await make_house(settings={"flood": 10.0})
    ann = await house.player("Ann")
    begun = trio.current_time()
    with suppress(trio.BrokenResourceError):
        while trio.current_time() - begun < 100:
            await ann.stream.send_all(b"".join(encode_frame(Ping(n)) for n in range(100)))
            await trio.sleep(1)
    *_, said = await ann.rest()
    assert isinstance(said, Error)
    assert said.code == "too-many"
    assert said.text == "more came than can be read, for 10 seconds"
    assert 10 <= trio.current_time() - begun < 60
    assert "flooded" in house.log.getvalue()


async def test_who_waits_for_each_reply_is_slowed_down_and_never_sent_away(
    make_house: Any, autojump_clock: Any
) -> None:
    house = await make_house(settings={"flood": 1.0})
    ann = await house.player("Ann")
    for _ in range(1_000):
        await ann.do(Ping)


async def test_bursts_with_rests_between_them_are_no_flood(
    make_house: Any, autojump_clock: Any
) -> None:
    house = await make_house(settings={"flood": 20.0})
    ann = await house.player("Ann")
    for _ in range(5):
        await ann.stream.send_all(b"".join(encode_frame(Ping(n)) for n in range(500)))
        for n in range(500):
            assert (await ann.next(Ok)).re == n
        await trio.sleep(5)


async def test_who_reads_no_replies_is_not_read_from_and_given_up(
    make_house: Any, autojump_clock: Any
) -> None:
    house = await make_house(settings={"frame_rate": 1e6, "frame_burst": 1_000_000})
    ann = await house.connect(lockstep_stream_pair)
    await ann.send(Hello((1, 1), "Ann"))
    await ann.next(Welcome)
    begun, sent = trio.current_time(), 0
    with suppress(trio.BrokenResourceError):
        while sent < 10_000:
            await ann.stream.send_all(encode_frame(Ping(sent)))
            sent += 1
    assert trio.current_time() - begun == pytest.approx(20, abs=0.1)
    assert sent < 300
    assert "too slow" in house.log.getvalue()


async def test_a_slow_watcher_gets_a_snapshot_and_others_notice_nothing(
    make_house: Any, autojump_clock: Any
) -> None:
    house = await make_house(settings={"queue": 8, "slow": 1e9, "silence": 1e9})
    host = await house.connect(lockstep_stream_pair)
    await host.send(Hello((1, 1), "Ann"))
    await host.next(Welcome)
    options = TableOptions(seed="11" * 32, reactions="fast", loaded_ms=0)
    table = (await host.do(Create, options=options, watch=True))["table"]
    for _ in range(2):
        await host.do(AddBot, table=table, level="random")
    await host.do(Start, table=table)
    play = house.hall.tables[table].play
    other = await house.player("Ben")
    while house.hall.tables[table].state != "over":  # the host reads nothing
        await other.do(Ping)
    (connection,) = [c for c in house.reception.connections if c._session.name == "Ann"]
    assert len(connection._outbox) <= 8
    host.inbox.clear()
    await host.next(Snapshot, lambda m: m.view["phase"] == "over")
    assert host.view["phase"] == "over"
    assert host.seq == play.views._audiences[-1].seq
    assert sum(isinstance(m, Update) for m in host.inbox) < 20
    await host.do(Loaded, table=table)
