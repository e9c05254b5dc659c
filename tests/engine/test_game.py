"""Whole games at random: what never changes, whatever is answered."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.masks import masks_of
from tests.engine.games import (
    COPIES,
    cards_of,
    catalogue_of,
    examples,
    new_game,
    play_on,
    random_answer,
    somewhere,
)
from tests.engine.oracle import turn_options

NUMBERS = st.integers(0, 2**32 - 1)
SEATS = st.integers(2, 4)
ANSWERS = st.integers(0, 700)


def check_conservation(game: engine.Game) -> None:
    state, board = game.state, game.setting.board
    assert cards_of(game) == COPIES
    assert sum(state.stations) + state.stations_left == 30
    assert state.stations_left >= 0
    assert all(have <= slots for have, slots in zip(state.stations, board.slots, strict=True))
    for seat in state.seats:
        assert len(seat.laid) <= 20
        assert len(set(seat.laid)) == len(seat.laid)
        assert all(board.terrain[i] != "sea" for i in seat.laid)
    view = game.observe(engine.SPECTATOR)
    for number in range(len(state.seats)):
        on_board = sum(1 for there in view.hexes.values() if number in there.rails)
        assert view.seats[str(number)].rails_left + on_board == 20
    assert state.money >= 0
    assert state.rail_points >= 0
    assert min(state.running) >= 0


def check_decisions(game: engine.Game) -> None:
    assert game.over == (not game.decisions)
    assert len({decision.seat for decision in game.decisions}) == len(game.decisions)
    for decision in game.decisions:
        keys = [option.key for option in decision.options]
        assert keys
        assert len(set(keys)) == len(keys)
        counts = {option.key: option.count for option in decision.options}
        assert 1 <= min(counts.values()) <= max(counts.values()) <= decision.max
        assert 0 <= decision.min <= decision.max <= sum(counts.values())
        assert decision.max >= 1
        assert decision.min <= len(decision.default) <= decision.max
        assert all(decision.default.count(key) <= counts.get(key, 0) for key in decision.default)
        assert all(not option.text for option in decision.options)
        if decision.kind != "turn":
            assert len(keys) > 1 or decision.min < decision.max, "there is only one legal answer"


@pytest.mark.parametrize("players", [2, 3, 4])
@settings(max_examples=examples(10))
@given(number=NUMBERS)
def test_nothing_is_lost_in_a_game_to_its_end(players: int, number: int) -> None:
    game = new_game(players, number)
    check_conservation(game)
    check_decisions(game)
    for _ in play_on(game, number):
        check_conservation(game)
        check_decisions(game)
        assert game.masks == masks_of(game.state, game.setting.board)
    assert game.over
    assert sum(COPIES.values()) == 280
    assert [result.seat for result in game.results] == list(range(players))


@settings(max_examples=examples(8))
@given(players=SEATS, number=NUMBERS)
def test_a_turn_offers_exactly_what_the_rules_allow(players: int, number: int) -> None:
    """Against the rules written down a second time, over a whole game."""
    game = new_game(players, number)
    catalogue = catalogue_of(game)
    turn, acted = 0, False
    for _, keys in play_on(game, number, 500):
        acted = acted or keys != ["end-turn"]
        if game.state.turn != turn:
            turn, acted = game.state.turn, False
        for decision in game.decisions:
            if decision.kind == "turn":
                found = {o.key: (o.money, o.waste, o.gain, o.effect) for o in decision.options}
                view = game.observe(decision.seat)
                assert found == turn_options(catalogue, view, acted=acted)


@settings(max_examples=examples(2))
@given(players=SEATS, number=NUMBERS, answers=ANSWERS)
def test_options_keep_their_promises(players: int, number: int, answers: int) -> None:
    """Money, Waste and gain are what the option said, for everything that can be done."""
    game = somewhere(players, number, answers)
    for decision in game.decisions:
        if decision.kind != "turn":
            continue
        for option in decision.options:
            verb = option.key.partition(":")[0]
            after = game.copy()
            before_waste = game.state.seats[decision.seat].gained[game.setting.waste]
            facts = after.answer(decision.id, [option.key])
            seat = after.state.seats[decision.seat]
            if verb in ("lay", "buy"):
                assert after.state.money == game.state.money - option.money
                assert seat.gained[game.setting.waste] == before_waste + option.waste
                assert after.state.rail_points == game.state.rail_points - (verb == "lay")
            elif verb in ("play", "play-plain"):
                earned = sum(fact[2] for fact in facts if fact[0] == "earned")
                assert after.state.money == game.state.money + option.gain + earned
                assert ("played", option.effect) == (facts[0][0], facts[0][5])
                if option.effect != "used":
                    assert len(facts) == 1
            elif verb == "clear-waste":
                assert not any(fact[0] == "played" for fact in facts)
                assert ("turn", "over")[after.over] == facts[-1][0]


@settings(max_examples=examples(2))
@given(players=SEATS, number=NUMBERS, answers=ANSWERS)
def test_a_saved_game_is_the_same_game(players: int, number: int, answers: int) -> None:
    game = somewhere(players, number, answers)
    again = engine.Game.restore(json.loads(json.dumps(game.save())))
    assert again.digest() == game.digest()
    assert again.decisions == game.decisions
    assert again.masks == game.masks
    assert again.setup == game.setup
    assert again.observe(0) == game.observe(0)
    assert [*play_on(again, number + 1, 60)] == [*play_on(game, number + 1, 60)]
    assert again.digest() == game.digest()
    assert again.results == game.results


@settings(max_examples=examples(10))
@given(players=SEATS, number=NUMBERS, points=st.sets(ANSWERS, max_size=3))
def test_a_replay_gives_the_same_digests(players: int, number: int, points: set[int]) -> None:
    game = new_game(players, number)
    begun = game.digest()
    answers, digests = [], {}
    for at, answer in enumerate(play_on(game, number, 700)):
        answers.append(answer)
        if at in points:
            digests[at] = game.digest()
    replay = engine.Game.new(engine.Setup.from_plain(json.loads(json.dumps(game.setup.to_plain()))))
    assert replay.digest() == begun
    for at, (decision_id, keys) in enumerate(answers):
        replay.answer(decision_id, keys)
        if at in digests:
            assert replay.digest() == digests[at]
    assert replay.digest() == game.digest()
    assert replay.facts == game.facts


@settings(max_examples=examples(2))
@given(players=SEATS, number=NUMBERS, answers=ANSWERS)
def test_copies_are_independent(players: int, number: int, answers: int) -> None:
    game = somewhere(players, number, answers)
    digest, decisions, masks = game.digest(), game.decisions, game.masks.copy()
    copies = [game.copy(), game.copy()]
    assert [copy.digest() for copy in copies] == [digest, digest]
    for shift, copy in enumerate(copies):
        for _ in play_on(copy, number + shift, 80):
            pass
        assert copy.masks == masks_of(copy.state, copy.setting.board)
    assert (game.digest(), game.decisions, game.masks) == (digest, decisions, masks)
    assert game.over or game.digest() != copies[0].digest()


@settings(max_examples=examples(2))
@given(players=SEATS, number=NUMBERS, answers=ANSWERS)
def test_wrong_answers_change_nothing(players: int, number: int, answers: int) -> None:
    chance = random.Random(number)
    game = new_game(players, number)
    given_before = [decision_id for decision_id, _ in play_on(game, number, answers)]
    digest, decisions = game.digest(), game.decisions
    wrong: list[tuple[str, str, list[str]]] = [
        ("unknown-decision", name, ["end-turn"])
        for name in ("", "0", "0-9999", "9-0", "0--1", "x", *given_before[-3:])
    ]
    for decision in decisions:
        legal = random_answer(chance, decision)
        keys = [option.key for option in decision.options for _ in range(option.count)]
        key = decision.options[0].key
        bad = [
            [*keys[: decision.max], key][: decision.max + 1],
            ["lay:Z9"] * max(1, decision.min),
            [""] * max(1, decision.min),
            [*legal[1:], "play:nonsense"],
        ]
        if len(keys) < decision.max + 1:
            bad[0] = [*keys, key]
        if decision.min:
            bad.append([])
        option = decision.options[-1]
        if decision.min <= option.count + 1 <= decision.max:
            bad.append([option.key] * (option.count + 1))
        wrong += [("illegal-answer", decision.id, picks) for picks in bad]
    for code, decision_id, picks in wrong:
        with pytest.raises(engine.AnswerError) as caught:
            game.answer(decision_id, picks)
        assert caught.value.code == code
        assert str(caught.value)
        assert "\n" not in str(caught.value)
        assert (game.digest(), game.decisions) == (digest, decisions)


def test_a_decision_cannot_be_answered_twice() -> None:
    game = new_game()
    first = game.decisions[0]
    game.answer(first.id, ["hex:C5"])
    digest = game.digest()
    with pytest.raises(engine.AnswerError, match="no decision '0-0' is open"):
        game.answer(first.id, ["hex:C4"])
    assert game.digest() == digest


def test_decisions_are_numbered_per_seat() -> None:
    """A seat's numbers tell nothing of how often others were asked."""
    game = new_game(3)
    asked: dict[int, list[str]] = {0: [], 1: [], 2: []}
    for _ in range(40):
        decision = game.decisions[0]
        asked[decision.seat].append(decision.id)
        game.answer(decision.id, random_answer(random.Random(1), decision))
    for seat, ids in asked.items():
        assert ids == [f"{seat}-{number}" for number in range(len(ids))]


