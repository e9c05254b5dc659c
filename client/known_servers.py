"""The servers this client has been to, each with the certificate that it showed.

A text file for its owner alone, one server a line, as people may read and change it; SSH keeps its
known hosts in the same way.  A line that does not say clearly what it means is no permission: where
it is about the server in question it is refused, not overlooked.
"""

from __future__ import annotations

from pathlib import Path

from client.errors import ClientError
from client.private_file import write_privately
from protocol import fingerprint
from protocol.names import shorten

VOUCHED = "vouched"
"""Stands for the fingerprint where an authority vouches for the certificate and its successors."""

MOST_BYTES = 1_000_000

_HEAD = """\
# Servers that senro has joined, and the SHA-256 of their certificates.  "vouched": a certificate
# authority has vouched for the server.  Without its line a server is as if it had never been met.
"""


class KnownServers:
    """The file of that path, which is made when it is needed; without one nothing is kept."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path

    def find(self, place: str) -> str:
        """The fingerprint of the server at ``HOST:PORT``, :data:`VOUCHED`, or nothing.

        Raises ClientError if the file, or what it says about this server, cannot be read.
        """
        found = ""
        for number, line in enumerate(self._lines(), 1):
            words = line.split()
            if not words or words[0] != place.lower():
                continue
            try:
                found = _said(words[1:])
            except ValueError:
                raise ClientError(
                    f"{self._shown}, line {number}, does not say clearly how {place} is known: "
                    "correct it, or take it out and compare the fingerprint again."
                ) from None
        return found

    def keep(self, place: str, known_as: str) -> bool:
        """Keep a fingerprint or :data:`VOUCHED` for a server instead of what was kept before;
        False if it cannot be written."""
        if self.path is None:
            return False
        kept = [line for line in self._lines() if line.split()[:1] != [place.lower()]]
        said = known_as if known_as == VOUCHED else f"sha256:{known_as}"
        text = "\n".join([*(kept or _HEAD.splitlines()), f"{place.lower()} {said}", ""])
        try:
            write_privately(self.path, text.encode("utf-8", "surrogateescape"))
        except OSError:
            return False
        return True

    @property
    def _shown(self) -> str:
        return shorten(str(self.path), 300)

    def _lines(self) -> list[str]:
        if self.path is None:
            return []
        try:
            with self.path.open("rb") as file:
                data = file.read(MOST_BYTES + 1)
        except FileNotFoundError:
            return []
        except OSError as error:
            raise ClientError(
                f"Cannot read which servers are known: {self._shown}: {error.strerror or error}."
            ) from None
        if len(data) > MOST_BYTES:
            raise ClientError(f"{self._shown} is too long to be the list of known servers.")
        return data.decode("utf-8", "surrogateescape").splitlines()


def _said(words: list[str]) -> str:
    """What a line says after the server.  Raises ValueError."""
    if words == [VOUCHED]:
        return VOUCHED
    kind, _, digits = " ".join(words).partition(":")
    if kind != "sha256":
        raise ValueError(kind)
    return fingerprint.parse(digits)
