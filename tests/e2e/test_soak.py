"""The short form of the soak (``make soak`` has 200 tables)."""

from __future__ import annotations

import pytest

from benchmarks.soak import BOARDS, soak

TABLES = len(BOARDS)


@pytest.mark.timeout(300)
def test_every_game_is_finished_and_verified() -> None:
    outcome = soak(TABLES)
    print(outcome)
    assert (outcome.finished, outcome.verified) == (TABLES, TABLES)
    assert outcome.windows
