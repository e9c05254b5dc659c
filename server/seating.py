"""Who holds the seats of a table: plain records and what follows from them alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from protocol.messages import SeatInfo
from server.session import Session

OPEN, HUMAN, BOT = "open", "human", "bot"


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat and its holder.

    ``kind`` is open, human or bot; ``session`` is there while a human is; ``absent_since`` (Trio's
    clock) says since when they are not, minus infinity if they have left for good.
    """

    kind: str = OPEN
    name: str = ""
    ready: bool = False
    level: str = ""
    session: Session | None = None
    absent_since: float = 0.0

    @property
    def absent(self) -> bool:
        """Held by a human who is not there."""
        return self.kind == HUMAN and self.session is None

    def info(self) -> SeatInfo:
        """The seat as everybody sees it."""
        return SeatInfo(
            kind=self.kind,
            name=self.name,
            ready=self.ready or self.kind == BOT,
            connected=self.session is not None,
            level=self.level,
        )

    def to_plain(self) -> dict[str, Any]:
        """The seat as the journal keeps it."""
        plain: dict[str, Any] = {"kind": self.kind}
        if self.name:
            plain["name"] = self.name
        if self.level:
            plain["level"] = self.level
        return plain


def free_seat(seats: Sequence[Seat]) -> int | None:
    """The first seat that nobody holds."""
    return next((i for i, seat in enumerate(seats) if seat.kind == OPEN), None)


def bot_name(level: str, seats: Sequence[Seat]) -> str:
    """A name for a new bot that nobody else at the table has."""
    taken = {seat.name.casefold() for seat in seats}
    n = 1
    while f"{level} {n}".casefold() in taken:
        n += 1
    return f"{level.capitalize()} {n}"
