"""Cuts what is too long for one reply into pages, by number and by bytes.

A frame has a limit, and a reply over it could not be sent at all.  Works on parts that are encoded
already, and knows nothing of what they say.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from msgspec import Raw


def page(parts: Iterable[Raw], most: int, room: int) -> list[Raw]:
    """The first of ``parts``: at most ``most`` of them, and no more than fit into ``room`` bytes.

    The very first is taken however long it is, or who asks for page after page would never get past
    it; parts have to be made so that one alone fits into a frame.
    """
    taken: list[Raw] = []
    for part in islice(parts, most):
        room -= memoryview(part).nbytes
        if room < 0 and taken:
            break
        taken.append(part)
    return taken
