"""Who is asked at the moment, and until when: the one whose turn it is, or several in a window.

It looks at the game after each step and keeps the clock and the window that belong to it; while
others are asked in a window, the clock of the one whose turn it is stands still.  It decides
nothing: what happens at a deadline is :mod:`server.play`'s.  Times are in seconds on Trio's clock.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf

from msgspec import UNSET

from engine.game import Game
from engine.types import Decision
from protocol.messages import Clocks, TableOptions
from server.clocks import TurnClock, next_warning
from server.log.timing import Timing
from server.windows import Reply, Window, outside_turn


class Asking:
    """What a table waits for; ``people`` are the seats that have clocks.

    ``turn`` is the open decision of the one whose turn it is and ``since`` when it was asked;
    ``window`` is the open window.  At most one of both is there.  ``due`` is when the time for it
    is over: infinity while there is no end to it, minus infinity once the turn has run out.
    Everything stands still until :meth:`start`.
    """

    def __init__(self, options: TableOptions, reactions: str, people: Iterable[int]) -> None:
        self.clock = TurnClock(options.turn_ms / 1000, options.reserve_ms / 1000, people)
        self.turn: Decision | None = None
        self.since = 0.0
        self.window: Window | None = None
        self.due = inf
        self._limit = options.window_ms / 1000 or inf
        self._least = options.sealed_min_ms / 1000 if reactions == "sealed" else 0.0
        self._windows = 0
        self._whose: tuple[int, int] | None = None  # the number of the turn, and its seat
        self._expired = False
        self._idle: set[int] = set()  # seats that a bot plays for: their clocks stand
        self._still = True

    # ------------------------------------------------------------------ what happens

    def see(self, game: Game, now: float) -> bool:
        """The game has moved on.  Says whether anything began or ended but one decision of a turn
        after another."""
        decisions, state = game.decisions, game.state
        if len(decisions) == 1 and (
            decisions[0].seat == state.active or state.phase == "start"
        ):  # the usual case, and a short one
            self.turn = turn = decisions[0]
            self.since = now
            whose = state.turn, turn.seat
            if whose == self._whose and self.window is None:
                return False
            self.window = None
            if whose != self._whose:
                self._whose = whose
                self._expired = False
                self.clock.begin(turn.seat, now)
        else:
            self.turn = self.window = None
            asked = outside_turn(game)
            if asked:
                self._windows += 1
                self.window = Window(self._windows, asked, self._limit, self._least)
            else:
                self._whose = None
        self._set_going(now)
        return True

    def take_up(self, game: Game, timing: Timing, pulse: Mapping[str, int], now: float) -> bool:
        """Go on where a journal ends.  ``pulse`` is what clocks had left or used after its last
        line, as far as that is known (:meth:`pulse`).  Says whether the open window, if there is
        one, was open before."""
        state = game.state
        if state.phase == "turn":
            self._whose = state.turn, state.active
            self.clock.begin(state.active, now)
            turn = pulse.get("turn_ms", timing.turn_left(state.turn, state.active))
            reserves = {**timing.reserve_ms}
            if "reserve_ms" in pulse:
                reserves[state.active] = min(reserves[state.active], pulse["reserve_ms"])
            self.clock.take_up(turn / 1000, {seat: ms / 1000 for seat, ms in reserves.items()})
        was_open = bool(timing.waiting)
        self._windows = timing.windows - was_open
        self.see(game, now)
        if self.window is not None and was_open:
            replies = {
                seat: Reply(said.keys, "player", said.latency_ms / 1000)
                for seat, said in timing.replies.items()
            }
            latest = max((said.latency_ms for said in timing.replies.values()), default=0)
            self.window.take_up(replies, max(latest, pulse.get("window_ms", 0)) / 1000)
        return was_open

    def pulse(self, now: float) -> dict[str, int]:
        """What the running clock has left, or the open window has used: for whoever takes the game
        up after a crash."""
        if self.window is not None:
            return {"window_ms": _ms(self.window.watch.spent(now))}
        return self.left(now)

    def expire(self, now: float) -> bool:
        """The time of the turn is over, for all of its decisions; says whether that is new."""
        if self._expired:
            return False
        self._expired = True
        self.clock.run_out(now)
        self._set_going(now)
        return True

    def start(self, now: float) -> None:
        """Let time run."""
        self._still = False
        self._set_going(now)

    def stop(self, now: float) -> None:
        """Let time stand still."""
        self._still = True
        self._set_going(now)

    def set_idle(self, seat: int, idle: bool, now: float) -> None:
        """Say whether a bot plays for a seat, so that its clock stands."""
        (self._idle.add if idle else self._idle.discard)(seat)
        self._set_going(now)

    def _set_going(self, now: float) -> None:
        window, clock = self.window, self.clock
        clock.stop(now)
        self.due = inf
        if window is not None:
            if self._still:
                window.watch.stop(now)
            else:
                window.watch.start(now)
            self.due = window.due
        elif self.timed and not self._still:
            if not self._expired:
                clock.start(now)
            self.due = -inf if self._expired else clock.due

    # ------------------------------------------------------------------ what is to be known

    @property
    def timed(self) -> bool:
        """Whether it is a turn with a clock."""
        return self.turn is not None and self.clock.seat >= 0 and self.clock.seat not in self._idle

    def wakes(self, now: float) -> float:
        """When something may have to be done next: a warning, the closing of a window, a
        timeout."""
        due = min(self.due, next_warning(self.due, now))
        window = self.window
        if window is not None and window.ripe_at > now:
            due = min(due, window.ripe_at)
        return due

    @property
    def key(self) -> tuple[object, ...]:
        """Changes whenever all are to be told of the clock anew."""
        if self.window is not None:
            return ("window", self.window.id)
        return ("turn", self._whose) if self.timed else ()

    def left(self, now: float) -> dict[str, int]:
        """What the one whose turn it is has left, as the journal keeps it; nothing if that seat has
        no clock."""
        clock = self.clock
        if self.turn is None or clock.seat < 0:
            return {}
        turn, reserve = clock.left(now)
        return {"turn_ms": _ms(turn), "reserve_ms": _ms(reserve)}

    def message(self, table: str, now: float) -> Clocks:
        """How it stands, for everybody at a table."""
        window, clock = self.window, self.clock
        reserve = {str(seat): _ms(left) for seat, left in clock.reserves(now).items()}
        if window is not None:
            left = window.watch.left(window.limit, now)
            ms = _ms(left) if left < inf else UNSET
            return Clocks(table, True, window.card, list(window.seats), ms, reserve)
        if self.timed:
            left = clock.turn_left(now)
            return Clocks(table, False, "", [clock.seat], _ms(left), reserve)
        return Clocks(table, reserve_ms=reserve)


def _ms(seconds: float) -> int:
    return round(seconds * 1000)
