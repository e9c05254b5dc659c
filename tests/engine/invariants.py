"""What must be so after every answer of every game, whatever was answered."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import engine
from engine.effects import Ask
from engine.text import Words
from engine.types import Decision, Event, Observation
from tests.engine.random_play import cards_of, random_keys, zones

WORDS = Words()


class Knowledge:
    """What a seat must know of the top of its own deck: worked out from the events it is told."""

    def __init__(self) -> None:
        self.top: list[str] = []

    def hear(self, seat: int, event: Event) -> None:
        if event.seat != seat:
            return
        if event.type == "shuffled":
            self.top = []  # what was drawn before the shuffle is told with the rest afterwards
        elif event.type == "drew":
            self._gone(event.count)
        elif event.type == "looked":
            assert isinstance(event.order, list)
            assert self.top[: len(event.order)] == event.order[: len(self.top)]
            self.top = [*event.order, *self.top[len(event.order) :]]
        elif event.type == "revealed" and event.to == "deck":
            self._gone(1)
        elif event.type in ("discarded", "fetched") and event.to == "deck":
            assert isinstance(event.cards, dict)
            for card, count in event.cards.items():
                for _ in range(count):
                    self.top.remove(card)
        elif event.type == "ordered":
            assert isinstance(event.order, list)
            assert sorted(event.order) == sorted(self.top[: len(event.order)])
            self.top[: len(event.order)] = event.order
        elif event.type in ("put-back", "put-down"):
            assert isinstance(event.order, list)
            self.top = [*event.order, *self.top]
        elif event.type == "put-on-deck":
            assert isinstance(event.card, str)
            self.top = [event.card, *self.top]

    def _gone(self, count: object) -> None:
        assert isinstance(count, int)
        self.top = self.top[count:]


def check_state(game: engine.Game, whole: list[int]) -> None:
    state, spec = game.state, game.setting.board.spec
    assert cards_of(game) == whole
    assert all(count >= 0 for zone in zones(game) for count in zone)
    assert state.money >= 0
    assert state.rail_points >= 0
    assert sum(state.stations) + state.stations_left == spec.stations
    for seat in state.seats:
        assert len(seat.laid) == len(set(seat.laid)) <= spec.rails
        assert 0 <= seat.known <= len(seat.deck)
        assert seat.score >= 0
    for i, count in enumerate(state.stations):
        assert 0 <= count <= game.setting.board.slots[i]
    assert game.over is (not game.decisions)
    if game.over or all(d.kind == "turn" for d in game.decisions):
        assert not any(any(seat.aside) for seat in state.seats)


def as_ask(decision: Decision) -> Ask:
    return Ask(decision.options, decision.min, decision.max, decision.default, decision.ordered)


def check_decisions(game: engine.Game) -> None:
    seats = [decision.seat for decision in game.decisions]
    assert len(set(seats)) == len(seats)
    for decision in game.decisions:
        keys = [option.key for option in decision.options]
        room = sum(option.count for option in decision.options)
        assert keys
        assert len(set(keys)) == len(keys)
        assert all(option.count >= 1 for option in decision.options)
        assert 0 <= decision.min <= decision.max <= room
        asked_anyway = decision.kind == "turn" or (
            game.setup.reactions == "sealed" and decision.seat != game.state.active
        )
        assert asked_anyway or engine.game.only_answer(as_ask(decision)) is None
        assert all(o.money <= game.state.money for o in decision.options)
        game.copy().answer(decision.id, decision.default)


def check_offered(game: engine.Game, rng: random.Random, whole: list[int]) -> None:
    """Every key that is offered is accepted; the copy that is answered leaves the game alone."""
    before = game.digest()
    for decision in game.decisions:
        for option in decision.options:
            copy = game.copy()
            copy.answer(decision.id, random_keys(rng, decision, wanted=option.key))
            assert cards_of(copy) == whole
    assert game.digest() == before


def check_refused(game: engine.Game, rng: random.Random) -> None:
    """Keys of the setting that are not offered are refused, without a change."""
    before, open_now = game.digest(), game.decisions
    for decision in open_now:
        offered = {option.key for option in decision.options}
        others = [key for key in game.setting.actions if key not in offered]
        for key in [*rng.sample(others, 8), "", "play:", "lay:Z99", "card:nothing"]:
            wrong = [*decision.default[1:], key]
            with pytest.raises(engine.AnswerError) as caught:
                game.answer(decision.id, wrong)
            assert caught.value.code == "illegal-answer"
        with pytest.raises(engine.AnswerError) as caught:
            game.answer(f"{decision.id}0", decision.default)
        assert caught.value.code == "unknown-decision"
    assert game.digest() == before
    assert game.decisions == open_now


def without_secrets(rng: random.Random, game: engine.Game, seat: int) -> engine.Game:
    """The same game with other cards in the hidden zones of all seats but one: each one's hand,
    deck and discard pile mixed, and some of them exchanged for cards of the supply's kinds."""
    other = game.copy()
    for number, me in enumerate(other.state.seats):
        if number == seat:
            continue
        cards = [*me.deck]
        for zone in (me.hand, me.discard):
            cards += [card for card, count in enumerate(zone) for _ in range(count)]
        cards = [rng.choice([card, rng.randrange(len(me.hand))]) for card in cards]
        rng.shuffle(cards)
        sizes = sum(me.hand), sum(me.discard)
        me.hand, me.discard = [0] * len(me.hand), [0] * len(me.hand)
        for zone, size in zip((me.hand, me.discard), sizes, strict=True):
            for card in cards[:size]:
                zone[card] += 1
            del cards[:size]
        me.deck = cards
    return other


