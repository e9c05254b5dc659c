"""Chance, against a second implementation of what its module documents, and against arithmetic."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.boxes import load_boxes
from engine.chance import Stream, commitment
from tests.engine.games import examples, new_game, play_on


def draws(seed: bytes, purpose: str) -> Iterator[int]:
    """The pairs of bytes of a stream."""
    number = 0
    while True:
        block = hashlib.blake2b(f"{purpose}/{number}".encode(), key=seed, digest_size=64).digest()
        for at in range(0, 64, 2):
            yield int.from_bytes(block[at : at + 2], "big")
        number += 1


def below(stream: Iterator[int], n: int) -> int:
    largest = max(multiple for multiple in range(0, 65537, n))
    return next(pair for pair in stream if pair < largest) % n


def shuffled(seed: bytes, purpose: str, items: list[str]) -> list[str]:
    stream, items = draws(seed, purpose), [*items]
    for i in reversed(range(1, len(items))):
        j = below(stream, i + 1)
        items[i], items[j] = items[j], items[i]
    return items


SEEDS = st.binary(min_size=32, max_size=32)


@given(seed=SEEDS, sizes=st.lists(st.integers(1, 65536), min_size=1, max_size=60))
def test_draws_are_as_documented(seed: bytes, sizes: list[int]) -> None:
    stream, second = Stream(seed, "some/purpose"), draws(seed, "some/purpose")
    for n in sizes:
        drawn = stream.below(n)
        assert drawn == below(second, n)
        assert 0 <= drawn < n


@settings(max_examples=examples(3))
@given(seed=SEEDS, size=st.integers(0, 60))
def test_shuffles_are_as_documented(seed: bytes, size: int) -> None:
    items = [str(i) for i in range(size)]
    mine = [*items]
    Stream(seed, "shuffle/1/2").shuffle(mine)
    assert mine == shuffled(seed, "shuffle/1/2", items)
    assert sorted(mine) == sorted(items)


def test_a_fixed_example() -> None:
    """The numbers of one stream, so that a change of the algorithm cannot go unseen."""
    stream = Stream(bytes(range(32)), "shuffle/0/0")
    first = hashlib.blake2b(b"shuffle/0/0/0", key=bytes(range(32))).digest()
    assert [stream.below(65536) for _ in range(3)] == [
        int.from_bytes(first[i : i + 2], "big") for i in (0, 2, 4)
    ]


def test_purposes_and_seeds_give_different_streams() -> None:
    seen = set()
    for number in range(20):
        for purpose in ("shuffle/0/0", "shuffle/0/1", "shuffle/1/0", "bot/0", "kingdom"):
            stream = Stream(bytes([number]) * 32, purpose)
            seen.add((stream.below(65536), stream.below(65536)))
    assert len(seen) == 100


def chi_square(counts: Counter[int], classes: int) -> float:
    expected = sum(counts.values()) / classes
    return sum((counts[i] - expected) ** 2 / expected for i in range(classes))


@pytest.mark.parametrize("n", [2, 3, 7, 10, 48])
def test_numbers_are_equally_likely(n: int) -> None:
    """With fixed seeds; the bound is some six standard deviations above the mean."""
    stream = Stream(b"\x07" * 32, "test")
    counts = Counter(stream.below(n) for _ in range(1000 * n))
    assert chi_square(counts, n) < (n - 1) + 6 * (2 * (n - 1)) ** 0.5


def test_numbers_that_would_be_biased_are_thrown_away() -> None:
    """Of 40000 the numbers below 25536 would come twice as often."""
    stream = Stream(b"\x01" * 32, "test")
    low = sum(stream.below(40000) < 25536 for _ in range(8000)) / 8000
    assert abs(low - 25536 / 40000) < 0.03


def test_every_card_comes_to_every_place() -> None:
    """Chi-square over positions: 3000 shuffles of ten, each card in each place 300 times."""
    size, rounds = 10, 3000
    places = [Counter[int]() for _ in range(size)]
    for number in range(rounds):
        items = list(range(size))
        Stream(number.to_bytes(32, "big"), "shuffle/0/0").shuffle(items)
        for place, item in enumerate(items):
            places[place][item] += 1
    assert sum(chi_square(counts, size) for counts in places) < 81 + 6 * (2 * 81) ** 0.5


def test_the_same_for_the_shuffles_of_one_game() -> None:
    """The same seed, counted on: what a long game goes through."""
    size, rounds = 10, 3000
    places = [Counter[int]() for _ in range(size)]
    for number in range(rounds):
        items = list(range(size))
        Stream(bytes(32), f"shuffle/3/{number}").shuffle(items)
        for place, item in enumerate(items):
            places[place][item] += 1
    assert sum(chi_square(counts, size) for counts in places) < 81 + 6 * (2 * 81) ** 0.5


def test_every_order_of_four_is_equally_likely() -> None:
    orders = Counter[tuple[int, ...]]()
    for number in range(4800):
        items = list(range(4))
        Stream(number.to_bytes(32, "big"), "x").shuffle(items)
        orders[tuple(items)] += 1
    assert len(orders) == 24
    assert sum((count - 200) ** 2 / 200 for count in orders.values()) < 23 + 6 * 46**0.5


@given(seed=SEEDS, n=st.integers(0, 8))
def test_picks_are_different_and_in_order(seed: bytes, n: int) -> None:
    picked = Stream(seed, "kingdom").pick([*"abcdefgh"], n)
    assert picked == sorted(picked)
    assert len(set(picked)) == n


def test_every_pile_is_picked_equally_often() -> None:
    counts = Counter[str]()
    for number in range(2000):
        counts.update(Stream(number.to_bytes(32, "big"), "kingdom").pick([*"abcdefghij"], 4))
    assert all(abs(count - 800) < 130 for count in counts.values())


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_game_can_be_checked_from_its_seed(players: int) -> None:
    """Every shuffle of a game, from the seed, the seat, a counter and what lay in the pile."""
    game = new_game(players, 99)
    order = [card.id for card in game.setting.cards]
    facts = list(game.facts)
    for _ in play_on(game, 99, 400):
        facts += game.facts
    seen = Counter[int]()
    for event in engine.events_for(game.setting, facts, engine.RECORD):
        if event.type == "shuffled":
            assert isinstance(event.seat, int)
            assert isinstance(event.order, list)
            pile = sorted(event.order, key=order.index)
            purpose = f"shuffle/{event.seat}/{seen[event.seat]}"
            assert shuffled(game.setup.seed, purpose, pile) == event.order[::-1]
            seen[event.seat] += 1
    assert all(seen[seat] > 1 for seat in range(players))


def test_the_drawn_kingdom_can_be_checked_from_its_seed() -> None:
    """Eight of the box's randomizers in catalogue order, put back into that order."""
    seed = b"\x2a" * 32
    cards = [card for box in load_boxes(("base",)) for card in box.cards]
    randomizers = [card.id for card in cards if card.role == "randomizer"]
    assert len(randomizers) == 30
    places = shuffled(seed, "kingdom", [str(place) for place in range(30)])
    drawn = tuple(randomizers[place] for place in sorted(int(place) for place in places[:8]))
    assert engine.Game.new(engine.Setup(seed=seed)).setup.kingdom == drawn


def test_the_commitment_is_the_hash_of_the_seed() -> None:
    assert commitment(bytes(32)) == hashlib.sha256(bytes(32)).hexdigest()
