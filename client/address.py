"""Where a server is, as people write it: ``HOST``, ``HOST:PORT``, ``senros://HOST:PORT``."""

from __future__ import annotations

from typing import NamedTuple

from client.errors import USAGE, ClientError
from protocol.names import shorten

DEFAULT_PORT = 7262

SCHEMES = {"senro": False, "senros": True}
"""Plain words, and TLS."""


class Address(NamedTuple):
    """``tls`` is None where nothing was said about it: it is found out then."""

    host: str
    port: int = DEFAULT_PORT
    tls: bool | None = None

    @property
    def place(self) -> str:
        """Host and port in one word."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"

    @property
    def url(self) -> str:
        """The whole address, which :func:`parse_address` reads again."""
        return self.place if self.tls is None else f"senro{'s' * self.tls}://{self.place}"


def parse_address(address: str, *, tls: bool = False) -> Address:
    """``HOST``, ``HOST:PORT``, ``[V6]:PORT`` or a bare IPv6 address, perhaps after ``senro://`` or
    ``senros://``; ``tls`` asks for TLS besides.  Raises ClientError."""
    scheme, separator, rest = address.partition("://")
    if not separator:
        return Address(*_split(address), tls or None)
    if scheme.lower() not in SCHEMES:
        raise ClientError(
            f"“{shorten(address, 80)}” is no address: it begins with senro:// or senros://", USAGE
        )
    asked = SCHEMES[scheme.lower()]
    if tls and not asked:
        raise ClientError("--tls wants TLS, and senro:// wants none: use senros://", USAGE)
    return Address(*_split(rest.removesuffix("/")), asked)


def _split(address: str) -> tuple[str, int]:
    host, port = address, ""
    if address.startswith("["):
        host, bracket, port = address[1:].partition("]")
        if not bracket or (port and not port.startswith(":")):
            raise ClientError(f"“{shorten(address, 80)}” is no address: write [HOST]:PORT", USAGE)
        port = port.removeprefix(":") if port != ":" else "none"
    elif address.count(":") == 1:
        host, _, port = address.partition(":")
        port = port or "none"
    if (
        not host
        or len(host) > 253
        or any(char.isspace() or char in "/@?#" or not char.isprintable() for char in host)
        or not _can_be_looked_up(host)
    ):
        raise ClientError(f"“{shorten(address, 80)}” is no address: write HOST or HOST:PORT", USAGE)
    if not port:
        return host, DEFAULT_PORT
    if not (port.isascii() and port.isdecimal() and 1 <= int(port[:6]) <= 65535):
        raise ClientError(f"“{shorten(port, 20)}” is no port: use a number from 1 to 65535", USAGE)
    return host, int(port)


def _can_be_looked_up(host: str) -> bool:
    """Whether a name has the form that names of hosts have: labels of 1 to 63 characters."""
    try:
        host.encode("idna")
    except UnicodeError:
        return False
    return True
