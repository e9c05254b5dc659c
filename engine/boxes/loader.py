"""Reads boxes and checks them: every fault is a :class:`engine.errors.BoxError` that names the file
and the card, board or field.

The boxes that come with the engine are known by their names alone.  A host's own box is a
:class:`Box` in hand: it travels whole, in a setup and so in a journal, because nobody else has it.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from engine.board import Board, BoardSpec
from engine.bonuses import BonusSpec, cities_of
from engine.boxes import checks
from engine.cards import CardSpec
from engine.errors import BoxError, SetupError
from engine.naming import repeated

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


class Box(Struct, frozen=True, forbid_unknown_fields=True):
    """A loaded box: its cards in file order, its boards, its suggested kingdoms, its route
    bonuses."""

    id: str
    name: str
    cards: list[CardSpec]
    boards: dict[str, BoardSpec]
    kingdoms: dict[str, Kingdom]
    bonuses: list[BonusSpec] = []

    def __hash__(self) -> int:  # so that settings can be remembered by their boxes
        return hash((self.id, self.name, len(self.cards), len(self.bonuses)))


def known_boxes(own: Sequence[Box] = ()) -> list[str]:
    """The boxes that come with the engine, without ``common``, and a host's own."""
    return [*_shipped(), *(box.id for box in own)]


@lru_cache(maxsize=1)
def _shipped() -> tuple[str, ...]:
    """They are looked for once: a server asks for every guest, and may have no file to open."""
    return tuple(sorted(p.parent.name for p in HERE.glob("*/box.toml") if p.parent.name != COMMON))


def known_boards(own: Sequence[Box] = ()) -> list[str]:
    """The boards of all known boxes."""
    boxes = [load_box(HERE / box) for box in known_boxes()]
    return list(dict.fromkeys(board for box in [*boxes, *own] for board in box.boards))


@lru_cache(maxsize=32)
def load_boxes(boxes: tuple[str, ...], own: tuple[Box, ...] = ()) -> tuple[Box, ...]:
    """``common`` and the named boxes, those of ``own`` last: what they say again of a card, board
    or route bonus of a box before them is what counts.  Raises SetupError for a box that is not
    known."""
    known = known_boxes(own)
    for box in boxes:
        if box not in known:
            raise SetupError(f"there is no box {box!r}; known boxes: {', '.join(known)}")
    if not boxes:
        raise SetupError("name at least one box")
    if again := repeated(boxes):
        raise SetupError(f"name each box once; named twice: {', '.join(again)}")
    mine = {box.id: box for box in own}
    loaded = [load_box(HERE / box) for box in (COMMON, *sorted(b for b in boxes if b not in mine))]
    for name in sorted(b for b in boxes if b in mine):
        loaded = [*(_corrected(box, mine[name]) for box in loaded), _new_in(mine[name], loaded)]
    return tuple(loaded)


Item = TypeVar("Item", CardSpec, BoardSpec, BonusSpec)


def _corrected(box: Box, by: Box) -> Box:
    """A box with what the other one says again of its cards, boards and bonuses."""
    return msgspec.structs.replace(
        box,
        cards=_again(box.cards, by.cards),
        boards={board.id: board for board in _again(box.boards.values(), by.boards.values())},
        bonuses=_again(box.bonuses, by.bonuses),
    )


def _again(items: Iterable[Item], others: Iterable[Item]) -> list[Item]:
    later = {item.id: item for item in others}
    return [later.get(item.id, item) for item in items]


