"""The engine's face: its example runs, and it asks for no more than it says."""

from __future__ import annotations

import doctest
import subprocess
import sys
from pathlib import Path

import engine


def test_the_example() -> None:
    result = doctest.testmod(engine)
    assert result.attempted >= 5
    assert result.failed == 0


def test_everything_in_all_is_there() -> None:
    for name in engine.__all__:
        assert hasattr(engine, name)
    assert engine.SPECTATOR == -1
    assert engine.RECORD == -2


def test_no_clock_no_chance_no_tasks() -> None:
    """Importing all of the engine brings in neither ``random`` nor anything that waits."""
    script = (
        "import sys, engine, engine.bots, engine.text, engine.scenario;"
        "print(sorted({*sys.modules} & {'trio', 'asyncio', 'socket', 'random', 'msgpack',"
        " 'structlog', 'logging', 'protocol', 'server', 'client'}))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    assert ran.stdout.strip() == "[]"
