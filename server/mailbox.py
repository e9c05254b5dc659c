"""What waits for a table's task: bounded, so that a full one holds back whoever fills it."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

import trio

from protocol.messages import Answer
from server.calls import Call
from server.doorbell import Doorbell
from server.session import Session


class Letter(NamedTuple):
    """An answer, who gave it, the call that is to be replied to, and when it came (Trio's
    clock)."""

    session: Session
    answer: Answer
    call: Call
    at: float


class Mailbox:
    """Letters for one task, and nudges that only wake it up to look around."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._letters: deque[Letter] = deque()
        self._nudged = False
        self._closed = False
        self._bell = Doorbell()
        self._senders = trio.lowlevel.ParkingLot()

    def __len__(self) -> int:
        return len(self._letters)

    async def put(self, letter: Letter) -> bool:
        """Deliver, waiting for room if there is none; False: nobody reads this any more."""
        while len(self._letters) >= self._size and not self._closed:
            await self._senders.park()
        if self._closed:
            return False
        self._letters.append(letter)
        self._bell.ring()
        return True

    def nudge(self) -> None:
        """Wake the task up."""
        self._nudged = True
        self._bell.ring()

    @property
    def stirred(self) -> bool:
        """There is a letter, or was a nudge."""
        return bool(self._letters) or self._nudged

    async def wait(self) -> None:
        """Wait until there is a letter, or was a nudge."""
        while not self._letters and not self._nudged:
            await self._bell.wait()

    async def get(self) -> Letter | None:
        """The next letter, or None after a nudge."""
        await self.wait()
        return None if self.nudged() else self.take()

    def nudged(self) -> bool:
        """Whether there was a nudge since this was asked last."""
        nudged, self._nudged = self._nudged, False
        return nudged

    @property
    def first(self) -> Letter | None:
        """The next letter, left where it is."""
        return self._letters[0] if self._letters else None

    def take(self) -> Letter:
        """The next letter, which has to be there."""
        letter = self._letters.popleft()
        if self._senders:
            self._senders.unpark()
        return letter

    def close(self) -> list[Letter]:
        """Read no more; returns the letters that are left."""
        self._closed = True
        left = list(self._letters)
        self._letters.clear()
        self._senders.unpark_all()
        return left
