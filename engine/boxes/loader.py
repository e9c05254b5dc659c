"""Reads boxes and checks them: every fault is a :class:`engine.errors.BoxError` that names the file
and the card, board or field."""

from __future__ import annotations

import hashlib
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from engine.board import BoardSpec
from engine.bonuses import BonusSpec
from engine.boxes import checks
from engine.cards import CardSpec
from engine.errors import BoxError, SetupError

HERE = Path(__file__).parent
COMMON = "common"

S = TypeVar("S")


class Kingdom(Struct, frozen=True, forbid_unknown_fields=True):
    """A named set of randomizer piles."""

    id: str
    name: str
    cards: list[str]
    source: str


class BoxFile(Struct, frozen=True, forbid_unknown_fields=True):
    """``box.toml``."""

    id: str
    name: str
    kingdom: list[Kingdom] = []


class CardsFile(Struct, frozen=True, forbid_unknown_fields=True):
    """``cards.toml``."""

    card: list[CardSpec]


class BonusesFile(Struct, frozen=True, forbid_unknown_fields=True):
    """``bonuses.toml``."""

    bonus: list[BonusSpec]


class Box(Struct, frozen=True):
    """A loaded box: its cards in file order, its boards, its suggested kingdoms, its route
    bonuses."""

    id: str
    name: str
    cards: list[CardSpec]
    boards: dict[str, BoardSpec]
    kingdoms: dict[str, Kingdom]
    bonuses: list[BonusSpec] = []


def known_boxes() -> list[str]:
    """The boxes that come with the engine, without ``common``."""
    return sorted(p.parent.name for p in HERE.glob("*/box.toml") if p.parent.name != COMMON)


def known_boards() -> list[str]:
    """The boards of all known boxes."""
    return [board for box in known_boxes() for board in load_box(HERE / box).boards]


@lru_cache(maxsize=32)
def load_boxes(boxes: tuple[str, ...]) -> tuple[Box, ...]:
    """``common`` and the named boxes.  Raises SetupError for a box that is not known."""
    for box in boxes:
        if box not in known_boxes():
            raise SetupError(f"there is no box {box!r}; known boxes: {', '.join(known_boxes())}")
    if not boxes or len(set(boxes)) < len(boxes):
        raise SetupError("name at least one box, and each box once")
    return tuple(load_box(HERE / box) for box in (COMMON, *sorted(boxes)))


@lru_cache(maxsize=32)
def load_box(folder: Path) -> Box:
    """The box in a folder.  Raises BoxError."""
    head = _read(folder / "box.toml", BoxFile)
    cards = _read(folder / "cards.toml", CardsFile).card if (folder / "cards.toml").exists() else []
    boards: dict[str, BoardSpec] = {}
    for path in sorted(folder.glob("boards/*.toml")):
        spec = _read(path, BoardSpec)
        checks.check_board(path, spec)
        checks.check_once(path, "board", [*boards, spec.id])
        boards[spec.id] = spec
    cards = [msgspec.structs.replace(card, box=head.id) for card in cards]
    for card in cards:
        checks.check_card(folder / "cards.toml", card)
    checks.check_once(folder / "cards.toml", "card", (card.id for card in cards))
    checks.check_id(folder / "box.toml", "box", head.id)
    for kingdom in head.kingdom:
        checks.check_kingdom(folder / "box.toml", kingdom, cards)
    checks.check_once(folder / "box.toml", "kingdom", (kingdom.id for kingdom in head.kingdom))
    bonuses: list[BonusSpec] = []
    if (folder / "bonuses.toml").exists():
        bonuses = _read(folder / "bonuses.toml", BonusesFile).bonus
    for bonus in bonuses:
        checks.check_bonus(folder / "bonuses.toml", bonus)
    checks.check_once(folder / "bonuses.toml", "bonus", (bonus.id for bonus in bonuses))
    checks.check_victory(folder / "cards.toml", cards)
    kingdoms = {kingdom.id: kingdom for kingdom in head.kingdom}
    return Box(head.id, head.name, cards, boards, kingdoms, bonuses)


def box_hash(boxes: tuple[str, ...]) -> str:
    """A hash of all that the named boxes (and ``common``) say, as 32 hex digits."""
    data = msgspec.json.encode(
        [msgspec.to_builtins(box) for box in load_boxes(boxes)], order="sorted"
    )
    return hashlib.sha256(data).hexdigest()[:32]


def _read(path: Path, kind: type[S]) -> S:
    try:
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), kind)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BoxError(f"{path}: cannot be read: {error}") from error
    except msgspec.ValidationError as error:
        raise BoxError(f"{path}: {error}") from error
