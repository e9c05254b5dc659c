"""The heartbeat: a small file that says every second how the clocks of the running games stand.

Journals tell what has happened, and how much time was left then; what has gone by since is in the
heartbeat, so that a crash gives nobody more than a second.  It is a help and no more: without it,
or with one that cannot be read, clocks go on where the journals end.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import msgspec
import trio
from msgspec import Struct

from server.hall import Hall

FILE = "heartbeat.json"
EVERY = 1.0


class Beat(Struct, frozen=True):
    """How the clocks of a table stood when its journal had so many lines."""

    lines: int
    pulse: dict[str, int]


def beats(hall: Hall) -> dict[str, Beat]:
    """How the clocks of all running games stand now."""
    return {
        table.id: Beat(table.journal.lines, table.play.pulse())
        for table in hall.tables.values()
        if table.play is not None and table.state == "playing"
    }


def read(folder: Path) -> dict[str, Beat]:
    """The heartbeat of an earlier run; empty if there is none that can be read."""
    with suppress(OSError, msgspec.MsgspecError, ValueError, RecursionError):
        return msgspec.json.decode((folder / FILE).read_bytes(), type=dict[str, Beat])
    return {}


def write(folder: Path, now: dict[str, Beat]) -> None:
    """Replace the file.  Raises OSError."""
    new = folder / f"{FILE}.new"
    fd = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(fd, "wb") as file:
        file.write(msgspec.json.encode(now))
    new.replace(folder / FILE)


async def run(hall: Hall, folder: Path) -> None:
    """Beat until cancelled."""
    last: dict[str, Beat] = {}
    while True:
        now = beats(hall)
        if now != last:
            try:
                write(folder, now)
            except OSError as error:
                hall.log.warning("no heartbeat", reason=str(error))
            last = now
        await trio.sleep(EVERY)
