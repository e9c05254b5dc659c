"""A server that is killed again and again while people play: what whoever plays must find again.

Pairs of scripted players (and a bot at every table) play over TCP; the server process is killed at
random moments, in windows too, and started again with the same folder.  Each player keeps every
event that they were told; when they have come back, what the server tells of the past must begin
with just that.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec
import trio

from engine.types import Event
from protocol.messages import (
    AddBot,
    Answer,
    Create,
    Error,
    GetHistory,
    Hello,
    Join,
    Leave,
    Loaded,
    Lobby,
    Ok,
    Ready,
    Snapshot,
    Start,
    TableInfo,
    TableOptions,
    Welcome,
)
from server.log.reading import read_journal
from server.log.verify import verify
from tests.server.conftest import Player

KINGDOM = (
    "legal-counsel",
    "protesters",
    "politician",
    "regulations",
    "surveyor",
    "tunnel",
    "landfill",
    "signals",
)


def options(rng: random.Random) -> TableOptions:
    """A table at which windows open and close quickly."""
    return TableOptions(
        board=rng.choice(["tokyo", "osaka"]),
        players=3,
        boxes=("base", "rising-sun"),
        kingdom=KINGDOM,
        reactions=rng.choice(["fast", "sealed"]),
        window_ms=400,
        sealed_min_ms=20,
        turn_ms=0,
        absence_ms=600_000,
        loaded_ms=2_000,
    )


class Pair:
    """Two players who always play with each other and a bot; ``table`` is theirs at the moment."""

    def __init__(self, number: int, rng: random.Random, journals: Path) -> None:
        self.rng = rng
        self._journals = journals
        self.table = ""
        self.opened = trio.Event()
        self.first = Somebody(f"First {number}", self)
        self.second = Somebody(f"Second {number}", self)
        self.finished = 0

    @property
    def players(self) -> tuple[Somebody, Somebody]:
        return self.first, self.second

    def open(self, table: str) -> None:
        self.table = table
        self.opened.set()

    def is_over(self, table: str) -> bool:
        """Whether the game at a table came to its end, by its journal."""
        (path,) = self._journals.glob(f"*-{table}.jsonl")
        return verify(read_journal(path)).state == "over"

    def close(self, table: str) -> None:
        """The game is over; the first to notice makes room for another."""
        if self.table == table:
            self.table, self.opened = "", trio.Event()
            self.finished += 1


class Somebody:
    """A player who comes back after every crash.

    ``known`` are all events of the table ``known_of`` that they were told; ``at`` is the table
    at which a seat was promised to them; ``answered`` counts
    their answers that were accepted, ``found`` how often they found a running game again.
    """

    def __init__(self, name: str, pair: Pair) -> None:
        self.name = name
        self.pair = pair
        self.token = ""
        self.known: list[object] = []
        self.known_of = ""
        self.at = ""
        self.answered = 0
        self.found = 0

    async def play(self, port: int) -> None:
        """Connect, and play until the server goes away."""
        stream = await trio.open_tcp_stream("127.0.0.1", port)
        async with stream:
            me = Player(stream)
            try:
                await self._play(me)
            except trio.BrokenResourceError:  # the server has been killed
                await trio.sleep_forever()
            finally:
                self._remember(me)

    async def _play(self, me: Player) -> None:
        await me.send(Hello((1, 1), self.name, resume=self.token))
        welcome = await me.next(Welcome | Error)
        table = welcome.tables[0] if isinstance(welcome, Welcome) and welcome.tables else ""
        if self.seated and not table:
            assert self.pair.is_over(self.at), f"{self.name} had a seat, and has none any more"
            self._up_from(self.at)
        if isinstance(welcome, Error):
            assert welcome.code == "no-such-session", welcome
            self.token = ""  # a session that is at no table is in no journal
            raise trio.BrokenResourceError
        self.token = self.token or welcome.token
        while True:
            if not table:
                table = await self._sit_down(me)
            else:
                self.at = table
                self.pair.open(table)
            if (await self._start(me, table)).state == "playing":
                await self._look_back(me, table)
                await self._answer_all(me, table)
            self._up_from(table)
            await me.ask(Leave, table=table)
            me.inbox.clear()
            me.events.clear()
            me.decisions, table = [], ""

    def _up_from(self, table: str) -> None:
        """The game at a table is over."""
        self.known, self.known_of = [], ""
        self.at = ""
        self.pair.close(table)

    @property
    def seated(self) -> bool:
        return bool(self.at)

    def _remember(self, me: Player) -> None:
        if self.known_of:
            self.known += me.events
        me.events = []

    async def _sit_down(self, me: Player) -> str:
        """At a table of one's own, or at that of the other."""
        pair = self.pair
        if self is pair.first:
            result = await me.do(Create, options=options(pair.rng))
            self.at = str(result["table"])
            pair.open(str(result["table"]))
        else:
            await pair.opened.wait()
            table = pair.table
            reply = await me.ask(Join, table=table)
            if isinstance(reply, Error):
                assert reply.code == "no-such-table", reply
                assert pair.is_over(table), "a table has gone"
                pair.close(table)
                return await self._sit_down(me)
            self.at = table
        return self.at

    async def _start(self, me: Player, table: str) -> TableInfo:
        """Be ready, and begin once the other is; returns the table when it has begun, or ended."""
        while True:
            info = (await me.next(Lobby, lambda m: m.info.table == table)).info
            if info.state != "lobby":
                assert info.state in ("playing", "over"), info.state
                return info
            mine = next(seat for seat in info.seats if seat.name == self.name)
            others = [seat for seat in info.seats if seat.name != self.name]
            if self is self.pair.second and not mine.ready:
                await me.ask(Ready, table=table)
            elif self is self.pair.first and [o.kind for o in others].count("open") == 1:
                await me.ask(AddBot, table=table, level="greedy")  # if that was not done before
            elif self is self.pair.first and all(o.ready for o in others):
                await me.ask(Start, table=table)  # refused while somebody is still on the way

    async def _look_back(self, me: Player, table: str) -> None:
        """What the server tells of the past begins with all that it has told before."""
        snapshot = await me.next(Snapshot, lambda m: m.table == table)
        me.events.clear()
        past: list[object] = []
        while len(past) < snapshot.next_event:
            page = await me.do(GetHistory, table=table, since=len(past))
            past += page["events"]
        past = [msgspec.convert(event, Event) for event in past[: snapshot.next_event]]
        if self.known_of:
            assert self.known_of == table
            assert past[: len(self.known)] == self.known, f"{self.name} was told otherwise"
            self.found += 1
        self.known, self.known_of = past, table
        await me.ask(Loaded, table=table)

    async def _answer_all(self, me: Player, table: str) -> None:
        """Answer at random until the game is over."""
        rng = self.pair.rng
        while not _over(me, table):
            if not me.decisions:
                if not await me.receive():
                    raise trio.BrokenResourceError
                continue
            decision = me.decisions[0]
            picks = [option.key for option in decision.options for _ in range(option.count)]
            keys = tuple(rng.sample(picks, rng.randint(decision.min, decision.max)))
            reply = await me.ask(Answer, table=table, decision=decision.id, keys=keys)
            if isinstance(reply, Ok):
                self.answered += 1
            else:
                assert reply.code in ("unknown-decision", "too-late"), reply
            if me.decisions and me.decisions[0].id == decision.id:
                me.decisions = []


