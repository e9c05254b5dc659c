"""A canvas of box-drawing lines that join up whatever meets at a point.

Strokes are light or heavy; which character shows a joint is looked up in the names of the Unicode
characters themselves, so no table has to be kept.  The ASCII form draws the same with ``+-|`` and
makes heavy strokes ``#``.
"""

from __future__ import annotations

import unicodedata
from functools import cache

LIGHT, HEAVY = 1, 2
Joint = tuple[int, int, int, int]
"""Weights of the strokes that leave a point: up, right, down, left."""

_SIDES: dict[str, tuple[int, ...]] = {"UP": (0,), "RIGHT": (1,), "DOWN": (2,), "LEFT": (3,)}
_SIDES |= {"VERTICAL": (0, 2), "HORIZONTAL": (1, 3)}
_WEIGHTS = {"LIGHT": LIGHT, "HEAVY": HEAVY}


@cache
def _characters() -> dict[Joint, str]:
    """Read U+2500..U+257F: ``VERTICAL LIGHT AND RIGHT HEAVY`` is (light, heavy, light, none)."""
    found: dict[Joint, str] = {}
    for point in range(0x2500, 0x2580):
        words = unicodedata.name(chr(point)).removeprefix("BOX DRAWINGS ").split()
        if not set(words) <= {*_SIDES, *_WEIGHTS, "AND"}:
            continue  # dashes, doubles, arcs, diagonals
        joint = [0, 0, 0, 0]
        named = [_WEIGHTS[word] for word in words if word in _WEIGHTS]
        for part in " ".join(words).split(" AND "):
            own = [_WEIGHTS[word] for word in part.split() if word in _WEIGHTS]
            weight = own[0] if own else named[0]
            for word in part.split():
                for side in _SIDES.get(word, ()):
                    joint[side] = weight
        found.setdefault((joint[0], joint[1], joint[2], joint[3]), chr(point))
    return found


class Canvas:
    """Strokes on a grid of characters, and what they look like."""

    def __init__(self, *, unicode: bool) -> None:
        self._unicode = unicode
        self._joints: dict[tuple[int, int], list[int]] = {}

    def across(self, x: int, y: int, length: int, weight: int = LIGHT) -> None:
        """A stroke to the right from (x, y)."""
        for step in range(x, x + length):
            self._stroke(step, y, 1, weight)
            self._stroke(step + 1, y, 3, weight)

    def down(self, x: int, y: int, length: int, weight: int = LIGHT) -> None:
        """A stroke downwards from (x, y)."""
        for step in range(y, y + length):
            self._stroke(x, step, 2, weight)
            self._stroke(x, step + 1, 0, weight)

    def _stroke(self, x: int, y: int, side: int, weight: int) -> None:
        joint = self._joints.setdefault((x, y), [0, 0, 0, 0])
        joint[side] = max(joint[side], weight)

    def at(self, x: int, y: int) -> str:
        """The character at a place, a blank where nothing was drawn."""
        joint = self._joints.get((x, y))
        if joint is None:
            return " "
        up, right, down, left = joint
        if self._unicode:
            return _characters()[up, right, down, left]
        if HEAVY in joint:
            return "#"
        if not up and not down:
            return "-"
        return "+" if right or left else "|"

    def heavy(self, x: int, y: int) -> bool:
        """Whether a heavy stroke touches a place."""
        return HEAVY in self._joints.get((x, y), ())
