"""Looks for servers on the local network by multicast DNS, for a few seconds and no longer.

Whatever is found was said by somebody on the network: names are cleaned, addresses checked, and
nothing of it is believed when it comes to trust.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any

from client.address import Address
from client.errors import ClientError
from protocol.discovery import SERVICE, Record, from_txt
from protocol.names import shorten

SECONDS = 3.0
"""The library asks at once and again after a second, and answers may take their time."""

ANSWER_MS = 1500
"""Milliseconds that one server may take to say where it is."""

MOST = 50
"""Servers that are looked at: more would be no network but somebody's joke."""


@dataclass(frozen=True)
class Found:
    """A server: what it says about itself, and where it says that it is."""

    record: Record
    address: Address

    def in_words(self) -> str:
        """What is worth knowing before one goes there, in one phrase."""
        record = self.record
        words = [f"TLS, {record.fingerprint[:8]}..." if record.fingerprint else "TLS"]
        if not record.tls:
            words = ["no TLS"]
        words += ["needs a password"] if record.password else []
        words += [] if record.understood else ["too old or too new for this client"]
        return ", ".join(words)


async def find_servers(seconds: float = SECONDS, interface: str | None = None) -> list[Found]:
    """All servers that answer in so many seconds, by name.  ``interface`` is the address of the
    only interface to ask at.

    Raises ClientError if the network cannot be asked.
    """
    from zeroconf import IPVersion  # only this needs it, and it takes a moment
    from zeroconf.asyncio import AsyncServiceBrowser, AsyncZeroconf

    logging.getLogger("zeroconf").setLevel(logging.CRITICAL)  # what matters is raised
    where: dict[str, Any] = {"interfaces": [interface]} if interface else {}
    try:
        if interface:
            _check_interface(interface)
        asking = AsyncZeroconf(ip_version=IPVersion.V4Only, **where)
    except (OSError, RuntimeError) as error:
        reason = shorten(getattr(error, "strerror", None) or str(error), 120)
        raise ClientError(
            f"This machine cannot ask its network for servers: {reason}.  Join one by its address: "
            "senro join HOST:PORT."
        ) from None
    names: dict[str, None] = {}

    def noted(name: str, **_: object) -> None:
        if len(names) < MOST:
            names[name] = None

    try:
        browser = AsyncServiceBrowser(asking.zeroconf, [SERVICE], handlers=[noted])
        await asyncio.sleep(seconds)
        await browser.async_cancel()
        answers = await asyncio.gather(*(_ask(asking, name) for name in names))
    finally:
        await asking.async_close()
    return _sorted(answer for answer in answers if answer is not None)


def _check_interface(address: str) -> None:
    """Raises OSError unless this is an IPv4 address of this machine."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as trying:
        trying.bind((address, 0))


def _sorted(found: Any) -> list[Found]:
    """Each address once, in an order that does not depend on who answered first."""
    by_address = {one.address: one for one in found}
    return sorted(by_address.values(), key=lambda one: (one.record.name, one.address.place))


async def _ask(asking: Any, name: str) -> Found | None:
    from zeroconf import Error
    from zeroconf.asyncio import AsyncServiceInfo

    try:
        info = AsyncServiceInfo(SERVICE, name)
        if not await info.async_request(asking.zeroconf, ANSWER_MS):
            return None
        return to_found(info.properties, info.parsed_scoped_addresses(), info.port)
    except (Error, OSError, ValueError):
        return None


def to_found(
    txt: dict[bytes, bytes | None], addresses: Sequence[str], port: int | None
) -> Found | None:
    """A server, if what it says makes sense; IPv4 is preferred.  Never fails."""
    record = from_txt(txt)
    if record is None or port is None or not 1 <= port <= 65535:
        return None
    usable = sorted(filter(_is_host, addresses), key=lambda text: ":" in text)
    if not usable:
        return None
    return Found(record, Address(usable[0], port, True if record.tls else None))


def _is_host(text: str) -> bool:
    """Whether this is the address of one machine."""
    try:
        parsed = ip_address(text)
    except ValueError:
        return False
    return text.isprintable() and not (parsed.is_multicast or parsed.is_unspecified)
