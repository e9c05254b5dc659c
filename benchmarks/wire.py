"""The real server over loopback against a bare echo that moves the same frames.

Two processes each time, the server (or the echo) and its clients, so that on two cores each has
one.  Both sides wait for each other as players do: a pair has one answer under way at a time.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

PAIRS = 8
ROUNDS = 3


class Process(NamedTuple):
    """A server process that listens."""

    pid: int
    port: int


@contextmanager
def running(*arguments: str) -> Iterator[int]:
    """As :func:`started`; gives the port alone."""
    with started(*arguments) as process:
        yield process.port


@contextmanager
def started(*arguments: str) -> Iterator[Process]:
    """Start a server that prints ``ready HOST PORT``; ends it afterwards."""
    with subprocess.Popen(
        [sys.executable, "-m", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            yield Process(process.pid, int(process.stdout.readline().split()[2]))
        finally:
            process.terminate()


def load(kind: str, port: int, seconds: float, *more: str) -> dict[str, Any]:
    """Run the clients and return what they counted."""
    command = [sys.executable, "-m", "benchmarks.load", kind, str(port), str(PAIRS), str(seconds)]
    done = subprocess.run([*command, *more], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    counted: dict[str, Any] = json.loads(done.stdout)
    return counted


def play(seconds: float, *more: str, durability: str = "off") -> dict[str, Any]:
    """Answers through the real server, journal on; ``more`` is for the clients.  As a rule nobody
    waits for the disk: how long that takes is the disk's affair."""
    limits: tuple[str, ...] = (
        "--per-address",
        "10000",
        "--frame-rate",
        "1000000",
        "--tables",
        "100000",
    )
    limits += ("--creates", "1000000", "--set", "frame-burst=2000000")
    limits += ("--durability", durability)
    with tempfile.TemporaryDirectory() as journals:
        flags = ("--child", "--port", "0", "--journals", journals, "--log-level", "error", *limits)
        with running("server", *flags) as port:
            return load("game", port, seconds, *more)


def report(seconds: float) -> None:
    """Print the figures, the two in turn."""
    print(f"\nserver over loopback, journal on, {PAIRS} two-player tables, random policy")
    ratios = []
    for _ in range(ROUNDS):
        game = play(seconds)
        answer, ok, update = (
            round(size / max(1, count)) for count, size in game["frames"].values()
        )
        with running("benchmarks.echo", str(ok), str(update)) as port:
            bare = load("echo", port, seconds, str(answer))
        ratios.append(game["rate"] / bare["rate"])
        print(
            f"  {game['rate']:7,.0f} answers/s   bare echo {bare['rate']:7,.0f}/s"
            f"   ratio {ratios[-1]:.2f}   (answer {answer} B, ok {ok} B, update {update} B)"
        )
    print(f"  median ratio {sorted(ratios)[len(ratios) // 2]:.2f} (aim: at least 0.33)")
    for durability in ("turn", "answer"):
        game = play(seconds, durability=durability)
        print(f"  {game['rate']:7,.0f} answers/s with --durability {durability}, on this disk")
    print("\nfrom answer to ok, 8 tables that pause 20 ms before each answer")
    for thinkers, what in ((0, "by themselves"), (1, "beside a table on which two planners think")):
        game = play(seconds, "0.02", str(thinkers))
        print(f"  {what:44} p50 {game['p50']:5.1f} ms   p99 {game['p99']:5.1f} ms")
