"""A sentence for everything: new kinds of events, decisions, operations and running effects fail
here until they have theirs."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from msgspec import UNSET

import engine
from engine.boxes import load_boxes
from engine.effects import CARD_OPERATIONS, OPERATIONS, Choice
from engine.effects.choose import THEN, TYPES
from engine.effects.deck import REVEALED_TO
from engine.events import FIELDS
from engine.running import RUNNING
from engine.text import LANGUAGES, Words
from engine.text.effects import RUNNING_TEXT, TEXTS, card_text
from engine.text.events import COUNTED_TO, THIS_TURN, TO
from engine.types import Event, Option
from tests.engine.games import EIGHT, new_game, play_on
from tests.engine.random_play import any_setup, random_answer

NAMES = ["Ada", "Bo", "Cy", "Di"]
BONUSES = ("tokyo-northern-gate", "tokyo-bay-shore")
ZONES = {kind: tuple(lines) for kind, lines in (TO | COUNTED_TO).items()}
WHATS = {
    "played": ("", "used", "unused", "refused", "impossible"),
    "this-turn": RUNNING,
    "over": ("piles", "rails", "stations"),
    "bonus": BONUSES,
    "bonus-used": BONUSES,
}
KINDS = sorted({op.kind for op in OPERATIONS.values() if isinstance(op, Choice)})


def is_sentence(text: str) -> bool:
    return bool(text.strip()) and not {"{", "}", "\n"} & {*text} and text[0] == text[0].upper()


@pytest.mark.parametrize("kind", FIELDS)
@pytest.mark.parametrize("count", [0, 1, 2])
@pytest.mark.parametrize("private", [False, True])
def test_every_event_has_a_sentence(kind: str, count: int, private: bool) -> None:
    game = new_game(4, boxes=("base", "rising-sun"))
    values: dict[str, Any] = {
        "seat": 1,
        "card": "lay-rails",
        "cards": {"waste": 2, "lay-rails": 1} if count else {},
        "count": count,
        "hex": "C5",
        "money": count,
        "value": count,
        "to": ZONES.get(kind, ("hand",))[-1],
        "order": ["waste"],
    }
    known = {name for name, _, who in FIELDS[kind] if private or not who}
    hidden = {name for name, _, _ in FIELDS[kind]} - known
    for what in WHATS.get(kind, ("",)):
        seen = {
            name: what if name == "what" else values[name]
            for name, _, _ in FIELDS[kind]
            if name not in hidden
        }
        line = Words().event(game.setting, Event(kind, **seen), NAMES)
        assert is_sentence(line)
        assert line.endswith(".")
        if "seat" in seen:
            assert "Bo" in line
        if "hex" in seen:
            assert "Kichijoji" in line
        if "card" in seen:
            assert "Lay Rails" in line


@pytest.mark.parametrize("kind", ZONES)
@pytest.mark.parametrize("count", [1, 2])
def test_a_line_names_the_place_where_a_card_came_from_or_went_to(kind: str, count: int) -> None:
    """So that what happened to a card can be told from what might have happened to it."""
    game = new_game()
    given: dict[str, Any] = {"seat": 0, "card": "waste", "count": count, "money": 3}
    events = [Event(kind, **given, to=zone) for zone in ZONES[kind]]
    lines = {Words().event(game.setting, event, NAMES) for event in events}
    assert len(lines) == len(ZONES[kind])


@pytest.mark.parametrize("name", [name for name in RUNNING if name.startswith("waive")])
def test_what_is_waived_is_a_surcharge_and_no_more(name: str) -> None:
    """The price of a rail has parts; a line that calls the rail free says too much."""
    event = Event("this-turn", seat=0, what=name)
    line = Words().event(new_game().setting, event, NAMES)
    assert "no surcharge" in line
    assert "free" not in line
    assert ("no Waste" in line) == (name == "waive-opponents")


def test_rulings_say_what_they_mean_and_do_not_send_elsewhere() -> None:
    for box in load_boxes(tuple(engine.known_boxes())):
        for card in box.cards:
            assert not re.match(r"(As|Like|See) ", card.rulings), card.id
            assert not card.rulings or is_sentence(card.rulings), card.id


def test_private_cards_are_listed_to_those_who_may_know() -> None:
    game = new_game()
    event = Event("drew", seat=0, count=3, cards={"waste": 2, "lay-rails": 1})
    line = Words().event(game.setting, event, NAMES)
    assert "2 Waste" in line
    assert "Lay Rails" in line
    assert UNSET is Event("drew", seat=0, count=3).cards


def test_the_order_of_what_is_put_back_is_told_to_those_who_may_know() -> None:
    game = new_game()
    mine = Event("put-back", seat=0, count=2, order=["waste", "lay-rails"])
    assert Words().event(game.setting, mine, NAMES) == (
        "Ada puts 2 cards back on the deck, top first: Waste, Lay Rails."
    )
    theirs = Event("put-back", seat=0, count=2)
    assert Words().event(game.setting, theirs, NAMES) == "Ada puts 2 cards back on the deck."


@pytest.mark.parametrize("name", CARD_OPERATIONS)
def test_every_operation_has_a_text(name: str) -> None:
    assert name in TEXTS


def test_no_text_without_an_operation() -> None:
    assert {*TEXTS} == {*CARD_OPERATIONS}


@pytest.mark.parametrize("name", RUNNING)
def test_every_running_effect_has_its_texts(name: str) -> None:
    assert name in RUNNING_TEXT
    assert name in THIS_TURN


def test_every_card_says_what_it_does() -> None:
    for box in load_boxes(tuple(engine.known_boxes())):
        for card in box.cards:
            info = Words().card(card)
            if card.type == "train" and not card.effects:
                assert info.text == "", card.id  # its value says it all
                continue
            assert is_sentence(info.text), card.id
            assert info.text.endswith("."), card.id
            assert (info.id, info.name, info.cost) == (card.id, card.name, card.cost)


FACTS = {
    "lay-rails": "+1 rail point. Gain 1 Waste.",
    "station-expansion": "Place 1 station in any city with a free slot. Gain 1 Waste.",
    "tower": "When you buy this, gain 1 Waste. Worth 2 VP at the end of the game.",
    "waste": "Can be neither bought nor played.",
    "normal-train": "",
    "passing-station": "Draw 1 card.",
    "steel-bridge": "+1 rail point. Gain 1 Waste. This turn rails pay no surcharge for rivers.",
}


@pytest.mark.parametrize(("card", "text"), FACTS.items())
def test_texts_follow_from_the_effects(card: str, text: str) -> None:
    game = new_game()
    assert Words().card(game.setting.cards[game.setting.index[card]].spec).text == text


ARGUMENTS: list[tuple[str, Any]] = [
    ("draw", 1),
    ("draw", 3),
    ("earn", 2),
    ("gain-rail-points", 2),
    ("gain-waste", 2),
    ("return-all-waste", {"from": "hand"}),
    ("place-station", 1),
    *(("this-turn", name) for name in RUNNING),
    *(("discard-any", {"each": {what: n}}) for what in ("draw", "earn") for n in (1, 2)),
    ("may-trash-this", {"then": {"earn": 3}}),
    *(
        ("choose", {"from": zone, "type": kind, "then": then})
        for kind in TYPES
        for zone, thens in THEN.items()
        for then in thens
    ),
    ("choose-one", [{"draw": 1}, {"earn": 1}, {"return-waste": 1}]),
    ("choose-one", [{"draw": 2}, {"return-waste": 2}]),
    ("copy-action", 1),
    *(("discard", n) for n in (1, 2)),
    ("earn-if-in-play", {"card": "normal-train", "money": 1}),
    ("look-and-may-discard", 1),
    ("name-and-reveal", 1),
    *(
        ("return-any-waste", {"from": zone, **each, **most})
        for zone in ("hand", "discard")
        for each in ({}, {"each": {"earn": 1}}, {"each": {"draw": 2}})
        for most in ({}, {"max": 2})
    ),
    *(("return-waste", n) for n in (1, 2)),
    ("reveal-and-take", {"reveal": 4, "take": 1}),
    *(
        ("reveal-until", {"type": kind, "count": n, "then": then})
        for kind in ("train", "waste")
        for n in (1, 2)
        for then in ("hand", "trash")
    ),
    *(
        ("reveal-top", {"type": "train", "then": then, "else": other})
        for then in REVEALED_TO
        for other in REVEALED_TO
    ),
    ("reveal-and-take-type", {"reveal": 3, "type": "train"}),
    *(
        ("look-and-take", {"look": 3, "types": types, "take": n})
        for types in (["rail"], ["rail", "station"], ["train", "rail", "action"])
        for n in (1, 2)
    ),
    ("look-and-discard", 4),
    *(("hand-to-deck", {"count": n}) for n in (1, 2)),
    *(("others-draw", n) for n in (1, 2)),
    ("pay", 4),
    ("earn-if-only-train", 1),
    *(
        ("earn-per", {"what": what, "of": n, "most": 3})
        for what in ("mountain", "station")
        for n in (1, 2)
    ),
    ("lay-free", 1),
    *(
        ("attack", {"hits": hits, "do": do})
        for hits in ("others", "all")
        for do in (
            {"gain-waste": 1},
            {"gain-waste": 2},
            {"hand-to-deck": {"count": 1, "least": 5}},
            {"hand-to-deck": {"count": 2, "least": 5}},
            {"discard-down": 1},
            {"discard-down": 4},
            {"discard-or-pay": {"type": "train", "money": 1}},
            *(
                {"reveal-top": {"type": "train", "then": then, "else": other}}
                for then in REVEALED_TO
                for other in REVEALED_TO
            ),
        )
    ),
    *(("score", n) for n in (1, 2)),
    ("trade-train", {"up": 3}),
]


@pytest.mark.parametrize(("name", "arg"), ARGUMENTS)
def test_every_argument_that_is_allowed_has_a_text(name: str, arg: Any) -> None:
    CARD_OPERATIONS[name].check(arg)
    spec = new_game().setting.cards[0].spec
    card = type(spec)(
        **{f: getattr(spec, f) for f in spec.__struct_fields__} | {"effects": [{name: arg}]}
    )
    text = card_text(Words()._translator, card)
    assert is_sentence(text)


def test_every_operation_is_among_them() -> None:
    assert {name for name, _ in ARGUMENTS} == {*CARD_OPERATIONS}


def test_everything_in_a_real_game_has_a_sentence() -> None:
    words = Words()
    for number, players in ((3, 2), (4, 4)):
        game = new_game(players, number)
        facts = list(game.facts)
        for _ in play_on(game, number):
            facts += game.facts
            for decision in game.decisions:
                worded = words.decision(game.setting, decision)
                assert is_sentence(worded.text)
                assert all(is_sentence(option.text) for option in worded.options)
                assert len({o.text for o in worded.options}) == len(worded.options)
        for audience in (0, engine.SPECTATOR, engine.RECORD):
            for event in engine.events_for(game.setting, facts, audience):
                assert is_sentence(words.event(game.setting, event, NAMES))


@pytest.mark.parametrize("number", range(6))
def test_what_was_said_before_changes_nothing(number: int) -> None:
    """Words remember sentences of their setting: nothing that a sentence depends on is missed."""
    rng = random.Random(number)
    game = engine.Game.new(any_setup(rng, number, reactions="sealed"))
    words = Words()
    while not game.over:
        for decision in game.decisions:
            assert words.decision(game.setting, decision) == Words().decision(
                game.setting, decision
            )
        decision = game.decisions[0]
        game.answer(decision.id, random_answer(rng, decision))


@pytest.mark.parametrize(
    ("option", "text"),
    [
        (Option("play:express-train", gain=2), "Play Express Train (+2 money)"),
        (Option("play:lay-rails", effect="used"), "Play Lay Rails"),
        (
            Option("play-plain:lay-rails", effect="refused"),
            "Play Lay Rails without its effect",
        ),
        (
            Option("play:amusement-park", gain=1, effect="impossible"),
            "Play Amusement Park for its value alone (+1 money)",
        ),
        (Option("buy:tower", money=5, waste=1), "Buy Tower (costs 5, brings 1 Waste)"),
        (Option("lay:C5", money=2), "Lay a rail on Kichijoji (C5) (costs 2)"),
        (Option("lay:C4"), "Lay a rail on C4 (plain)"),
        (Option("hex:A1"), "Chichibu (A1)"),
        (Option("card:waste", count=3), "Waste"),
        (Option("end-turn"), "End the turn"),
        (Option("clear-waste"), "Return all Waste in hand and end the turn"),
    ],
)
def test_options_say_what_they_cost(option: Option, text: str) -> None:
    assert Words().option(new_game().setting, option) == text


def test_a_language_that_is_not_there_is_english() -> None:
    assert Words("xx").language == "en"
    assert LANGUAGES[0] == "en"
    assert {*EIGHT} <= {card.id for card in new_game().setting.cards}
