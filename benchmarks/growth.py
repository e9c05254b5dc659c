"""How the server grows: the same load on 10, 100 and 1,000 tables.

Two clients play at each table and pause before each answer, so long that all tables together give
the same number of answers a second; the bare echo gets the same load.  Told are the times from an
answer to its ok, also as multiples of the echo's; the bytes of an update against those of a
snapshot; and what a connection, and a table with its two players, take of the server's memory.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import msgpack
import trio

from benchmarks.soak import LIMITS
from benchmarks.wire import Process, started
from protocol import MAGIC

TABLES = (10, 100, 1_000)
LOAD = 400.0
"""Answers a second that all tables together are asked for."""


def memory(pid: int) -> float:
    """The resident memory of a process in KiB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return float(line.split()[1])
    return 0.0


async def _idle(port: int, count: int, measure: Any) -> float:
    """What the measure says while so many sessions are connected and do nothing."""
    async with trio.open_nursery() as nursery:
        streams = [await trio.open_tcp_stream("127.0.0.1", port) for _ in range(count)]
        for number, stream in enumerate(streams):
            hello = msgpack.packb({"type": "hello", "versions": [1, 1], "name": f"Idle {number}"})
            await stream.send_all(MAGIC + len(hello).to_bytes(4, "big") + hello)
            await stream.receive_some(4096)
        value = float(measure())
        for stream in streams:
            await stream.aclose()
        nursery.cancel_scope.cancel()
    return value


def load(kind: str, process: Process, tables: int, seconds: float, *more: str) -> dict[str, Any]:
    """Run clients in a process of their own; what they counted, and the server's memory."""
    import json

    command = [sys.executable, "-m", "benchmarks.load", kind, str(process.port), str(tables)]
    with subprocess.Popen(
        [*command, str(seconds), *more], stdout=subprocess.PIPE, text=True
    ) as clients:
        most = 0.0
        while clients.poll() is None:
            most = max(most, memory(process.pid))
            time.sleep(0.2)
        assert clients.stdout is not None
        counted: dict[str, Any] = json.loads(clients.stdout.read())
    return counted | {"memory": most}


def report(seconds: float) -> None:
    """Print a line for each number of tables."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    print(f"\ngrowth: two-player tables that together give about {LOAD:.0f} answers/s")
    for tables in TABLES:
        _line(tables, seconds)


def _line(tables: int, seconds: float) -> None:
    limits = [f"--set={name}={value}" for name, value in LIMITS.items()]
    pause = str(tables / LOAD)
    with tempfile.TemporaryDirectory() as journals:
        flags = ("--child", "--port", "0", "--journals", journals, "--log-level", "error", *limits)
        with started("server", *flags) as server:
            empty = memory(server.pid)
            idle = trio.run(_idle, server.port, 2 * tables, lambda: memory(server.pid))
            game = load("game", server, tables, seconds, pause, "0")
    answer, ok, update = (round(size / max(1, count)) for count, size in game["frames"].values())
    snapshot = round(game["snapshot"])
    with started("benchmarks.echo", str(ok), str(update)) as bare:
        echo = load("echo", bare, tables, seconds, str(answer), pause)
    connection = (idle - empty) / (2 * tables)
    table = (game["memory"] - idle) / tables
    print(
        f"  {tables:5} tables  {game['rate']:5.0f} answers/s   "
        f"p50 {game['p50']:6.2f} ms ({game['p50'] / echo['p50']:4.1f} x echo)   "
        f"p99 {game['p99']:6.2f} ms ({game['p99'] / echo['p99']:4.1f} x echo)   "
        f"update {update} B, snapshot {snapshot} B   "
        f"memory: connection {connection:.0f} KiB, table {table:.0f} KiB"
    )
