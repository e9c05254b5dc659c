"""Every kind of question that the scenarios of both boxes lead to: shown whole, and answered by
what is shown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from client.model import TableModel
from client.plain import counting, labels, prompt
from client.plain.answers import BadAnswerError, parse
from client.plain.lines import columns_of, plain
from engine.errors import EngineError
from engine.scenario import Scenario, load, position, take_step
from engine.text.questions import OF_ARGUMENT, PLAIN
from engine.types import Decision
from tests.client.games import model_of

QUESTIONS = {**PLAIN, **OF_ARGUMENT}
SCENARIOS = [
    scenario
    for path in sorted((Path(__file__).parents[1] / "scenarios").glob("*.json"))
    for scenario in load(path)
]


def asked(scenario: Scenario) -> Iterator[tuple[TableModel, Decision]]:
    """Every decision of a scenario with what its seat has been told."""
    game = position(scenario)
    for step in [*scenario.steps, None]:
        for decision in game.decisions:
            model = model_of(game, decision.seat)
            (told,) = [one for one in model.decisions if one.id == decision.id]
            yield model, prompt.arranged(told)
        if step is None or take_step(game, step):
            return


@cache
def questions() -> dict[str, list[tuple[TableModel, Decision]]]:
    """The first few of each kind and form, so that the test stays quick."""
    found: dict[str, list[tuple[TableModel, Decision]]] = {}
    forms: dict[object, int] = {}
    for scenario in SCENARIOS:
        try:
            for model, decision in asked(scenario):
                verbs = {option.key.partition(":")[0] for option in decision.options}
                form = (decision.kind, decision.cause, frozenset(verbs))
                forms[form] = forms.get(form, 0) + 1
                if forms[form] <= 3:
                    found.setdefault(decision.kind, []).append((model, decision))
        except EngineError:
            continue  # a scenario that is to be refused
    return found


def test_the_scenarios_lead_to_every_kind_of_question() -> None:
    assert set(questions()) >= set(QUESTIONS) - {"start-rail"}


@pytest.mark.parametrize("kind", sorted(QUESTIONS))
def test_a_question_is_shown_whole_at_any_width_and_says_no_ids(kind: str) -> None:
    for model, decision in questions().get(kind, []):
        for width in (60, 80, 120):
            lines = [plain(line) for line in prompt.ask(model, decision, width=width)]
            assert max(map(columns_of, lines)) <= width
        shown = " ".join(" ".join(lines).split())
        for option in decision.options:
            if option.key.startswith("play-plain:"):
                assert f"plain {model.card_name(option.key.partition(':')[2])}" in shown
            else:
                assert labels.option_label(model, decision, option) in shown
        ids = {name for name in model.titles if "-" in name}
        assert not ids & set(re.findall(r"[a-z-]+", shown))


@pytest.mark.parametrize("kind", sorted(QUESTIONS))
def test_every_option_can_be_typed_by_number_by_key_and_by_the_words_it_goes_by(kind: str) -> None:
    for model, decision in questions().get(kind, []):
        if not decision.min <= 1 <= decision.max:
            continue
        question = prompt.question_of(model, decision)
        for number, option in question.numbers.items():
            if not counting.counts(decision):
                assert parse(question, str(number)) == (option.key,)
        for option in decision.options:
            assert parse(question, option.key) == (option.key,)
            name = question.name(option)
            assert parse(question, name) == (option.key,), (decision.kind, name)
            assert parse(question, f"{name.upper()}.") == (option.key,), (decision.kind, name)


@pytest.mark.parametrize(
    ("kind", "typed", "key"),
    [
        ("react", "legal", "reveal:legal-counsel"),
        ("react", "reveal", "reveal:legal-counsel"),
        ("react", "pass", "pass"),
        ("discard-or-pay", "money", "money"),
        ("discard-or-pay", "normal", "card:normal-train"),
        ("hand-to-deck", "waste", "card:waste"),
    ],
)
def test_the_questions_of_attacks_are_answered_in_words(kind: str, typed: str, key: str) -> None:
    offered = [
        (model, decision)
        for model, decision in questions()[kind]
        if key in {option.key for option in decision.options}
    ]
    assert offered
    for model, decision in offered:
        try:
            assert parse(prompt.question_of(model, decision), typed) == (key,)
        except BadAnswerError as problem:
            assert "could mean" in str(problem)
