"""Chance: everything random in a game, as a pure function of its seed.

A *stream* belongs to one seed and one purpose (say ``shuffle/2/5``: seat 2, its shuffle number 5,
both counted from 0).  Its bytes are the 64-byte blocks BLAKE2b(key=seed, data=purpose + "/" + block
number in decimal), blocks counted from 0, text in ASCII.  Numbers are drawn from pairs of bytes,
big-endian: to draw from 0..n-1, pairs not below the largest multiple of n up to 65536 are thrown
away, and the rest is taken modulo n, so every number is equally likely.  A shuffle is that of
Fisher and Yates: for i from the last place down to 1, swap place i with place draw(i + 1).  Before
it a deck's cards lie in catalogue order; after it the last place is the top.  That is all one needs
to check a game's shuffles in any language.
"""

from __future__ import annotations

from hashlib import blake2b, sha256
from typing import TypeVar

SEED_BYTES = 32

T = TypeVar("T")


class Stream:
    """A stream of unbiased draws for one purpose."""

    def __init__(self, seed: bytes, purpose: str) -> None:
        self._seed = seed
        self._purpose = purpose
        self._block = 0
        self._bytes = b""
        self._at = 0

    def below(self, n: int) -> int:
        """A number from 0 to n - 1; n is at most 65536."""
        limit = 65536 - 65536 % n
        while True:
            if self._at == len(self._bytes):
                data = f"{self._purpose}/{self._block}".encode("ascii")
                self._bytes = blake2b(data, key=self._seed).digest()
                self._block += 1
                self._at = 0
            at = self._at
            drawn = self._bytes[at] << 8 | self._bytes[at + 1]
            self._at = at + 2
            if drawn < limit:
                return drawn % n

    def shuffle(self, items: list[T]) -> None:
        """Shuffle a list in place."""
        below = self.below
        for i in range(len(items) - 1, 0, -1):
            j = below(i + 1)
            items[i], items[j] = items[j], items[i]

    def pick(self, items: list[T], n: int) -> list[T]:
        """``n`` of the items, drawn without putting back, in the order they stood in."""
        places = list(range(len(items)))
        self.shuffle(places)
        return [items[i] for i in sorted(places[:n])]


def commitment(seed: bytes) -> str:
    """What is published of a seed before it may be known: its SHA-256 in hex."""
    return sha256(seed).hexdigest()
