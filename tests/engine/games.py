"""Games for tests: made from small numbers, and played on by answers that a number determines."""

from __future__ import annotations

import random
from collections.abc import Iterator

from hypothesis import settings

import engine
from engine.state import Zone
from engine.text import Words
from engine.types import Catalogue, Decision

EIGHT = (
    "landfill",
    "conductor-area",
    "passing-station",
    "holiday-timetable",
    "steel-bridge",
    "amusement-park",
    "maintenance-factory",
    "dump-site",
)
"""The rulebook's first set (rules, section 13)."""

COPIES = {
    "normal-train": 30,
    "express-train": 20,
    "limited-express-train": 10,
    "lay-rails": 20,
    "station-expansion": 20,
    "apartment": 10,
    "tower": 10,
    "skyscraper": 10,
    "waste": 70,
    **dict.fromkeys(EIGHT, 10),
}
"""How many copies there are of each card of a game of the first set: 280 in all."""


def examples(share: int) -> int:
    """How many examples a test of whole games looks at: one of so many of the profile's."""
    return max(1, settings.default.max_examples // share) if settings.default else 1


def new_game(
    players: int = 2, number: int = 0, kingdom: tuple[str, ...] = EIGHT, **options: object
) -> engine.Game:
    """A game of the first set, unless another is named; of one drawn from the box if it is ()."""
    setup = engine.Setup(
        seed=number.to_bytes(32, "big"),
        players=players,
        kingdom=kingdom,
        **options,  # type: ignore[arg-type]
    )
    return engine.Game.new(setup)


def catalogue_of(game: engine.Game) -> Catalogue:
    return game.setting.catalogue(Words(), game.setup.boxes, game.setup.reactions)


def random_answer(chance: random.Random, decision: Decision) -> list[str]:
    """A random legal answer, worked out from what a decision promises and nothing else.  In the
    turn it is reluctant to stop, so that games get somewhere."""
    options = [option.key for option in decision.options for _ in range(option.count)]
    if decision.kind == "turn":
        options = [key for key in options if key not in ("end-turn", "clear-waste")] or options
        if chance.random() < 0.05:
            return ["end-turn"]
    return chance.sample(options, chance.randint(decision.min, min(decision.max, len(options))))


def play_on(
    game: engine.Game, number: int, answers: int = 10_000
) -> Iterator[tuple[str, list[str]]]:
    """Answer at random until the game is over, or so many times; yields each answer given."""
    chance = random.Random(number)
    for _ in range(answers):
        if game.over:
            return
        decision = chance.choice(game.decisions)
        keys = random_answer(chance, decision)
        game.answer(decision.id, keys)
        yield decision.id, keys


def somewhere(players: int, number: int, answers: int) -> engine.Game:
    """A game in the middle of things."""
    game = new_game(players, number)
    for _ in play_on(game, number, answers):
        pass
    return game


def cards_of(game: engine.Game) -> dict[str, int]:
    """Every card of a game, wherever it is."""
    state = game.state
    total = [0] * len(game.setting.cards)
    zones: list[Zone] = [state.supply, state.trash, state.removed]
    for seat in state.seats:
        zones += [seat.hand, seat.discard, seat.play, seat.gained]
        for card in seat.deck:
            total[card] += 1
    for zone in zones:
        assert min(zone) >= 0
        total = [a + b for a, b in zip(total, zone, strict=True)]
    return {card.id: total[card.index] for card in game.setting.cards}


def put_in_hand(game: engine.Game, seat: int, *cards: str) -> None:
    """Change a seat's hand to exactly these cards, and ask again what follows from it."""
    hand = [0] * len(game.setting.cards)
    for card in cards:
        hand[game.setting.index[card]] += 1
    game.state.seats[seat].hand = hand
    game.reopen()
