"""Nothing the server says comes near the longest frame, at its worst."""

from __future__ import annotations

import random

import pytest

import engine
from engine.boxes import known_boards
from engine.text import Words
from engine.types import SPECTATOR
from protocol import TO_CLIENT_LIMIT
from protocol.codec import encode
from protocol.messages import Lobby, SeatInfo, TableInfo, TableOptions
from protocol.names import BYTES_A_COLUMN, NAME_MAX
from server.audience import Views
from server.opening import TITLE_COLUMNS
from server.settings import Settings

LONGEST_NAME = "x" * (NAME_MAX * BYTES_A_COLUMN)  # in bytes; as columns it would be too many


def test_the_longest_lobby_is_short_enough_for_any_page() -> None:
    seat = SeatInfo("human", LONGEST_NAME, True, True)
    options = TableOptions(players=4, boxes=("x" * 64,) * 8, kingdom=("x" * 64,) * 16)
    title = "x" * (TITLE_COLUMNS * BYTES_A_COLUMN)
    info = TableInfo("x" * 64, title, "playing", LONGEST_NAME, options, [seat] * 4, 999, "0" * 64)
    assert len(encode(Lobby(info))) < Settings().page_bytes // 8


def test_a_page_fits_into_a_frame() -> None:
    assert Settings().page_bytes < TO_CLIENT_LIMIT // 2


@pytest.mark.parametrize("board", known_boards())
def test_views_of_a_whole_game_are_short(board: str) -> None:
    players = 2 if board in ("chiba", "kyushu") else 4
    setup = engine.Setup(
        seed=b"\x07" * 32,
        players=players,
        board=board,
        boxes=("base", "rising-sun"),
        bonuses=True,
    )
    game = engine.Game.new(setup)
    names = [LONGEST_NAME] * players
    views = Views("x" * 64, game, Words("en"), names, range(players))
    frames = [views.catalogue(), *views.ask().values()]
    rng = random.Random(7)
    while not game.over:
        decision = game.decisions[0]
        picks = [o.key for o in decision.options for _ in range(o.count)]
        keys = rng.sample(picks, max(decision.min, min(1, decision.max)))
        frames += views.step(game.answer(decision.id, keys)).values()
        frames.append(views.snapshot(decision.seat))
    frames.append(views.snapshot(SPECTATOR))
    assert max(map(len, frames)) < TO_CLIENT_LIMIT // 4
    assert all(len(event) < 2_000 for event in map(bytes, views.history(0, 0, 10**6, 10**9)[0]))
