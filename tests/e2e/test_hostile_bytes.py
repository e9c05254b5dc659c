"""Whatever bytes come to the real port: typed errors or silence, and no running game notices."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import msgpack
import pytest
import trio

from protocol import CODES, MAGIC, TO_SERVER_LIMIT
from protocol.messages import (
    AddBot,
    Create,
    Error,
    Hello,
    Loaded,
    Ping,
    Snapshot,
    Start,
    TableOptions,
)
from tests.e2e.conftest import RealServer, Serving
from tests.server.conftest import Player

TRIES = 8
"""Connections for each kind of bytes; chunked differently each time."""


def frame(payload: bytes) -> bytes:
    return len(payload).to_bytes(4, "big") + payload


def say(**fields: object) -> bytes:
    return frame(msgpack.packb(fields))


def hello(rng: random.Random) -> bytes:
    return MAGIC + say(type="hello", versions=[1, 1], name=f"Guest {rng.randrange(10**9)}")


def nested(depth: int) -> bytes:
    return b"\x81\xa1x" + b"\x91" * depth + b"\xc0"


KINDS: dict[str, Callable[[random.Random], bytes]] = {
    "noise": lambda rng: rng.randbytes(rng.randrange(1, 5_000)),
    "noise after the magic": lambda rng: MAGIC + rng.randbytes(rng.randrange(1, 5_000)),
    "noise after hello": lambda rng: hello(rng) + rng.randbytes(rng.randrange(1, 5_000)),
    "framed noise": lambda rng: hello(rng) + frame(rng.randbytes(rng.randrange(1, 600))),
    "http": lambda rng: b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc",
    "tls": lambda rng: b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + rng.randbytes(500),
    "an over-long frame": lambda rng: (
        hello(rng) + (TO_SERVER_LIMIT + 1 + rng.randrange(2**31)).to_bytes(4, "big") + b"x" * 100
    ),
    "an over-long frame, whole": lambda rng: hello(rng) + frame(b"\x90" * (TO_SERVER_LIMIT + 1)),
    "half a frame": lambda rng: hello(rng) + (5_000).to_bytes(4, "big") + b"x" * 10,
    "deep nesting": lambda rng: hello(rng) + frame(nested(rng.randrange(20, 4_000))),
    "no map": lambda rng: hello(rng) + frame(msgpack.packb([1, 2, 3])),
    "an unknown type": lambda rng: hello(rng) + say(type="cheat", id=1),
    "an answer to a foreign table": lambda rng: (
        hello(rng) + say(type="answer", id=1, table="t1", decision="0-1", keys=["end-turn"])
    ),
    "fields of wrong types": lambda rng: (
        hello(rng) + say(type="answer", id="x", table=[], decision={}, keys=7)
    ),
    "a huge declared array": lambda rng: hello(rng) + frame(b"\x81\xa4keys\xdd\xff\xff\xff\xff"),
    "an extension": lambda rng: hello(rng) + frame(b"\x81\xa1x\xd6\xff\x00\x00\x00\x00"),
    "two keys of one name": lambda rng: (
        hello(rng) + frame(b"\x83\xa4type\xa4ping\xa2id\x01\xa2id\x02")
    ),
    "not a number": lambda rng: (
        hello(rng) + frame(b"\x82\xa4type\xa4ping\xa2id\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00")
    ),
}


def chunks(rng: random.Random, data: bytes) -> Iterator[bytes]:
    """The bytes, cut at random places."""
    most = rng.choice([1, 7, 100, 10_000])
    while data:
        size = rng.randint(1, most) if len(data) < 2_000 else max(1, len(data) // 20)
        yield data[:size]
        data = data[size:]


async def attack(house: RealServer, rng: random.Random, data: bytes) -> Player:
    """Send the bytes, say that no more will come, and read what is said to them."""
    stream = await house.stream()
    guest = Player(stream)
    guest.wire.send(Hello((1, 1), "Guest"))  # so that it understands what comes back
    try:
        for chunk in chunks(rng, data):
            await stream.send_all(chunk)
        await stream.send_eof()
    except trio.BrokenResourceError:
        pass  # it has been shown the door already
    while await guest.receive():
        pass
    await stream.aclose()
    return guest


@pytest.mark.parametrize("kind", KINDS)
async def test_bytes_of_a_stranger(serving: Serving, kind: str) -> None:
    rng = random.Random(kind)
    async with serving(per_address=1_000, rest_of_frame=1.0) as house:  # type: ignore[attr-defined]
        host = await house.player("Anna")
        options = TableOptions(reactions="fast", order="seats")
        table = (await host.do(Create, options=options))["table"]
        await host.do(AddBot, table=table, level="random")
        await host.do(Start, table=table)
        await host.next(Snapshot)
        await host.do(Loaded, table=table)
        await host.asked()
        view, decision = host.view, host.decisions[0]

        for _ in range(TRIES):
            guest = await attack(house, rng, KINDS[kind](rng))
            assert not guest.faults  # what the server says is well-formed, whatever it was told
            for said in guest.inbox:
                if isinstance(said, Error):
                    assert said.code in CODES
                    assert said.text

        # The game stands where it stood, and goes on.
        await host.do(Ping)
        assert host.view == view
        assert host.decisions == [decision]
        await host.answer(table, *decision.default)
        assert "Traceback" not in house.log.getvalue()
