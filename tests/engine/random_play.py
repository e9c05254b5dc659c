"""Games set up and answered at random, over both boxes and all boards."""

from __future__ import annotations

import random
from collections.abc import Iterator

import engine
from engine.types import Decision

BOARDS = {
    # the numbers of players, and the boxes with which it can be played
    "tokyo": ((2, 3, 4), (("base",), ("base", "rising-sun"))),
    "osaka": ((2, 3, 4), (("base",), ("base", "rising-sun"))),
    "nagoya": ((3, 4), (("rising-sun",), ("base", "rising-sun"))),
    "chiba": ((2,), (("rising-sun",), ("base", "rising-sun"))),
    "kyushu": ((2,), (("rising-sun",), ("base", "rising-sun"))),
}


def any_setup(rng: random.Random, seed: int, **wanted: object) -> engine.Setup:
    """A setup drawn at random, over both boxes, all boards and all ways to play; what is wanted
    stands."""
    board = str(wanted.get("board") or rng.choice([*BOARDS]))
    players, boxes = BOARDS[board]
    chosen = rng.choice(boxes)
    drawn: dict[str, object] = {
        "board": board,
        "players": rng.choice(players),
        "boxes": chosen,
        "bonuses": "rising-sun" in chosen and rng.random() < 0.5,
        "starts": "marked" if board == "chiba" and rng.random() < 0.5 else "any",
        "reactions": rng.choice(engine.setup.REACTIONS),
    }
    return engine.Setup(seed=seed.to_bytes(32, "big"), **{**drawn, **wanted})  # type: ignore[arg-type]


def random_keys(rng: random.Random, decision: Decision, *, wanted: str = "") -> list[str]:
    """A legal answer at random, with the wanted key in it."""
    pool = [option.key for option in decision.options for _ in range(option.count)]
    picked = [wanted] if wanted else []
    for key in picked:
        pool.remove(key)
    least = max(decision.min, len(picked))
    count = rng.randint(least, max(least, decision.max))
    picked += rng.sample(pool, count - len(picked))
    rng.shuffle(picked)
    return picked


def random_answer(rng: random.Random, decision: Decision) -> list[str]:
    """A legal answer.  In a turn mostly all cards are played before something dear is bought, so
    that dear cards are met in a few hundred games."""
    plays = [o.key for o in decision.options if o.key.startswith("play")]
    if rng.random() < 0.5:  # money first: some effects have to be paid
        plays = [o.key for o in decision.options if o.key in plays and o.gain] or plays
    buys = [o for o in decision.options if o.key.startswith("buy:")]
    if plays and rng.random() < 0.95:
        return [rng.choice(plays)]
    if buys and rng.random() < 0.8:
        return [rng.choices([o.key for o in buys], [(o.money + 1) ** 6 for o in buys])[0]]
    return random_keys(rng, decision)


def zones(game: engine.Game) -> Iterator[list[int]]:
    state = game.state
    yield from (state.supply, state.trash, state.removed)
    for seat in state.seats:
        deck = [0] * len(state.supply)
        for card in seat.deck:
            deck[card] += 1
        yield from (deck, seat.hand, seat.discard, seat.play, seat.gained, seat.aside)


def cards_of(game: engine.Game) -> list[int]:
    """How many there are of each card, wherever they are."""
    return [sum(counts) for counts in zip(*zones(game), strict=True)]
