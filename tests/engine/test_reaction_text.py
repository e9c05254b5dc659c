"""What an attacked player is asked, with a reaction in hand and without."""

from __future__ import annotations

import pytest

from engine.scenario import position, take_step
from engine.scenario_file import Given, Scenario, SeatGiven
from engine.text import Words

HANDS = {
    "a reaction": (["legal-counsel", "normal-train"], "Do you reveal a reaction?"),
    "none": (["normal-train"], "You have no reaction in hand, and are asked so that nobody can"),
}


@pytest.mark.parametrize("name", HANDS)
def test_who_has_no_choice_is_told_why_they_are_asked(name: str) -> None:
    hand, words = HANDS[name]
    given = Given(
        seats=[
            SeatGiven(hand=["protesters"], deck=["waste"]),
            SeatGiven(hand=hand, discard=["legal-counsel"]),
        ]
    )
    piles = ["legal-counsel", "protesters"]
    boxes = ["base", "rising-sun"]
    game = position(
        Scenario("", "tokyo", 2, boxes=boxes, kingdom=piles, reactions="sealed", given=given)
    )
    assert take_step(game, ["play:protesters"]) == ""
    (decision,) = game.decisions
    assert words in Words().decision(game.setting, decision).text
