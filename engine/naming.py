"""Helps to say which name of a list was wrong, and which one was probably meant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

MOST = 3
ALIKE = 0.7


def nearest(word: str, known: Sequence[str]) -> list[str]:
    """The few names that somebody may have meant by a word, best first; none if there is nothing
    like it."""
    word = word.strip().lower().replace(" ", "-").replace("_", "-")
    close = get_close_matches(word[:64], known, MOST, ALIKE)
    begun = [name for name in known if word and word in name.split("-")]
    return list(dict.fromkeys([*close, *begun]))[:MOST]


def meant(word: str, known: Sequence[str]) -> str:
    """The tail of a refusal: `` (do you mean x or y?)``; nothing if there is no such name."""
    names = nearest(word, known)
    return f" (do you mean {' or '.join(names)}?)" if names else ""


def repeated(names: Iterable[str]) -> list[str]:
    """The names that stand in a list more than once, each once."""
    seen: set[str] = set()
    again: dict[str, None] = {}
    for name in names:
        if name in seen:
            again[name] = None
        seen.add(name)
    return [*again]
