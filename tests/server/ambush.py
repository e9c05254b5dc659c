"""Games full of attacks: a box in which everybody begins with one attack and two reaction cards.

Station Expansion attacks and Lay Rails can be revealed; so a prepared hand decides who attacks, who
can react, and what is forced on whom.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

import engine
from engine.boxes import Box, load_own_box
from protocol.messages import TableOptions

ATTACK, REACTION, TRAIN = "station-expansion", "lay-rails", "normal-train"

CARDS = """
[[card]]
id = "station-expansion"
name = "Station Expansion"
type = "action"
action = true
cost = 3
copies = 20
role = "supply"
start = 1
effects = [{effect}]
rulings = ""
source = "a test"

[[card]]
id = "lay-rails"
name = "Lay Rails"
type = "action"
action = true
reaction = true
cost = 3
copies = 20
role = "supply"
start = 2
effects = [{{draw = 1}}]
rulings = ""
source = "a test"
"""
VICTIMS = {
    "gain-waste": "{gain-waste = 1}",
    "discard-down": "{discard-down = 3}",
    "hand-to-deck": "{hand-to-deck = {count = 1, least = 5}}",
    "discard-or-pay": '{discard-or-pay = {type = "train", money = 1}}',
    "reveal-top": '{reveal-top = {type = "train", then = "discard", else = "back"}}',
}

OPTIONS = TableOptions(order="seats", reactions="sealed", boxes=("base", "ambush"))
"""The usual times, at a table whose seats stay as they were taken."""


def ambush_box(
    folder: Path, victims: str = "discard-down", hits: str = "others", effect: str = ""
) -> Box:
    """The box, with what attacks do to their victims; or with another effect than an attack."""
    folder.mkdir(exist_ok=True)
    (folder / "box.toml").write_text('id = "ambush"\nname = "Ambush"\n', encoding="utf-8")
    attack = f'{{attack = {{hits = "{hits}", do = {VICTIMS[victims]}}}}}'
    cards = CARDS.format(effect=effect or attack)
    (folder / "cards.toml").write_text(cards, encoding="utf-8")
    return load_own_box(folder)


def deck(hand: str) -> tuple[str, ...]:
    """A first deck that begins with these cards: a letter for each of them, A for the
    attack, R for the reaction, T for a train.  What is left lies below, in that order."""
    left = [ATTACK] + [REACTION] * 2 + [TRAIN] * 7
    top = [{"A": ATTACK, "R": REACTION, "T": TRAIN}[letter] for letter in hand]
    for card in top:
        left.remove(card)
    return (*top, *left)


def second(hand: str) -> str:
    """What to deal so that this is the second hand."""
    left = list("ARRTTTTTTT")
    for letter in hand:
        left.remove(letter)
    return "".join(left) + hand


def dealer(*hands: str) -> Callable[[engine.Setup], engine.Game]:
    """Makes games in which these are the first hands."""
    decks = tuple(deck(hand) for hand in hands)

    def make(setup: engine.Setup) -> engine.Game:
        return engine.Game.new(msgspec.structs.replace(setup, decks=decks))

    return make
