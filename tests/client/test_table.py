from __future__ import annotations

import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.plain import prompt, table
from client.plain.lines import ASCII, UNICODE, WIDTH, Line, columns_of, plain
from client.plain.result import final_table
from engine.types import Decision, Option, Result
from tests.client.games import model_of, opening, play_on


def text(lines: list[Line]) -> str:
    return "\n".join(plain(line) for line in lines)


@given(st.lists(st.integers(0, 90), max_size=60), st.integers(2, 4), st.integers(-1, 3))
def test_nothing_that_is_shown_of_a_game_is_wider_than_the_screen(
    moves: list[int], players: int, seat: int
) -> None:
    game = play_on(opening(players), moves)
    model = model_of(game, min(seat, players - 1))
    shown = [
        *table.hand(model),
        *table.supply(model),
        *table.scores(model),
        *table.places(model, UNICODE),
        *table.places(model, ASCII),
        *(line for name in model.cards for line in table.card(model, name)),
        *(line for decision in model.decisions for line in prompt.ask(model, decision)),
        *final_table(model, UNICODE),
    ]
    assert max(columns_of(plain(line)) for line in shown) <= WIDTH


@given(st.lists(st.integers(0, 90), max_size=60))
def test_every_option_of_a_question_is_shown(moves: list[int]) -> None:
    game = play_on(opening(2), moves)
    for seat in (0, 1):
        model = model_of(game, seat)
        for decision in map(prompt.arranged, model.decisions):
            shown = text(prompt.ask(model, decision)).split()
            for number, option in enumerate(decision.options, 1):
                name = option.key.removeprefix("hex:")
                assert str(number) in shown or name in shown
            keys = sorted(option.key for option in decision.options)
            assert keys == sorted(option.key for option in model.decisions[0].options)


@given(st.lists(st.integers(0, 90), max_size=60))
def test_the_numbers_of_a_turn_run_on_as_they_are_read_and_plain_play_is_one_sentence(
    moves: list[int],
) -> None:
    game = play_on(opening(2), moves)
    for seat in (0, 1):
        model = model_of(game, seat)
        for decision in map(prompt.arranged, model.decisions):
            if prompt.is_turn(decision):
                listed = text(prompt.option_lines(model, decision))
                plainly = sum(one.key.startswith("play-plain:") for one in decision.options)
                found = re.findall(r"(?:^.{6}|  ) ?(\d+) (?=\D)", listed, re.MULTILINE)
                numbers = [int(number) for number in found]
                assert numbers == list(range(1, len(decision.options) - plainly + 1))
                assert "without" not in listed
                told = text(prompt.plain_line(model, decision))
                assert told.count("plain NAME plays a card without its effect") == bool(plainly)


def test_a_turn_is_asked_in_groups_with_prices() -> None:
    game = play_on(opening(2), [20, 40])
    model = model_of(game, 0)
    decision = model.decisions[0]
    assert prompt.is_turn(decision)
    shown = text(prompt.ask(model, decision))
    assert "You have 0 money and 0 rail points." in shown
    assert "Normal Train +1" in shown
    assert "end - end your turn" in shown
    assert prompt.prompt_text(model, decision) == "0 money, 0 rail points > "
    assert "“end” ends" not in text(prompt.ask(model, decision, hints=False))


def test_a_card_that_asks_is_shown_with_its_text() -> None:
    model = model_of(opening(2))
    asked = Decision(
        "0-1", 0, "may-trash-this", 1, 1, (Option("yes"), Option("no")), ("no",),
        cause="holiday-timetable", text="Do you trash Holiday Timetable?",
    )  # fmt: skip
    assert text(prompt.asking(model, asked)).splitlines() == [
        "Holiday Timetable: You may trash this card for +3 money.",
        "Do you trash Holiday Timetable?",
    ]
    asked = msgspec.structs.replace(asked, copied_by="signals", text="Do you trash Signals?")
    assert text(prompt.asking(model, asked)).splitlines() == [
        "signals copies Holiday Timetable: You may trash this card for +3 money.",
        "Do you trash Signals?",
    ]
    asked = msgspec.structs.replace(asked, cause="maintenance-factory", text="Which card?")
    assert text(prompt.asking(model, asked)).splitlines()[-1] == "Which card?"


def test_what_the_letter_w_means_stands_by_the_options_that_have_it() -> None:
    model = model_of(play_on(opening(2), [20, 40]), 0)
    dear = Option("buy:apartment", money=3, waste=1)
    options = (Option("buy:lay-rails", money=3), dear, Option("end-turn"))
    for offered, there in ((options, True), (options[::2], False)):
        lines = prompt.option_lines(model, Decision("0-1", 0, "turn", 1, 1, offered))
        assert ("w: a Waste comes with it" in plain(lines[-1])) == there


def test_the_supply_shows_price_worth_and_number() -> None:
    shown = text(table.supply(model_of(opening(3))))
    for words in (
        " $3 Express Train            +2 20 left",
        "  - Waste",
        " $8 Skyscraper             4 VP 10 left",
        " $3 Lay Rails                   14 left",
    ):
        assert words in shown


def test_a_hand_is_shown_to_its_owner_and_to_no_watcher() -> None:
    assert text(table.hand(model_of(opening(2), 0))).startswith("Hand (5): ")
    assert text(table.hand(model_of(opening(2), -1))) == "You watch: you hold no cards."


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("lay", "Lay Rails - rail, costs 3"),
        ("LAY-RAILS", "Lay Rails - rail, costs 3"),
        ("ess tr", "Which one? Express Train, Limited Express Train."),
        ("tower", "Tower - victory, costs 5, 2 VP"),
        ("zeppelin\x1b[2J", "No card is called “zeppelin[2J”"),
    ],
)
def test_a_card_is_found_by_a_part_of_its_name(typed: str, says: str) -> None:
    assert text(table.card(model_of(opening(2)), typed)).startswith(says)


def test_the_final_account_adds_up_and_names_the_winner() -> None:
    model = model_of(opening(3), 1)
    assert final_table(model, UNICODE) == []
    assert model.view is not None
    model.view.results = [
        Result(0, 2, 30, 5, 37, 18, 2),
        Result(1, 0, 33, 5, 38, 19, 1),
        Result(2, 1, 20, 16, 37, 17, 3),
    ]
    assert text(final_table(model, ASCII)).splitlines()[1:] == [
        "                          track + rails + cards = total   rails on the board",
        " 1. Ben                       0 +    33 +     5 =    38                   19",
        " 2. Anna                      2 +    30 +     5 =    37                   18",
        " 3. Cleo                      1 +    20 +    16 =    37                   17",
        "Ben wins.",
    ]


@pytest.mark.parametrize(
    ("results", "says"),
    [
        ([Result(0, 0, 9, 1, 10, 9, 1), Result(1, 0, 8, 2, 10, 8, 2)], "Anna wins, by more rails"),
        ([Result(0, 0, 9, 1, 10, 9, 1), Result(1, 0, 9, 1, 10, 9, 1)], "Anna and Ben share"),
    ],
)
def test_ties_are_told(results: list[Result], says: str) -> None:
    model = model_of(opening(2))
    assert model.view is not None
    model.view.results = results
    assert says in text(final_table(model, UNICODE))