def check_hidden(game: engine.Game, rng: random.Random) -> None:
    """No audience's observation depends on what is hidden from it."""
    for audience in (engine.SPECTATOR, *range(len(game.state.seats))):
        seen = game.observe(audience)
        assert without_secrets(rng, game, audience).observe(audience) == seen
        check_numbers(game, seen)
        if audience >= 0:
            me = game.state.seats[audience]
            assert not isinstance(seen.own, engine.types.UnsetType)
            ids = [game.setting.cards[card].id for card in reversed(me.deck)]
            assert seen.own.top == ids[: me.known]
            assert seen.own.deck == Counter(ids)


def check_numbers(game: engine.Game, seen: Observation) -> None:
    """All cards but those removed can be accounted for by numbers that everybody is shown."""
    shown = sum(seen.supply.values()) + sum(seen.trash.values())
    for seat in seen.seats.values():
        shown += seat.hand + seat.deck + seat.discard
        shown += sum(sum(zone.values()) for zone in (seat.play, seat.gained, seat.revealed))
    assert shown == sum(cards_of(game)) - sum(game.state.removed)


HIDDEN_KINDS = {
    "shuffled",
    "drew",
    "looked",
    "ordered",
    "put-back",
    "put-down",
    "fetched",
    "cleaned-up",
}


def check_events(
    game: engine.Game, facts: list[tuple[object, ...]], knowing: list[Knowledge]
) -> None:
    """Others are told the number of hidden cards and no more; each seat hears what it must know."""
    setting = game.setting
    record = engine.events_for(setting, facts, engine.RECORD)
    for audience in (engine.SPECTATOR, *range(len(knowing))):
        events = engine.events_for(setting, facts, audience)
        assert [event.type for event in events] == [event.type for event in record]
        for event in events:
            if event.seat == audience and audience >= 0:
                assert event.type != "shuffled" or event.order is engine.types.UNSET
            else:
                assert event.cards is engine.types.UNSET
                assert event.order is engine.types.UNSET
                assert event.type not in HIDDEN_KINDS or event.card is engine.types.UNSET
        if audience >= 0:
            for event in events:
                knowing[audience].hear(audience, event)
            assert knowing[audience].top == game.observe(audience).own.top


def check_sentences(game: engine.Game) -> None:
    """Whatever is asked or told has a sentence."""
    names = [f"player {seat}" for seat in range(len(game.state.seats))]
    for decision in game.decisions:
        said = WORDS.decision(game.setting, decision)
        texts = [said.text, *(option.text for option in said.options)]
        assert all(texts)
        assert len(set(texts[1:])) == len(texts) - 1
    for audience in (engine.RECORD, engine.SPECTATOR, *range(len(names))):
        for event in engine.events_for(game.setting, game.facts, audience):
            assert WORDS.event(game.setting, event, names)
