"""Where there is one thing to pick, the answer is a number."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.plain import counting, prompt
from client.plain.answers import BadAnswerError, Question, parse
from client.plain.lines import plain
from engine.types import Decision, Option
from tests.client.games import model_of, opening

SAID = {
    0: ["0", "none", "nothing", "no", "-", "0 waste", "no waste", "waste x0"],
    1: ["1", "waste", "Waste", "wa", "card:waste", "1 waste", "waste x1", "1x"],
    2: ["2", "2 waste", "2 Wa", "waste x2", "waste 2", "Waste ×2", "2x waste", "2 x waste", "x2",
        "waste waste", "waste, waste", "2 × waste", "card:waste card:waste", "  2  ", "1 1"],
    3: ["3", "all", "ALL", "all waste", "waste waste waste", "waste*3", "03", "every waste"],
}  # fmt: skip


def decision(most: int = 3, kind: str = "return-any-waste") -> Decision:
    return Decision("0-1", 0, kind, 0, most, (Option("card:waste", count=most),))


def question(most: int = 3) -> Question:
    return Question(decision(most), {"waste": "Waste", "tower": "Tower"})


@pytest.mark.parametrize(
    ("number", "line"), [(number, line) for number, lines in SAID.items() for line in lines]
)
def test_a_number_can_be_said_in_many_ways(number: int, line: str) -> None:
    assert parse(question(), line) == ("card:waste",) * number


@pytest.mark.parametrize(
    "line", ["4", "4 waste", "waste x4", "999999", "tower", "2 tower", "x", "-1", "1.5", "two", "²"]
)
def test_what_is_no_possible_number_is_refused_with_those_that_are(line: str) -> None:
    with pytest.raises(BadAnswerError) as caught:
        parse(question(), line)
    assert "say how many, 0 to 3, or “all”" in str(caught.value)


def test_one_can_be_taken_or_left() -> None:
    assert parse(question(1), "0") == ()
    assert parse(question(1), "1") == parse(question(1), "all") == ("card:waste",)


@given(st.text(max_size=12))
def test_whatever_is_typed_is_a_legal_answer_or_a_sentence(line: str) -> None:
    try:
        keys = parse(question(), line)
    except BadAnswerError as caught:
        assert str(caught).endswith(".")
    else:
        assert set(keys) <= {"card:waste"}
        assert len(keys) <= 3


def test_the_question_shows_no_number_that_would_mean_something_else() -> None:
    model = model_of(opening(2), 0)
    shown = [plain(line) for line in prompt.option_lines(model, decision())]
    assert [line.strip() for line in shown] == ["Waste ×3"]
    assert prompt.hint(model, decision()) == "How many: 0 to 3, or “all”; Enter alone means 0."


@pytest.mark.parametrize(
    "other",
    [
        Decision("0-1", 0, "x", 0, 2, (Option("card:waste", count=2), Option("card:tower"))),
        Decision("0-1", 0, "react", 1, 1, (Option("pass"),)),
        Decision("0-1", 0, "hand-to-deck", 2, 2, (Option("card:waste", count=3),)),
        Decision("0-1", 0, "order", 0, 0, ()),
    ],
)
def test_other_questions_do_not_count(other: Decision) -> None:
    assert not counting.counts(other)
