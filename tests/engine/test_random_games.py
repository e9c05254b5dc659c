"""Random games of both boxes on all boards, answered at random: what must be so after every
answer."""

from __future__ import annotations

import json
import random

from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from tests.engine.games import examples
from tests.engine.invariants import (
    Knowledge,
    check_decisions,
    check_events,
    check_hidden,
    check_offered,
    check_refused,
    check_sentences,
    check_state,
)
from tests.engine.random_play import BOARDS, any_setup, cards_of, random_answer

LIMIT = 8000
"""More answers than any random game needs; one that goes on longer is a failure."""


@settings(max_examples=examples(4))
@given(
    seed=st.integers(0, 2**64),
    board=st.sampled_from([*BOARDS]),
    look=st.integers(20, 60),
)
def test_a_random_game_keeps_its_invariants(seed: int, board: str, look: int) -> None:
    rng = random.Random(seed)
    game = engine.Game.new(any_setup(rng, seed, board=board))
    whole = cards_of(game)
    knowing = [Knowledge() for _ in range(game.setup.players)]
    check_events(game, game.facts, knowing)
    for number in range(LIMIT):
        check_state(game, whole)
        if game.over:
            break
        for decision in game.decisions:
            if number % look == 0 or (decision.kind != "turn" and rng.random() < 0.2):
                check_decisions(game)
                check_offered(game, rng, whole)
                check_refused(game, rng)
                check_hidden(game, rng)
        if number % look == 0 or game.decisions[0].kind != "turn":
            restored = engine.Game.restore(json.loads(json.dumps(game.save())))
            assert restored.digest() == game.digest()
            assert restored.decisions == game.decisions
            check_sentences(game)
        decision = rng.choice(game.decisions)
        facts = game.answer(decision.id, random_answer(rng, decision))
        check_events(game, facts, knowing)
    assert game.over
