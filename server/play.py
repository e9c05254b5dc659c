"""The running game of one table: the one task that owns it.

It takes answers out of its mailbox, asks bots, and sees to what happens when time is up or players
are not there.  Each answer goes through the engine, into the journal, and then to everybody, in
this order (:meth:`Play._step`; :meth:`Play._close` for the answers of a window).  A journal that
cannot be written pauses the table with the answer pending.  An unexpected exception breaks this
table and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import trio

import engine
from engine.bots import make as make_bot
from engine.game import check_answer
from engine.text import Words
from engine.types import SPECTATOR, Decision
from protocol.names import shorten
from server.alarm import Alarm
from server.asking import Asking
from server.attendance import Attendance
from server.audience import Views
from server.autopilot import Autopilot
from server.clocks import next_warning
from server.journal import JournalError
from server.log.timing import Timing
from server.mailbox import Letter, Mailbox
from server.pauses import LOADING, Pauses
from server.refusal import Refusal
from server.scribe import Scribe
from server.seating import BOT, HUMAN, Seat
from server.session import Session
from server.telling import Teller
from server.thinking import bot_seed, thought
from server.windows import ASK, Window, preferred

if TYPE_CHECKING:
    from server.table import Member, Table


class Past(NamedTuple):
    """What a journal tells of a game that is taken up again: all facts, and its times; ``pulse`` is
    how the clocks stood later than its last line, as far as that is known."""

    facts: Sequence[engine.Fact]
    timing: Timing
    pulse: Mapping[str, int]


class Play:
    """A game in play.  ``views`` is what each audience has been told; ``past`` what a journal tells
    of a game that is taken up again."""

    def __init__(
        self,
        table: Table,
        game: engine.Game,
        seating: Sequence[Seat],
        past: Past | None = None,
    ) -> None:
        self._table = table
        self._past = past
        self._game = game
        self._log = table.log
        self._mailbox = Mailbox(table.settings.mailbox)
        self._scribe = Scribe(
            table.journal,
            self._mailbox,
            table.log,
            table.settings.journal_retry,
            refuse=self._refuse,
            stuck=self._stuck,
        )
        self._durability = table.settings.durability
        self._synced = game.state.turn  # the turn that was last forced to the disk
        self._scope = trio.CancelScope()
        self._alarm = Alarm(self._mailbox.nudge)
        self._pending: Letter | None = None
        people = [i for i, seat in enumerate(seating) if seat.kind == HUMAN]
        options = table.options
        self.views = Views(
            table.id,
            game,
            Words("en"),
            [seat.name for seat in seating],
            people,
            past=None if past is None else past.facts,
            delay=options.delay_turns if options.spectators == "delayed" else 0,
        )
        catalogue = game.setting.catalogue(Words("en"), game.setup.boxes, game.setup.reactions)
        self._bots = {
            i: make_bot(seat.level, bot_seed(table.seed, i), i, catalogue, game.setup.own)
            for i, seat in enumerate(seating)
            if seat.kind == BOT
        }
        self._asking = Asking(table.options, game.setup.reactions, people)
        self._pilot = Autopilot(
            people,
            table.options.absence_ms / 1000,
            lambda i: make_bot("greedy", bot_seed(table.seed, i, "autopilot"), i, catalogue),
        )
        self._pauses = Pauses()
        self._preferences = dict.fromkeys(people, ASK)
        if past is not None:
            self._preferences |= past.timing.preferences
            self._pilot.take_up(past.timing.autopilots, past.timing.left)
        self._answered_for: set[str] = set()  # decisions that time or a bot took from a player
        self._wakes = -inf  # when there may be something to do; minus infinity: work it out
        self._warns = inf
        self.teller = Teller(table, self.views, self._asking, self._pilot, self._pauses)
        self._attendance = Attendance(
            table,
            people,
            asking=self._asking,
            pilot=self._pilot,
            pauses=self._pauses,
            changed=self._retime,
            nudge=self.look,
        )

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
        """Send everything that one at the table may know, who has just come or come back."""
        self.teller.show(session)
        self._attendance.back(self._table.members[session].seat)

    def preference(self, seat: int) -> str:
        """What a seat's player prefers to happen when others attack."""
        return self._preferences.get(seat, ASK)

    def prefer(self, seat: int, reactions: str) -> None:
        """Note what a seat's player prefers from now on.  Raises Refusal."""
        if reactions == self._preferences[seat]:
            return
        try:
            self._table.journal.line("prefer", seat=seat, reactions=reactions)
        except JournalError as error:
            self._log.warning("journal not written", reason=str(error))
            raise Refusal("busy", "the journal cannot be written now; try again later") from None
        self._preferences[seat] = reactions

    def wish(self, seat: int, pause: bool) -> Callable[[], None]:
        """A player would like a pause, or to go on; what is returned tells the others."""
        return self._attendance.wish(seat, pause)

    def stop(self) -> None:
        """End the task; nothing more is written or told."""
        self._scope.cancel()

    # ------------------------------------------------------------------ the task

    async def run(self) -> None:
        """Play the game to its end."""
        outcome = "wrong-state", "this game is not played any more"
        with self._scope:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._alarm.run)
                try:
                    await self._play()
                except Exception as error:  # noqa: BLE001 - whatever it is, it ends this table only
                    self._log.error("table broken", exc_info=error)
                    outcome = "internal", "the server made a mistake; this table has ended"
                    self._break(error, outcome)
                finally:
                    for letter in self._mailbox.close():
                        letter.call.refuse(*outcome)
                    nursery.cancel_scope.cancel()

    def _break(self, error: Exception, outcome: tuple[str, str]) -> None:
        self._table.state = "broken"
        self._table.end("broken", reason=type(error).__name__)
        if self._pending is not None:
            self._pending.call.refuse(*outcome)
        self._table.tell()

    async def _play(self) -> None:
        await self._until_loaded()
        await self._begin(trio.current_time())
        self._attendance.stand(LOADING, False)
        self.teller.broadcast(self.views.ask())
        self.look()
        while not self._game.over:
            await self._move()
        self._over()

    async def _begin(self, now: float) -> None:
        """See what is asked first, or what was asked when the game was broken off."""
        past, asking = self._past, self._asking
        if past is None:
            asking.see(self._game, now)
            return
        was_open = asking.take_up(self._game, past.timing, past.pulse, now)
        for seat in past.timing.autopilots:
            asking.set_idle(seat, True, now)
        if asking.window is not None:
            if was_open:
                self._reply_by_preference(asking.window)
            else:
                await self._open(asking.window)

    def pulse(self) -> dict[str, int]:
        """How the clocks stand now, for whoever takes the game up after a crash."""
        return self._asking.pulse(trio.current_time())

    async def _until_loaded(self) -> None:
        """Wait for the players (and a host who watches) to have the table on their screens; after
        a crash they have to come back first."""
        seconds = self._table.options.loaded_ms / 1000
        if self._past is not None:
            seconds = self._table.settings.recovered
        with trio.move_on_after(seconds):
            while not all(m.loaded for m in self._table.members.values() if self._awaited(m)):
                letter = await self._mailbox.get()
                if letter is not None:
                    self._refuse(letter, "unknown-decision", "nothing has been asked yet")

    def _awaited(self, member: Member) -> bool:
        return member.seat != SPECTATOR or member.session is self._table.host

    async def _move(self) -> None:
        """Do what comes next, or wait for it."""
        mailbox, asking = self._mailbox, self._asking
        if mailbox.nudged():
            await self._look_around()
        letter = mailbox.first
        if letter is not None and letter.at < asking.due:  # in time, however late it is read
            await self._answer(mailbox.take())
        elif self._pauses:
            await mailbox.wait()
        elif asking.window is not None:
            await self._attend(asking.window)
        elif asking.turn is not None:
            await self._take_turn(asking.turn)

    async def _take_turn(self, decision: Decision) -> None:
        """See to the open decision of the one whose turn it is."""
        seat = decision.seat
        if seat in self._bots:
            await self._step(decision, await thought(self._bots[seat], self._game, decision), "bot")
        elif seat in self._pilot:
            keys = await thought(self._pilot.bot(seat), self._game, decision)
            if not self._mailbox.stirred:  # or else its player may be back
                self._answered_for.add(decision.id)
                await self._step(decision, keys, "autopilot")
        elif self._asking.due <= trio.current_time():
            if self._asking.expire(trio.current_time()):
                self._attendance.time_out(seat)
            else:
                await trio.lowlevel.checkpoint()  # others have their turn between two moves
            self._answered_for.add(decision.id)
            await self._step(decision, decision.default, "clock")
        else:
            await self._wait()

    async def _attend(self, window: Window) -> None:
        """See to an open window: it closes when all have replied, or at its end."""
        missing = window.missing()
        for seat in missing:
            if seat in self._bots:  # they think at once, so that nobody has to wait for them
                keys = await thought(self._bots[seat], self._game, window.decisions[seat])
                window.reply(seat, keys, "bot", 0.0)
                return
        now = trio.current_time()
        over = window.due <= now
        if not over and (window.ripe_at > now or any(seat not in self._pilot for seat in missing)):
            await self._wait()
            return
        thoughts = {
            seat: await thought(self._pilot.bot(seat), self._game, window.decisions[seat])
            for seat in missing
            if seat in self._pilot
        }
        if over or not thoughts or not self._mailbox.stirred:  # or else a player may be back
            await self._close(window, thoughts)

    async def _wait(self) -> None:
        if self._wakes == -inf:
            now = trio.current_time()
            self._warns = next_warning(self._asking.due, now)
            self._wakes = min(self._asking.wakes(now), self._pilot.due)
        self._alarm.set(self._wakes)
        await self._mailbox.wait()

    # ------------------------------------------------------------------ who is there, and when

    async def _look_around(self) -> None:
        """Somebody came or went or wished for something, or it is time for something."""
        for seat, on, why in self._attendance.look_around():
            await self._scribe.line("autopilot", seat=seat, on=on, why=why)
            self._asking.set_idle(seat, on, trio.current_time())
        warning = self._warns <= trio.current_time()
        self._retime()
        if warning:
            self.teller.warn()
        else:
            self.teller.tell_clocks()

    def _retime(self) -> None:
        """Something began, ended or changed: when there is something to do next is not known."""
        self._wakes = -inf
        self._warns = inf
        self.teller.stirred = True

    def _stuck(self, stuck: bool) -> None:
        self._attendance.stuck(stuck)
        if not stuck:
            self.teller.tell_clocks(anyway=True)  # how much is left

    # ------------------------------------------------------------------ answers

    async def _answer(self, letter: Letter) -> None:
        answer, asking = letter.answer, self._asking
        member = self._table.members.get(letter.session)
        if member is None or member.seat == SPECTATOR:
            self._refuse(letter, "not-your-seat", "you hold no seat at this table")
            return
        seat, window = member.seat, asking.window
        if seat in self._pilot:
            self._attendance.back(seat)
        if self._pauses:
            self._refuse(letter, "wrong-state", "the game is paused; any player can let it go on")
            return
        decision = asking.turn if window is None else window.decisions.get(seat)
        if decision is None or decision.id != answer.decision or decision.seat != seat:
            self._refuse_other(letter, seat)
            return
        self._pending = letter
        try:
            if window is None:
                await self._step(decision, answer.keys, "player")
                self._pilot.answered(seat)
            elif seat in window.replies:
                self._refuse_other(letter, seat)
            else:
                await self._reply(window, decision, letter)
        except engine.AnswerError as wrong:
            self._refuse(letter, wrong.code, shorten(str(wrong), 300))
        self._pending = None

    def _refuse_other(self, letter: Letter, seat: int) -> None:
        """Refuse an answer to what is not open for this seat."""
        decision = letter.answer.decision
        if decision in self._answered_for and decision.startswith(f"{seat}-"):
            self._refuse(letter, "too-late", "your time for this was over; it was answered for you")
            return
        # the same words for all else: who is asked and who has answered is nobody's business
        self._refuse(letter, "unknown-decision", "you are not asked this (any more)")

    def _refuse(self, letter: Letter, code: str, text: str) -> None:
        self._table.tally.refused[code] += 1
        letter.call.refuse(code, text)

    async def _step(self, decision: Decision, keys: tuple[str, ...], by: str) -> None:
        """An answer in the own turn: engine, journal, everybody.  Raises AnswerError if the engine
        refuses it."""
        facts = self._game.answer(decision.id, keys)
        now = trio.current_time()
        left = self._asking.left(now)
        await self._note(decision, keys, by, now - self._asking.since, facts, left=left)
        await self._settle(facts)

    async def _reply(self, window: Window, decision: Decision, letter: Letter) -> None:
        """A player's answer in a window: noted, and told to its sender alone.  Raises AnswerError,
        and changes nothing, if it is not legal."""
        seat, keys = decision.seat, letter.answer.keys
        check_answer(decision, keys)
        reply = window.reply(seat, keys, "player", window.watch.spent(letter.at))
        await self._scribe.line(
            "reply", decision=decision.id, seat=seat, keys=keys, latency_ms=_ms(reply.after)
        )
        await self._make_last(turn_ends=False)
        self._pilot.answered(seat)
        self._retime()
        letter.call.accept(later=True)
        self.teller.broadcast({seat: self.views.close(seat)})

    async def _close(self, window: Window, thoughts: Mapping[int, tuple[str, ...]]) -> None:
        """Close a window: its replies are carried out in order, and everybody is told.

        ``thoughts`` are the answers of seats on autopilot; all others that are missing are the
        defaults."""
        for seat, decision in window.decisions.items():
            reply = window.replies.get(seat)
            if reply is None:
                self._answered_for.add(decision.id)
                if seat in thoughts:
                    reply = window.reply(seat, thoughts[seat], "autopilot", 0.0)
                else:
                    reply = window.reply(seat, decision.default, "clock", window.limit)
                    self._attendance.time_out(seat)
            facts = self._game.answer(decision.id, reply.keys)
            await self._note(decision, reply.keys, reply.by, reply.after, facts)
        await self._settle(facts)

    async def _note(
        self,
        decision: Decision,
        keys: tuple[str, ...],
        by: str,
        latency: float,
        facts: Sequence[engine.Fact],
        *,
        left: Mapping[str, int] | None = None,
    ) -> None:
        """Write an answer that the game has taken into the journal."""
        await self._scribe.line(
            "answer",
            decision=decision.id,
            seat=decision.seat,
            keys=keys,
            by=by,
            latency_ms=_ms(latency),
            **(left or {}),
            events=self.views.record(facts),
            digest=self._game.digest(),
        )
        self._table.tally.answers[by] += 1

    async def _settle(self, facts: Sequence[engine.Fact]) -> None:
        """The game has moved on by these facts: write what else there is, and tell everybody."""
        if self._game.over:
            await self._scribe.line(
                "over", results=msgspec.to_builtins(self._game.results), seed=self._table.seed.hex()
            )
        await self._make_last(turn_ends=self._synced != self._game.state.turn or self._game.over)
        answered: Sequence[int] = ()
        if self._asking.see(self._game, trio.current_time()):
            self._retime()
            window = self._asking.window
            if window is not None:
                answered = await self._open(window)
        frames = self.views.step(facts, answered)
        if self._pending is not None:
            self._pending.call.accept(later=True)
        self.teller.broadcast(frames)

    async def _make_last(self, *, turn_ends: bool) -> None:
        """Force what was written to the disk, if that is wanted so often."""
        if self._durability == "answer" or (self._durability == "turn" and turn_ends):
            self._synced = self._game.state.turn
            await self._scribe.sync()

    async def _open(self, window: Window) -> list[int]:
        """A window opens: write that, and take the preferences; returns the seats that have one."""
        await self._scribe.line("window", **window.to_plain())
        self._reply_by_preference(window)
        return list(window.replies)

    def _reply_by_preference(self, window: Window) -> None:
        for seat, decision in window.decisions.items():
            keys = preferred(decision, self.preference(seat))
            if keys is not None:
                window.reply(seat, keys, "preference", 0.0)

    def _over(self) -> None:
        self._table.state = "over"
        self._table.journal.close()
        self._log.info("game over")
        self._table.tell()


def _ms(seconds: float) -> int:
    return round(seconds * 1000)
