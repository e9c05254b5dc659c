"""Journals for the tests of senro-log: written as a table writes them, and changed afterwards."""

from __future__ import annotations

import json
import random
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

import engine
from engine.chance import commitment
from protocol.messages import TableOptions
from server.journal import SCHEMA, Journal
from server.resolve import resolve


def write_game(path: Path, *, answers: int = 10_000, players: int = 2) -> list[dict[str, Any]]:
    """The journal of a random game as a table writes it; returns its lines."""
    game = engine.Game.new(engine.Setup(seed=b"\x05" * 32, players=players))
    rng = random.Random(5)
    journal = Journal(path, now=lambda: 0.0)
    journal.line(
        "table",
        schema=SCHEMA,
        rules=engine.RULES_VERSION,
        boxes={"names": ["base"], "hash": engine.box_hash(("base",))},
        table="k7m2q",
        title="Ann's table",
        options=msgspec.to_builtins(
            resolve(TableOptions(players=players, order="seats", reactions=game.setup.reactions))
        ),
        seeded=False,
        creator="Ann",
    )
    names = ["Ann", "Ben", "Cid", "Dan"][:players]
    seats = [{"kind": "bot", "name": name, "level": "random"} for name in names]
    journal.line("seats", seats=seats, host="Ann")
    journal.line(
        "start",
        setup=game.setup.to_plain(),
        seats=seats,
        commitment=commitment(game.setup.seed),
        events=engine.events_for(game.setting, game.facts, engine.RECORD),
        digest=game.digest(),
    )
    while not game.over and answers:
        answers -= 1
        decision = game.decisions[0]
        picks = [o.key for o in decision.options for _ in range(o.count)]
        keys = rng.sample(picks, decision.min or rng.randint(0, decision.max and 1))
        facts = game.answer(decision.id, keys)
        journal.line(
            "answer",
            decision=decision.id,
            seat=decision.seat,
            keys=keys,
            by="bot",
            latency_ms=0,
            events=engine.events_for(game.setting, facts, engine.RECORD),
            digest=game.digest(),
        )
    if game.over:
        results = msgspec.to_builtins(game.results)
        journal.line("over", results=results, seed=game.setup.seed.hex())
    journal.close()
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def rewrite(path: Path, lines: list[dict[str, Any]], *, chained: bool = True) -> None:
    """Write lines to a file, with a good chain whatever else is wrong with them."""
    prev, out = "", b""
    for line in lines:
        if chained:
            line["prev"] = prev
        raw = msgspec.json.encode(line)
        prev = sha256(raw).hexdigest()[:32]
        out += raw + b"\n"
    path.write_bytes(out)
