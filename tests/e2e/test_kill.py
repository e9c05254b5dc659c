"""A server that is killed at random moments loses nothing that it has announced."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from server.log.reading import read_journal
from server.log.verify import verify
from server.recovery import is_stillborn
from tests.e2e.killing import play_and_kill

ROUNDS = int(os.environ.get("SENRO_KILLS", "4"))
"""``make kill`` asks for a hundred and more."""


@pytest.mark.timeout(60 + 10 * ROUNDS)
async def test_nothing_that_was_announced_is_lost(tmp_path: Path) -> None:
    pairs, house = await play_and_kill(tmp_path, rounds=ROUNDS, pairs=4, seed=1, longest=2.0)
    found_there = sorted((tmp_path / "journals").glob("*.jsonl"))
    journals = [path for path in found_there if not is_stillborn(path)]
    states = [verify(read_journal(path)).state for path in journals]
    answered = sum(player.answered for pair in pairs for player in pair.players)
    found = sum(player.found for pair in pairs for player in pair.players)
    print(
        f"{house.kills} kills: {answered} answers accepted, {found} times a game was found again, "
        f"{sum(pair.finished for pair in pairs)} games finished, {len(journals)} journals good"
    )
    assert not list((tmp_path / "journals").glob("*.set-aside*"))
    assert answered
    assert found >= ROUNDS - 2
    assert {*states} <= {"lobby", "playing", "over", "abandoned"}
