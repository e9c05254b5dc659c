"""The same seed in two processes gives the same game, byte for byte, whatever the hash seed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

SCRIPT = """
import msgspec, engine
from engine.bots import make
from engine.text import Words
for level, players in (("random", 4), ("greedy", 3)):
    game = engine.Game.new(engine.Setup(seed=b"\\x05" * 32, players=players))
    words = Words()
    catalogue = game.setting.catalogue(words, game.setup.boxes, game.setup.reactions)
    print(msgspec.json.encode(catalogue).decode())
    print(engine.box_hash(game.setup.boxes), game.setup.to_plain())
    bots = [make(level, bytes(32), seat, catalogue) for seat in range(players)]
    for _ in range(400):
        if game.over:
            break
        decision = game.decisions[0]
        print(msgspec.json.encode(words.decision(game.setting, decision)).decode())
        keys = bots[decision.seat].choose(game.observe(decision.seat), decision)
        facts = game.answer(decision.id, keys)
        for audience in (0, engine.SPECTATOR, engine.RECORD):
            print(msgspec.json.encode(engine.events_for(game.setting, facts, audience)).decode())
        print(msgspec.json.encode(game.observe(1)).decode(), game.digest())
    print(game.save())
"""


def journal(hash_seed: str) -> bytes:
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", SCRIPT],
        capture_output=True,
        check=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
    )
    assert ran.stderr == b""
    return ran.stdout


def test_hash_seeds_change_nothing() -> None:
    first = journal("1")
    assert first.count(b"\n") > 1000
    assert journal("2") == first
