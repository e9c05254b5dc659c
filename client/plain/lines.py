"""Lines of text as fragments, and the few ways to lay them out: columns, wrapping, glyphs.

A line is a list of ``(style, text)`` pairs.  Text that came over the wire must have gone through
:func:`safe` before it gets here; nothing below interprets markup or escapes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from wcwidth import wcswidth

from protocol.names import shorten
from protocol.signs import fit

Fragment = tuple[str, str]
Line = list[Fragment]

WIDTH = 80
"""The columns of whatever nobody has measured: pipes, tests."""

NARROWEST, WIDEST = 20, 160
"""Between these the width of the terminal is used; longer lines are hard to read."""


@dataclass(frozen=True)
class Glyphs:
    """The signs of the board; every signal has one, so colour is never needed."""

    plain: str = "·"
    river: str = "~"
    mountain: str = "^"
    remote: str = "*"
    open: str = "○"
    built: str = "●"
    rule: str = "─"
    bullet: str = "·"
    box: bool = True


UNICODE = Glyphs()
ASCII = Glyphs(plain=".", open="o", built="@", rule="-", bullet="-", box=False)


def glyphs_for(encoding: str | None) -> Glyphs:
    """The signs that an output of this encoding can show."""
    try:
        (UNICODE.open + UNICODE.built + UNICODE.rule + "┃╋").encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return UNICODE


def safe(text: object, limit: int = 400) -> str:
    """Text of the wire, made harmless and at most ``limit`` columns wide."""
    return shorten(str(text), limit)


def columns_of(text: str) -> int:
    """How many terminal columns a text takes."""
    return max(wcswidth(text), 0)


def plain(line: Line) -> str:
    """A line without its styles."""
    return "".join(text for _, text in line)


def styled(style: str, text: str) -> Line:
    return [(style, text)]


def text(value: str) -> Line:
    return [("", value)]


def fitting(line: Line, encoding: str | None) -> Line:
    """The line with what an output of this encoding cannot show put plainly."""
    return [(style, fit(piece, encoding)) for style, piece in line]


def pad(value: str, width: int) -> str:
    """Fill up with blanks to a width in columns."""
    return value + " " * max(0, width - columns_of(value))


def clip(value: str, width: int) -> str:
    """Cut to a width in columns, with an ellipsis where something was lost."""
    if columns_of(value) <= width:
        return value
    while value and columns_of(value) > width - 1:
        value = value[:-1]
    return value + "…"


def wrap(words: str, width: int = WIDTH, indent: str = "") -> list[Line]:
    """Fold a sentence at blanks, its own indent kept; all lines but the first get ``indent``."""
    lines: list[Line] = []
    current = " " * (len(words) - len(words.lstrip()))
    for whole in words.split():
        word = clip(whole, width - len(indent))
        joined = f"{current} {word}" if current.strip() else current + word
        if columns_of(joined) > width and current.strip():
            lines.append(text(current))
            joined = indent + word
        current = joined
    lines.append(text(current))
    return lines


def fold(line: Line, width: int) -> list[Line]:
    """A line broken at blanks where it is wider than the screen; a longer word is broken too."""
    if columns_of(plain(line)) <= width:
        return [line]
    lines: list[Line] = [[]]
    used = 0
    for style, value in line:
        words = re.findall(r"\s+|\S+", value)
        for piece in (piece for word in words for piece in _broken(word, width)):
            if used + columns_of(piece) > width:
                if not piece.strip():
                    continue
                lines.append([])
                used = 0
            lines[-1].append((style, piece))
            used += columns_of(piece)
    return lines


def _broken(word: str, width: int) -> list[str]:
    """A word in pieces that are no wider than this."""
    if columns_of(word) <= width:
        return [word]
    pieces = [""]
    for char in word:
        if pieces[-1] and columns_of(pieces[-1] + char) > width:
            pieces.append("")
        pieces[-1] += char
    return pieces


def rule(title: str, glyphs: Glyphs, width: int = WIDTH, style: str = "class:heading") -> Line:
    """A heading across the screen."""
    head = f"{glyphs.rule * 2} {clip(title, width - 8)} "
    return styled(style, head + glyphs.rule * max(0, width - columns_of(head)))


def grid(items: Sequence[Line], label: str = "", width: int = WIDTH) -> list[Line]:
    """Set items out in even columns, row by row, behind a label in the first line."""
    indent = columns_of(label)
    room = width - indent
    widest = max((columns_of(plain(item)) for item in items), default=0)
    count = max(1, (room + 2) // (widest + 2))
    each = max(1, (room + 2) // count - 2)
    if widest > room:
        items = [part for item in items for part in fold(item, room)]
    lines: list[Line] = []
    for start in range(0, len(items), count):
        line: Line = [("class:label", label if start == 0 else " " * indent)]
        row = items[start : start + count]
        for position, item in enumerate(row):
            line.extend(item)
            if position < len(row) - 1:
                line.append(("", " " * (each - columns_of(plain(item)) + 2)))
        lines.append(line)
    return lines


def flow(items: Iterable[str], width: int = WIDTH) -> list[str]:
    """Put items side by side, two blanks apart, breaking lines only between them."""
    lines: list[str] = []
    for item in items:
        if lines and columns_of(lines[-1]) + 2 + columns_of(item) <= width:
            lines[-1] += f"  {item}"
        else:
            lines.append(item)
    return lines


def listing(items: Iterable[tuple[str, int]]) -> str:
    """``3 Waste, Lay Rails``: names with their numbers, as one phrase."""
    return ", ".join(name if count == 1 else f"{count} {name}" for name, count in items)
