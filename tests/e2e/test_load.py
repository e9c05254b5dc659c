"""Crowds, floods and people who read nothing, at a real server: a game goes on, and memory stays
within bounds.  ``SENRO_LOAD=long`` brings crowds of thousands (``make long``); figures are printed
(``pytest -s``)."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import trio

from protocol import MAGIC
from protocol.codec import encode_frame
from protocol.messages import (
    AddBot,
    Bye,
    Chat,
    Create,
    Error,
    GetCatalogue,
    GetSnapshot,
    Hello,
    Join,
    ListTables,
    Loaded,
    Lobby,
    Ping,
    Start,
    Welcome,
)
from tests.e2e.process import server_process
from tests.server.conftest import Player

LONG = os.environ.get("SENRO_LOAD") == "long"

pytestmark = [
    pytest.mark.timeout(1_200 if LONG else 120),
    pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc"),
]
KIB, MIB = 1_024, 1_048_576
PATIENT = {"silence": 3_600.0, "hello": 60.0, "per_address": 100_000, "sessions": 20_000}
PATIENT |= {"tables": 1_000, "creates": 10_000, "watchers": 10_000}
MOVES = 40
"""Answers by which a game shows that it goes on."""


def report(words: str) -> None:
    print(f"\n  {words}")


async def in_parallel(count: int, act: Callable[[int], object], at_once: int = 50) -> None:
    """Run ``act(n)`` for all numbers, some at a time."""
    limiter = trio.CapacityLimiter(at_once)

    async def one(number: int) -> None:
        async with limiter:
            await act(number)  # type: ignore[misc]

    async with trio.open_nursery() as nursery:
        for number in range(count):
            nursery.start_soon(one, number)


# ---------------------------------------------------------------------- crowds


async def test_a_crowd_that_does_nothing_takes_little_and_disturbs_nobody(tmp_path: Path) -> None:
    crowd = 4_000 if LONG else 200
    async with server_process(tmp_path, **PATIENT, connections=10_000) as server:
        ann = await server.gamer("Ann")
        await ann.moves(MOVES)
        before = server.memory()
        names = iter(range(crowd))
        await in_parallel(crowd, lambda n: server.player(f"P{next(names)}", f"127.0.1.{n % 250}"))
        each = (server.memory() - before) / crowd
        report(f"{crowd} players who do nothing: {each / KIB:.0f} KiB each")
        assert each < 64 * KIB
        await ann.moves(MOVES)
        streams = server.streams[1:]
        for stream in streams:
            await trio.aclose_forcefully(stream)
        del server.streams[1:]
        await server.until_descriptors(most=40)
        await ann.moves(MOVES)


async def test_strangers_who_do_not_come_to_the_point_are_sent_away(tmp_path: Path) -> None:
    """Nothing at all, half the magic, half a hello, a byte now and then."""
    crowd = 2_000 if LONG else 120
    beginnings = [b"", MAGIC[:3], MAGIC, MAGIC + encode_frame(Hello((1, 1), "Guest"))[:9]]
    limits = PATIENT | {"hello": 1.0, "rest_of_frame": 1.0}
    async with server_process(tmp_path, **limits, connections=10_000) as server:
        ann = await server.gamer("Ann")
        await ann.moves(MOVES)
        open_before = server.descriptors()
        before = server.memory()

        async def stranger(number: int) -> None:
            stream = await server.stream(f"127.0.1.{number % 250}")
            await stream.send_all(beginnings[number % len(beginnings)])

        await in_parallel(crowd, stranger)
        await ann.moves(MOVES)
        await server.until_descriptors(most=open_before)
        grown = server.memory() - before
        report(f"{crowd} strangers: {grown / crowd / KIB:.0f} KiB each are left")
        assert grown / crowd < 64 * KIB
        await ann.moves(MOVES)


async def test_connections_come_and_go_without_a_trace(tmp_path: Path) -> None:
    """Hello and gone again, in all ways: bye, closed, broken."""
    rounds, crowd = (20, 400) if LONG else (4, 60)
    limits = PATIENT | {"grace": 1.0, "lobby_kept": 1.0}
    async with server_process(tmp_path, **limits, connections=10_000) as server:
        ann = await server.gamer("Ann")
        await ann.moves(MOVES)
        open_before = server.descriptors()
        figures: list[int] = []
        for turn in range(rounds):

            async def visit(number: int, turn: int = turn) -> None:
                guest = await server.player(f"G{turn}x{number}", f"127.0.2.{number % 250}")
                server.streams.remove(guest.stream)  # type: ignore[arg-type]
                if number % 2:
                    await guest.send(Create(1))
                if number % 3 == 0:
                    await guest.send(Bye())
                if number % 3 == 1:
                    await trio.aclose_forcefully(guest.stream)
                await guest.stream.aclose()

            await in_parallel(crowd, visit, 1)
            await server.until_descriptors(most=open_before)
            await ann.moves(5)
            figures.append(server.memory())
        grown = figures[-1] - figures[rounds // 2 - 1]
        report(
            f"{rounds} rounds of {crowd} visits: {figures[0] / MIB:.0f} MiB after the first, "
            f"{grown / MIB:+.1f} MiB in the second half"
        )
        assert grown < 8 * MIB


# ---------------------------------------------------------------------- floods


def pings(rng: random.Random, table: str) -> bytes:
    return b"".join(encode_frame(Ping(n)) for n in range(800))


def bad_messages(rng: random.Random, table: str) -> bytes:
    return b"\0\0\0\x01\x80" * 3_000


def lists(rng: random.Random, table: str) -> bytes:
    return b"".join(encode_frame(ListTables(n, limit=100)) for n in range(300))


def large_answers(rng: random.Random, table: str) -> bytes:
    return b"".join(
        encode_frame(kind(n, table=table))
        for n in range(200)
        for kind in (GetCatalogue, GetSnapshot)
    )


def chatter(rng: random.Random, table: str) -> bytes:
    return b"".join(encode_frame(Chat(n, table=table, text="x" * 300)) for n in range(40))


def noise(rng: random.Random, table: str) -> bytes:
    return encode_frame(Ping(1)) + rng.randbytes(16_000)


@pytest.mark.parametrize("kind", [pings, bad_messages, lists, large_answers, chatter, noise])
@pytest.mark.parametrize("reads", [True, False], ids=["read", "unread"])
async def test_a_flood_is_dammed_and_a_game_goes_on(
    tmp_path: Path, kind: Callable[[random.Random, str], bytes], reads: bool
) -> None:
    """Clients that send as fast as they can, and read what comes back, or do not, until they are
    sent away."""
    crowd = 150 if LONG else 12
    limits = PATIENT | {"flood": 1.5, "slow": 1.5}
    async with server_process(tmp_path, **limits, connections=10_000) as server:
        ann = await server.gamer("Ann")
        await ann.moves(MOVES)
        host = await server.player("Host")
        watched = await server.table(host, bots=2, watch=True)
        open_before, before = server.descriptors(), server.memory()
        data = kind(random.Random(kind.__name__), watched)
        left = crowd

        async def flood(number: int) -> None:
            nonlocal left
            guest = await server.player(f"F{number}", f"127.0.3.{number % 250}")
            await guest.do(Join, table=watched, watch=True)
            async with trio.open_nursery() as both:
                if reads:
                    both.start_soon(read_away, guest.stream)
                try:
                    while True:
                        await guest.stream.send_all(data)
                except (trio.BrokenResourceError, trio.ClosedResourceError):
                    both.cancel_scope.cancel()
            left -= 1
            await trio.aclose_forcefully(guest.stream)

        most = before
        async with trio.open_nursery() as nursery:
            for number in range(crowd):
                nursery.start_soon(flood, number)
            while left:
                await ann.moves(1)
                most = max(most, server.memory())
        await server.until_descriptors(most=open_before)
        await ann.moves(5)
        each = (most - before) / crowd
        report(f"{crowd} x {kind.__name__}, {'' if reads else 'un'}read: {each / KIB:.0f} KiB each")
        assert each < 2 * MIB


async def read_away(stream: trio.abc.ReceiveStream) -> None:
    try:
        while await stream.receive_some(65_536):
            pass
    except (trio.BrokenResourceError, trio.ClosedResourceError):
        pass


async def test_watchers_who_read_nothing_cost_little_and_the_game_ends(tmp_path: Path) -> None:
    crowd = 300 if LONG else 20
    limits = PATIENT | {"slow": 3_600.0}
    async with server_process(tmp_path, **limits, connections=10_000) as server:
        host = await server.player("Host")
        table = (await host.do(Create, watch=True))["table"]
        for number in range(crowd):
            guest = await server.player(f"W{number}")
            await guest.do(Join, table=table, watch=True)
        before = most = server.memory()
        for _ in range(2):
            await host.do(AddBot, table=table, level="random")
        await host.do(Start, table=table)
        await host.do(Loaded, table=table)
        await host.next(Lobby, lambda message: message.info.state == "over")
        most = max(most, server.memory())
        grown = (most - before) / crowd
        report(f"{crowd} watchers who read nothing through a game: {grown / KIB:.0f} KiB each")
        assert grown < 2 * MIB


# ---------------------------------------------------------------------- out of descriptors


async def test_without_descriptors_games_go_on_and_newcomers_wait(tmp_path: Path) -> None:
    async with server_process(tmp_path, **PATIENT, descriptors=60) as server:
        ann = await server.gamer("Ann")
        await ann.moves(8)
        crowd = [await server.stream() for _ in range(80)]
        await server.until_descriptors(least=60)
        await ann.moves(8)
        assert await ann.player.refused(Create) == "busy"  # a journal would need one more
        newcomer = Player(await server.stream())
        await newcomer.send(Hello((1, 1), "Ben"))
        with trio.move_on_after(0.5):
            await newcomer.next(Welcome)
            pytest.fail("there was room for one more")
        await ann.moves(8)
        for stream in crowd:
            await trio.aclose_forcefully(stream)
        await newcomer.next(Welcome)
        await newcomer.do(Create)
        await ann.moves(8)
        assert server.log.read_text().count("new connections wait") == 1


async def test_a_crowd_from_one_address_leaves_room_for_others(tmp_path: Path) -> None:
    async with server_process(tmp_path, per_address=5, hello=60.0) as server:
        codes: list[str] = []
        for number in range(20):
            player = Player(await server.stream("127.0.0.9"))
            await player.send(Hello((1, 1), f"P{number}"))
            while not player.inbox and await player.receive():
                pass
            codes += [m.code if isinstance(m, Error) else "" for m in player.inbox]
        assert codes[:6] == [""] * 5 + ["too-many"]  # later ones may be told nothing
        assert set(codes[6:]) <= {"too-many"}
        await server.player("Ann", "127.0.0.10")
