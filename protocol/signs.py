"""What stands for a sign that an output's encoding cannot show: ``x`` for ×, ``"`` for “.

It is there as two error handlers for codecs, so that whatever encodes can name one of them:
:data:`PLAIN` puts question marks for what has nothing plain to stand for it, :data:`ESCAPED` the
escapes of Python.  It knows no messages and opens no files.
"""

from __future__ import annotations

import codecs
import unicodedata

PLAIN = "senro-plain"
ESCAPED = "senro-escaped"

SIGNS = {
    "×": "x",
    "“": '"',
    "”": '"',
    "„": '"',
    "‘": "'",
    "’": "'",
    "…": "...",
    "–": "-",
    "—": "-",
    "−": "-",
    "·": ".",
    "•": "*",
    "●": "@",
    "○": "o",
    "→": "->",
    "─": "-",
    "│": "|",
    "ß": "ss",
    "ø": "o",
    "Ø": "O",
    "ł": "l",
    "Ł": "L",
    "æ": "ae",
    "Æ": "AE",
    "œ": "oe",
    "Œ": "OE",
    "đ": "d",
    "Đ": "D",
}


def plain_of(char: str) -> str:
    """ASCII that stands for a character, without accents; empty if nothing does."""
    if char in SIGNS:
        return SIGNS[char]
    if char.isspace():
        return " "
    apart = unicodedata.normalize("NFKD", char)
    return "".join(piece for piece in apart if piece.isascii() and piece.isprintable())


def fit(text: str, encoding: str | None) -> str:
    """The text as an output of this encoding (ASCII if it has none) can show it."""
    try:
        name = codecs.lookup(encoding or "ascii").name
    except LookupError:
        name = "ascii"
    return text.encode(name, PLAIN).decode(name)


def _plain(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    chars = error.object[error.start : error.end]
    return "".join(plain_of(char) or "?" for char in chars), error.end


def _escaped(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    chars = error.object[error.start : error.end]
    shown = (plain_of(c) or c.encode("ascii", "backslashreplace").decode("ascii") for c in chars)
    return "".join(shown), error.end


codecs.register_error(PLAIN, _plain)
codecs.register_error(ESCAPED, _escaped)
