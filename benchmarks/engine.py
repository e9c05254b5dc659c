"""The engine by itself: random games, copies, digests, saving, replays."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from engine import Game, Setup
from engine.types import Decision

BOARDS = ("tokyo", "osaka")

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


def random_game(seed: int, players: int, rng: random.Random) -> tuple[Game, Answers]:
    """A game from setup to its end by the random policy: eight piles drawn from the box, on both
    boards in turn."""
    board = BOARDS[seed % len(BOARDS)]
    game = Game.new(Setup(seed=seed.to_bytes(32, "big"), players=players, board=board))
    answers: Answers = []
    while not game.over:
        decision = game.decisions[0]
        keys = random_keys(rng, decision)
        game.answer(decision.id, keys)
        answers.append((decision.id, keys))
    return game, answers


def games_per_second(players: int, seconds: float) -> tuple[float, float, float]:
    """Games per second, decisions per second, decisions per game."""
    rng = random.Random(players)
    random_game(0, players, rng)
    games = decisions = 0
    begun = time.perf_counter()
    while time.perf_counter() - begun < seconds:
        games += 1
        decisions += len(random_game(games, players, rng)[1])
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
    for seed in range(1000):
        game, given = random_game(seed, players, rng)
        if len(given) > answers:
            return replay(game.setup, given[:answers]), given[:answers]
    raise RuntimeError(f"no random game has more than {answers} decisions")


def replay(setup: Setup, answers: Answers) -> Game:
    game = Game.new(setup)
    for decision, keys in answers:
        game.answer(decision, keys)
    return game


def report(seconds: float) -> None:
    """Print the figures."""
    print("\nengine, random policy, random eights on Tokyo and Osaka, one core")
    for players in (2, 4):
        games, decisions, per_game = games_per_second(players, seconds)
        print(
            f"  {players} players: {games:7.1f} games/s  {decisions:9,.0f} decisions/s"
            f"  ({per_game:.0f} decisions a game)"
        )
    game, _ = middle_of_a_game(4, 400)
    for what, action in (
        ("copy of a running game", game.copy),
        ("digest", game.digest),
        ("what a seat may know", lambda: game.observe(0)),
        ("save and restore", lambda: Game.restore(game.save())),
    ):
        print(f"  {what:24} {microseconds(action):8.1f} us")
    game, answers = middle_of_a_game(4, 1000)
    spent = microseconds(lambda: replay(game.setup, answers))
    print(f"  {'replay of 1,000 answers':24} {spent / 1000:8.1f} ms")
