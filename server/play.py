"""The running game of one table: the one task that owns it.

It takes answers out of its mailbox, asks bots, and gives the default answer for players who are not
there; each answer goes through the engine, into the journal, and then to everybody, in this order
(:meth:`Play._step`).  A journal that cannot be written pauses the table with the answer pending.
An unexpected exception breaks this table and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from math import inf
from typing import TYPE_CHECKING

import msgspec
import trio

import engine
from engine.bots import Bot, think
from engine.bots import make as make_bot
from engine.text import Words
from engine.types import SPECTATOR, Decision, Observation
from protocol.names import shorten
from server.audience import Views
from server.journal import JournalError
from server.mailbox import Letter, Mailbox
from server.seating import BOT, HUMAN, Seat
from server.session import Session

if TYPE_CHECKING:
    from server.table import Member, Table

FIRST_PAUSE = 0.5
"""Seconds until a failed write of a journal is tried again; doubled each time."""


def bot_seed(seed: bytes, seat: int) -> bytes:
    """The seed of a bot: a stream of its own that nobody can tell from the game's."""
    return sha256(b"senro bot %d " % seat + seed).digest()


class Play:
    """A game in play.  ``views`` is what each audience has been told."""

    def __init__(self, table: Table, game: engine.Game, seating: Sequence[Seat]) -> None:
        self._table = table
        self._game = game
        self._journal = table.journal
        self._log = table.log
        self._mailbox = Mailbox(table.settings.mailbox)
        self._scope = trio.CancelScope()
        self._open: dict[str, tuple[Decision, float]] = {}  # and since when
        self._pending: Letter | None = None
        self._topic = f"view {table.id}"
        seats = range(len(seating))
        self.views = Views(
            table.id,
            game,
            Words("en"),
            [seat.name for seat in seating],
            [i for i in seats if seating[i].kind == HUMAN],
        )
        catalogue = game.setting.catalogue(Words("en"), game.setup.boxes, game.setup.reactions)
        self._bots = {
            i: make_bot(seating[i].level, bot_seed(table.seed, i), i, catalogue)
            for i in seats
            if seating[i].kind == BOT
        }

    # ------------------------------------------------------------------ from other tasks

    async def deliver(self, letter: Letter) -> None:
        """Hand an answer to the task; waits while its mailbox is full."""
        if not await self._mailbox.put(letter):
            letter.call.refuse("wrong-state", "this game is not played any more")

    @property
    def waiting(self) -> int:
        """How many answers wait for the task."""
        return len(self._mailbox)

    def look(self) -> None:
        """Somebody has come, gone, or loaded the table."""
        self._mailbox.nudge()

    def show(self, session: Session) -> None:
        """Send everything that one at the table may know."""
        member = self._table.members[session]
        session.outbox.put(self.views.catalogue())
        self.show_view(member, self.views.snapshot(member.seat))

    def show_view(self, member: Member, snapshot: bytes) -> None:
        """Send a snapshot; like updates, it gives way to a later one if too much waits."""
        member.session.outbox.update(self._topic, snapshot, self._refresh_of(member))

    def stop(self) -> None:
        """End the task; nothing more is written or told."""
        self._scope.cancel()

    # ------------------------------------------------------------------ the task

    async def run(self) -> None:
        """Play the game to its end."""
        outcome = "wrong-state", "this game is not played any more"
        try:
            with self._scope:
                await self._play()
        except Exception as error:  # noqa: BLE001 - whatever it is, it ends this table only
            self._log.error("table broken", exc_info=error)
            outcome = "internal", "the server made a mistake; this table has ended"
            self._table.state = "broken"
            self._table.end("broken", reason=type(error).__name__)
            if self._pending is not None:
                self._pending.call.refuse(*outcome)
            self._table.tell()
        finally:
            for letter in self._mailbox.close():
                letter.call.refuse(*outcome)

    async def _play(self) -> None:
        await self._until_loaded()
        self._see_open(trio.current_time())
        self._broadcast(self.views.ask())
        game = self._game
        while not game.over:
            for decision, _ in self._open.values():
                bot = self._bots.get(decision.seat)
                if bot is not None:
                    keys = await _thought(bot, game.observe(decision.seat), decision)
                    await self._step(decision, keys, "bot")
                    break
            else:
                await self._wait_for_somebody()
        self._over()

    async def _until_loaded(self) -> None:
        """Wait for the players (and a host who watches) to have the table on their screens."""
        with trio.move_on_after(self._table.options.loaded_ms / 1000):
            while not all(m.loaded for m in self._table.members.values() if self._awaited(m)):
                letter = await self._mailbox.get()
                if letter is not None:
                    self._refuse(letter, "unknown-decision", "nothing has been asked yet")

    def _awaited(self, member: Member) -> bool:
        return member.seat != SPECTATOR or member.session is self._table.host

    async def _wait_for_somebody(self) -> None:
        """Take one letter, or the default answer of a player who is away too long."""
        due, absent = self._next_absence()
        if absent is None:
            letter = await self._mailbox.get()
        elif due <= trio.current_time():
            await trio.lowlevel.checkpoint()  # others have their turn between two moves
            await self._step(absent, absent.default, "default")
            return
        else:
            letter = None
            with trio.move_on_at(due):
                letter = await self._mailbox.get()
        if letter is not None:
            await self._answer(letter)

    def _next_absence(self) -> tuple[float, Decision | None]:
        """When the next default answer is due, and to which decision: a player who is away is
        waited for once, not at each decision; and with nobody here at all the game stands still."""
        due, found = inf, None
        if not self._table.attended:
            return due, found
        for decision, _ in self._open.values():
            seat = self._table.seats[decision.seat]
            if seat.absent:
                when = seat.absent_since + self._table.options.absence_ms / 1000
                if when < due:
                    due, found = when, decision
        return due, found

    async def _answer(self, letter: Letter) -> None:
        answer = letter.answer
        member = self._table.members.get(letter.session)
        if member is None or member.seat == SPECTATOR:
            self._refuse(letter, "not-your-seat", "you hold no seat at this table")
            return
        decision = self._open.get(answer.decision)
        if decision is None or decision[0].seat != member.seat:
            # the same words for both: who else is asked what is nobody's business
            self._refuse(letter, "unknown-decision", "you are not asked this (any more)")
            return
        self._pending = letter
        try:
            await self._step(decision[0], answer.keys, "player")
        except engine.AnswerError as wrong:
            self._refuse(letter, wrong.code, shorten(str(wrong), 300))
        self._pending = None

    def _refuse(self, letter: Letter, code: str, text: str) -> None:
        self._table.tally.refused[code] += 1
        letter.call.refuse(code, text)

    async def _step(self, decision: Decision, keys: tuple[str, ...], by: str) -> None:
        """One answer: engine, journal, everybody.  Raises AnswerError if the engine refuses it."""
        game = self._game
        facts = game.answer(decision.id, keys)
        since = self._open[decision.id][1]
        await self._record(
            "answer",
            decision=decision.id,
            seat=decision.seat,
            keys=keys,
            by=by,
            latency_ms=int((trio.current_time() - since) * 1000),
            events=self.views.record(facts),
            digest=game.digest(),
        )
        if game.over:
            await self._record(
                "over", results=msgspec.to_builtins(game.results), seed=self._table.seed.hex()
            )
        self._table.tally.answers[by] += 1
        self._see_open(trio.current_time())
        frames = self.views.step(facts)
        if self._pending is not None:
            self._pending.call.accept(later=True)
        self._broadcast(frames)

    def _see_open(self, now: float) -> None:
        """Note which decisions are open, and since when."""
        before = self._open
        self._open = {
            d.id: (d, before[d.id][1] if d.id in before else now) for d in self._game.decisions
        }

    def _broadcast(self, frames: dict[int, bytes]) -> None:
        for member in self._table.members.values():
            frame = frames.get(member.seat)
            outbox = member.session.outbox
            if frame is not None:
                outbox.update(self._topic, frame, self._refresh_of(member), later=True)
            outbox.flush()

    def _refresh_of(self, member: Member) -> Callable[[], bytes]:
        if member.refresh is None:
            member.refresh = self._view_of(member.session)
        return member.refresh

    def _view_of(self, session: Session) -> Callable[[], bytes]:
        def refresh() -> bytes:
            member = self._table.members.get(session)
            return b"" if member is None else self.views.snapshot(member.seat)

        return refresh

    async def _record(self, kind: str, **fields: object) -> None:
        """Write a line; while that fails the table stands still and refuses what comes in."""
        pause = FIRST_PAUSE
        stuck = False
        while True:
            try:
                self._journal.line(kind, **fields)
            except JournalError as error:
                self._log.error("journal not written", reason=str(error), again_in=pause)
            else:
                if stuck:
                    self._table.announce("The journal can be written again; the game goes on.")
                return
            if not stuck:
                stuck = True
                self._table.announce(
                    "The game waits: its journal cannot be written. It goes on by itself once it "
                    "can be."
                )
            with trio.move_on_after(pause):
                while True:
                    letter = await self._mailbox.get()
                    if letter is not None:
                        self._refuse(
                            letter, "busy", "the journal cannot be written now; try again later"
                        )
            pause = min(2 * pause, self._table.settings.journal_retry)

    def _over(self) -> None:
        self._table.state = "over"
        self._table.journal.close()
        self._log.info("game over")
        self._table.tell()


async def _thought(bot: Bot, view: Observation, decision: Decision) -> tuple[str, ...]:
    """A bot's answer; other tasks have their turn before it, and while it thinks."""
    thinking = think(bot, view, decision)
    while True:
        await trio.lowlevel.checkpoint()
        try:
            next(thinking)
        except StopIteration as done:
            keys: tuple[str, ...] = done.value
            return keys
