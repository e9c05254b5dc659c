"""Tells the local network by multicast DNS where this server is, until it is told to stop.

The library that speaks multicast DNS runs in a thread of its own; each call to it may block, so it
is made from a worker thread, and the games never wait for it.  A network that cannot be used now is
tried again later: the server does not depend on it.  What is told is :mod:`protocol.discovery`'s
affair.
"""

from __future__ import annotations

import logging
import secrets
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from ipaddress import ip_address
from typing import Protocol

import ifaddr
import trio
from zeroconf import Error as ZeroconfError
from zeroconf import InterfaceChoice, IPVersion, ServiceInfo, Zeroconf

from protocol.discovery import SERVICE, Record, shown_name
from server.oplog import Log

LOOK_AGAIN = 30.0
"""Seconds after which the addresses of this machine are looked at again."""

CLOSING = 3.0
"""Seconds that saying goodbye may take."""

LABEL_BYTES = 63
"""The longest label of DNS."""

EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - it is asked for, not bound here


class Responder(Protocol):
    """What answers the network's questions; its calls may block."""

    def close(self) -> None:
        """Say goodbye, and answer no more."""


Start = Callable[[Record, Sequence[str], int], Responder]


class AnnounceError(Exception):
    """The network does not take announcements; the sentence says why."""


def start_responder(record: Record, addresses: Sequence[str], port: int) -> Responder:
    """Begin to answer.  Blocks for a second or two.  Raises AnnounceError."""
    logging.getLogger("zeroconf").setLevel(logging.CRITICAL)  # what matters is raised
    loopback_only = all(ip_address(address).is_loopback for address in addresses)
    interfaces = list(addresses) if loopback_only else InterfaceChoice.All
    try:
        responder = Zeroconf(interfaces=interfaces, ip_version=IPVersion.V4Only)
    except (OSError, RuntimeError) as error:
        raise AnnounceError(getattr(error, "strerror", None) or str(error)) from None
    try:
        responder.register_service(_info(record, addresses, port), allow_name_change=True)
    except (ZeroconfError, OSError, RuntimeError) as error:
        responder.close()
        raise AnnounceError(str(error) or type(error).__name__) from None
    return responder


def _info(record: Record, addresses: Sequence[str], port: int) -> ServiceInfo:
    return ServiceInfo(
        SERVICE,
        f"{_label(record.name)}.{SERVICE}",
        port=port,
        parsed_addresses=list(addresses),
        properties=record.to_txt(),
        server=f"senro-{secrets.token_hex(4)}.local.",  # the machine's own name is not ours to use
    )


def _label(name: str) -> str:
    """A server's name as one label of DNS: short, and without dots, which would divide it.  It is
    unique on its network; what players see is in the record."""
    data = shown_name(name).replace(".", " ").lstrip("_ ").encode()[:LABEL_BYTES]
    return data.decode("utf-8", "ignore").strip() or "Senro"


def addresses_of_this_machine() -> list[str]:
    """Those that others on its networks can reach it at, IPv4 first; loopback if there is none."""
    found = [
        str(ip.ip if ip.is_IPv4 else ip.ip[0])
        for adapter in ifaddr.get_adapters()
        for ip in adapter.ips
    ]
    reachable = [
        address
        for address in dict.fromkeys(found)
        if not (parsed := ip_address(address)).is_loopback
        and not (parsed.version == 6 and parsed.is_link_local)  # of use only with its interface
    ]
    return sorted(reachable, key=lambda text: ip_address(text).version) or ["127.0.0.1"]


def to_announce(listening: Sequence[str]) -> list[str]:
    """The addresses to tell of a server that listens at these."""
    told: list[str] = []
    for host in listening:
        if host in EVERYWHERE:
            version = ip_address(host).version
            told += [a for a in addresses_of_this_machine() if ip_address(a).version == version]
        else:
            told.append(host.partition("%")[0])
    return list(dict.fromkeys(told))


async def announce(
    record: Record,
    listening: Sequence[tuple[str, int]],
    log: Log,
    *,
    start: Start = start_responder,
    addresses: Callable[[Sequence[str]], list[str]] = to_announce,
) -> None:
    """Announce the server until cancelled, at whatever addresses this machine has by then.

    ``listening`` are the hosts and ports of its listeners; all of them have the same port.
    """
    hosts, port = [host for host, _ in listening], listening[0][1]
    trouble = ""
    while True:
        told = await trio.to_thread.run_sync(addresses, hosts)
        try:
            responder = await trio.to_thread.run_sync(start, record, told, port)
        except AnnounceError as error:
            if str(error) != trouble:
                log.warning("the network is not told", reason=str(error))
                trouble = str(error)
            await trio.sleep(LOOK_AGAIN)
            continue
        trouble = ""
        log.info("the network is told", addresses=told, port=port)
        try:
            while True:
                await trio.sleep(LOOK_AGAIN)
                if await trio.to_thread.run_sync(addresses, hosts) != told:
                    break
        finally:
            with trio.move_on_after(CLOSING, shield=True), suppress(OSError, ZeroconfError):
                await trio.to_thread.run_sync(responder.close, abandon_on_cancel=True)


def name_of_this_machine() -> str:
    """A name for a server whose host gave it none."""
    return shown_name(f"Senro on {socket.gethostname()}")
