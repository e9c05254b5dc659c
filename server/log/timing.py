"""What a journal tells of windows, clocks, preferences and autopilots, and whether it fits.

It is told of each line before the game that is replayed beside it takes it.  What it knows after
the last line is what a table goes on with that is taken up again.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET

from engine.errors import AnswerError
from engine.game import Game, check_answer
from engine.types import Decision
from protocol.messages import TableOptions
from server.log.lines import (
    AnswerLine,
    AutopilotLine,
    HumanSeat,
    JournalLine,
    PreferLine,
    ReplyLine,
    TakenSeat,
    WindowLine,
)
from server.log.replay import ReplayError, follow
from server.windows import ASK, outside_turn, preferred


class Timing:
    """The times of one game, and who is there.

    ``windows`` counts them; of the open one, ``waiting`` are the decisions whose answers are not
    carried out yet, by seat and in order, and ``replies`` what players have said already.
    ``turn_ms`` and ``reserve_ms`` (by seat) are what clocks had left when that was told last.
    ``left`` are the seats whose players have gone for good.
    """

    def __init__(self, options: TableOptions, seats: Sequence[TakenSeat]) -> None:
        self._options = options
        self._people = [i for i, seat in enumerate(seats) if isinstance(seat, HumanSeat)]
        self.preferences = dict.fromkeys(self._people, ASK)
        self.autopilots: set[int] = set()
        self.left: set[int] = set()
        self.windows = 0
        self.waiting: dict[int, Decision] = {}
        self.replies: dict[int, ReplyLine] = {}
        self._preferred: dict[int, tuple[str, ...]] = {}
        self._least = 0
        clocked = self._people if options.turn_ms else []
        self.turn_ms = options.turn_ms
        self.reserve_ms = dict.fromkeys(clocked, options.reserve_ms)
        self._whose: tuple[int, int] | None = None  # the turn and the seat that turn_ms is about

    def prefer(self, said: PreferLine) -> None:
        """A player says what is to happen when others attack.  Raises ReplayError."""
        if said.seat not in self._people:
            raise ReplayError(f"seat {said.seat} is no player's, who could prefer something")
        if self.preferences[said.seat] == said.reactions:
            raise ReplayError(f"seat {said.seat} prefers that already")
        self.preferences[said.seat] = said.reactions

    def autopilot(self, said: AutopilotLine) -> None:
        """A seat goes on autopilot or comes off.  Raises ReplayError."""
        if said.seat not in self._people:
            raise ReplayError(f"seat {said.seat} is no player's, whom a bot could play for")
        if said.on == (said.seat in self.autopilots):
            raise ReplayError(f"that is how it is with seat {said.seat} already")
        if said.on == (said.why == "back"):
            raise ReplayError(f"{said.why!r} is no reason for that")
        (self.autopilots.add if said.on else self.autopilots.discard)(said.seat)
        if said.why == "left":
            self.left.add(said.seat)

    def turn_left(self, turn: int, seat: int) -> int:
        """What that seat had left of the time of that turn when it was told last, in ms."""
        return self.turn_ms if (turn, seat) == self._whose else self._options.turn_ms

    # ------------------------------------------------------------------ windows

    def open(self, game: Game, said: WindowLine) -> None:
        """A window opens.  Raises ReplayError."""
        asked = outside_turn(game)
        if self.waiting:
            raise ReplayError("a window is open already")
        if said.seats != tuple(decision.seat for decision in asked):
            raise ReplayError("its seats are not those that are asked out of their turn, in order")
        if said.card != asked[0].cause:
            raise ReplayError("its card is not the one that asks")
        if said.window != f"w{self.windows + 1}":
            raise ReplayError(f"it is window w{self.windows + 1} of its game")
        limit, least = self._options.window_ms, 0
        if game.setup.reactions == "sealed":
            least = self._options.sealed_min_ms
        if (said.window_ms, said.least_ms) != (limit, least):
            raise ReplayError("its times are not those of the options")
        self.windows += 1
        self.waiting = {decision.seat: decision for decision in asked}
        self.replies = {}
        self._least = least
        self._preferred = {}
        for seat, decision in self.waiting.items():
            keys = preferred(decision, self.preferences.get(seat, ASK))
            if keys is not None:
                self._preferred[seat] = keys

    def reply(self, said: ReplyLine) -> None:
        """A player answers in the open window.  Raises ReplayError."""
        decision = self.waiting.get(said.seat)
        if decision is None or decision.id != said.decision:
            raise ReplayError(f"no window asks seat {said.seat} for decision {said.decision}")
        if said.seat in self.replies or said.seat not in self._people:
            raise ReplayError(f"seat {said.seat} cannot reply here (any more)")
        if said.seat in self._preferred:
            raise ReplayError(f"seat {said.seat} prefers not to be asked")
        if 0 < self._options.window_ms < said.latency_ms:
            raise ReplayError("it comes after the window has ended")
        try:
            check_answer(decision, said.keys)
        except AnswerError as error:
            raise ReplayError(f"the engine refuses its answer: {error}") from None
        self.replies[said.seat] = said

    # ------------------------------------------------------------------ answers

    def answer(self, game: Game, said: AnswerLine) -> None:
        """The game is about to take an answer, to a decision of this seat.  Raises ReplayError."""
        if self.waiting:
            self._in_window(said)
        elif outside_turn(game):
            raise ReplayError("a seat answers out of its turn, and no window was opened for it")
        else:
            self._in_turn(game, said)
        if said.by == "autopilot" and said.seat not in self.autopilots:
            raise ReplayError(f"no bot plays for seat {said.seat}")

    def _in_window(self, said: AnswerLine) -> None:
        seat, decision = next(iter(self.waiting.items()))
        if said.decision != decision.id:
            raise ReplayError(f"the window's next answer is to {decision.id}, not {said.decision}")
        if (said.turn_ms, said.reserve_ms) != (UNSET, UNSET):
            raise ReplayError("a turn's clock does not run in a window")
        reply = self.replies.get(seat)
        if (said.by == "player") != (reply is not None):
            raise ReplayError("what players answer in a window stands in a line of type 'reply'")
        if reply is not None and (reply.keys, reply.latency_ms) != (said.keys, said.latency_ms):
            raise ReplayError("it is not what the player has replied")
        wanted = self._preferred.get(seat)
        if (said.by == "preference") != (wanted is not None) or wanted not in {None, said.keys}:
            raise ReplayError(f"it does not go with what seat {seat} prefers")
        limit = self._options.window_ms
        if said.by == "clock" and (not limit or said.latency_ms != limit):
            raise ReplayError("a clock answers at the end of a window")
        if said.by != "player" and said.latency_ms < min(self._least, limit or self._least):
            raise ReplayError("it comes before the window may close")
        del self.waiting[seat]

    def _in_turn(self, game: Game, said: AnswerLine) -> None:
        if said.by == "preference":
            raise ReplayError("preferences answer in windows only")
        told = said.turn_ms, said.reserve_ms
        if said.seat not in self.reserve_ms:
            if said.by == "clock" or told != (UNSET, UNSET):
                raise ReplayError(f"seat {said.seat} has no clock")
            return
        turn, reserve = told
        if turn is UNSET or reserve is UNSET:
            raise ReplayError(f"it does not say what seat {said.seat} has left")
        whose = game.state.turn, said.seat
        if whose != self._whose:
            self._whose = whose
            self.turn_ms = self._options.turn_ms
        if turn > self.turn_ms or reserve > self.reserve_ms[said.seat]:
            raise ReplayError(f"seat {said.seat} has more time left than before")
        if said.by == "clock" and (turn or reserve):
            raise ReplayError(f"seat {said.seat} has time left")
        self.turn_ms, self.reserve_ms[said.seat] = turn, reserve


def take(game: Game, timing: Timing, seats: Sequence[TakenSeat], said: JournalLine) -> None:
    """Take a line of a running game: into what is known of its times, and into the game.

    Raises ReplayError.
    """
    if isinstance(said, AnswerLine):
        if {one.id: one.seat for one in game.decisions}.get(said.decision) == said.seat:
            timing.answer(game, said)
        follow(game, seats, said)
    elif isinstance(said, WindowLine):
        timing.open(game, said)
    elif isinstance(said, ReplyLine):
        timing.reply(said)
    elif isinstance(said, PreferLine):
        timing.prefer(said)
    elif isinstance(said, AutopilotLine):
        timing.autopilot(said)
