"""The passwords of tables: hashed when they are set, and checked when somebody wants to join.

Both cost time on purpose, so they are done in a thread; and an address has only so many tries.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

import trio

from server.gate import network_of
from server.meter import Meters
from server.password import Hash
from server.refusal import Refusal
from server.settings import Settings

COST = (2**14, 8, 1)
"""N, r and p of scrypt: 16 MiB for each password.  A table's password has to keep friends among
themselves for an evening, not a disk that was stolen."""

AT_ONCE = 2
"""Passwords that are worked on at the same time; others wait."""

T = TypeVar("T")


class InThread(Protocol):
    """As :func:`trio.to_thread.run_sync`, without its options."""

    def __call__(self, function: Callable[[str], T], password: str, /) -> Awaitable[T]: ...


class Locksmith:
    """Makes and opens locks without holding up anybody else; ``run`` replaces the thread in
    tests."""

    def __init__(self, settings: Settings, run: InThread | None = None) -> None:
        self._settings = settings
        self._run = run or self._in_thread
        self._limit = trio.CapacityLimiter(AT_ONCE)
        self._tries = Meters(settings.password_tries, settings.password_every)

    async def _in_thread(self, function: Callable[[str], T], password: str, /) -> T:
        return await trio.to_thread.run_sync(function, password, limiter=self._limit)

    async def lock(self, password: str, address: str) -> Hash | None:
        """The hash of a password that somebody sets; None for none.  Raises Refusal."""
        if not password:
            return None
        self._take(network_of(address))
        return await self._run(_hash, password)

    async def check(self, lock: Hash, password: str, address: str) -> None:
        """Raises Refusal unless a password opens a lock."""
        if not password:
            raise Refusal("bad-password", "this table has a password")
        key = network_of(address)
        self._take(key)
        if not await self._run(lock.fits, password):
            raise Refusal("bad-password", "this is not the table's password")
        self._tries.give_back(key)

    def _take(self, key: str) -> None:
        if not self._tries.try_take(key, trio.current_time()):
            settings = self._settings
            raise Refusal(
                "too-many",
                f"at most {settings.password_tries} passwords may come from one address in "
                f"{settings.password_every:g} seconds; try again later",
            )


def _hash(password: str) -> Hash:
    return Hash.of(password, COST)
