"""Who holds the seats of a table: plain records and what follows from them alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from protocol.messages import SeatInfo
from server.session import Session

OPEN, HUMAN, BOT = "open", "human", "bot"

COLORS = ("blue", "yellow", "red", "green")
"""Those of the rails (rules, section 2.6), in the order in which they are given out."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat and its holder.

    ``kind`` is open, human or bot; ``session`` is that of the human who holds it, and None if they
    have left a running game for good.
    """

    kind: str = OPEN
    name: str = ""
    ready: bool = False
    level: str = ""
    session: Session | None = None
    color: str = ""

    @property
    def present(self) -> bool:
        """Held by a human who is there."""
        return self.session is not None and self.session.connected

    def info(self) -> SeatInfo:
        """The seat as everybody sees it."""
        return SeatInfo(
            kind=self.kind,
            name=self.name,
            ready=self.ready or self.kind == BOT,
            connected=self.present,
            level=self.level,
            left=self.kind == HUMAN and self.session is None,
            color=self.color,
        )

    def to_plain(self) -> dict[str, Any]:
        """The seat as the journal keeps it."""
        plain: dict[str, Any] = {"kind": self.kind}
        if self.name:
            plain["name"] = self.name
        if self.level:
            plain["level"] = self.level
        if self.color:
            plain["color"] = self.color
        if self.session is not None:
            plain["token"] = self.session.token_hash.hex()
        return plain


def free_seat(seats: Sequence[Seat]) -> int | None:
    """The first seat that nobody holds."""
    return next((i for i, seat in enumerate(seats) if seat.kind == OPEN), None)


def free_color(seats: Sequence[Seat]) -> str:
    """The first colour that nobody has."""
    taken = {seat.color for seat in seats}
    return next(color for color in COLORS if color not in taken)


def bot_name(level: str, seats: Sequence[Seat]) -> str:
    """A name for a new bot that nobody else at the table has."""
    taken = {seat.name.casefold() for seat in seats}
    n = 1
    while f"{level} {n}".casefold() in taken:
        n += 1
    return f"{level.capitalize()} {n}"
