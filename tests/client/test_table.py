from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from client.model import TableModel
from client.plain import bonuses, counting, guide, labels, prompt, table
from client.plain.answers import BadAnswerError, parse
from client.plain.lines import ASCII, UNICODE, Line, columns_of, plain
from client.plain.result import final_table
from engine.types import Decision, Option, Result
from tests.client.games import model_of, opening, play_on


def text(lines: list[Line]) -> str:
    return "\n".join(plain(line) for line in lines)


games = st.builds(
    lambda board, moves: play_on(opening(*board), moves),
    st.sampled_from([(2, "tokyo"), (4, "tokyo"), (3, "nagoya"), (2, "chiba"), (2, "osaka")]),
    st.lists(st.integers(0, 90), max_size=60),
)


@given(games, st.integers(-1, 3), st.sampled_from([60, 80, 120, 140]))
def test_nothing_that_is_shown_of_a_game_is_wider_than_the_screen(
    game: engine.Game, seat: int, width: int
) -> None:
    model = model_of(game, min(seat, game.setup.players - 1))
    shown = [
        *table.hand(model, width),
        *table.supply(model, width),
        *table.scores(model, width),
        *table.places(model, UNICODE, width),
        *table.places(model, ASCII, width),
        *(line for name in model.cards for line in table.card(model, name, width)),
        *(line for asked in model.decisions for line in prompt.ask(model, asked, width=width)),
        *guide.introduction(model, width=width),
        *guide.cards(model, width),
        *bonuses.bonuses(model, width),
        *final_table(model, UNICODE, width),
    ]
    assert max(columns_of(plain(line)) for line in shown) <= width


def decisions(game: engine.Game) -> Iterator[tuple[TableModel, Decision]]:
    for seat in range(game.setup.players):
        model = model_of(game, seat)
        for decision in map(prompt.arranged, model.decisions):
            yield model, decision


@given(games)
def test_every_option_of_a_question_is_shown(game: engine.Game) -> None:
    for model, decision in decisions(game):
        shown = text(prompt.ask(model, decision))
        numbers = {option.key: n for n, option in prompt.numbers_of(decision).items()}
        for option in decision.options:
            if option.key.startswith("play-plain:"):
                assert f"plain {model.card_name(option.key[11:])}" in " ".join(shown.split())
            elif option.key in numbers:
                assert re.search(rf"(^|  ) ?{numbers[option.key]} (?=\S)", shown, re.MULTILINE)
            else:
                assert option.key.removeprefix("hex:") in shown.split()
        assert {o.key for o in decision.options} == {o.key for o in model.decisions[0].options}


@given(games, st.sampled_from([40, 60, 80, 120]))
def test_a_number_can_be_typed_exactly_if_it_is_shown_and_means_what_stands_behind_it(
    game: engine.Game, width: int
) -> None:
    for model, decision in decisions(game):
        if counting.counts(decision) or not decision.min <= 1 <= decision.max:
            continue
        lines = prompt.option_lines(model, decision, width)
        shown = {}
        for line in lines:
            for place, (style, piece) in enumerate(line):
                if style == "class:number" and piece.strip():  # not the blank of a folded line
                    shown[int(piece)] = line[place + 1][1]
        question = prompt.question_of(model, decision)
        for number in range(len(decision.options) + 3):
            try:
                (key,) = parse(question, str(number))
            except BadAnswerError as problem:
                assert number not in shown
                for other in re.findall(r"\d+", str(problem).split(": ")[1]):
                    assert int(other) in shown
            else:
                (option,) = [one for one in decision.options if one.key == key]
                label = labels.option_label(model, decision, option)
                assert shown[number].strip() in label  # its first line, where it is long
        keys = [option.key for option in decision.options]
        if "end-turn" in keys:
            assert parse(question, "0") == ("end-turn",)


def test_a_turn_is_asked_in_groups_with_prices() -> None:
    game = play_on(opening(2), [20, 40])
    model = model_of(game, 0)
    decision = model.decisions[0]
    assert prompt.is_turn(decision)
    shown = text(prompt.ask(model, decision))
    assert "You have 0 money and 0 rail points." in shown
    assert "Normal Train +1" in shown
    assert "0 end your turn" in shown
    assert prompt.prompt_text(model, decision) == "0 money, 0 rail points > "
    assert "or “end” ends" not in text(prompt.ask(model, decision, hints=False))


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
