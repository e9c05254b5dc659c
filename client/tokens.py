"""The tokens of sessions, kept in files so that a client that is started again finds its seat.

One file for each server and name, readable by its owner alone.  A folder that cannot be used costs
no more than that: nothing is found in it.
"""

from __future__ import annotations

import contextlib
from hashlib import sha256
from pathlib import Path

import msgspec

from client.private_file import write_privately
from protocol.names import name_key

MOST_BYTES = 4096


class _Kept(msgspec.Struct):
    server: str
    name: str
    token: str


class Tokens:
    """The tokens in a folder, which is made when it is needed; without one nothing is kept."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder

    def find(self, host: str, port: int, name: str) -> str:
        """The token for this server and name, or nothing."""
        path = self._path(host, port, name)
        if path is None:
            return ""
        try:
            with path.open("rb") as file:
                kept = msgspec.json.decode(file.read(MOST_BYTES), type=_Kept)
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
            return ""
        return kept.token if len(kept.token) <= 64 else ""

    def keep(self, host: str, port: int, name: str, token: str) -> bool:
        """Keep a token; False if it cannot be written."""
        path = self._path(host, port, name)
        if path is None or not token:
            return False
        data = msgspec.json.encode(_Kept(f"{host}:{port}", name, token))
        try:
            write_privately(path, data)
        except OSError:
            return False
        return True

    def forget(self, host: str, port: int, name: str) -> None:
        """Keep it no longer."""
        path = self._path(host, port, name)
        if path is not None:
            with contextlib.suppress(OSError):
                path.unlink()

    def _path(self, host: str, port: int, name: str) -> Path | None:
        if self._folder is None:
            return None
        text = f"{host.lower()}\n{port}\n{name_key(name)}"
        return self._folder / f"{sha256(text.encode('utf-8', 'replace')).hexdigest()[:32]}.json"
