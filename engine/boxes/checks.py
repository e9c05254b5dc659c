"""What a box must be like beyond the types of its fields: every fault is a BoxError that names the
file and the card, board or field."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from engine.board import Board, BoardSpec
from engine.bonuses import BonusSpec
from engine.cards import CardSpec
from engine.effects import check_effects
from engine.errors import BoxError

if TYPE_CHECKING:
    from engine.boxes.loader import Kingdom

PLAYERS = (2, 4)
"""The fewest and the most players of any board (rules, section 1)."""

ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
"""Ids become part of option keys, which part at a colon."""


def check_id(path: Path, what: str, name: str) -> None:
    if not ID.fullmatch(name):
        raise BoxError(
            f"{path}: the {what} id {name!r} is not made of small letters and digits, "
            "parted by single hyphens"
        )


def check_once(path: Path, what: str, ids: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in ids:
        if name in seen:
            raise BoxError(f"{path}: the {what} {name!r} is there twice")
        seen.add(name)


def check_card(path: Path, card: CardSpec) -> None:
    check_id(path, "card", card.id)
    if not 0 < card.copies <= 255:
        raise BoxError(f"{path}: {card.id}: copies is {card.copies}; allowed are 1 to 255")
    for field in ("cost", "value", "vp", "start"):
        if not 0 <= getattr(card, field) <= 255:
            raise BoxError(
                f"{path}: {card.id}: {field} is {getattr(card, field)}; allowed are 0 to 255"
            )
    if card.start * PLAYERS[1] > card.copies:
        raise BoxError(
            f"{path}: {card.id}: start is {card.start}, but {card.copies} copies are too few "
            f"for {PLAYERS[1]} players"
        )
    if card.effects and not card.playable:
        raise BoxError(
            f"{path}: {card.id}: a {card.type} card cannot be played, so it has no effects"
        )
    if card.reaction and not card.playable:
        raise BoxError(f"{path}: {card.id}: a {card.type} card cannot be a reaction")
    try:
        check_effects(card.effects)
    except ValueError as error:
        raise BoxError(f"{path}: {card.id}: effects: {error}") from error


def check_victory(path: Path, cards: list[CardSpec]) -> None:
    """A box brings one victory pile for each tier, or none."""
    victory = [card.id for card in cards if card.role == "victory"]
    if len(victory) not in (0, 3):
        raise BoxError(f"{path}: {len(victory)} cards have the role victory; allowed are 3 or none")


def check_bonus(path: Path, bonus: BonusSpec) -> None:
    check_id(path, "bonus", bonus.id)
    check_id(path, "ability", bonus.ability)
    if not 0 < bonus.vp <= 255:
        raise BoxError(f"{path}: bonus {bonus.id}: vp is {bonus.vp}; allowed are 1 to 255")
    if len(set(bonus.cities)) < max(2, len(bonus.cities)):
        raise BoxError(
            f"{path}: bonus {bonus.id}: cities is {', '.join(bonus.cities)}; "
            "allowed are two cities or more, each once"
        )
    if not bonus.effects:
        raise BoxError(f"{path}: bonus {bonus.id}: effects is empty; its ability has at least one")
    try:
        check_effects(bonus.effects)
    except ValueError as error:
        raise BoxError(f"{path}: bonus {bonus.id}: effects: {error}") from error


def check_kingdom(path: Path, kingdom: Kingdom, cards: list[CardSpec]) -> None:
    check_id(path, "kingdom", kingdom.id)
    randomizers = [card.id for card in cards if card.role == "randomizer"]
    for card in kingdom.cards:
        if card not in randomizers:
            raise BoxError(
                f"{path}: kingdom {kingdom.id}: {card!r} is no randomizer pile of this box"
            )
    check_once(path, f"card of kingdom {kingdom.id}", kingdom.cards)


def check_board(path: Path, spec: BoardSpec) -> None:
    check_id(path, "board", spec.id)
    low, high = spec.players
    if not PLAYERS[0] <= low <= high <= PLAYERS[1]:
        raise BoxError(
            f"{path}: board {spec.id}: players is {low} to {high}; allowed are "
            f"{PLAYERS[0]} to {PLAYERS[1]}, the lowest number first"
        )
    for field, least in (("rails", 1), ("stations", 1), ("pile_size", 0)):
        if getattr(spec, field) < least:
            raise BoxError(
                f"{path}: board {spec.id}: {field} is {getattr(spec, field)}; "
                f"allowed is {least} or more"
            )
    if not 0 < len(spec.rows) <= 26 or not all(line.split() for line in spec.rows):
        raise BoxError(f"{path}: board {spec.id}: rows are 1 to 26 lines with hexes in each")
    try:
        board = Board(spec)
    except BoxError as error:
        raise BoxError(f"{path}: {error}") from error
    for name in spec.starts:
        if board.terrain[board.index[name]] in ("sea", "remote"):
            raise BoxError(f"{path}: board {spec.id}: starts names {name}, where no game can start")
