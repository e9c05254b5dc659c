"""Every question stands by itself: it says what becomes of what is picked, and who asks."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

import engine
from engine.boxes import load_boxes
from engine.cards import CardSpec
from engine.effects import CARD_OPERATIONS, OPERATIONS, Choice
from engine.effects.attack import VICTIM_OPERATIONS
from engine.masks import masks_of
from engine.scenario import Scenario, position
from engine.state import State
from engine.text import Words
from engine.text.questions import CHOOSE, OF_ARGUMENT, PLAIN
from engine.types import Decision, Option

KINDS = {op.kind: op.of_rules for op in OPERATIONS.values() if isinstance(op, Choice)}
BOTH = ("base", "rising-sun")
CARDS = [card for box in load_boxes(BOTH) for card in box.cards]
OFFICE = "stationmaster-office"
GAME = engine.Game.new(engine.Setup(seed=bytes(32), boxes=BOTH))
WORDS = Words()

OPERATIONS_THAT_ASK: list[tuple[dict[str, Any], str]] = [
    ({"choose": {"from": "discard", "type": "train", "then": "to-hand"}}, "into your hand"),
    ({"choose": {"from": "play", "type": "train", "then": "to-deck"}}, "on top of your deck"),
    ({"choose": {"from": "play", "type": "train", "then": "earn-value"}}, "its printed value"),
    ({"choose": {"from": "hand", "type": "train", "then": "reveal-and-gain-same"}}, "gain another"),
    ({"choose-one": [{"draw": 2}, {"earn": 3}, {"return-waste": 1}]}, "Which effect"),
    ({"discard": 1}, "Which card do you discard from your hand?"),
    ({"discard": 2}, "Which 2 cards do you discard from your hand?"),
    ({"discard-any": {"each": {"draw": 1}}}, "You draw 1 card for each."),
    ({"discard-any": {"each": {"earn": 2}}}, "You get 2 money for each."),
    ({"discard-down": 4}, "4 stay in it"),
    ({"discard-or-pay": {"type": "train", "money": 2}}, "have 2 money"),
    ({"hand-to-deck": {"count": 1}}, "Which card from your hand"),
    ({"hand-to-deck": {"count": 2}}, "Which 2 cards from your hand"),
    ({"look-and-take": {"look": 3, "types": ["rail", "station"], "take": 1}}, "Rail or Station"),
    ({"may-trash-this": {"then": {"earn": 3}}}, "for 3 money"),
    ({"return-any-waste": {"from": "hand", "each": {"earn": 1}}}, "1 money for each"),
    ({"return-any-waste": {"from": "discard", "max": 2}}, "from your discard pile"),
    ({"reveal-and-take": {"reveal": 4, "take": 1}}, "if any"),
    ({"reveal-and-take": {"reveal": 4, "take": 2}}, "2 at most"),
    ({"trade-train": {"up": 3}}, "at most 3 more"),
    ({"copy-action": 1}, "does Holiday Timetable copy"),
    ({"gain-train": 6}, "to your hand"),
    ({"look-and-may-discard": 1}, "On top of your deck is Waste."),
    ({"look-and-discard": 4}, "do you discard"),
    ({"name-and-reveal": 1}, "you take it into your hand"),
    ({"place-station": 1}, "build the station"),
    ({"lay-free": 1}, "Only other players' rails there still cost"),
]


def is_sentence(text: str) -> bool:
    return bool(text.strip()) and not {"{", "}", "\n"} & {*text} and text[0] == text[0].upper()


def decision_of(operation: dict[str, Any], **more: Any) -> Decision:
    """A decision that this effect of Holiday Timetable might have put."""
    (kind, arg) = next(iter(operation.items()))
    options = (Option("draw"), Option("money")) if kind == "choose-one" else (Option("yes"),)
    count = arg if kind == "discard" else arg["count"] if kind == "hand-to-deck" else 1
    cause = more.pop("cause", "holiday-timetable")
    return Decision(
        "0-1",
        0,
        kind,
        count,
        count,
        options,
        cause=cause,
        cards=("waste",),
        operation=operation,
        **more,
    )


@pytest.mark.parametrize(("operation", "told"), OPERATIONS_THAT_ASK)
def test_a_question_tells_what_the_operation_does(operation: dict[str, Any], told: str) -> None:
    asked = WORDS.decision(GAME.setting, decision_of(operation)).text
    assert is_sentence(asked)
    assert told in asked
    assert asked.count("?") == 1 or "Discard or keep it?" in asked


def test_no_question_is_asked_for_two_different_effects() -> None:
    asked = [WORDS.decision(GAME.setting, decision_of(o)).text for o, _ in OPERATIONS_THAT_ASK]
    assert len({*asked}) == len(asked)


def test_every_kind_has_a_question() -> None:
    assert not {*PLAIN} & {*OF_ARGUMENT}
    assert {*PLAIN, *OF_ARGUMENT} == {*KINDS}
    assert {k for k, rules in KINDS.items() if not rules} == {
        kind for operation, _ in OPERATIONS_THAT_ASK for kind in operation
    }
    for kind in (kind for kind, rules in KINDS.items() if rules):
        decision = Decision("0-1", 0, kind, 1, 1, (Option("no"),), cards=("waste",))
        assert is_sentence(WORDS.decision(GAME.setting, decision).text)
    assert {*VICTIM_OPERATIONS} & {*KINDS} <= {*OF_ARGUMENT}


def test_every_ending_of_choose_has_its_own_question() -> None:
    from engine.effects.choose import THEN

    assert {*CHOOSE} == {then for thens in THEN.values() for then in thens}
    assert len({*CHOOSE.values()}) == len(CHOOSE)


@pytest.mark.parametrize(
    ("offered", "missing"),
    [
        (("draw", "money", "return-waste"), ""),
        (("draw", "money"), "Not possible now: Return 1 Waste from your hand to the Waste pile."),
        (("draw",), "Not possible now: +3 money. Return 1 Waste from your hand to the Waste pile."),
    ],
)
def test_an_effect_that_cannot_be_chosen_is_told(offered: tuple[str, ...], missing: str) -> None:
    operation = {"choose-one": [{"draw": 2}, {"earn": 3}, {"return-waste": 1}]}
    options = tuple(Option(key) for key in offered)
    decision = msgspec.structs.replace(decision_of(operation), options=options)
    worded = WORDS.decision(GAME.setting, decision)
    assert worded.text.endswith(missing or "choose?")
    assert [option.text for option in worded.options] == [
        {
            "draw": "Draw 2 cards",
            "money": "+3 money",
            "return-waste": "Return 1 Waste from your hand to the Waste pile",
        }[key]
        for key in offered
    ]


def test_the_same_key_has_the_numbers_of_its_effect() -> None:
    """What is remembered of options does not leak from one effect into another."""
    for money in (1, 2, 3):
        pay = {"discard-or-pay": {"type": "train", "money": money}}
        one = {"choose-one": [{"draw": money}, {"earn": money}]}
        for operation, text in (
            (pay, f"Let the attacker have {money} money"),
            (one, f"+{money} money"),
        ):
            decision = decision_of(operation)
            decision = msgspec.structs.replace(decision, options=(Option("money"),))
            assert WORDS.decision(GAME.setting, decision).options[0].text == text


# ------------------------------------------------------------------------- copied effects


def copyable() -> list[CardSpec]:
    return [card for card in CARDS if card.action and card.id != OFFICE]


def rich_position(card: str) -> engine.Game:
    """Stationmaster Office and the card in a hand that lets nearly every effect ask."""
    own = {
        "hand": [OFFICE, card, "normal-train", "express-train", "waste", "waste", "tower"],
        "deck": ["lay-rails", "station-expansion", "waste", "tower", "normal-train", "waste"],
        "discard": ["normal-train", "express-train", "waste", "waste", "waste"],
        "play": ["normal-train", "express-train"],
    }
    other = {
        "hand": ["normal-train", "express-train", "waste", "tower", "legal-counsel"],
        "deck": ["tower"] * 6,
    }
    plain = {
        "name": card,
        "board": "tokyo",
        "players": 2,
        "boxes": [*BOTH],
        "kingdom": [OFFICE, "legal-counsel", *({card} - {"legal-counsel"})],
        "given": {"seats": [own, other], "turn": {"money": 9}},
    }
    return position(msgspec.convert(plain, Scenario))


def play(game: engine.Game, card: str) -> None:
    """Play the card, or let Stationmaster Office copy it, which asks nothing if there is no other
    card to copy."""
    game.answer(game.decisions[0].id, [f"play:{card}"])


def copy(game: engine.Game, card: str) -> None:
    play(game, OFFICE)
    if game.decisions[0].kind == "copy-action":
        game.answer(game.decisions[0].id, [f"card:{card}"])


def decisions_from(game: engine.Game) -> list[Decision]:
    """Every decision that comes until the turn goes on, each answered by its last options."""
    asked: list[Decision] = []
    while (decision := game.decisions[0]).kind != "turn":
        asked.append(decision)
        pool = [option.key for option in decision.options for _ in range(option.count)]
        game.answer(decision.id, pool[-max(decision.min, 1) :])
    return asked


@pytest.mark.parametrize("card", [card.id for card in copyable()])
def test_a_copied_effect_says_whose_it_is_and_who_copies_it(card: str) -> None:
    """The same questions as from the card itself, but for the card that was played."""
    copied, played = rich_position(card), rich_position(card)
    copy(copied, card)
    attacks = [copied.setting.cards[fact[2]].id for fact in copied.facts if fact[0] == "attacked"]
    assert attacks in ([], [card])
    play(played, card)
    told, own = decisions_from(copied), decisions_from(played)
    assert [d.kind for d in told] == [d.kind for d in own]
    for one, other in zip(told, own, strict=True):
        assert (one.cause, one.copied_by) == (card, OFFICE)
        assert (other.cause, other.copied_by) == (card, "")
        assert one.operation.keys() == other.operation.keys()
        assert WORDS.decision(copied.setting, one).text.count("?") == 1 or one.cards


def test_most_effects_of_both_boxes_ask_something_in_that_position() -> None:
    """So that the test before means something."""
    kinds = set()
    for card in copyable():
        game = rich_position(card.id)
        copy(game, card.id)
        kinds |= {decision.kind for decision in decisions_from(game)}
    assert kinds >= {*KINDS} - {
        "copy-action",
        "gain-train",
        "lay-free",
        "place-purchase",
        "place-station",
        "start-rail",
        "turn",
    }


def test_an_effect_in_the_middle_of_being_copied_is_saved_and_restored() -> None:
    game = rich_position("information-central")
    copy(game, "information-central")
    saved = msgspec.json.decode(msgspec.json.encode(game.state), type=State)
    again = engine.Game(game.setup, game.setting, saved, masks_of(saved, game.setting.board))
    again.reopen()
    assert again.decisions == game.decisions
    for one in (game, again):
        one.answer(one.decisions[0].id, [])
    assert again.decisions == game.decisions
    assert game.decisions[0].kind == "order"
    assert (game.decisions[0].cause, game.decisions[0].copied_by) == ("information-central", OFFICE)


def test_trashing_names_the_card_that_goes() -> None:
    game = rich_position("holiday-timetable")
    copy(game, "holiday-timetable")
    asked = WORDS.decision(game.setting, game.decisions[0])
    assert asked.text == "Do you trash Stationmaster Office for 3 money?"
    game.answer(game.decisions[0].id, ["yes"])
    assert game.state.trash[game.setting.index[OFFICE]] == 1


def test_what_asks_is_told_as_data() -> None:
    """Every decision of an effect carries the operation as its card has it."""
    game = rich_position("switchback")
    play(game, "switchback")
    asked = decisions_from(game)
    assert asked[0].operation == {"choose": {"from": "play", "type": "train", "then": "to-deck"}}
    assert game.decisions[0].operation == {}
    assert {*CARD_OPERATIONS} & {*KINDS} <= {k for k, rules in KINDS.items() if not rules}
