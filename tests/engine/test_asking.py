"""Questions to one seat and to several at the same time, with an operation made for the test: every
seat discards a card, all asked at once."""

from __future__ import annotations

import itertools
import json
from typing import Any

import msgspec
import pytest

import engine
from engine.effects import OPERATIONS, Ask, Choice, Step
from engine.game import only_answer
from engine.movement import discard
from engine.state import Task
from engine.types import Option
from tests.engine.games import new_game, put_in_hand


class Poll(Choice):
    """One seat discards exactly one card."""

    kind = "poll"

    def ask(self, game: engine.Game, task: Task) -> Ask:
        hand = game.state.seats[task.seat].hand
        options = game.setting.named(card for card, count in enumerate(hand) if count)
        return Ask(options, 1, 1, game.setting.cheapest(options, 1))

    def resolve(self, game: engine.Game, task: Task, keys: list[str]) -> None:
        discard(game, task.seat, game.setting.cards_of(keys))


class PollAll(Step):
    """Every seat at the same time, named from the last to the first."""

    def run(self, game: engine.Game, task: Task) -> None:
        seats = range(len(game.state.seats))
        game.ask([Task("poll", seat, task.card) for seat in reversed(seats)])


HANDS = (
    ("normal-train", "waste"),
    ("lay-rails", "tower", "waste"),
    ("express-train", "express-train", "waste"),
    ("station-expansion", "skyscraper"),
)


@pytest.fixture
def polled(monkeypatch: pytest.MonkeyPatch) -> engine.Game:
    """Four seats; seat 2 has just played a Passing Station that asks everybody."""
    return poll_of(monkeypatch, HANDS)


def poll_of(monkeypatch: pytest.MonkeyPatch, hands: tuple[tuple[str, ...], ...]) -> engine.Game:
    monkeypatch.setitem(OPERATIONS, "draw", PollAll())
    monkeypatch.setitem(OPERATIONS, "poll", Poll())
    game = new_game(4)
    for key in ("hex:C5", "hex:C4", "hex:D5", "hex:D4", "end-turn", "end-turn"):
        game.answer(game.decisions[0].id, [key])
    for seat, hand in enumerate(hands):
        put_in_hand(game, seat, *hand, *(["passing-station"] if seat == 2 else []))
    game.answer(game.decisions[0].id, ["play:passing-station"])
    return game


PICKS = {0: "card:waste", 1: "card:tower", 2: "card:express-train", 3: "card:skyscraper"}


def test_every_seat_is_asked_at_once(polled: engine.Game) -> None:
    assert [decision.seat for decision in polled.decisions] == [3, 2, 1, 0]
    assert {decision.kind for decision in polled.decisions} == {"poll"}
    assert {decision.cause for decision in polled.decisions} == {"passing-station"}
    assert sorted(polled.observe(engine.SPECTATOR).asked) == [0, 1, 2, 3]


def answer_in(game: engine.Game, order: tuple[int, ...]) -> list[Any]:
    facts: list[Any] = []
    for seat in order:
        (mine,) = [decision for decision in game.decisions if decision.seat == seat]
        facts.append(game.answer(mine.id, [PICKS[seat]]))
    return facts


def test_every_order_of_answers_gives_the_same(polled: engine.Game) -> None:
    ends = set()
    for order in itertools.permutations(range(4)):
        game = polled.copy()
        *before, closing = answer_in(game, order)
        assert before == [[], [], []], "nothing happens before the last answer"
        assert [decision.kind for decision in game.decisions] == ["turn"]
        ends.add((game.digest(), str(closing), str(game.decisions)))
    assert len(ends) == 1


def test_answers_are_carried_out_from_the_active_player_on(polled: engine.Game) -> None:
    *_, closing = answer_in(polled, (0, 3, 1, 2))
    assert [fact[1] for fact in closing if fact[0] == "discarded"] == [2, 3, 0, 1]


