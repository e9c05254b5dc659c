"""Makes text of strangers harmless: names, titles, chat lines, and whatever else is shown.

What comes out is one line in Unicode's form NFC, without control, bidi, zero-width and other
characters that terminals draw differently or not at all, and it has a known width in columns.
Server and client both use it: neither trusts the other.  It knows no message.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from wcwidth import wcwidth

NAME_MIN: Final = 2
NAME_MAX: Final = 20
"""Columns of a name."""

BYTES_A_COLUMN: Final = 9
"""Bytes of UTF-8 that a text may have for each column of its limit: enough for a letter with two
marks, each of three bytes, in every column (as in Thai); a pile of marks everywhere is not."""

MAX_MARKS: Final = 3
"""Combining marks kept on one character; more would climb into other lines."""

_DROPPED_CATEGORIES: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})

# Drawn as nothing, as a blank, or in a width that terminals do not agree on, though their
# category does not say so.
_DROPPED: Final = re.compile(
    "["
    "\u034f"  # combining grapheme joiner
    "\u115f\u1160\u3164\uffa0"  # Hangul fillers
    "\u17b4\u17b5"  # Khmer inherent vowels
    "\u180b-\u180f"  # Mongolian variation selectors
    "\u2800"  # the blank among the braille patterns
    "\ufe00-\ufe0f\U000e0100-\U000e01ef"  # variation selectors
    "\U0001f1e6-\U0001f1ff"  # regional indicators: flags
    "\U0001f3fb-\U0001f3ff"  # skin tones
    "]"
)


class TextError(ValueError):
    """A text cannot be used; the sentence says why and what is allowed."""


def clean_name(text: str) -> str:
    """A player's name as others see it.

    Raises TextError unless 2 to 20 columns, and no more than 180 bytes, are left of it.
    """
    name = _scrub(text, 8 * NAME_MAX)
    columns = width(name)
    if not NAME_MIN <= columns <= NAME_MAX:
        raise TextError(
            f"a name has {NAME_MIN} to {NAME_MAX} columns of printable text; this one has {columns}"
        )
    _check_bytes(name, NAME_MAX, "name")
    return name


def name_key(name: str) -> str:
    """What has to be unique among names: NFKC and case folding, spaces left out."""
    key = name
    while True:  # folding can make room for composing, and the reverse; it settles in a few rounds
        folded = unicodedata.normalize("NFKC", key).casefold().replace(" ", "")
        if folded == key:
            return key
        key = folded


def clean_text(text: str, limit: int, what: str = "text") -> str:
    """A title or a chat line of at most ``limit`` columns, and nine times as many bytes; ``what``
    names it in the sentence.

    Raises TextError if nothing is left of it or too much.
    """
    line = _scrub(text, 8 * limit)
    columns = width(line)
    if not line:
        raise TextError(f"a {what} needs something printable")
    if columns > limit:
        raise TextError(f"a {what} has at most {limit} columns; this one has {columns}")
    _check_bytes(line, limit, what)
    return line


def _check_bytes(text: str, limit: int, what: str) -> None:
    size, most = len(text.encode()), BYTES_A_COLUMN * limit
    if size > most:
        raise TextError(f"a {what} has at most {most} bytes in UTF-8; this one has {size}")


def shorten(text: str, limit: int) -> str:
    """The text made harmless and cut to ``limit`` columns (and nine times as many bytes), for
    showing it.  Never fails."""
    line = _scrub(text, 8 * limit)
    if width(line) <= limit and len(line.encode()) <= BYTES_A_COLUMN * limit:
        return line
    kept: list[str] = []
    left = limit - 1  # for the sign that something is missing
    room = BYTES_A_COLUMN * limit - len("…".encode())
    for char in line:
        left -= wcwidth(char)
        room -= len(char.encode())
        if left < 0 or room < 0:
            break
        kept.append(char)
    return "".join(kept).rstrip() + "…"


def width(text: str) -> int:
    """The columns of a cleaned text."""
    return sum(map(wcwidth, text))


def _scrub(text: str, most: int) -> str:
    """One harmless line out of at most ``most`` characters of ``text``."""
    kept: list[str] = []
    marks = MAX_MARKS  # as if full: a mark with nothing before it to sit on is dropped
    for char in _DROPPED.sub("", text[:most]):
        if char.isspace():
            kept.append(" ")
            marks = MAX_MARKS
            continue
        category = unicodedata.category(char)
        if category in _DROPPED_CATEGORIES:
            continue
        columns = wcwidth(char)
        if columns < 0:
            continue
        if columns == 0 or category[0] == "M":
            if marks >= MAX_MARKS:
                continue
            marks += 1
        else:
            marks = 0
        kept.append(char)
    # The runs of marks are short by now, so normalising takes linear time.  It can take a character
    # apart into more marks than may be kept; leaving those out makes room for no others.
    line = " ".join(unicodedata.normalize("NFC", "".join(kept)).split())
    return line if line == text else _scrub(line, most)
