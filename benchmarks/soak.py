"""The soak: many tables of scripted clients at once, each game played to its end and verified.

A real server process, four clients at each table over loopback, both boxes, every board (on those
for two, two play and two watch), attacks in sealed and in fast windows.
``python -m benchmarks soak --tables 200`` (``make soak``).
"""

from __future__ import annotations

import random
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import msgpack
import trio

from benchmarks.load import Counter, Player
from benchmarks.wire import running
from server.log.reading import read_journal
from server.log.verify import verify

CLIENTS = 4
"""At each table."""

LIMIT = 300.0
"""Seconds after which a soak that has not ended has failed."""

PING = 10.0
"""Seconds between two pings of a client."""

BOARDS = {"tokyo": 4, "osaka": 4, "nagoya": 4, "chiba": 2, "kyushu": 2}
"""How many play on each; the others watch."""

KINGDOM = (
    "legal-counsel",
    "protesters",
    "politician",
    "regulations",
    "roundhouse",
    "unhappy-passengers",
    "tunnel",
    "landfill",
)
LIMITS = {
    "per-address": 100_000,
    "connections": 100_000,
    "sessions": 100_000,
    "tables": 100_000,
    "creates": 1_000_000,
    "frame-rate": 1_000_000,
    "frame-burst": 2_000_000,
}


TOLERATED = ("unknown-decision", "too-late", "not-ready", "wrong-state")
"""What a client may hear that acts on older news: a window has closed, others are on the way, the
game has begun."""


class Outcome(NamedTuple):
    """What came of a soak."""

    tables: int
    finished: int
    verified: int
    answers: int
    windows: int
    seconds: float

    def __str__(self) -> str:
        return (
            f"soak: {self.finished} of {self.tables} games finished, {self.verified} journals "
            f"verified, {self.answers:,} answers ({self.windows:,} windows) in "
            f"{self.seconds:.0f} s by {self.tables * CLIENTS} clients"
        )


class Guest(Player):
    """One client of a table; the first makes it, and begins once all are there and ready."""

    def __init__(self, stream: trio.SocketStream, name: str, number: int, party: Party) -> None:
        super().__init__(stream, name, Counter())
        self.number = number
        self.party = party

    @property
    def hosts(self) -> bool:
        return self.number == 0

    async def create(self) -> None:
        await self.ask("create", options=self.party.options)

    async def ping_now_and_then(self) -> None:
        """Who watches, or waits for its turn, would be taken for gone."""
        while True:
            await trio.sleep(PING)
            await self.ask("ping")

    async def handle(self, payload: bytes) -> None:
        message = msgpack.unpackb(payload)
        kind = message["type"]
        if kind in ("update", "snapshot"):
            if message.get("decisions"):
                await self.answer(message["decisions"][0])
        elif kind == "lobby":
            await self.lobby(message["info"])
        elif kind == "catalogue":
            await self.ask("loaded", table=self.table)
        elif kind == "welcome" and self.hosts:
            await self.create()
        elif kind == "welcome":
            await self.party.opened.wait()
            self.table = self.party.table
            await self.ask("join", table=self.table, watch=self.number >= self.party.players)
        elif kind == "ok" and "table" in message.get("result", {}) and self.hosts:
            self.table = self.party.table = message["result"]["table"]
            self.party.opened.set()
        elif kind == "error" and message["code"] not in TOLERATED:
            raise RuntimeError(f"{self.name}: {message}")

    async def lobby(self, info: dict[str, Any]) -> None:
        if info["state"] == "lobby" and self.hosts:
            all_here = info.get("watchers", 0) == CLIENTS - self.party.players
            if all_here and all(seat.get("ready") for seat in info["seats"][1:]):
                await self.ask("start", table=self.table)
        elif info["state"] == "lobby":
            if any(s.get("name") == self.name and not s.get("ready") for s in info["seats"]):
                await self.ask("ready", table=self.table)
        elif info["state"] == "over":
            self.party.over.set()


class Party:
    """A table and its four clients."""

    def __init__(self, number: int) -> None:
        self.table = ""
        self.opened = trio.Event()
        self.over = trio.Event()
        rng = random.Random(number)
        board = list(BOARDS)[number % len(BOARDS)]
        self.players = BOARDS[board]
        self.options = {
            "board": board,
            "players": self.players,
            "boxes": ["base", "rising-sun"],
            "kingdom": list(KINGDOM),
            "reactions": rng.choice(["sealed", "fast"]),
            "sealed_min_ms": 20,
            "window_ms": 20_000,
            "turn_ms": 0,
            "bonuses": rng.random() < 0.5,
        }

    async def play(self, port: int, number: int) -> None:
        """Play one game to its end."""
        async with trio.open_nursery() as nursery:
            for client in range(CLIENTS):
                nursery.start_soon(self._serve, port, f"Guest {number}-{client}", client)
            await self.over.wait()
            nursery.cancel_scope.cancel()

    async def _serve(self, port: int, name: str, client: int) -> None:
        async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
            guest = Guest(stream, name, client, self)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(guest.ping_now_and_then)
                await guest.run()


async def play_all(port: int, tables: int) -> int:
    """Play so many games at the same time; returns how many came to their end."""
    parties = [Party(number) for number in range(tables)]
    with trio.move_on_after(LIMIT):
        async with trio.open_nursery() as nursery:
            for number, party in enumerate(parties):
                nursery.start_soon(party.play, port, number)
    return sum(party.over.is_set() for party in parties)


def soak(tables: int) -> Outcome:
    """Run one, with a server of its own."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    limits = [f"--set={name}={value}" for name, value in LIMITS.items()]
    with tempfile.TemporaryDirectory() as folder:
        flags = ("--child", "--port", "0", "--journals", folder, "--log-level", "error", *limits)
        with running("server", *flags) as port:
            begun = time.perf_counter()
            finished = trio.run(play_all, port, tables)
            seconds = time.perf_counter() - begun
        verified = answers = windows = 0
        for path in sorted(Path(folder).glob("*.jsonl")):
            journal = read_journal(path)
            verdict = verify(journal)
            verified += verdict.state == "over"
            answers += verdict.answers
            windows += sum((line.data or {}).get("type") == "window" for line in journal.lines)
    return Outcome(tables, finished, verified, answers, windows, seconds)


def report(tables: int) -> None:
    """Run it, print what came of it, and end with code 1 if not all is well."""
    outcome = soak(tables)
    print(outcome)
    if not outcome.tables == outcome.finished == outcome.verified:
        sys.exit(1)
