"""Who is there at a running game, why it stands still, and for whom a bot plays."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

import trio

from server.asking import Asking
from server.autopilot import TIMEOUTS, Autopilot, Switch
from server.pauses import AGREED, DESERTED, JOURNAL, Pauses

if TYPE_CHECKING:
    from server.table import Table


class Attendance:
    """For the task of one game; ``people`` are the seats of people.

    ``changed`` is called when clocks and deadlines are not what they were; ``nudge`` has the task
    look around soon.
    """

    def __init__(
        self,
        table: Table,
        people: Collection[int],
        *,
        asking: Asking,
        pilot: Autopilot,
        pauses: Pauses,
        changed: Callable[[], None],
        nudge: Callable[[], None],
    ) -> None:
        self._table = table
        self._people = people
        self._asking = asking
        self._pilot = pilot
        self._pauses = pauses
        self._changed = changed
        self._nudge = nudge
        self._returned: set[int] = set()  # seats whose players have come back

    def back(self, seat: int) -> None:
        """A seat's player has come, come back, or answered while a bot played for them."""
        self._returned.add(seat)
        self._nudge()

    def wish(self, seat: int, pause: bool) -> Callable[[], None]:
        """A player would like a pause, or to go on; what is returned tells the others."""
        name = self._table.seats[seat].name
        new = self._pauses.wish(seat, pause)

        def then() -> None:
            if new:
                words = "would like a pause." if pause else "would like to go on."
                self._table.announce(f"{name} {words}")
            self._nudge()

        return then

    def look_around(self) -> list[Switch]:
        """See who is there, and what follows from that; returns the seats that a bot plays for from
        now on, or not any more."""
        now = trio.current_time()
        seats, pilot = self._table.seats, self._pilot
        self.stand(DESERTED, not self._table.attended)
        returned, self._returned = self._returned, set()
        for i in self._people:
            if not seats[i].present:
                pilot.away(i, now, left=seats[i].session is None)
            elif i in returned or pilot.is_away(i):
                pilot.back(i)
        agreed = self._pauses.agreed
        connected = [i for i in self._people if seats[i].present]
        seated = [i for i in self._people if seats[i].session is not None]
        self.stand(AGREED, self._pauses.agree(connected, seated))
        if self._pauses.agreed != agreed:
            words = "goes on." if agreed else "pauses until a player wants to go on."
            self._table.announce(f"The game {words}")
        return pilot.switch(now)

    def stand(self, reason: str, holds: bool) -> None:
        """The game stands still for a reason, or not any more."""
        if not self._pauses.set(reason, holds):
            return
        now = trio.current_time()
        if self._pauses:
            self._asking.stop(now)
            self._pilot.stop(now)
        else:
            self._asking.start(now)
            self._pilot.start(now)
        self._changed()

    def stuck(self, stuck: bool) -> None:
        """The journal cannot be written, or can be again."""
        self.stand(JOURNAL, stuck)
        self._table.announce(
            "The game waits: its journal cannot be written. It goes on by itself once it can be."
            if stuck
            else "The journal can be written again; the game goes on."
        )

    def time_out(self, seat: int) -> None:
        """Nothing came in time from a seat."""
        if self._pilot.timed_out(seat) < TIMEOUTS:
            words = "If that happens again, a bot plays for you until you are back."
        else:
            words = "A bot plays for you until you answer something."
        self._table.whisper(seat, f"Your time was over, and what is harmless was chosen. {words}")
        self._nudge()
