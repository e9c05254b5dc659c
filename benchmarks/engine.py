"""The engine by itself: random games, copies, digests, saving, replays."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator

from engine import Game, Setup
from engine.types import Decision

BOARDS = ("tokyo", "osaka")
MIXED = (("tokyo", 4), ("osaka", 4), ("nagoya", 4), ("chiba", 2), ("kyushu", 2))
"""All boards, each with as many players as it takes."""

Answers = list[tuple[str, tuple[str, ...]]]


def random_keys(rng: random.Random, decision: Decision) -> tuple[str, ...]:
    """A random legal answer; most decisions want exactly one pick."""
    options = decision.options
    if decision.max == 1:
        if decision.min == 0 and rng.random() < 0.5:
            return ()
        return (options[int(rng.random() * len(options))].key,)
    picks = [option.key for option in options for _ in range(option.count)]
    return tuple(rng.sample(picks, rng.randint(decision.min, decision.max)))


def base_box(players: int) -> Iterator[Setup]:
    """Eight piles drawn from the base box, on both of its boards in turn."""
    seed = 0
    while True:
        for board in BOARDS:
            yield Setup(seed=seed.to_bytes(32, "big"), players=players, board=board)
            seed += 1


def both_boxes() -> Iterator[Setup]:
    """Eight piles and the victory piles drawn from both boxes, on all boards in turn, every other
    game with route bonuses."""
    seed = 0
    while True:
        for board, players in MIXED:
            yield Setup(
                seed=seed.to_bytes(32, "big"),
                players=players,
                board=board,
                boxes=("base", "rising-sun"),
                bonuses=seed % 2 == 0,
            )
            seed += 1


def random_game(setup: Setup, rng: random.Random) -> tuple[Game, Answers]:
    """A game from setup to its end by the random policy."""
    game = Game.new(setup)
    answers: Answers = []
    while not game.over:
        decision = game.decisions[0]
        keys = random_keys(rng, decision)
        game.answer(decision.id, keys)
        answers.append((decision.id, keys))
    return game, answers


def games_per_second(setups: Iterator[Setup], seconds: float) -> tuple[float, float, float]:
    """Games per second, decisions per second, decisions per game."""
    rng = random.Random(1)
    random_game(next(setups), rng)
    games = decisions = 0
    begun = time.perf_counter()
    while time.perf_counter() - begun < seconds:
        games += 1
        decisions += len(random_game(next(setups), rng)[1])
    spent = time.perf_counter() - begun
    return games / spent, decisions / spent, decisions / games


def microseconds(action: Callable[[], object], seconds: float = 0.5) -> float:
    """How long an action takes, in microseconds: the best of five rounds."""
    rounds = []
    for _ in range(5):
        count, begun = 0, time.perf_counter()
        while time.perf_counter() - begun < seconds / 5:
            action()
            count += 1
        rounds.append((time.perf_counter() - begun) / count * 1e6)
    return min(rounds)


def middle_of_a_game(players: int, answers: int) -> tuple[Game, Answers]:
    """A random game after so many answers, and those answers."""
    rng = random.Random(1)
    for setup in base_box(players):
        game, given = random_game(setup, rng)
        if len(given) > answers:
            break
    return replay(game.setup, given[:answers]), given[:answers]


def replay(setup: Setup, answers: Answers) -> Game:
    game = Game.new(setup)
    for decision, keys in answers:
        game.answer(decision, keys)
    return game


def report(seconds: float) -> None:
    """Print the figures."""
    print("\nengine, random policy, random eights, one core")
    for what, setups in (
        ("2 players, base box", base_box(2)),
        ("4 players, base box", base_box(4)),
        ("both boxes mixed, all five boards", both_boxes()),
    ):
        games, decisions, per_game = games_per_second(setups, seconds)
        print(
            f"  {what:34} {games:6.1f} games/s  {decisions:8,.0f} decisions/s"
            f"  ({per_game:.0f} decisions a game)"
        )
    game, _ = middle_of_a_game(4, 400)
    for what, action in (
        ("copy of a running game", game.copy),
        ("digest", game.digest),
        ("what a seat may know", lambda: game.observe(0)),
        ("save and restore", lambda: Game.restore(game.save())),
    ):
        print(f"  {what:34} {microseconds(action):8.1f} us")
    game, answers = middle_of_a_game(4, 1000)
    spent = microseconds(lambda: replay(game.setup, answers))
    print(f"  {'replay of 1,000 answers':34} {spent / 1000:8.1f} ms")
