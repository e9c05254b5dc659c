"""Writes a running game's lines into its journal, however long that takes.

While a line cannot be written the game stands still: nobody has been told of what it says, and
answers that come in meanwhile are refused.
"""

from __future__ import annotations

from collections.abc import Callable

import trio

from server.journal import Journal, JournalError
from server.mailbox import Letter, Mailbox
from server.oplog import Log

FIRST_PAUSE = 0.5
"""Seconds until a failed write is tried again; doubled each time."""

Refuse = Callable[[Letter, str, str], None]
Stuck = Callable[[bool], None]


class Scribe:
    """The one that writes; for the task of the game only.

    ``longest`` are the most seconds between two tries; ``stuck`` is called with True when a line
    could not be written and with False when it could after all.
    """

    def __init__(
        self,
        journal: Journal,
        mailbox: Mailbox,
        log: Log,
        longest: float,
        *,
        refuse: Refuse,
        stuck: Stuck,
    ) -> None:
        self._journal = journal
        self._mailbox = mailbox
        self._log = log
        self._longest = longest
        self._refuse = refuse
        self._stuck = stuck

    async def line(self, kind: str, /, **fields: object) -> None:
        """Write a line; returns once it stands there."""
        pause = FIRST_PAUSE
        stuck = False
        while True:
            try:
                self._journal.line(kind, **fields)
            except JournalError as error:
                self._log.error("journal not written", reason=str(error), again_in=pause)
            else:
                if stuck:
                    self._stuck(False)
                return
            if not stuck:
                stuck = True
                self._stuck(True)
            await self._refuse_all(pause)
            pause = min(2 * pause, self._longest)

    async def sync(self) -> None:
        """Wait until all that was written will last through a loss of power."""
        try:
            await self._journal.sync()
        except JournalError as error:  # it is written, and what is lost with the power is not known
            self._log.error("journal not synced", reason=str(error))

    async def _refuse_all(self, seconds: float) -> None:
        nudged = False
        with trio.move_on_after(seconds):
            while True:
                letter = await self._mailbox.get()
                if letter is None:
                    nudged = True
                else:
                    text = "the journal cannot be written now; try again later"
                    self._refuse(letter, "busy", text)
        if nudged:  # for the game, which has not looked
            self._mailbox.nudge()
