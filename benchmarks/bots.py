"""How the bots do against each other: the same seeds with the seats exchanged."""

from __future__ import annotations

from engine import Game, Setup
from engine.bots import make
from engine.text import Words

PAIRINGS = (("greedy", "random"), ("planner", "greedy"))


def play(levels: tuple[str, str], seed: bytes) -> list[int]:
    """The ranks by seat of one game."""
    game = Game.new(Setup(seed=seed, players=2))
    catalogue = game.setting.catalogue(Words(), game.setup.boxes, game.setup.reactions)
    bots = [make(level, seed, seat, catalogue) for seat, level in enumerate(levels)]
    while not game.over:
        decision = game.decisions[0]
        keys = bots[decision.seat].choose(game.observe(decision.seat), decision)
        game.answer(decision.id, keys)
    return [result.rank for result in game.results]


def report(games: int) -> None:
    """Print who wins how often."""
    print(f"\nbots, two players, random eights, {games} games each")
    for better, worse in PAIRINGS:
        won = lost = 0
        for number in range(games):
            seed = (number // 2).to_bytes(32, "big")
            seats = (better, worse) if number % 2 else (worse, better)
            ranks = play(seats, seed)
            mine, theirs = ranks[seats.index(better)], ranks[seats.index(worse)]
            won += mine < theirs
            lost += mine > theirs
        print(f"  {better} beats {worse} {won} to {lost}, {games - won - lost} shared", flush=True)
