"""The bots: always legal, some better than others, and blind to what they may not see."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine import bots
from engine.bots import planner
from engine.game import check_answer
from engine.types import Decision, Option
from tests.engine.games import (
    catalogue_of,
    examples,
    new_game,
    put_in_hand,
    somewhere,
)
from tests.engine.test_observation import shaken


@pytest.fixture(autouse=True, scope="module")
def a_hasty_planner() -> Iterator[None]:
    """A planner that thinks as it always does, but not for long."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(planner, "BUDGET", 60)
        yield


def play(levels: tuple[str, ...], number: int) -> engine.Game:
    """A game between bots to its end."""
    game = new_game(len(levels), number)
    catalogue = catalogue_of(game)
    seed = number.to_bytes(32, "big")
    players = [bots.make(level, seed, seat, catalogue) for seat, level in enumerate(levels)]
    for _ in range(20_000):
        if game.over:
            return game
        decision = game.decisions[0]
        answer = players[decision.seat].choose(game.observe(decision.seat), decision)
        check_answer(decision, answer)
        game.answer(decision.id, answer)
    raise AssertionError("the game does not end")


@pytest.mark.parametrize(
    "levels", [("greedy",) * 2, ("greedy", "random", "greedy"), ("greedy",) * 4]
)
def test_games_come_to_an_end(levels: tuple[str, ...]) -> None:
    assert play(levels, 1).over


def test_greedy_beats_random() -> None:
    """Twenty games, ten from each seat."""
    won, margin = 0, 0
    for number in range(20):
        levels = ("greedy", "random") if number % 2 else ("random", "greedy")
        greedy = levels.index("greedy")
        totals = [result.total for result in play(levels, number).results]
        won += totals[greedy] > totals[1 - greedy]
        margin += totals[greedy] - totals[1 - greedy]
    assert won >= 18
    assert margin > 20 * 10


def test_greedy_lays_rails_builds_and_ends_games() -> None:
    game = play(("greedy", "greedy"), 5)
    assert max(result.rails for result in game.results) >= 10
    assert game.state.stations_left <= 26
    assert game.state.turn < 400


@settings(max_examples=examples(3))
@given(
    level=st.sampled_from(bots.LEVELS),
    players=st.integers(2, 4),
    number=st.integers(0, 10_000),
    answers=st.integers(0, 600),
)
def test_anywhere_a_bot_answers_legally(
    level: str, players: int, number: int, answers: int
) -> None:
    game = somewhere(players, number, answers)
    for decision in game.decisions:
        bot = bots.make(level, bytes(32), decision.seat, catalogue_of(game))
        check_answer(decision, bot.choose(game.observe(decision.seat), decision))


@settings(max_examples=examples(3))
@given(
    level=st.sampled_from(bots.LEVELS), number=st.integers(0, 10_000), answers=st.integers(0, 600)
)
def test_a_choice_does_not_depend_on_hidden_cards(level: str, number: int, answers: int) -> None:
    game = somewhere(3, number, answers)
    for decision in game.decisions:
        seat = decision.seat
        chosen = set()
        for other in (game, shaken(game, seat, number), shaken(game, seat, number + 1)):
            bot = bots.make(level, bytes(32), seat, catalogue_of(game))
            chosen.add(bot.choose(other.observe(seat), decision))
        assert len(chosen) == 1


def test_a_bot_changes_nothing_it_sees() -> None:
    game = somewhere(3, 11, 250)
    (decision,) = game.decisions
    view = game.observe(decision.seat)
    bots.make("greedy", bytes(32), decision.seat, catalogue_of(game)).choose(view, decision)
    assert view == game.observe(decision.seat)


@pytest.mark.parametrize("level", bots.LEVELS)
def test_the_same_seed_gives_the_same_choices(level: str) -> None:
    assert play((level, level), 3).digest() == play((level, level), 3).digest()


def test_seats_draw_from_streams_of_their_own() -> None:
    game = new_game(2)
    catalogue = catalogue_of(game)
    options = tuple(Option(f"hex:{name}") for name in catalogue.board.hexes)
    decision = Decision("0-0", 0, "start-rail", 1, 1, options)
    picks = [
        tuple(
            bots.make("random", seed, seat, catalogue).choose(game.observe(0), decision)
            for seed in (bytes(32), b"\x01" * 32)
        )
        for seat in (0, 1, 2)
    ]
    assert len(set(picks)) > 1


@pytest.mark.parametrize("level", bots.LEVELS)
@pytest.mark.parametrize(
    ("low", "high", "counts", "ordered"),
    [(1, 1, (1, 1), False), (0, 3, (3,), False), (2, 2, (1, 1, 1), True), (1, 4, (3, 1), False)],
)
def test_a_kind_of_decision_that_is_new_to_it(
    level: str, low: int, high: int, counts: tuple[int, ...], ordered: bool
) -> None:
    game = new_game(2)
    options = tuple(Option(f"new:{i}", count=n) for i, n in enumerate(counts))
    decision = Decision("0-0", 0, "new-kind", low, high, options, ordered=ordered)
    bot = bots.make(level, bytes(32), 0, catalogue_of(game))
    for _ in range(30):
        check_answer(decision, bot.choose(game.observe(0), decision))


def test_the_random_bot_gives_every_answer_a_chance() -> None:
    game = new_game(2)
    options = (Option("card:waste", count=2), Option("card:tower"))
    decision = Decision("0-0", 0, "new-kind", 0, 2, options)
    bot = bots.make("random", bytes(32), 0, catalogue_of(game))
    seen = {tuple(sorted(bot.choose(game.observe(0), decision))) for _ in range(200)}
    assert seen == {
        (),
        ("card:waste",),
        ("card:tower",),
        ("card:waste", "card:waste"),
        ("card:tower", "card:waste"),
    }


def test_a_level_that_does_not_exist() -> None:
    game = new_game(2)
    with pytest.raises(ValueError, match="no bot 'genius'; known levels: random, greedy"):
        bots.make("genius", bytes(32), 0, catalogue_of(game))


def test_a_greedy_bot_clears_a_hand_full_of_waste() -> None:
    game = new_game(2)
    for key in ("hex:C5", "hex:C4"):
        game.answer(game.decisions[0].id, [key])
    put_in_hand(game, 0, *["waste"] * 4, "normal-train")
    bot = bots.make("greedy", bytes(32), 0, catalogue_of(game))
    assert bot.choose(game.observe(0), game.decisions[0]) == ("clear-waste",)
