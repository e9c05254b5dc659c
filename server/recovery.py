"""What the journals of an earlier run tell: which tables are to be taken up again, and from where.

A server may be killed at any instant.  A journal then ends with its last whole line, or with a
piece of one behind it, which was announced to nobody and is cut off.  A journal that is damaged,
or of other rules or cards, is for its reader to set aside; it says nothing about any other one.
What a table makes of its story is :mod:`server.table`'s.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct

from server.journal import Kept, line_digest
from server.log.reading import JournalFile, ReadError, other_rules, read_journal
from server.log.verify import Story, WrongLineError, read_story

ENDED = ("over", "abandoned", "broken")
"""The types of last lines after which there is nothing to take up."""


FIRST = b'{"seq":0,"type":"table",'
"""How the first line of every journal begins."""

TAIL = 65_536
"""Bytes at the end of a file in which the last line of a table that has ended is found."""


class _Typed(Struct):
    type: str


class RecoveryError(ValueError):
    """A journal that cannot be gone on with; the sentence says why."""


class Unfinished(NamedTuple):
    """A table whose journal has no end: its story so far (the game as it stands in it, if it has
    begun), what of the file is kept, and whether a torn line is cut off behind that."""

    path: Path
    story: Story
    kept: Kept
    torn: bool


def is_stillborn(path: Path) -> bool:
    """Whether a kill came before the first line of a journal was whole: nobody was ever told of its
    table, so nothing is lost with it."""
    with suppress(OSError), path.open("rb") as file:
        content = file.read(TAIL)
        begun = content.startswith(FIRST) or FIRST.startswith(content)
        return begun and len(content) < TAIL and b"\n" not in content
    return False


def unfinished(path: Path) -> Unfinished | None:
    """The table of a journal; None if it has ended.  Raises RecoveryError."""
    if _has_ended(path):
        return None
    try:
        journal = read_journal(path)
    except ReadError as error:
        raise RecoveryError(str(error)) from None
    last = journal.lines[-1].data or {}
    if last.get("type") in ENDED:
        return None
    other = other_rules(journal.lines[0].data or {})
    if other:
        raise RecoveryError(other)
    try:
        story = read_story(journal)
    except WrongLineError as error:
        raise RecoveryError(f"is damaged: {error}") from None
    return Unfinished(path, story, kept_of(journal), journal.torn)


def kept_of(journal: JournalFile) -> Kept:
    """All whole lines of a file."""
    size = sum(len(line.raw) + 1 for line in journal.lines)
    return Kept(len(journal.lines), size, line_digest(journal.lines[-1].raw))


def _has_ended(path: Path) -> bool:
    """Whether the last whole line is an end, as far as that can be seen without reading all."""
    with suppress(OSError, msgspec.MsgspecError, ValueError), path.open("rb") as file:
        file.seek(max(0, file.seek(0, os.SEEK_END) - TAIL))
        *_, line, rest = file.read().split(b"\n")
        return not rest and msgspec.json.decode(line, type=_Typed).type in ENDED
    return False
