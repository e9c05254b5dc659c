"""What a server says about itself on the local network, by DNS-SD (RFC 6763); no sockets here.

Servers are instances of the service type :data:`SERVICE`; what else is to be known before one
connects is in their TXT records.  Everybody on the network can write such records: what is read is
cleaned, and nothing in it is a proof of anything.  Nothing about tables or players is ever in it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from protocol.connection import VERSIONS
from protocol.names import shorten

SERVICE: Final = "_senro._tcp.local."

NAME_COLUMNS: Final = 40
"""Columns of a server's name."""

NAME_BYTES: Final = 240
"""Bytes of a name in UTF-8: a pair of a TXT record has 255 with its key."""

PREFIX_LENGTH: Final = 16
"""Digits of the fingerprint's beginning."""

_VERSIONS = re.compile(r"([0-9]{1,4})-([0-9]{1,4})")
_PREFIX = re.compile(rf"[0-9a-f]{{{PREFIX_LENGTH}}}")


class Record(Struct, frozen=True):
    """``versions`` are the lowest and the highest of the protocol; ``fingerprint`` is the beginning
    of the certificate's, empty without TLS."""

    name: str
    versions: tuple[int, int] = VERSIONS
    tls: bool = False
    fingerprint: str = ""
    password: bool = False

    @property
    def understood(self) -> bool:
        """Whether this program and that server speak a common version."""
        low, high = self.versions
        return low <= VERSIONS[1] and VERSIONS[0] <= high

    def to_txt(self) -> dict[str, str]:
        """The record as keys and values."""
        low, high = self.versions
        txt = {
            "name": shown_name(self.name),
            "versions": f"{low}-{high}",
            "tls": "1" if self.tls else "0",
            "password": "1" if self.password else "0",
        }
        if self.fingerprint:
            txt["fingerprint"] = self.fingerprint[:PREFIX_LENGTH]
        return txt


def shown_name(name: str) -> str:
    """A server's name made harmless, and short enough in columns and in bytes for a record."""
    data = shorten(name, NAME_COLUMNS).encode()[:NAME_BYTES]
    return shorten(data.decode("utf-8", "ignore"), NAME_COLUMNS)


def from_txt(txt: Mapping[bytes, bytes | None]) -> Record | None:
    """What a record says; None if it says nothing that makes sense.  Never fails."""
    said = {
        key.decode("ascii", "replace").lower(): (value or b"").decode("utf-8", "replace")
        for key, value in txt.items()
    }
    versions = _VERSIONS.fullmatch(said.get("versions", ""))
    if versions is None or int(versions[1]) > int(versions[2]):
        return None
    prefix = said.get("fingerprint", "").lower()
    return Record(
        name=shown_name(said.get("name", "")) or "a server without a name",
        versions=(int(versions[1]), int(versions[2])),
        tls=said.get("tls") == "1",
        fingerprint=prefix if _PREFIX.fullmatch(prefix) else "",
        password=said.get("password") == "1",
    )
