"""What waits to be written to one connection: a bounded queue of encoded frames.

A table never waits for a reader, so what it says must be allowed to shrink: frames put by
:meth:`Outbox.update` belong to a topic (the view of a table, say), and when the queue is full all
frames of a topic give way to one frame that is made when it can be written and says how things
stand then.  Everything else (replies, chat) is kept; replies are held back by not reading further
requests (:meth:`Outbox.room`), and a reader for whom even that is not enough is given up.
It knows nothing of sockets and of what the frames say.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from math import inf
from typing import NamedTuple

import trio

from server.doorbell import Doorbell

HOPELESS = 4
"""A queue this many times over its limit belongs to a reader that is given up."""

Refresh = Callable[[], bytes]
SendNow = Callable[[bytes], int]


class _Update(NamedTuple):
    """A frame that may be replaced by a fresh one of its topic."""

    topic: str
    frame: bytes
    refresh: Refresh


class _Stale(NamedTuple):
    """The place of a topic's frames that were dropped."""

    topic: str
    refresh: Refresh


class Outbox:
    """The outgoing queue of one connection: full with ``limit`` frames or ``space`` bytes.

    ``finished`` is set when no more will be put; ``hopeless`` when the reader is given up;
    ``taken`` counts the frames that were taken out to be written.  ``send_now``, if the connection
    has such a thing, writes what the system takes without waiting and returns how many bytes those
    were.
    """

    def __init__(self, limit: int, send_now: SendNow | None = None, *, space: float = inf) -> None:
        self.limit = limit
        self.space = space
        self._size = 0  # bytes in the queue
        self._send_now = send_now
        self.finished = False
        self.hopeless = False
        self.taken = 0
        self._queue: deque[bytes | _Update | _Stale] = deque()
        self._stale: set[str] = set()
        self._bell = Doorbell()
        self._reader = trio.lowlevel.ParkingLot()

    def __len__(self) -> int:
        return len(self._queue)

    def put(self, frame: bytes, *, later: bool = False) -> None:
        """Add a frame that has to arrive.  With ``later`` a :meth:`flush` will follow."""
        if self.finished:
            return
        if self.full:
            self._collapse()
            if len(self._queue) >= self.limit * HOPELESS or self._size >= self.space * HOPELESS:
                self.hopeless = True
                self.finish()
                return
        self._queue.append(frame)
        self._size += len(frame)
        if not later:
            self._bell.ring()

    def update(self, topic: str, frame: bytes, refresh: Refresh, *, later: bool = False) -> None:
        """Add a frame that may be dropped if ``refresh()``, called later, gives one instead that
        says how the topic stands then (empty: nothing is left to say).  With ``later`` a
        :meth:`flush` will follow."""
        if self.finished or topic in self._stale:
            return
        if self.full:
            self._collapse()
            if topic in self._stale:
                return
            if self.full:
                self._stale.add(topic)
                self._queue.append(_Stale(topic, refresh))
                return
        self._queue.append(_Update(topic, frame, refresh))
        self._size += len(frame)
        if not later:
            self._bell.ring()

    def flush(self) -> None:
        """Write what waits at once, as far as that goes without waiting; the rest is left to the
        writer.  This spares waking its task for every step of a game."""
        if self._send_now is not None and self._bell.awaited:
            data = self.take()
            sent = self._send_now(data) if data else 0
            if sent == len(data):
                return
            self._queue.appendleft(data[sent:])
            self._size += len(data) - sent
            self.taken -= 1
        self._bell.ring()

    def _collapse(self) -> None:
        """Let each topic's frames give way to a mark where the first of them stood."""
        kept: deque[bytes | _Update | _Stale] = deque()
        for entry in self._queue:
            if type(entry) is _Update:
                self._size -= len(entry.frame)
                if entry.topic not in self._stale:
                    self._stale.add(entry.topic)
                    kept.append(_Stale(entry.topic, entry.refresh))
            else:
                kept.append(entry)
        self._queue = kept

    def take(self) -> bytes:
        """All that waits, as one run of bytes; empty if nothing does."""
        queue = self._queue
        self.taken += len(queue)
        self._size = 0
        if len(queue) == 1:  # the usual case, without a copy
            entry = queue.popleft()
            if type(entry) is bytes:
                data = entry
            elif type(entry) is _Update:
                data = entry.frame
            else:
                data = self._fresh(entry)
        else:
            parts: list[bytes] = []
            while queue:
                entry = queue.popleft()
                if type(entry) is bytes:
                    parts.append(entry)
                elif type(entry) is _Update:
                    parts.append(entry.frame)
                else:
                    parts.append(self._fresh(entry))
            data = b"".join(parts)
        if self._reader:
            self._reader.unpark_all()
        return data

    def _fresh(self, entry: object) -> bytes:
        assert isinstance(entry, _Stale)
        self._stale.discard(entry.topic)
        return entry.refresh()

    @property
    def full(self) -> bool:
        """More waits than should; whoever causes replies has to wait for :meth:`room`."""
        return len(self._queue) >= self.limit or self._size >= self.space

    async def room(self) -> None:
        """Wait until the queue has room again, or no more will be written."""
        while self.full and not self.finished:
            await self._reader.park()

    async def wait(self) -> None:
        """Wait until there is something to take, or the queue is finished.  For one task only."""
        while not self._queue and not self.finished:
            await self._bell.wait()

    def finish(self) -> None:
        """Nothing more will be put; what waits may still be taken."""
        self.finished = True
        self._bell.ring()
        self._reader.unpark_all()
