"""Whether a stranger may say hello: the password of the whole server, if it has one.

Checking one costs time on purpose, so it is done in a thread, one after the other; and an address
has only so many wrong ones.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from ipaddress import IPv6Address, ip_address
from typing import Protocol

import trio
from msgspec import UNSET

from protocol.messages import Hello
from server.meter import Meters
from server.refusal import Refusal
from server.settings import Settings

MOST_WAITING = 64
"""Passwords that wait to be checked; beyond that everybody is told to come back later."""

InThread = Callable[[Callable[[str], bool], str], Awaitable[bool]]


class Lock(Protocol):
    """What knows the password."""

    def fits(self, password: str) -> bool:
        """Whether this is it."""


async def in_thread(check: Callable[[str], bool], password: str) -> bool:
    """Check a password while everything else goes on."""
    return await trio.to_thread.run_sync(check, password)


class Gate:
    """Open to all without a lock.  ``run`` checks a password with its first argument."""

    def __init__(
        self, settings: Settings, lock: Lock | None = None, run: InThread = in_thread
    ) -> None:
        self._settings = settings
        self._lock = lock
        self._run = run
        self._wrong = Meters(settings.password_tries, settings.password_every)
        self._one = trio.Lock()

    async def check(self, hello: Hello, address: str) -> None:
        """Raises Refusal unless whoever says this may come in.

        Who wants to take up a session has its token, and that is enough; it is not checked here.
        """
        if self._lock is None or hello.resume:
            return
        if hello.password is UNSET or not hello.password:
            raise Refusal("password-needed", "this server has a password")
        if self._one.statistics().tasks_waiting >= MOST_WAITING:
            raise Refusal("busy", "too many come in at once; try again later")
        key = network_of(address)
        if not self._wrong.try_take(key, trio.current_time()):
            settings = self._settings
            raise Refusal(
                "too-many",
                f"at most {settings.password_tries} wrong passwords may come from one address in "
                f"{settings.password_every:g} seconds; try again later",
            )
        async with self._one:
            right = await self._run(self._lock.fits, hello.password)
        if not right:
            raise Refusal("wrong-password", "this is not the server's password")
        self._wrong.give_back(key)


def network_of(address: str) -> str:
    """The address, or the network that one host of IPv6 has for itself."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped is None:
        return str(IPv6Address(int(parsed) >> 64 << 64))
    return address
