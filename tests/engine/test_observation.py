"""What an audience sees, and that nothing hidden shows through (rules, section 12)."""

from __future__ import annotations

import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

import engine
from engine.types import SPECTATOR, Observation
from tests.engine.games import EIGHT, examples, new_game, play_on, put_in_hand, somewhere

NUMBERS = st.integers(0, 2**32 - 1)
SEATS = st.integers(2, 4)
ANSWERS = st.integers(0, 700)


def shaken(game: engine.Game, audience: int, number: int) -> engine.Game:
    """The same game to this audience: of every other seat the hidden cards are dealt anew to hand,
    deck and discard pile; of the audience's own deck what it does not know is shuffled."""
    chance = random.Random(number)
    other = game.copy()
    kinds = len(game.setting.cards)
    for seat, me in enumerate(other.state.seats):
        if seat == audience:
            unknown = me.deck[: len(me.deck) - me.known]
            chance.shuffle(unknown)
            me.deck[: len(unknown)] = unknown
            continue
        cards = [*me.deck]
        for zone in (me.hand, me.discard):
            cards += [card for card, count in enumerate(zone) for _ in range(count)]
        chance.shuffle(cards)
        hand, deck = sum(me.hand), len(me.deck)
        me.deck = cards[hand : hand + deck]
        me.hand = [cards[:hand].count(card) for card in range(kinds)]
        me.discard = [cards[hand + deck :].count(card) for card in range(kinds)]
    return other


@settings(max_examples=examples(2))
@given(players=SEATS, number=NUMBERS, answers=ANSWERS)
def test_hidden_cards_do_not_show(players: int, number: int, answers: int) -> None:
    game = somewhere(players, number, answers)
    if game.over:
        return  # the results tell what everybody's victory cards were worth
    for audience in (*range(players), SPECTATOR):
        other = shaken(game, audience, number)
        seen = msgspec.json.encode(game.observe(audience))
        assert seen == msgspec.json.encode(other.observe(audience))
        assert seen == msgspec.json.encode(engine.Game.restore(other.save()).observe(audience))


FIRST = ("normal-train",) * 7 + ("lay-rails",) * 2 + ("station-expansion",)


@settings(max_examples=examples(4))
@given(players=SEATS, number=NUMBERS)
def test_games_that_differ_in_what_is_hidden_look_the_same(players: int, number: int) -> None:
    """Seat 0 acts, the others only pass; their first decks differ between the two games.  Whatever
    seat 0 and a spectator are told is the same to the byte, at every step."""
    chance = random.Random(number)

    def deck() -> tuple[str, ...]:
        return tuple(chance.sample(FIRST, len(FIRST)))

    first = deck()
    games = [
        new_game(players, number, decks=(first, *(deck() for _ in range(players - 1))))
        for _ in range(2)
    ]
    seen: list[list[bytes]] = [[], []]
    for log, game in zip(seen, games, strict=True):
        chance = random.Random(number)
        told(log, game, game.facts)
        for _ in range(150):
            (decision,) = game.decisions
            keys = [o.key for o in decision.options]
            if decision.seat:
                answer = ["end-turn"] if "end-turn" in keys else [keys[0]]
            else:
                log.append(msgspec.json.encode(decision))
                answer = chance.choices(keys, k=max(1, decision.min))[: decision.max]
            told(log, game, game.answer(decision.id, answer))
            if game.over:
                break
    assert seen[0] == seen[1]


def told(log: list[bytes], game: engine.Game, facts: list[engine.Fact]) -> None:
    audiences = (SPECTATOR,) if game.over else (0, SPECTATOR)
    for audience in audiences:
        log.append(msgspec.json.encode(engine.events_for(game.setting, facts, audience)))
        if not game.over:
            log.append(msgspec.json.encode(game.observe(audience)))


EFFECTS = (
    "waive-river",
    "waive-mountain",
    "waive-city",
    "waive-opponents",
    "waive-money",
    "no-waste",
    "buy-to-deck",
    "rail-card-money",
    "rail-card-point",
    "remote-discount",
    "draw-at-station",
    "next-buy-to-deck",
    "next-buy-discount",
)


