from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from client.plain.answers import (
    NOTHING,
    BadAnswerError,
    Question,
    harmless_default,
    parse,
    shortest,
)
from engine.types import Decision, Option
from tests.client.games import catalogue_of, opening, play_on

CATALOGUE = catalogue_of(2)
TITLES = {card.id: card.name for card in CATALOGUE.cards}
TITLES |= {name: info.title for name, info in CATALOGUE.board.hexes.items() if info.title}
RESERVED = frozenset({"help", "board", "rails", "hand", "supply", "card", "log", "say", "quit"})


def question(*keys: str, low: int = 1, high: int = 1, count: int = 1) -> Question:
    options = tuple(Option(key, count=count) for key in keys)
    return Question(Decision("0-1", 0, "turn", low, high, options), TITLES)


TURN = question(
    "play:lay-rails",
    "play-plain:lay-rails",
    "play:normal-train",
    "buy:lay-rails",
    "buy:express-train",
    "buy:limited-express-train",
    "lay:C1",
    "lay:C5",
    "lay:C10",
    "clear-waste",
    "end-turn",
)


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("1", "play:lay-rails"),
        (" 11 ", "end-turn"),
        ("buy:express-train", "buy:express-train"),
        ("buy express-train", "buy:express-train"),
        ("buy express train", "buy:express-train"),
        ("BUY Exp", "buy:express-train"),
        ("b e", "buy:express-train"),
        ("exp", "buy:express-train"),
        ("limited exp", "buy:limited-express-train"),
        ("buy lim-exp", "buy:limited-express-train"),
        ("play plain lay", "play-plain:lay-rails"),
        ("plain lay rails", "play-plain:lay-rails"),
        ("plain lay-r", "play-plain:lay-rails"),
        ("2", "play-plain:lay-rails"),
        ("play lay", "play:lay-rails"),
        ("play norm", "play:normal-train"),
        ("normal", "play:normal-train"),
        ("c1", "lay:C1"),
        ("C10", "lay:C10"),
        ("lay c5", "lay:C5"),
        ("kichi", "lay:C5"),
        ("lay Kichijoji", "lay:C5"),
        ("clear", "clear-waste"),
        ("end", "end-turn"),
        ("end turn", "end-turn"),
        ("end-turn", "end-turn"),
        ("buy:express", "buy:express-train"),
        ("buy:lay-rails,", "buy:lay-rails"),
    ],
)
def test_an_option_goes_by_number_key_or_any_clear_start_of_its_words(line: str, key: str) -> None:
    assert parse(TURN, line) == (key,)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("", "Nothing picked"),
        (" , ", "Nothing picked"),
        ("0", "none of the options: type a number from 1 to 11"),
        ("12", "none of the options"),
        ("99999999", "none of the options"),
        ("-1", "none of the options"),
        ("1 2", "none of the options"),
        ("1,2", "You picked 2"),
        ("buy", "could mean buy Lay Rails or buy Express Train"),
        ("lay rails", "“lay rails” could mean play Lay Rails or buy Lay Rails: type more"),
        ("tower", "“tower” is none of the options"),
        ("none", "none of the options"),
        ("\x1b[31m", "none of the options"),
    ],
)
def test_what_is_not_clear_is_refused_with_what_is_allowed(line: str, says: str) -> None:
    with pytest.raises(BadAnswerError, match=says):
        parse(TURN, line)


def test_completions_tell_to_play_to_buy_and_to_play_plainly_apart() -> None:
    def completed(typed: str) -> list[str]:
        whole = [TURN.completion(option, typed) for option in TURN.decision.options]
        return [line for line in whole if line]

    assert completed("lay-r") == ["play lay-rails", "plain lay-rails", "buy lay-rails"]
    assert completed("lay r") == completed("lay-r")
    assert completed("play ") == ["play lay-rails", "plain lay-rails", "play normal-train"]
    assert completed("plain") == ["plain lay-rails"]
    assert completed("kichi") == ["lay C5"]
    assert completed("lay c") == ["lay C1", "lay C5", "lay C10"]
    assert completed("en") == ["end"]
    for line in completed(""):
        assert parse(TURN, line)


def test_no_message_shows_what_only_programs_say() -> None:
    twice = question("play:lay-rails", "play-plain:lay-rails", low=1, high=3)
    for asked, line in ((TURN, "lay"), (TURN, "plain lay normal"), (twice, "1 1"), (TURN, "c")):
        with pytest.raises(BadAnswerError) as problem:
            parse(asked, line)
        assert "play-plain" not in str(problem.value)
        assert "lay-rails" not in str(problem.value)


