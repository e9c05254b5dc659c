"""What waits for a table's task: bounded, so that a full one holds back whoever fills it."""

from __future__ import annotations

from typing import NamedTuple

import trio

from protocol.messages import Answer
from server.session import Session


class Letter(NamedTuple):
    """An answer and who gave it."""

    session: Session
    answer: Answer


class Mailbox:
    """Letters, and nudges (None) that only wake the task up to look around."""

    def __init__(self, size: int) -> None:
        self._in, self._out = trio.open_memory_channel[Letter | None](size)

    async def put(self, letter: Letter) -> bool:
        """Deliver, waiting for room if there is none; False: nobody reads this any more."""
        try:
            try:
                self._in.send_nowait(letter)
            except trio.WouldBlock:
                await self._in.send(letter)
        except trio.BrokenResourceError:
            return False
        return True

    def nudge(self) -> None:
        """Wake the task up.  A full mailbox needs no nudge: its task has reason to look anyway."""
        try:
            self._in.send_nowait(None)
        except (trio.WouldBlock, trio.BrokenResourceError):
            return

    async def get(self) -> Letter | None:
        """The next letter, or None after a nudge."""
        try:
            return self._out.receive_nowait()
        except trio.WouldBlock:
            return await self._out.receive()

    def close(self) -> list[Letter]:
        """Read no more; returns the letters that are left."""
        left: list[Letter] = []
        while True:
            try:
                letter = self._out.receive_nowait()
            except (trio.WouldBlock, trio.EndOfChannel, trio.ClosedResourceError):
                break
            if letter is not None:
                left.append(letter)
        self._out.close()
        return left