RULES = engine.RULES_VERSION
SEED = "00" * 32


@pytest.mark.parametrize(
    ("saved", "named"),
    [
        ({}, f"rules version {RULES}"),
        ({"rules": 0}, f"rules version {RULES}"),
        ({"rules": 99}, f"rules version {RULES}"),
        ({"rules": RULES}, "setup"),
        ({"rules": RULES, "setup": {}}, "state"),
        ({"rules": RULES, "setup": {"seed": SEED, "kingdom": ["landfill"]}, "state": 7}, "state"),
        ({"rules": RULES, "setup": {"board": "nowhere"}, "state": {}}, "nowhere"),
    ],
)
def test_what_is_no_saved_game_is_refused(saved: dict[str, object], named: str) -> None:
    with pytest.raises(engine.EngineError, match=named):
        engine.Game.restore(saved)


def test_a_save_is_plain_json() -> None:
    saved = somewhere(3, 5, 200).save()
    assert json.loads(json.dumps(saved)) == json.loads(json.dumps(saved, sort_keys=True))
    assert saved["rules"] == engine.RULES_VERSION


def test_digests_tell_states_apart() -> None:
    game = new_game(2, 7)
    seen = {game.digest()}
    for count, _ in enumerate(play_on(game, 7), 1):
        seen.add(game.digest())
        assert len(seen) == count + 1
    assert all(len(digest) == 16 and int(digest, 16) >= 0 for digest in seen)
