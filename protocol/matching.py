"""Which of several things somebody means who typed a part of a name.

Server and client both use it, so that what is enough for one command is enough for all: ``tun`` is
Tunnel wherever a card is named.  It knows nothing of what the things are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

T = TypeVar("T")

_BREAKS = re.compile(r"[\s:_/-]+")
_EDGES = ".,;!?\"'`´‘’“”()[]"


def words_of(text: str) -> list[str]:
    """The words of a name or of what was typed: no capitals, and no punctuation around them."""
    parts = (part.strip(_EDGES) for part in _BREAKS.split(text.casefold()))
    return [part for part in parts if part]


def begins(typed: Sequence[str], name: Sequence[str]) -> bool:
    """Whether every typed word begins the word of the name at its place."""
    return len(typed) <= len(name) and all(
        whole.startswith(part) for part, whole in zip(typed, name, strict=False)
    )


def begins_inside(typed: Sequence[str], name: Sequence[str]) -> bool:
    """The same for the words of the name from a later one on."""
    return any(begins(typed, name[start:]) for start in range(1, len(name)))


def _contained(typed: Sequence[str], name: Sequence[str]) -> bool:
    return "".join(typed) in "".join(name)


def meant(typed: str, things: Mapping[T, Iterable[str]]) -> list[T]:
    """The things that may be meant, by any of their names: those called exactly so; if there are
    none, those whose name begins so; then those with later words that do; then those that contain
    the letters.  One means that it is clear, none that nothing is like it."""
    wanted = words_of(typed)
    if not wanted:
        return []
    named = [(thing, [words_of(name) for name in names]) for thing, names in things.items()]
    for fits in (list.__eq__, begins, begins_inside, _contained):
        found = [thing for thing, names in named if any(fits(wanted, name) for name in names)]
        if found:
            return found
    return []
