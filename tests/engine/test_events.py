"""Who is told what of an event.  What is private stands here a second time, from the rules
(section 12), so that nothing becomes private or public by accident."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

import engine
from engine.events import FIELDS
from engine.types import Event
from tests.engine.games import examples, new_game, play_on

OWN, RECORD_ONLY = "own", "record"
PRIVATE = {
    ("drew", "cards"): OWN,
    ("discarded", "cards"): OWN,
    ("cleaned-up", "cards"): OWN,
    ("looked", "order"): OWN,
    ("fetched", "cards"): OWN,
    ("put-back", "order"): OWN,
    ("ordered", "order"): OWN,
    ("put-down", "order"): OWN,
    ("shuffled", "order"): RECORD_ONLY,
}
OTHERS = (0, 2, 3, engine.SPECTATOR)
FIELD_NAMES = ("seat", "card", "cards", "count", "hex", "money", "value", "to", "what", "order")


def fact_of(kind: str) -> tuple[Any, ...]:
    """A fact about seat 1, each value one that its field can have."""
    values: dict[str, Any] = {
        "seat": 1,
        "card": 2,
        "cards": (2, 2, 0),
        "order": (2, 0, 2),
        "count": 3,
        "hex": 5,
        "money": 4,
        "value": 2,
        "to": "hand",
        "what": "rails",
    }
    return (kind, *(values[name] for name, _, _ in FIELDS[kind]))


def fields(event: Event) -> set[str]:
    return {name for name in FIELD_NAMES if getattr(event, name) is not UNSET}


@pytest.mark.parametrize("kind", FIELDS)
def test_each_field_goes_to_its_audience(kind: str) -> None:
    game = new_game(4)
    names = {name for name, _, _ in FIELDS[kind]}
    fact = fact_of(kind)
    audiences = [(engine.RECORD, {OWN, RECORD_ONLY}), (1, {OWN}), *((who, set()) for who in OTHERS)]
    for audience, allowed in audiences:
        (event,) = engine.events_for(game.setting, [fact], audience)
        hidden = {name for name in names if PRIVATE.get((kind, name), OWN) not in allowed} & {
            name for (at, name) in PRIVATE if at == kind
        }
        assert event.type == kind
        assert fields(event) == names - hidden


def test_every_private_field_exists() -> None:
    assert all(name in {n for n, _, _ in FIELDS[kind]} for kind, name in PRIVATE)


def test_cards_and_hexes_are_named() -> None:
    game = new_game()
    names = [card.id for card in game.setting.cards]
    (drew,) = engine.events_for(game.setting, [fact_of("drew")], 1)
    assert drew.cards == {names[0]: 1, names[2]: 2}
    (shuffled,) = engine.events_for(game.setting, [fact_of("shuffled")], engine.RECORD)
    assert shuffled.order == [names[2], names[0], names[2]]
    (laid,) = engine.events_for(game.setting, [fact_of("laid")], 0)
    assert laid.hex == "A6"


def test_the_order_of_cards_tells_nothing() -> None:
    """A player may know what is in the own hand, not in which order it came off the deck."""
    game = new_game()
    one = engine.events_for(game.setting, [("drew", 1, 3, (0, 2, 1))], 1)
    two = engine.events_for(game.setting, [("drew", 1, 3, (2, 1, 0))], 1)
    assert [*one[0].cards] == [*two[0].cards]  # type: ignore[misc]


@pytest.mark.parametrize("nobody", [engine.SPECTATOR, 7, -3, -7])
def test_whoever_holds_no_seat_is_told_what_everybody_is(nobody: int) -> None:
    game = new_game(4)
    facts = [fact_of(kind) for kind in FIELDS]
    assert engine.events_for(game.setting, facts, nobody) == engine.events_for(
        game.setting, facts, engine.SPECTATOR
    )


@settings(max_examples=examples(10))
@given(players=st.integers(2, 4), number=st.integers(0, 10_000))
def test_in_real_games(players: int, number: int) -> None:
    """Every audience gets as many events as there are facts; others never get private fields; and
    the record has all."""
    game = new_game(players, number, kingdom=())
    facts = list(game.facts)
    for _ in play_on(game, number, 300):
        facts += game.facts
    record = engine.events_for(game.setting, facts, engine.RECORD)
    audiences = (*range(players), engine.SPECTATOR)
    told = engine.events_for_all(game.setting, facts, audiences)
    for audience in audiences:
        assert told[audience] == engine.events_for(game.setting, facts, audience)
        assert len(told[audience]) == len(record)
        for event, whole in zip(told[audience], record, strict=True):
            missing = {(event.type, name) for name in fields(whole) - fields(event)}
            mine = whole.seat == audience
            assert missing == {
                (kind, name)
                for (kind, name), who in PRIVATE.items()
                if kind == event.type and not (mine and who == OWN)
            }


def test_why_an_effect_was_not_used_is_its_owners_affair() -> None:
    """With a Train in hand Maintenance Factory could be used, without one it could not: whoever
    plays it without its effect looks the same to others."""
    told = []
    for hand, key in ((["normal-train"], "play-plain:"), (["waste"], "play:")):
        game = new_game(2, 1)
        while game.decisions[0].kind != "turn":
            decision = game.decisions[0]
            game.answer(decision.id, decision.default)
        me, index = game.state.seats[0], game.setting.index
        me.hand = [0] * len(me.hand)
        for card in ["maintenance-factory", *hand]:
            me.hand[index[card]] += 1
        game.reopen()
        facts = game.answer(game.decisions[0].id, [f"{key}maintenance-factory"])
        told.append([engine.events_for(game.setting, facts, audience) for audience in (0, 1, -1)])
    assert told[0][1:] == told[1][1:]
    assert [event.what for event in told[0][1]] == ["unused"]
    assert [seen[0][0].what for seen in told] == ["refused", "impossible"]
