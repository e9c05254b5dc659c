"""What a room is: the part of the client that the typed lines are for."""

from __future__ import annotations

from typing import Protocol


class Room(Protocol):
    """The lobby, or a game."""

    @property
    def wants_line(self) -> bool:
        """Whether a line is wanted now; a pipe is read only then."""

    def prompt(self) -> str:
        """The text before the cursor."""

    def completions(self, line: str) -> list[tuple[str, str]]:
        """Whole lines that the typed one may become, each with a remark."""

    async def typed(self, line: str, *, stale: bool) -> None:
        """Act on a line; a stale one was begun before the present question was there."""

    async def ended(self) -> bool:
        """The input is at its end, or somebody said so; tells whether that is final."""
