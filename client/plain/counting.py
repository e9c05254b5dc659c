"""Questions that only ask for a number, since there is one thing to pick: how many Waste?

``2``, ``0``, ``none``, ``all``, ``2 waste``, ``waste x2`` and ``2x`` all say it.  Everything here
is a pure function of text.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from engine.types import Decision

ALL = frozenset({"all", "every", "everything", "max"})
NONE = frozenset({"none", "nothing", "no", "-", "zero"})

_SIGN = r"(?:x|×|\*)"
_BEFORE = re.compile(rf"(?P<number>\d{{1,6}})\s*{_SIGN}?(?:\s+(?P<thing>\D.*))?", re.IGNORECASE)
_AFTER = re.compile(
    rf"(?:(?P<thing>\D*[^\s\dx×*])\s*)?(?:{_SIGN}\s*|\s)(?P<number>\d{{1,6}})", re.IGNORECASE
)
_WORD = re.compile(r"(?P<word>[a-z-]+)(?:\s+(?P<thing>\D.*))?", re.IGNORECASE)


def counts(decision: Decision) -> bool:
    """Whether the answer is how often the one thing there is picked."""
    options = decision.options
    return len(options) == 1 and decision.min < decision.max and options[0].key.startswith("card:")


def number(decision: Decision, line: str, is_it: Callable[[str], bool]) -> int | None:
    """The number that a line says, be it allowed or not; None if it says none.  ``is_it`` tells
    whether some words name the thing."""
    words = line.strip()
    for form in (_BEFORE, _AFTER):
        found = form.fullmatch(words)
        if found is not None and (not found["thing"] or is_it(found["thing"])):
            return int(found["number"])
    found = _WORD.fullmatch(words)
    if found is not None and (not found["thing"] or is_it(found["thing"])):
        if found["word"].lower() in ALL:
            return decision.max
        if found["word"].lower() in NONE:
            return 0
    return None


def allowed(decision: Decision) -> str:
    """What may be said, as the tail of a sentence."""
    return f"say how many, {decision.min} to {decision.max}, or “all”"


def hint(decision: Decision) -> str:
    """What may be typed."""
    none = "; Enter alone means 0" if decision.default == () and not decision.min else ""
    return f"How many: {decision.min} to {decision.max}, or “all”{none}."
