"""The same seed in two processes gives the same journal, whatever the seed of their hashes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

PROGRAM = """
import sys
from pathlib import Path

import trio
from trio.testing import MockClock

from protocol.messages import AddBot, Create, Loaded, Snapshot, Start, TableOptions
from tests.server.conftest import House


async def main(folder):
    async with trio.open_nursery() as nursery:
        house = House(
            nursery,
            folder,
            now=lambda: 1.5e9,
            new_seed=lambda: bytes(range(32)),
            new_token=lambda: "token",
        )
        await nursery.start(house.hall.run)
        host = await house.player("Anna")
        options = TableOptions(players=4, board=sys.argv[2])
        table = (await host.do(Create, options=options, watch=True))["table"]
        for level in ("random", "greedy", "random", "greedy"):
            await host.do(AddBot, table=table, level=level)
        await host.do(Start, table=table)
        await host.next(Snapshot)
        await host.do(Loaded, table=table)
        await host.until(lambda me: me.view.get("phase") == "over")
        await host.stream.aclose()
        nursery.cancel_scope.cancel()


trio.run(main, Path(sys.argv[1]), clock=MockClock(autojump_threshold=0))
"""


@pytest.mark.parametrize("board", ["tokyo", "osaka"])
def test_journals_are_the_same_byte_for_byte(tmp_path: Path, board: str) -> None:
    journals = []
    for hash_seed in ("0", "12345"):
        folder = tmp_path / hash_seed
        subprocess.run(
            [sys.executable, "-c", PROGRAM, str(folder), board],
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)},
            cwd=ROOT,
            check=True,
            timeout=100,
        )
        (path,) = folder.glob("*.jsonl")
        journals.append(path.read_bytes())
    assert journals[0] == journals[1]
    assert len(journals[0].splitlines()) > 500