def _over(me: Player, table: str) -> bool:
    lobbies = [m.info for m in me.inbox if isinstance(m, Lobby) and m.info.table == table]
    me.inbox = [m for m in me.inbox if not isinstance(m, Lobby)]
    assert not any(info.state == "broken" for info in lobbies)
    return any(info.state == "over" for info in lobbies)


class House:
    """A server process that can be killed, and its folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.kills = 0

    async def run(self, use: Callable[[int], Awaitable[None]], seconds: float) -> None:
        """Start the server, let it be used for so long, and kill it."""
        self.folder.mkdir(exist_ok=True)
        log = (self.folder / "log").open("ab")
        process = await trio.lowlevel.open_process(
            [
                *[sys.executable, "-m", "server", "--child", "--port", "0"],
                *["--state", str(self.folder), "--set", "frame-rate=100000"],
                *["--set", "frame-burst=100000", "--set", "creates=100000"],
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
        )
        assert process.stdout is not None
        try:
            line = b""
            while not line.endswith(b"\n"):
                data = await process.stdout.receive_some(100)
                assert data, "the server did not start"
                line += data
            with trio.move_on_after(seconds):
                await use(int(line.split()[2]))
        finally:
            with trio.CancelScope(shield=True):
                os.kill(process.pid, signal.SIGKILL)
                await process.wait()
                log.close()
                self.kills += 1


async def play_and_kill(
    folder: Path, *, rounds: int, pairs: int, seed: int, longest: float
) -> tuple[list[Pair], House]:
    """So many rounds of playing and killing; raises what any player found wrong."""
    rng = random.Random(seed)
    everybody = [
        Pair(number, random.Random(seed + number), folder / "journals") for number in range(pairs)
    ]
    house = House(folder)

    async def use(port: int) -> None:
        async with trio.open_nursery() as nursery:
            for pair in everybody:
                for player in pair.players:
                    nursery.start_soon(player.play, port)

    for _ in range(rounds):
        await house.run(use, rng.uniform(0.1, longest))
    return everybody, house
