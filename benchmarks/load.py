"""The clients of the wire benchmark, a process of its own: pairs of connections that play.

``python -m benchmarks.load game PORT PAIRS SECONDS [PAUSE THINKERS]`` plays two-player tables of
the real server by the random policy, game after game, with a pause before each answer if one is
given, beside so many tables on which planner bots think.  ``... echo PORT PAIRS SECONDS SIZE``
answers a bare echo (:mod:`benchmarks.echo`) with frames of ``SIZE`` bytes whenever it is its turn,
with a pause before each if one is given as well.
Prints what it counted, as one line of JSON.  It decodes as little as a player must, so that the
server is what is measured.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import msgpack
import trio

from protocol import MAGIC

Handle = Callable[[bytes], Awaitable[None]]


class Counter:
    """What is counted, while the clock runs."""

    def __init__(self) -> None:
        self.running = False
        self.answers = 0
        self.waits: list[float] = []
        self.frames = {"answer": [0, 0], "ok": [0, 0], "update": [0, 0]}
        self.snapshots: list[int] = []

    def count(self, kind: str, size: int) -> None:
        """One frame of a kind, its header included."""
        if kind == "snapshot":
            self.snapshots.append(size)
        if self.running and kind in self.frames:
            self.frames[kind][0] += 1
            self.frames[kind][1] += size
            self.answers += kind == "ok"


async def frames(stream: trio.SocketStream, skip: int, handle: Handle) -> None:
    """Cut what comes into frames and hand over each payload, after ``skip`` leading bytes."""
    waiting = bytearray()
    while True:
        data = await stream.receive_some(65536)
        if not data:
            return
        waiting += data
        while True:
            if skip:
                if len(waiting) < skip:
                    break
                del waiting[:skip]
                skip = 0
            if len(waiting) < 4:
                break
            end = 4 + int.from_bytes(waiting[:4], "big")
            if len(waiting) < end:
                break
            payload = bytes(waiting[4:end])
            del waiting[:end]
            await handle(payload)


class Player:
    """One connection that plays: the first of a pair makes tables, the second joins them."""

    def __init__(self, stream: trio.SocketStream, name: str, counter: Counter) -> None:
        self.stream = stream
        self.name = name
        self.counter = counter
        self.rng = random.Random(name)
        self.other: Player | None = None
        self.table = ""
        self.requests = 0
        self.pause = 0.0
        self.answered_at = 0.0
        self.sending = trio.Lock()  # the other of the pair sends a join here

    async def send(self, kind: str, **fields: Any) -> None:
        payload = msgpack.packb({"type": kind, **fields})
        self.counter.count(kind, len(payload) + 4)
        async with self.sending:
            await self.stream.send_all(len(payload).to_bytes(4, "big") + payload)

    async def ask(self, kind: str, **fields: Any) -> None:
        self.requests += 1
        await self.send(kind, id=self.requests, **fields)

    async def run(self) -> None:
        await self.stream.send_all(MAGIC)
        await self.send("hello", versions=[1, 1], name=self.name)
        await frames(self.stream, len(MAGIC), self.handle)

    async def create(self) -> None:
        await self.ask("create", options={"players": 2, "reactions": "fast"})

    async def handle(self, payload: bytes) -> None:
        message = msgpack.unpackb(payload)
        kind = message["type"]
        self.counter.count(kind, len(payload) + 4)
        if kind in ("update", "snapshot"):
            if message.get("decisions"):
                await self.answer(message["decisions"][0])
        elif kind == "ok":
            if self.answered_at and self.counter.running:
                self.counter.waits.append(trio.current_time() - self.answered_at)
            self.answered_at = 0.0
            if "table" in message.get("result", {}) and self.other is not None:
                self.table = self.other.table = message["result"]["table"]
                await self.other.ask("join", table=self.table)
        elif kind == "lobby":
            await self.lobby(message["info"])
        elif kind == "catalogue":
            await self.ask("loaded", table=self.table)
        elif kind == "welcome" and self.other is not None:
            await self.create()
        elif kind == "error":
            raise RuntimeError(f"{self.name}: {message}")

    async def lobby(self, info: dict[str, Any]) -> None:
        if info["state"] == "lobby" and self.other is None:
            if not all(s.get("ready") for s in info["seats"] if s.get("name") == self.name):
                await self.ask("ready", table=self.table)
        elif info["state"] == "lobby" and self.other is not None:
            taken = [seat for seat in info["seats"] if seat["kind"] == "human"]
            if len(taken) == 2 and all(s.get("ready") for s in taken if s["name"] != self.name):
                await self.ask("start", table=self.table)
        elif info["state"] == "over" and self.table == info["table"]:
            self.table = ""
            await self.ask("leave", table=info["table"])
            if self.other is not None:
                await self.create()

    async def answer(self, decision: dict[str, Any]) -> None:
        count = self.rng.randint(decision["min"], decision["max"])
        picks = [
            option["key"] for option in decision["options"] for _ in range(option.get("count", 1))
        ]
        keys = self.rng.sample(picks, count) if count != 1 else [self.rng.choice(picks)]
        if self.pause:
            await trio.sleep(self.pause)
        self.answered_at = trio.current_time()
        await self.ask("answer", table=self.table, decision=decision["id"], keys=keys)


class Thinker(Player):
    """One connection that watches a table on which two planners think."""

    async def create(self) -> None:
        await self.ask("create", options={"players": 2, "reactions": "fast"}, watch=True)

    async def handle(self, payload: bytes) -> None:
        message = msgpack.unpackb(payload)
        if message["type"] == "welcome":
            await self.create()
        elif message["type"] == "ok" and "table" in message.get("result", {}):
            self.table = message["result"]["table"]
            for _ in range(2):
                await self.ask("add-bot", table=self.table, level="planner")
            await self.ask("start", table=self.table)
        elif message["type"] == "catalogue":
            await self.ask("loaded", table=self.table)


async def think(port: int, thinkers: int, counter: Counter, nursery: trio.Nursery) -> None:
    """Start the tables on which planners think."""
    for number in range(thinkers):
        stream = await trio.open_tcp_stream("127.0.0.1", port)
        nursery.start_soon(Thinker(stream, f"Thinker {number}", counter).run)


async def play(
    port: int, pairs: int, pause: float, counter: Counter, nursery: trio.Nursery
) -> None:
    """Start the pairs that play the real server."""
    for pair in range(pairs):
        first = Player(await trio.open_tcp_stream("127.0.0.1", port), f"First {pair}", counter)
        second = Player(await trio.open_tcp_stream("127.0.0.1", port), f"Second {pair}", counter)
        first.other = second
        first.pause = second.pause = pause
        nursery.start_soon(second.run)
        nursery.start_soon(first.run)


async def echo(
    port: int, pairs: int, counter: Counter, nursery: trio.Nursery, *, size: int, pause: float
) -> None:
    """Start the pairs that answer the bare echo; a frame's first byte says whose turn it is."""
    answer = (size - 4).to_bytes(4, "big") + bytes(size - 4)

    async def run(stream: trio.SocketStream, begins: bool) -> None:
        sent_at = 0.0

        async def send() -> None:
            nonlocal sent_at
            if pause:
                await trio.sleep(pause)
            sent_at = trio.current_time()
            await stream.send_all(answer)

        async def handle(payload: bytes) -> None:
            nonlocal sent_at
            counter.count("update", len(payload) + 4)
            if sent_at and counter.running:
                counter.waits.append(trio.current_time() - sent_at)
            sent_at = 0.0
            if payload[0]:
                if counter.running:
                    counter.answers += 1
                await send()

        if begins:
            await send()
        await frames(stream, 0, handle)

    streams = []
    for number in range(2 * pairs):
        streams.append(await trio.open_tcp_stream("127.0.0.1", port))
        await streams[-1].send_all(number.to_bytes(2, "big"))
    await trio.sleep(0.2)  # until the echo knows both of each pair
    for number, stream in enumerate(streams):
        nursery.start_soon(run, stream, number % 2 == 0)


async def main() -> None:
    kind, port, pairs, seconds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
    counter = Counter()
    async with trio.open_nursery() as nursery:
        if kind == "game":
            pause, thinkers = (*sys.argv[5:], "0", "0")[:2]
            await think(port, int(thinkers), counter, nursery)
            await play(port, pairs, float(pause), counter, nursery)
        else:
            size, pause = (*sys.argv[5:], "0")[:2]
            await echo(port, pairs, counter, nursery, size=int(size), pause=float(pause))
        await trio.sleep(1.0 + pairs / 200)  # until all are at it
        counter.running = True
        begun = trio.current_time()
        await trio.sleep(seconds)
        counter.running = False
        spent = trio.current_time() - begun
        nursery.cancel_scope.cancel()
    waits = sorted(counter.waits)
    shares = {
        name: waits[int(len(waits) * share)] * 1000 if waits else 0.0
        for name, share in (("p50", 0.5), ("p99", 0.99))
    }
    snapshot = sum(counter.snapshots) / max(1, len(counter.snapshots))
    counted = {"rate": counter.answers / spent, "frames": counter.frames, "snapshot": snapshot}
    print(json.dumps(counted | shares))


if __name__ == "__main__":
    trio.run(main)
