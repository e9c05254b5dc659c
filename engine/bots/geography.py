"""What a bot knows of a board: neighbours and distances, worked out from what players are shown."""

from __future__ import annotations

from collections import deque
from functools import cached_property

from engine.types import BoardInfo


class Geography:
    """``near`` maps a hex to those adjacent to it (no sea, no barrier between)."""

    def __init__(self, board: BoardInfo) -> None:
        self.board = board
        barriers = {frozenset(pair) for pair in board.barriers}
        land = [name for name, info in board.hexes.items() if info.terrain != "sea"]
        self.near = {
            name: [
                other
                for other in _around(name)
                if other in board.hexes
                and board.hexes[other].terrain != "sea"
                and frozenset((name, other)) not in barriers
            ]
            for name in land
        }

    @cached_property
    def distances(self) -> dict[str, dict[str, int]]:
        """Steps from each hex to every hex that can be reached from it."""
        return {start: self._from(start) for start in self.near}

    def _from(self, start: str) -> dict[str, int]:
        steps = {start: 0}
        queue = deque([start])
        while queue:
            here = queue.popleft()
            for there in self.near[here]:
                if there not in steps:
                    steps[there] = steps[here] + 1
                    queue.append(there)
        return steps


def _around(name: str) -> list[str]:
    """The names of the six hexes around a hex, some of them off the board."""
    row, column = ord(name[0]), int(name[1:])
    left = column - 1 if (row - ord("A")) % 2 == 0 else column
    beside = [f"{name[0]}{column - 1}", f"{name[0]}{column + 1}"]
    return beside + [f"{chr(row + dr)}{left + dc}" for dr in (-1, 1) for dc in (0, 1)]
