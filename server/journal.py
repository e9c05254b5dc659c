"""The journal of one table: the game as a file of JSON lines, written before anyone is told.

Each line is one object.  ``seq`` counts the lines from 0 without a gap; ``prev`` is the first 32
hex digits of the SHA-256 of the line before, without its line end (empty in the first line);
``time`` is UTC; ``type`` says what the line tells (``docs/journal.md`` lists them).  structlog
renders the lines; each is one unbuffered write, in the loop.  A write that fails is cut back to the
last whole line and changes neither number nor chain, so the same line can be tried again.  This
module does not know what the lines mean.
"""

from __future__ import annotations

import os
import time
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import structlog
import trio

SCHEMA = 2
"""Raised whenever the form of the lines changes."""

DIGEST = 32

Write = Callable[[int, bytes], int]
"""As :func:`os.write`: a file descriptor and bytes; returns how many were written."""

Sync = Callable[[int], Awaitable[None]]
"""Makes what was written to a file descriptor last through a loss of power."""


async def sync_in_thread(fd: int) -> None:
    """:func:`os.fsync` beside the loop: a slow disk holds back only whoever waits for it."""
    own = os.dup(fd)  # the journal may be closed before the disk is done
    try:
        await trio.to_thread.run_sync(os.fsync, own)
    finally:
        os.close(own)


class JournalError(OSError):
    """A line could not be written; the file ends with the last whole line."""


def line_digest(line: bytes) -> str:
    """What the next line says in ``prev``; ``line`` is without its line end."""
    return sha256(line).hexdigest()[:DIGEST]


def utc_text(seconds: float) -> str:
    """Seconds since the epoch as ``2026-01-31T23:59:59.999Z``."""
    whole = int(seconds)
    return f"{_second_text(whole)}.{int((seconds - whole) * 1000):03d}Z"


@lru_cache(maxsize=4)
def _second_text(second: int) -> str:
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%S")


class _Chain:
    """The structlog processor that numbers, dates and chains; it moves on only by ``written``."""

    def __init__(self, now: Callable[[], float]) -> None:
        self.seq = 0
        self.prev = ""
        self._now = now

    def __call__(
        self, _logger: object, _method: str, entry: MutableMapping[str, Any]
    ) -> dict[str, Any]:
        kind = entry.pop("event")
        return {
            "seq": self.seq,
            "type": kind,
            "time": utc_text(self._now()),
            **entry,
            "prev": self.prev,
        }

    def written(self, line: bytes) -> None:
        self.seq += 1
        self.prev = line_digest(line)


def _render(_logger: object, _method: str, entry: MutableMapping[str, Any]) -> bytes:
    return msgspec.json.encode(entry)


class _LineFile:
    """The structlog logger at the end of the chain: one write a line, or an error and no trace."""

    def __init__(self, path: Path, chain: _Chain, write: Write, whole: int | None) -> None:
        """``whole`` is how many bytes of an old file are to stay; None makes a new one."""
        flags = os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0)
        made = os.O_CREAT | os.O_EXCL if whole is None else 0
        self._fd = os.open(path, flags | made, 0o600)
        self._chain = chain
        self._write = write
        self._whole = whole or 0
        self._torn = False
        if whole is not None:
            self._cut_back()

    def line(self, line: bytes) -> None:
        data = line + b"\n"
        try:
            if self._torn:
                self._cut_back()
            written = self._write(self._fd, data)
        except OSError as error:
            self._torn = True
            with suppress(OSError):
                self._cut_back()
            raise JournalError(error.errno, error.strerror or str(error)) from error
        if written != len(data):
            self._torn = True
            with suppress(OSError):
                self._cut_back()
            raise JournalError(0, f"only {written} of {len(data)} bytes were written")
        self._whole += len(data)
        self._chain.written(line)

    def _cut_back(self) -> None:
        os.ftruncate(self._fd, self._whole)
        self._torn = False

    @property
    def fd(self) -> int:
        return self._fd

    def close(self) -> None:
        fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)


