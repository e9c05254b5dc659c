"""What those may see who watch with a delay: the game as it stood some turns ago.

It keeps the public view at the beginning of each of the last turns.  Only whole turns count, so a
pause brings nobody nearer to the present.
"""

from __future__ import annotations

from collections import deque
from typing import Any, NamedTuple


class Sight(NamedTuple):
    """A public view, and how many events led to it."""

    view: dict[str, Any]
    events: int


class Lag:
    """``shown`` is what may be seen now; ``turns`` is how many turns that is behind, or one more
    while a turn is played."""

    def __init__(self, turns: int, opening: Sight, turn: int) -> None:
        self.shown = opening
        self._turns = turns
        self._turn = turn
        self._kept: deque[Sight] = deque()

    def see(self, now: Sight, turn: int, over: bool) -> bool:
        """The game has moved on, to the turn of this number; says whether more may be seen."""
        if over:
            self._kept.clear()
            self.shown = now
            return True
        if turn == self._turn:
            return False
        self._turn = turn
        self._kept.append(now)
        if len(self._kept) <= self._turns:
            return False
        self.shown = self._kept.popleft()
        return True
