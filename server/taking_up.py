"""At the start of a server: the tables that an earlier run has left are taken up, one by one."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AsyncExitStack
from pathlib import Path

from filelock import FileLock, Timeout

from server.hall import Hall
from server.heartbeat import Beat
from server.journal import Journals
from server.recovery import RecoveryError, is_stillborn, unfinished

LOCK = ".lock"


class JournalsInUseError(Exception):
    """The folder of the journals cannot be had; the sentence says why."""


def lock_journals(opened: AsyncExitStack, journals: Journals) -> None:
    """Keep others away from the folder: two servers must not go on with the same tables.

    Raises JournalsInUseError.
    """
    lock = FileLock(journals.folder / LOCK, mode=0o600)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        raise JournalsInUseError(
            f"another server keeps its journals in {journals.folder}; name another folder with "
            "--journals or --state"
        ) from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise JournalsInUseError(f"cannot use {journals.folder} for journals: {reason}") from None
    opened.callback(lock.release)


def take_up_all(hall: Hall, journals: Journals, beats: Mapping[str, Beat]) -> None:
    """Go on with every unfinished table; a journal that cannot be gone on with is set aside, and
    holds up no other."""
    for path in journals.found():
        try:
            if is_stillborn(path):
                path.unlink()
                continue
            found = unfinished(path)
            if found is None:
                continue
            beat = beats.get(found.story.table.table) if found.story.table is not None else None
            current = beat is not None and beat.lines == found.kept.lines
            table = hall.take_up(found, beat.pulse if beat is not None and current else {})
            if table is not None:
                hall.log.info("table taken up", table=table.id, state=table.state, torn=found.torn)
        except RecoveryError as wrong:
            _set_aside(hall, journals, path, str(wrong))
        except OSError as error:
            hall.log.error("journal not opened", file=path.name, reason=str(error))
        except Exception as error:
            hall.log.error("table not taken up", file=path.name, exc_info=error)
            _set_aside(hall, journals, path, f"cannot be gone on with: {type(error).__name__}")


def _set_aside(hall: Hall, journals: Journals, path: Path, reason: str) -> None:
    try:
        aside = journals.set_aside(path).name
    except OSError as error:
        hall.log.error("journal not set aside", file=path.name, reason=str(error))
    else:
        hall.log.warning("journal set aside", file=path.name, now=aside, reason=reason)
