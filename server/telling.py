"""Tells those at a table how its game stands: views, their updates, and the clocks.

What is told to which audience is worked out in :mod:`server.audience` and :mod:`server.asking`;
here it goes to the people who are there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from typing import TYPE_CHECKING

import trio
from msgspec.structs import replace

from engine.types import SPECTATOR
from protocol.codec import encode_frame
from server.asking import Asking
from server.audience import Views
from server.autopilot import Autopilot
from server.pauses import Pauses
from server.session import Session

if TYPE_CHECKING:
    from server.table import Member, Table


_games = count()


class Teller:
    """Tells the members of one table.

    Whoever changes something that the clocks show sets ``stirred``; whether there is news in it is
    found out here.
    """

    def __init__(
        self, table: Table, views: Views, asking: Asking, pilot: Autopilot, pauses: Pauses
    ) -> None:
        self._table = table
        self._views = views
        self._asking = asking
        self._pilot = pilot
        self._pauses = pauses
        game = next(_games)  # what waits to be said of one game is not said of the next
        self._topic, self._clock_topic = f"view {table.id} {game}", f"clocks {table.id} {game}"
        self.stirred = False
        self._told = self._state

    def show(self, session: Session) -> None:
        """Send everything that one at the table may know."""
        member = self._table.members[session]
        session.outbox.put(self._views.catalogue())
        self.show_view(member, self._views.snapshot(member.seat))
        if any(self._told) and self._sees_clocks(member):
            session.outbox.update(self._clock_topic, self.clocks(), self._clocks_now)

    def show_view(self, member: Member, snapshot: bytes) -> None:
        """Send a snapshot; like updates, it gives way to a later one if too much waits."""
        member.session.outbox.update(self._topic, snapshot, self._refresh_of(member))

    def broadcast(self, frames: Mapping[int, bytes]) -> None:
        """Send updates by audience, and the clocks where there is news of them."""
        clocks = self._news() if self.stirred else b""
        for member in self._table.members.values():
            frame = frames.get(member.seat)
            outbox = member.session.outbox
            if frame is not None:
                outbox.update(self._topic, frame, self._refresh_of(member), later=True)
            if clocks and self._sees_clocks(member):
                outbox.update(self._clock_topic, clocks, self._clocks_now, later=True)
            outbox.flush()

    def warn(self) -> None:
        """Tell everybody that what runs will soon be over."""
        self._send(self.clocks(warning=True))

    def tell_clocks(self, *, anyway: bool = False) -> None:
        """Tell everybody of the clocks if there is news of them, or ``anyway``."""
        frame = self._news()
        if frame or anyway:
            self._send(frame or self.clocks())

    def _send(self, frame: bytes) -> None:
        for member in self._table.members.values():
            if self._sees_clocks(member):
                member.session.outbox.update(self._clock_topic, frame, self._clocks_now)

    def _sees_clocks(self, member: Member) -> bool:
        """Clocks tell whose turn it is now, which delayed spectators do not know."""
        return member.seat != SPECTATOR or not self._views.delayed

    @property
    def _current(self) -> bool:
        """Whether this game is still the table's."""
        play = self._table.play
        return play is not None and play.teller is self

    def _clocks_now(self) -> bytes:
        return self.clocks() if self._current else b""

    def _news(self) -> bytes:
        """The frame with the clocks; empty if nothing has begun, ended or changed."""
        self.stirred = False
        state = self._state
        if state == self._told:
            return b""
        self._told = state
        return self.clocks()

    @property
    def _state(self) -> tuple[object, ...]:
        """What is news when it changes; time that passes is none."""
        return self._asking.key, tuple(self._pilot.seats), self._pauses.shown

    def clocks(self, *, warning: bool = False) -> bytes:
        """The frame with the clocks as they stand now."""
        message = self._asking.message(self._table.id, trio.current_time())
        return encode_frame(
            replace(
                message, paused=self._pauses.shown, autopilot=self._pilot.seats, warning=warning
            )
        )

    def _refresh_of(self, member: Member) -> Callable[[], bytes]:
        if member.refresh is None:
            member.refresh = self._view_of(member.session)
        return member.refresh

    def _view_of(self, session: Session) -> Callable[[], bytes]:
        def refresh() -> bytes:
            member = self._table.members.get(session)
            if member is None or not self._current:
                return b""
            return self._views.snapshot(member.seat)

        return refresh
