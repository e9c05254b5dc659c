"""Why a game stands still, and who would like it to."""

from __future__ import annotations

from collections.abc import Collection

LOADING, DESERTED, AGREED, JOURNAL = "loading", "deserted", "agreed", "journal"
"""The reasons: the table is not on all screens yet; nobody is connected; the players agreed to
pause; the journal cannot be written."""


class Pauses:
    """The reasons for which one game stands still now, and the seats that wish for a pause."""

    def __init__(self) -> None:
        self._reasons = {LOADING}
        self._wishes: set[int] = set()

    def __bool__(self) -> bool:
        """Whether it stands still."""
        return bool(self._reasons)

    def set(self, reason: str, holds: bool) -> bool:
        """Note whether a reason holds; says whether the game stops or goes on by that."""
        before = bool(self)
        (self._reasons.add if holds else self._reasons.discard)(reason)
        return bool(self) != before

    @property
    def shown(self) -> bool:
        """Whether somebody who is there can see that it stands still."""
        return AGREED in self._reasons or JOURNAL in self._reasons

    @property
    def agreed(self) -> bool:
        """Whether the players have agreed to pause."""
        return AGREED in self._reasons

    def wish(self, seat: int, pause: bool) -> bool:
        """A player would like a pause, or to go on: then nobody's wish counts any more.  Says
        whether that is new."""
        if pause:
            new = seat not in self._wishes
            self._wishes.add(seat)
            return new
        new = bool(self._wishes)
        self._wishes.clear()
        return new

    def agree(self, connected: Collection[int], seated: Collection[int]) -> bool:
        """Whether there is to be a pause: it begins when all players who are ``connected`` wish for
        it, and ends when one wishes to go on, or nobody is ``seated`` any more who could."""
        if not self._wishes or not seated:
            return False
        return self.agreed or (bool(connected) and self._wishes.issuperset(connected))