def _new_in(box: Box, before: Sequence[Box]) -> Box:
    """What a box has that none before it has."""
    cards = {card.id for other in before for card in other.cards}
    boards = {board for other in before for board in other.boards}
    bonuses = {bonus.id for other in before for bonus in other.bonuses}
    return msgspec.structs.replace(
        box,
        cards=[card for card in box.cards if card.id not in cards],
        boards={name: board for name, board in box.boards.items() if name not in boards},
        bonuses=[bonus for bonus in box.bonuses if bonus.id not in bonuses],
    )


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
    bonuses: list[BonusSpec] = []
    if (folder / "bonuses.toml").exists():
        bonuses = _read(folder / "bonuses.toml", BonusesFile).bonus
    cards = [msgspec.structs.replace(card, box=head.id) for card in cards]
    kingdoms = {kingdom.id: kingdom for kingdom in head.kingdom}
    checks.check_once(folder / "box.toml", "kingdom", (kingdom.id for kingdom in head.kingdom))
    box = Box(head.id, head.name, cards, boards, kingdoms, bonuses)
    check_box(folder, box)
    return box


def load_own_box(folder: Path) -> Box:
    """A host's own box.  It may say again what a box of the engine says of a card (then with the
    same role), board or bonus, but it has a name of its own.  Raises BoxError."""
    box = load_box(folder)
    check_own_box(folder, box)
    return box


def check_box(folder: Path, box: Box) -> None:
    """Raise BoxError for what is wrong in a box; its boards are checked when they are read."""
    checks.check_id(folder / "box.toml", "box", box.id)
    for card in box.cards:
        checks.check_card(folder / "cards.toml", card)
    checks.check_once(folder / "cards.toml", "card", (card.id for card in box.cards))
    checks.check_victory(folder / "cards.toml", box.cards)
    for kingdom in box.kingdoms.values():
        checks.check_kingdom(folder / "box.toml", kingdom, box.cards)
    for bonus in box.bonuses:
        checks.check_bonus(folder / "bonuses.toml", bonus)
    checks.check_once(folder / "bonuses.toml", "bonus", (bonus.id for bonus in box.bonuses))


def check_own_box(folder: Path, box: Box) -> None:
    """Raise BoxError where a host's own box does not go with the boxes of the engine."""
    if box.id in (COMMON, *known_boxes()):
        raise BoxError(
            f"{folder / 'box.toml'}: the box id {box.id!r} is taken; an own box needs another, "
            "and corrects a card by saying it again"
        )
    known = [load_box(HERE / name) for name in (COMMON, *known_boxes())]
    roles = {card.id: card.role for other in known for card in other.cards}
    for card in box.cards:
        role = roles.get(card.id, card.role)
        if card.role != role:
            raise BoxError(
                f"{folder / 'cards.toml'}: {card.id}: role is {card.role}; "
                f"the card that it corrects has {role}"
            )
    boards = {name: spec for other in [*known, box] for name, spec in other.boards.items()}
    for bonus in box.bonuses:
        where = f"{folder / 'bonuses.toml'}: bonus {bonus.id}"
        if bonus.board not in boards:
            raise BoxError(
                f"{where}: board is {bonus.board!r}; known boards are {', '.join(boards)}"
            )
        try:
            cities_of(bonus, Board(boards[bonus.board]))
        except BoxError as error:
            raise BoxError(f"{folder / 'bonuses.toml'}: {error}") from error


def check_given_box(box: Box) -> None:
    """Raise BoxError for an own box that came in a setup instead of a folder."""
    where = Path(box.id)
    for spec in box.boards.values():
        checks.check_board(where, spec)
    check_box(where, box)
    check_own_box(where, box)


def box_hash(boxes: tuple[str, ...], own: tuple[Box, ...] = ()) -> str:
    """A hash of all that the named boxes (and ``common``) say, as 32 hex digits."""
    data = msgspec.json.encode(
        [msgspec.to_builtins(box) for box in load_boxes(boxes, own)], order="sorted"
    )
    return hashlib.sha256(data).hexdigest()[:32]


def _read(path: Path, kind: type[S]) -> S:
    try:
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), kind)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BoxError(f"{path}: cannot be read: {error}") from error
    except msgspec.ValidationError as error:
        raise BoxError(f"{path}: {error}") from error
