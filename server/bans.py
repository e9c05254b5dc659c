"""Who is not let in: names and addresses, kept in a file that outlives the server.

A name is banned in all its spellings (:func:`protocol.names.name_key`); an address may be a whole
network.  A change is written before it counts, as a new file that takes the place of the old one.
This module knows neither sessions nor connections.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from pathlib import Path

import msgspec
from msgspec import Struct

from protocol.names import TextError, clean_name, name_key

SCHEMA = 1
MOST = 10_000
"""Bans in all: a list that long is somebody's mistake."""


class BanError(Exception):
    """A ban cannot be made, undone, read or kept; the sentence says why."""


class Ban(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One name or one network that is not let in; times are UTC seconds since the epoch, and
    ``until`` 0 means for good."""

    name: str = ""
    address: str = ""
    reason: str = ""
    since: float = 0.0
    until: float = 0.0


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    schema: int
    bans: list[Ban]


def plain_address(text: str) -> IPv4Address | IPv6Address | None:
    """The address in its plain form: without the scope of a link, and IPv4 wherever it is one."""
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def network(text: str) -> str:
    """The network in its plain form.  Raises BanError."""
    address = plain_address(text)
    try:
        return str(ip_network(address if address is not None else text, strict=False))
    except ValueError:
        raise BanError(
            "an address is like 192.0.2.7 or 2001:db8::7, or a network like 192.0.2.0/24"
        ) from None


class Bans:
    """The bans in force.  Without a file they last as long as this object."""

    def __init__(self, file: Path | None = None, now: Callable[[], float] = time.time) -> None:
        """Raises BanError if there is a file that cannot be read."""
        self._file = file
        self._now = now
        self._index(_read(file) if file is not None and file.exists() else [])

    def _index(self, bans: Sequence[Ban]) -> None:
        """Make these the bans, so that looking for one takes as long with many as with few."""
        self._bans = list(bans)
        self._names = {name_key(ban.name): ban for ban in bans if ban.name}
        self._networks = {ip_network(ban.address): ban for ban in bans if ban.address}
        self._lengths = {net.prefixlen for net in self._networks}

    def _in_force(self, ban: Ban | None) -> bool:
        return ban is not None and (not ban.until or ban.until > self._now())

    def all(self) -> list[Ban]:
        """All that are in force, oldest first."""
        return [ban for ban in self._bans if self._in_force(ban)]

    def of_name(self, key: str) -> Ban | None:
        """The ban of a player whose name has this key."""
        ban = self._names.get(key)
        return ban if self._in_force(ban) else None

    def of_address(self, text: str) -> Ban | None:
        """The ban of an address as the system writes it."""
        address = plain_address(text) if self._lengths else None
        if address is None:
            return None
        for length in self._lengths:
            if length <= address.max_prefixlen:
                ban = self._networks.get(ip_network((address, length), strict=False))
                if self._in_force(ban):
                    return ban
        return None

    def add(
        self, *, name: str = "", address: str = "", reason: str = "", seconds: float = 0.0
    ) -> list[Ban]:
        """Ban a name, an address, or each of both, for so long (0: for good).  Raises BanError,
        and then nothing has changed."""
        now = self._now()
        until = now + seconds if seconds else 0.0
        new: list[Ban] = []
        if name:
            new.append(Ban(name=_name(name), reason=reason, since=now, until=until))
        if address:
            new.append(Ban(address=network(address), reason=reason, since=now, until=until))
        if not new:
            raise BanError("say a name or an address")
        kept = [ban for ban in self.all() if not any(_same(ban, other) for other in new)]
        if len(kept) + len(new) > MOST:
            raise BanError(f"there are {MOST} bans already; undo some first")
        self._keep(kept + new)
        return new

    def remove(self, *, name: str = "", address: str = "") -> list[Ban]:
        """Undo bans; returns them.  Raises BanError if there are none, and then nothing has
        changed."""
        wanted = [Ban(name=_name(name))] if name else []
        wanted += [Ban(address=network(address))] if address else []
        gone = [ban for ban in self.all() if any(_same(ban, other) for other in wanted)]
        if not gone:
            raise BanError("there is no such ban")
        self._keep([ban for ban in self.all() if ban not in gone])
        return gone

    def _keep(self, bans: Sequence[Ban]) -> None:
        if self._file is not None:
            try:
                _write(self._file, _File(SCHEMA, list(bans)))
            except OSError as error:
                raise BanError(f"the bans cannot be kept: {error.strerror or error}") from None
        self._index(bans)


def _name(text: str) -> str:
    try:
        return clean_name(text)
    except TextError as wrong:
        raise BanError(str(wrong)) from None


def _same(one: Ban, other: Ban) -> bool:
    if one.name and other.name:
        return name_key(one.name) == name_key(other.name)
    return bool(one.address) and one.address == other.address


def _read(file: Path) -> list[Ban]:
    try:
        content = msgspec.json.decode(file.read_bytes(), type=_File)
        for ban in content.bans:
            if ban.address:
                ip_network(ban.address)
    except OSError as error:
        raise BanError(f"{file}: it cannot be read: {error.strerror or error}") from None
    except ValueError as wrong:  # msgspec's errors are of this kind too
        raise BanError(f"{file}: this is no list of bans: {wrong}") from None
    if content.schema != SCHEMA:
        raise BanError(f"{file}: this is a list of schema {content.schema}, not {SCHEMA}")
    return content.bans


def _write(file: Path, content: _File) -> None:
    fresh = file.with_name(file.name + ".new")
    fd = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(fd, "wb") as out:
        out.write(msgspec.json.format(msgspec.json.encode(content), indent=1) + b"\n")
        out.flush()
        os.fsync(out.fileno())
    fresh.replace(file)