def test_nothing_is_told_before_all_have_answered(polled: engine.Game) -> None:
    audiences = (0, 1, 2, 3, engine.SPECTATOR)
    encode = msgspec.json.encode
    before = {who: encode(polled.observe(who)) for who in audiences}
    for order in itertools.permutations(range(4), 3):
        game = polled.copy()
        for seat in order:
            asked = {d.seat: d for d in game.decisions if d.seat != seat}
            facts = game.answer(next(d.id for d in game.decisions if d.seat == seat), [PICKS[seat]])
            assert {d.seat: d for d in game.decisions} == asked
            for who in audiences:
                assert encode(game.observe(who)) == before[who]
                assert engine.events_for(game.setting, facts, who) == []


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 1, 0, 2), (2, 0, 3, 1)])
@pytest.mark.parametrize("at", [0, 1, 2, 3])
def test_saved_in_the_middle(polled: engine.Game, order: tuple[int, ...], at: int) -> None:
    answer_in(polled, order[:at])
    again = engine.Game.restore(json.loads(json.dumps(polled.save())))
    assert again.digest() == polled.digest()
    assert again.decisions == polled.decisions
    answer_in(again, order[at:])
    answer_in(polled, order[at:])
    assert again.digest() == polled.digest()
    assert again.decisions == polled.decisions


def test_late_and_repeated_answers(polled: engine.Game) -> None:
    ids = {decision.seat: decision.id for decision in polled.decisions}
    polled.answer(ids[1], ["card:tower"])
    digest = polled.digest()
    with pytest.raises(engine.AnswerError) as caught:
        polled.answer(ids[1], ["card:waste"])
    assert caught.value.code == "unknown-decision"
    with pytest.raises(engine.AnswerError) as caught:
        polled.answer(ids[0], ["card:tower"])
    assert caught.value.code == "illegal-answer"
    assert polled.digest() == digest
    answer_in(polled, (0, 2, 3))
    with pytest.raises(engine.AnswerError):
        polled.answer(ids[3], ["card:skyscraper"])


def test_who_has_one_answer_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    hands = (("waste", "tower"), ("waste", "waste"), ("waste", "tower"), ("tower",))
    game = poll_of(monkeypatch, hands)
    assert [decision.seat for decision in game.decisions] == [2, 0]
    assert game.observe(engine.SPECTATOR).asked == [2, 0]
    ids = {decision.seat: decision.id for decision in game.decisions}
    game.answer(ids[0], ["card:tower"])
    facts = game.answer(ids[2], ["card:waste"])
    assert [fact[1] for fact in facts if fact[0] == "discarded"] == [2, 3, 0, 1]
    again = engine.Game.restore(json.loads(json.dumps(game.save())))
    assert again.digest() == game.digest()


def test_with_no_choice_for_anybody_nobody_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    game = poll_of(monkeypatch, (("waste",), ("waste",), ("tower",), ("tower",)))
    assert [decision.kind for decision in game.decisions] == ["turn"]
    assert [sum(seat.hand) for seat in game.state.seats] == [0, 0, 0, 0]


def options(*counts: int) -> tuple[Option, ...]:
    return tuple(Option(f"card:{i}", count) for i, count in enumerate(counts))


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (Ask((), 0, 0, ()), []),
        (Ask(options(3), 0, 0, ()), []),
        (Ask(options(1), 1, 1, ()), ["card:0"]),
        (Ask(options(3), 2, 2, ()), ["card:0", "card:0"]),
        (Ask(options(1, 2), 3, 3, ()), ["card:0", "card:1", "card:1"]),
        (Ask(options(1, 1), 2, 2, ()), ["card:0", "card:1"]),
        (Ask(options(2), 2, 2, (), ordered=True), ["card:0", "card:0"]),
        (Ask(options(1, 1), 2, 2, (), ordered=True), None),
        (Ask(options(1), 0, 1, ()), None),
        (Ask(options(1, 1), 1, 1, ()), None),
        (Ask(options(2, 1), 2, 2, ()), None),
    ],
)
def test_the_only_answer(asked: Ask, answer: list[str] | None) -> None:
    assert only_answer(asked) == answer
