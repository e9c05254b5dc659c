"""What the journals of an earlier run tell: which tables are to be taken up again, and from where.

A server may be killed at any instant.  A journal then ends with its last whole line, or with a
piece of one behind it, which was announced to nobody and is cut off.  A journal that is damaged,
or of other rules or cards, is for its reader to set aside; it says nothing about any other one.
What a table makes of its story is :mod:`server.table`'s.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from server.journal import Kept, line_digest
from server.log.reading import JournalFile, ReadError, other_rules, read_journal
from server.log.verify import Story, WrongLineError, read_story

ENDED = ("over", "abandoned", "broken")
"""The types of last lines after which there is nothing to take up."""


class RecoveryError(ValueError):
    """A journal that cannot be gone on with; the sentence says why."""


class Unfinished(NamedTuple):
    """A table whose journal has no end: its story so far (the game as it stands in it, if it has
    begun), what of the file is kept, and whether a torn line is cut off behind that."""

    path: Path
    story: Story
    kept: Kept
    torn: bool


def unfinished(path: Path) -> Unfinished | None:
    """The table of a journal; None if it has ended.  Raises RecoveryError."""
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