class Kept(NamedTuple):
    """Of an old journal what is to be kept and gone on with: so many lines, so many bytes of them,
    and the digest of the last line."""

    lines: int
    size: int
    digest: str


class _LineLogger(structlog.BoundLoggerBase):
    """The bound logger: its one method is the kind of thing a journal takes."""

    def line(self, kind: str, **fields: Any) -> None:
        self._proxy_to_logger("line", kind, **fields)


class Journal:
    """An open journal.

    Raises :class:`JournalError` where a line cannot be written, :class:`OSError` (FileExistsError
    among them) where the file cannot be made.
    """

    def __init__(
        self,
        path: Path,
        *,
        now: Callable[[], float] = time.time,
        write: Write = os.write,
        sync: Sync = sync_in_thread,
        kept: Kept | None = None,
    ) -> None:
        self.path = path
        self._chain = _Chain(now)
        if kept is not None:
            self._chain.seq, self._chain.prev = kept.lines, kept.digest
        self._file = _LineFile(path, self._chain, write, None if kept is None else kept.size)
        self._sync = sync
        self._log = _LineLogger(self._file, [self._chain, _render], {})

    @property
    def lines(self) -> int:
        """How many lines there are."""
        return self._chain.seq

    def line(self, kind: str, /, **fields: Any) -> None:
        """Write one line of this ``type``; what is in ``fields`` has to fit into JSON."""
        self._log.line(kind, **fields)

    async def sync(self) -> None:
        """Wait until what was written will last through a loss of power.  Raises
        :class:`JournalError`."""
        if self._file.fd < 0:
            return  # closed meanwhile: nothing more is told of it
        try:
            await self._sync(self._file.fd)
        except OSError as error:
            raise JournalError(error.errno, error.strerror or str(error)) from error

    def close(self) -> None:
        """Nothing more will be written.  May be called twice."""
        self._file.close()

    def discard(self) -> None:
        """Close, and leave no file behind: the table has never been."""
        self.close()
        with suppress(OSError):
            self.path.unlink()


class Journals:
    """The folder of the journals: made if it is missing (0700), one file a table (0600)."""

    def __init__(
        self,
        folder: Path,
        *,
        now: Callable[[], float] = time.time,
        write: Write = os.write,
        sync: Sync = sync_in_thread,
    ) -> None:
        self.folder = folder
        self._now = now
        self._write = write
        self._sync = sync
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    @property
    def exposed(self) -> bool:
        """Whether other users of the machine can look into the folder, as they can into one that
        was there before."""
        return os.name == "posix" and bool(self.folder.stat().st_mode & 0o077)

    def begin(self, table: str) -> Journal:
        """A new journal for a table; its file is named after the table and the time.

        ``table`` is an id made by the server, of letters and digits.
        Raises :class:`OSError` if no file can be made.
        """
        stamp = datetime.fromtimestamp(self._now(), UTC).strftime("%Y%m%dT%H%M%SZ")
        for n in range(1, 100):
            suffix = "" if n == 1 else f"-{n}"
            path = self.folder / f"{stamp}-{table}{suffix}.jsonl"
            with suppress(FileExistsError):
                return Journal(path, now=self._now, write=self._write, sync=self._sync)
        raise FileExistsError(f"too many journals named {stamp}-{table}")

    def found(self) -> list[Path]:
        """The journals that are there, in the order of their names, and so of their age."""
        return sorted(self.folder.glob("*.jsonl"))

    def go_on(self, path: Path, kept: Kept) -> Journal:
        """An old journal, cut back to what is to be kept of it and open for more.

        Raises :class:`OSError`.
        """
        return Journal(path, now=self._now, write=self._write, sync=self._sync, kept=kept)

    def set_aside(self, path: Path) -> Path:
        """Rename a journal that cannot be gone on with, so that it is not found again; returns its
        new path.  Raises :class:`OSError`."""
        for n in range(1, 1000):
            other = path.with_name(f"{path.name}.set-aside{'' if n == 1 else f'-{n}'}")
            if not other.exists():
                return path.rename(other)
        raise FileExistsError(f"too many files named {path.name}.set-aside")