def test_a_verb_alone_means_what_can_be_done_and_not_the_beginning_of_a_card() -> None:
    without_a_rail_point = question("play:lay-rails", "buy:express-train", "end-turn")
    with pytest.raises(BadAnswerError, match="“lay” is none of the options"):
        parse(without_a_rail_point, "lay")
    assert parse(without_a_rail_point, "buy") == ("buy:express-train",)
    assert parse(without_a_rail_point, "lay r") == ("play:lay-rails",)
    assert parse(question("card:lay-rails", "card:waste"), "lay") == ("card:lay-rails",)
    with pytest.raises(BadAnswerError, match="could mean lay Hachioji or lay Kichijoji or"):
        parse(TURN, "lay")


def test_one_letter_does_not_end_a_turn() -> None:
    only_end = question("end-turn", "play:normal-train")
    for line in ("e", "en"):
        with pytest.raises(BadAnswerError):
            parse(only_end, line)
    assert parse(only_end, "end") == ("end-turn",)


HAND = question("card:waste", "card:normal-train", "card:lay-rails", low=0, high=4, count=2)


@pytest.mark.parametrize(
    ("line", "keys"),
    [
        ("none", ()),
        ("-", ()),
        ("1", ("card:waste",)),
        ("1 1 2", ("card:waste", "card:waste", "card:normal-train")),
        ("1,1, 3", ("card:waste", "card:waste", "card:lay-rails")),
        ("waste waste", ("card:waste", "card:waste")),
        ("w normal train", ("card:waste", "card:normal-train")),
        ("normal train normal", ("card:normal-train", "card:normal-train")),
        ("lay rails, card:waste", ("card:lay-rails", "card:waste")),
    ],
)
def test_several_picks_stand_side_by_side(line: str, keys: tuple[str, ...]) -> None:
    assert parse(HAND, line) == keys


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("1 1 1", "Waste can be picked 2 times at most"),
        ("1 1 2 2 3", "You picked 5: pick up to 4"),
        ("1 9", "“9” is none of the options"),
        ("waste tower", "“tower” is none of the options"),
    ],
)
def test_too_much_is_refused(line: str, says: str) -> None:
    with pytest.raises(BadAnswerError, match=says):
        parse(HAND, line)


@pytest.mark.parametrize(
    ("default", "low", "empty_line"),
    [
        ((), 0, ()),
        (("no",), 1, ("no",)),
        (("pass",), 1, ("pass",)),
        (("end-turn",), 1, None),
        (("card:waste",), 1, None),
    ],
)
def test_an_empty_line_only_ever_declines(
    default: tuple[str, ...], low: int, empty_line: tuple[str, ...] | None
) -> None:
    decision = Decision("0-1", 0, "x", low, 1, (Option("yes"), Option("no")), default)
    assert harmless_default(decision) == empty_line


words = st.text("abcdefgh-", min_size=1, max_size=8)
keys = st.one_of(
    words,
    st.tuples(st.sampled_from(["play", "buy", "lay", "card", "hex"]), words).map(":".join),
    st.sampled_from([f"buy:{card.id}" for card in CATALOGUE.cards]),
    st.sampled_from([f"lay:{name}" for name in CATALOGUE.board.hexes]),
)


@given(st.lists(keys, unique=True, min_size=1, max_size=20), st.integers(1, 5))
def test_every_option_can_be_picked_by_number_by_key_and_by_its_shortest_text(
    options: list[str], high: int
) -> None:
    assume(not NOTHING & set(options))
    asked = question(*options, low=1, high=high)
    for number, option in enumerate(asked.decision.options, 1):
        assert parse(asked, str(number)) == (option.key,)
        assert parse(asked, option.key) == (option.key,)
        text = shortest(asked, option, RESERVED)
        assert parse(asked, text) == (option.key,)
        assert len(text) <= len(option.key)


@given(st.lists(st.integers(0, 60), max_size=40), st.integers(2, 4))
def test_the_same_holds_in_real_games(moves: list[int], players: int) -> None:
    game = play_on(opening(players), moves)
    for decision in game.decisions:
        asked = Question(decision, TITLES)
        for number, option in enumerate(decision.options, 1):
            for text in (str(number), option.key, shortest(asked, option, RESERVED)):
                if decision.min <= 1 <= decision.max:
                    assert parse(asked, text) == (option.key,)


@given(st.text(max_size=40))
def test_whatever_is_typed_gives_an_answer_or_one_clear_line(line: str) -> None:
    for asked in (TURN, HAND):
        try:
            found = parse(asked, line)
        except BadAnswerError as problem:
            assert "\n" not in str(problem).removesuffix(line)
        else:
            assert set(found) <= {option.key for option in asked.decision.options}