def expected(game: engine.Game, audience: int) -> Observation:
    """The observation once more, straight from the state."""
    state, cards, names = game.state, game.setting.cards, game.setting.board.names

    def named(zone: list[int]) -> dict[str, int]:
        return {cards[i].id: n for i, n in enumerate(zone) if n}

    def counted(deck: list[int]) -> dict[str, int]:
        return {card.id: deck.count(card.index) for card in cards if card.index in deck}

    vp = (0, 2, 4, 8)
    values = game.setting.board.value
    hexes: dict[str, dict[str, object]] = {}
    for i, name in enumerate(names):
        rails = [seat for seat, me in enumerate(state.seats) if i in me.laid]
        if rails or state.stations[i]:
            hexes[name] = {"rails": rails, "stations": state.stations[i]}
    plain = {
        "phase": state.phase,
        "turn": {
            "number": state.turn,
            "seat": state.active,
            "money": state.money,
            "rail_points": state.rail_points,
            "effects": {name: n for name, n in zip(EFFECTS, state.running, strict=True) if n},
        },
        "asked": [decision.seat for decision in game.decisions],
        "seats": {
            str(seat): {
                "hand": sum(me.hand),
                "deck": len(me.deck),
                "discard": sum(me.discard),
                "play": named(me.play),
                "gained": named(me.gained),
                "rails_left": 20 - len(me.laid),
                "score": me.score,
                "rails_vp": sum(vp[state.stations[i]] + values[i] for i in me.laid),
                "revealed": named(me.aside),
            }
            for seat, me in enumerate(state.seats)
        },
        "hexes": hexes,
        "supply": {
            card.id: state.supply[card.index] for card in cards if card.id != "normal-train"
        },
        "trash": named(state.trash),
        "stations_left": state.stations_left,
    }
    if game.over:
        plain["results"] = [msgspec.to_builtins(result) for result in game.results]
        plain["ended_by"] = state.ended_by
    if audience >= 0:
        me = state.seats[audience]
        plain["own"] = {
            "hand": named(me.hand),
            "deck": counted(me.deck),
            "discard": named(me.discard),
            "top": [cards[card].id for card in me.deck[len(me.deck) - me.known :][::-1]],
        }
    return msgspec.convert(plain, Observation)


@settings(max_examples=examples(2))
@given(players=SEATS, number=NUMBERS, answers=ANSWERS)
def test_an_observation_says_what_is_so(players: int, number: int, answers: int) -> None:
    game = somewhere(players, number, answers)
    for audience in (*range(players), SPECTATOR):
        assert game.observe(audience) == expected(game, audience)


@settings(max_examples=examples(10))
@given(players=SEATS, number=NUMBERS)
def test_an_observer_that_looks_again_sees_what_a_new_one_sees(players: int, number: int) -> None:
    """And what it has given out before stays as it was."""
    chance = random.Random(number)
    game = new_game(players, number, kingdom=())
    observer = engine.Observer(game)
    given_out: list[tuple[object, bytes]] = []
    for _ in play_on(game, number, 500):
        if chance.random() < 0.4:
            continue  # it does not look after every answer
        looks = (observer.public(), *(observer.own(seat) for seat in range(players)))
        given_out += [(look, msgspec.json.encode(look)) for look in looks]
        fresh = engine.Observer(game)
        assert observer.public() == fresh.public()
        assert [observer.own(s) for s in range(players)] == [fresh.own(s) for s in range(players)]
        whole = msgspec.convert(observer.public(), Observation)
        assert whole == game.observe(SPECTATOR)
    assert all(msgspec.json.encode(look) == before for look, before in given_out)


@settings(max_examples=examples(10))
@given(players=SEATS, number=NUMBERS)
def test_an_observer_may_pass_over_the_seats_to_whom_nothing_happened(
    players: int, number: int
) -> None:
    game = new_game(players, number, kingdom=())
    observer = engine.Observer(game)
    observer.public()
    own = [observer.own(seat) for seat in range(players)]
    for _ in play_on(game, number, 300):
        touched = engine.seats_in(game.facts)
        fresh = engine.Observer(game)
        assert observer.public(touched) == fresh.public()
        for seat in range(players):
            if seat in touched:
                own[seat] = observer.own(seat)
            assert own[seat] == fresh.own(seat)


@pytest.mark.parametrize("nobody", [SPECTATOR, engine.RECORD, 2, 9, -5])
def test_whoever_holds_no_seat_sees_what_everybody_sees(nobody: int) -> None:
    game = new_game(2)
    assert game.observe(nobody).own is UNSET
    assert game.observe(nobody) == game.observe(SPECTATOR)


def test_a_spectator_reads_no_hidden_card() -> None:
    """Cards that lie hidden and nowhere else are named in no public part."""
    game = new_game(2)
    put_in_hand(game, 1, "dump-site")
    view = game.observe(SPECTATOR)
    text = msgspec.json.encode({"seats": view.seats, "hexes": view.hexes, "turn": view.turn})
    assert b"dump-site" not in text
    assert b"dump-site" not in msgspec.json.encode(game.observe(0).own)
    assert b"dump-site" in msgspec.json.encode(game.observe(1).own)


def test_nothing_is_null_and_nothing_is_huge() -> None:
    for number in range(4):
        game = somewhere(3, number, 400 * number)
        for audience in (0, SPECTATOR):
            plain = msgspec.to_builtins(game.observe(audience))
            check_plain(plain)


def check_plain(value: object) -> None:
    assert isinstance(value, dict | list | str | int), value
    assert not isinstance(value, bool)
    if isinstance(value, dict):
        assert all(isinstance(key, str) for key in value)
        for inner in value.values():
            check_plain(inner)
    elif isinstance(value, list):
        for inner in value:
            check_plain(inner)
    elif isinstance(value, int):
        assert abs(value) < 2**63


def test_the_catalogue_order_does_not_depend_on_the_kingdoms_order() -> None:
    one = new_game(2)
    other = engine.Game.new(engine.Setup(seed=bytes(32), players=2, kingdom=tuple(reversed(EIGHT))))
    assert [card.id for card in one.setting.cards] == [card.id for card in other.setting.cards]
    assert one.digest() == other.digest()
