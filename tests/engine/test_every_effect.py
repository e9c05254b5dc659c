"""Random games of both boxes meet every effect of every card and every ability of a route bonus.

``SENRO_RANDOM_GAMES`` asks for the long form, and says how many games it plays (2000, say); there
the eight are drawn by the game, while the short form deals cards into every game that make others
do more, and stops when everything has been seen.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import msgspec
import pytest

import engine
from engine.types import Decision
from tests.engine.random_play import any_setup, random_answer

LONG = "SENRO_RANDOM_GAMES" in os.environ
GAMES = int(os.environ.get("SENRO_RANDOM_GAMES", "600"))
BOTH = ("base", "rising-sun")
LIMIT = 8000
"""More answers than any random game needs; one that goes on longer is a failure."""

COPIED = "stationmaster-office"
REACTION = "legal-counsel"
ATTACKS = {
    # what each attack shows of its victims
    "regulations": ("put-down",),
    "unhappy-passengers": ("gained",),
    "politician": ("gave-up", "conceded"),
    "protesters": ("discarded",),
    "roundhouse": ("revealed", "put-back", "discarded"),
}
SHOWN = {
    # what the effects of Rising Sun bring
    "monorail": ("earned",),
    "outdated-train": ("earned", "gained"),
    "commuter-train": ("earned",),
    "biofuel-train": ("returned", "earned"),
    "experimental-train": ("took", "discarded"),
    "mining-train": ("earned",),
    "distant-partners": ("rail-points",),
    "government-subsidy": ("rail-points", "earned"),
    "interchange": ("rail-points",),
    "trail-blazer": ("rail-points",),
    REACTION: ("paid", "drew"),
    "strategy-meeting": ("drew", "put-down"),
    "surveyor": ("looked", "fetched", "ordered", "left"),
    "reclamation-depot": ("returned",),
    "dispatcher": ("looked", "discarded", "ordered", "drew"),
    "engineer": ("revealed", "took", "discarded"),
    "extra-laborers": ("gained", "this-turn"),
    "upgrade": ("discarded", "drew"),
    "charitable-support": ("paid", "scored"),
    "incinerator": ("revealed", "trashed", "discarded"),
    "yardmaster": ("revealed", "took", "put-back"),
    "limited-partnership": ("drew",),
    "junk-yard": ("returned", "drew"),
    "recycling-center": ("returned", "earned"),
}
ABILITIES = (
    "buy-on-top",
    "discount-two",
    "draw-two",
    "fetch-train",
    "clear-waste",
    "shared-track",
    "no-waste",
    "three-money",
    "clean-station",
    "free-rail",
)


def wanted_effects(cards: list[engine.cards.CardSpec]) -> set[tuple[str, ...]]:
    """What must be seen of every card: its effect used, refused, copied if it has the icon; and
    the ways in which the effects that have several can go."""
    wanted: set[tuple[str, ...]] = set()
    for card in cards:
        if card.effects:
            wanted |= {(card.id, "used"), (card.id, "refused")}
            if card.action and card.id != COPIED:
                wanted.add((card.id, "copied"))
        if card.type == "victory":
            wanted.add((card.id, "bought with Waste"))
    impossible = ("pulling", "switchback", COPIED, REACTION, "charitable-support", "upgrade")
    wanted |= {(card, "impossible") for card in impossible}
    wanted |= {("station-crew", key) for key in ("draw", "money", "return-waste")}
    wanted |= {("signals", key) for key in ("keep", "discard")}
    wanted |= {("holiday-timetable", key) for key in ("yes", "no")}
    wanted |= {(COPIED, key) for key in ("yes", "no")}
    wanted |= {("early-train", key) for key in ("deck", "gained")}
    wanted |= {("bullet-train", "earned"), ("ironworks", "earned"), ("tourist-train", "scored")}
    wanted |= {("command-central", "took"), ("command-central", "missed")}
    wanted |= {("information-central", "took"), ("information-central", "left")}
    wanted.add(("temporary-timetable", "took"))
    wanted |= {("freight-train", key) for key in ("returned", "returned none")}
    wanted |= {("maintenance-factory", key) for key in ("gained", "gained none")}
    wanted |= {("wagon-factory", "gained"), ("pulling", "fetched"), ("switchback", "put-on-deck")}
    for effect in ("waive-river", "waive-mountain", "waive-city", "waive-money", "waive-opponents"):
        wanted.add((effect, "laid"))
    wanted.add(("waive-opponents", "no Waste"))
    wanted.add(("no-waste", "no Waste"))
    wanted |= {(card, kind) for card, kinds in SHOWN.items() for kind in kinds}
    for attack, kinds in ATTACKS.items():
        wanted |= {(attack, "pass"), (attack, f"reveal:{REACTION}"), (attack, "spared")}
        wanted |= {(attack, kind) for kind in kinds}
    wanted |= {("ability", name) for name in ABILITIES}
    wanted |= {
        ("remote-discount", "laid"),
        ("draw-at-station", "drew"),
        ("rail-card-point", "rail-points"),
        ("next-buy-to-deck", "put-on-deck"),
        ("next-buy-discount", "bought"),
    }
    return wanted


class Before(NamedTuple):
    """What has to be known of the game before an answer to tell what the answer showed."""

    running: dict[str, int]
    crowd: list[int]
    waste_left: int


def before_answer(game: engine.Game) -> Before:
    running = dict(zip(engine.running.RUNNING, game.state.running, strict=True))
    left = game.state.supply[game.setting.waste]
    return Before({k: n for k, n in running.items() if n}, game.masks.crowd.copy(), left)


def seen_effects(
    game: engine.Game, before: Before, decision: Decision, keys: list[str]
) -> Iterator[tuple[str, ...]]:
    """What an answer showed, out of what is wanted."""
    events = engine.events_for(game.setting, game.facts, engine.RECORD)
    kinds = Counter(event.type for event in events)
    play = next((event for event in events if event.type == "played"), None)
    card = ""
    if play is not None:
        card = str(play.card)
        yield card, str(play.what)
        if game.setting.cards[game.setting.index[card]].type == "rail":
            if kinds["earned"]:
                yield "ironworks", "earned"
            if kinds["rail-points"] > 1 and "rail-card-point" in before.running:
                yield "rail-card-point", "rail-points"
    elif decision.kind not in ("turn", "start-rail"):
        card = decision.cause or "early-train"
        yield from ((name, key) for key in keys for name in (card, decision.copied_by) if name)
        if decision.kind in ("reveal-and-take", "look-and-take") and not keys:
            yield card, "left"
    yield from ((str(event.card), "copied") for event in events if event.type == "copied")
    yield from ((card, kind) for kind in kinds)
    if card == "command-central" and kinds["named"] and kinds["revealed"] and not kinds["took"]:
        yield card, "missed"
    if card == "freight-train" and any(e.type == "returned" and not e.count for e in events):
        yield card, "returned none"
    if card == "maintenance-factory" and kinds["revealed"] and not kinds["gained"]:
        yield card, "gained none"
    gained_waste = any(e.type == "gained" and e.card == "waste" for e in events)
    for event in events:
        if event.type == "bonus-used":
            yield (
                "ability",
                game.setting.bonuses[game.setting.actions[f"bonus:{event.what}"][1]].spec.ability,
            )
        elif event.type == "bought":
            spec = game.setting.cards[game.setting.index[str(event.card)]]
            if event.money != spec.cost and "next-buy-discount" in before.running:
                yield "next-buy-discount", "bought"
            if kinds["put-on-deck"] and "next-buy-to-deck" in before.running:
                yield "next-buy-to-deck", "put-on-deck"
            if gained_waste:
                yield str(event.card), "bought with Waste"
            elif spec.type == "victory" and before.waste_left and "no-waste" in before.running:
                yield "no-waste", "no Waste"
        elif event.type == "laid":
            i = game.setting.board.index[str(event.hex)]
            terrain = game.setting.board.terrain[i]
            if event.money == 0 and terrain != "plain":
                yield from (
                    (effect, "laid")
                    for effect in (f"waive-{terrain}", "waive-money")
                    if effect in before.running
                )
            if kinds["drew"] and "draw-at-station" in before.running:
                yield "draw-at-station", "drew"
            number = game.setting.board.value[i]
            if "remote-discount" in before.running and event.money == number - 1:
                yield "remote-discount", "laid"
            if before.crowd[i] and "waive-opponents" in before.running:
                yield "waive-opponents", "laid"
                if before.waste_left and not gained_waste:
                    yield "waive-opponents", "no Waste"


def deal(number: int, cards: list[engine.cards.CardSpec]) -> engine.Game:
    """The game of a number.  In all games of the short form, and in every second one of the long
    form, the cards that make others do more are among the eight, and everybody owns one of each
    from the start, and some good Trains.  The route bonuses have found their holders already:
    chains of rails that join one are rare among random ones."""
    rng = random.Random(number)
    setup = any_setup(rng, number, boxes=BOTH, bonuses=True)
    rich = number % 2 == 0 or not LONG
    if rich:
        always = (COPIED, REACTION, rng.choice([*ATTACKS]))
        others = [c.id for c in cards if c.role == "randomizer" and c.id not in always]
        setup = msgspec.structs.replace(setup, kingdom=(*always, *rng.sample(others, 5)))
    game = engine.Game.new(setup)
    for held in game.state.bonuses:
        held.holder = rng.randrange(setup.players)
    if rich:
        for me in game.state.seats:
            for card in (*setup.kingdom, *["limited-express-train"] * 2):
                me.discard[game.setting.index[card]] += 1
    return game


@pytest.mark.timeout(1800)  # the long form
def test_random_games_use_every_effect_of_every_card() -> None:
    cards = [card for box in engine.boxes.load_boxes(BOTH) for card in box.cards]
    missing, wanted = set(), wanted_effects(cards)
    assert {card.id for card in cards if card.effects} <= {name for name, *_ in wanted}
    seen: Counter[tuple[str, ...]] = Counter()
    played = 0
    while played < GAMES:
        rng = random.Random(played)
        game = deal(played, cards)
        for _ in range(LIMIT):
            if game.over:
                break
            decision = rng.choice(game.decisions)
            keys = random_answer(rng, decision)
            before = before_answer(game)
            game.answer(decision.id, keys)
            seen.update(seen_effects(game, before, decision, keys))
        assert game.over
        played += 1
        missing = wanted - seen.keys()
        if not missing and not LONG:
            break
    assert not missing, f"not seen in {played} random games: {sorted(missing)}"
    print(f"{played} random games used all {len(wanted)} effects of {len(cards)} cards")
