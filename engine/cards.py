"""A card's facts as data, and nothing of what they do: see :mod:`engine.effects` for that."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

CardType = Literal["train", "rail", "station", "action", "victory", "waste"]
Role = Literal["start", "supply", "victory", "randomizer", "waste"]

Effect = tuple[str, Any]
"""One entry of the vocabulary: the name of the operation and its argument, both plain data."""


class CardSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """A card as its box's ``cards.toml`` has it.

    ``role`` says where its copies stand at setup; ``start`` how many each first deck holds.
    ``effects`` are carried out top to bottom.  A card with ``reaction`` can be revealed from the
    hand when an opponent attacks, and that attack passes its owner by.  ``source`` says where the
    facts come from (``rulebook``, ``documented`` or ``house: what``).
    """

    id: str
    name: str
    type: CardType
    cost: int
    copies: int
    role: Role
    rulings: str
    source: str
    value: int = 0
    vp: int = 0
    action: bool = False
    reaction: bool = False
    start: int = 0
    effects: list[dict[str, Any]] = []
    house: bool = False
    box: str = ""

    @property
    def playable(self) -> bool:
        """Victory and Waste cards cannot be played (rules, section 3)."""
        return self.type not in ("victory", "waste")

    @property
    def in_supply(self) -> bool:
        return self.role != "start"
