"""The planner: it imagines only what may be so, thinks in slices, and comes out the same again."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.bots import PlannerBot, think
from engine.bots.imagine import Imagination
from engine.bots.planner import SLICE
from engine.chance import Stream
from engine.types import Decision, Observation
from tests.engine.games import catalogue_of, examples, new_game, play_on

SEED = bytes(range(32))


def turns(game: engine.Game, number: int, most: int) -> list[tuple[Observation, Decision]]:
    """What the seats see at their turns of a random game."""
    seen = []
    for _ in play_on(game, number, most):
        if game.decisions and game.decisions[0].kind == "turn":
            decision = game.decisions[0]
            seen.append((game.observe(decision.seat), decision))
    return seen


@settings(max_examples=examples(10))
@given(
    players=st.integers(2, 4),
    number=st.integers(0, 10_000),
    board=st.sampled_from(["tokyo", "osaka"]),
)
def test_an_imagined_game_looks_like_the_real_one(players: int, number: int, board: str) -> None:
    game = new_game(players, number, (), board=board)
    catalogue = catalogue_of(game)
    imagination = {seat: Imagination(seat, catalogue) for seat in range(players)}
    stream = Stream(SEED, "test")
    seen = turns(game, number, 150)
    for view, decision in random.Random(number).sample(seen, min(12, len(seen))):
        acted = not any(option.key == "clear-waste" for option in decision.options)
        imagined = imagination[decision.seat].game(view, stream, acted=acted)
        (asked,) = imagined.decisions
        assert asked.options == decision.options
        assert imagined.observe(decision.seat) == view


def test_imagined_games_differ_in_what_is_not_known() -> None:
    game = new_game(3, 5)
    view, decision = turns(game, 5, 60)[-1]
    imagination = Imagination(decision.seat, catalogue_of(game))
    stream = Stream(SEED, "test")
    imagined = [imagination.game(view, stream, acted=True) for _ in range(20)]
    other = (decision.seat + 1) % 3
    assert len({tuple(g.state.seats[other].hand) for g in imagined}) > 1
    assert len({tuple(g.state.seats[decision.seat].deck) for g in imagined}) > 1


def a_choice(game: engine.Game) -> tuple[Observation, Decision]:
    """A turn in which there is something to think about: money to spend."""
    for view, decision in turns(game, 3, 200):
        verbs = [option.key.partition(":")[0] for option in decision.options]
        if verbs.count("buy") > 4 and "play" not in verbs:
            return view, decision
    raise AssertionError("no such turn")


def test_the_same_budget_gives_the_same_answer() -> None:
    game = new_game(2, 3)
    view, decision = a_choice(game)
    answers = {
        PlannerBot(Stream(SEED, "bot"), decision.seat, catalogue_of(game), 1_000).choose(
            view, decision
        )
        for _ in range(3)
    }
    assert len(answers) == 1


def test_it_thinks_in_slices_within_its_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    game = new_game(2, 3)
    view, decision = a_choice(game)
    bot = PlannerBot(Stream(SEED, "bot"), decision.seat, catalogue_of(game), 2_000)
    answered = 0
    answer = engine.Game.answer

    def counted(self: engine.Game, *args: object) -> object:
        nonlocal answered
        answered += 1
        return answer(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(engine.Game, "answer", counted)
    before, slices = 0, 0
    for _ in think(bot, view, decision):
        assert answered - before <= SLICE + 1
        before = answered
        slices += 1
    assert slices > 20
    assert 2_000 <= answered < 2_000 + 6 * 450
