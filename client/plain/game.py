"""The room of a game: tells what happens, asks what is to be decided, and takes the answers."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from client.connection import RefusedError
from client.model import Change, TableModel
from client.plain import clock, guide, maps, prompt
from client.plain.answers import (
    END,
    NOTHING,
    BadAnswerError,
    NoSuchOptionError,
    harmless_default,
    parse,
    shortest,
)
from client.plain.game_commands import table_commands
from client.plain.history import Teller
from client.plain.leftovers import leftovers
from client.plain.lines import Line, safe, wrap
from client.plain.presence import comings_and_goings, waited_for
from client.plain.reasons import why_not
from client.plain.result import final_table, journal_lines, seed_line
from client.plain.table import cards_text
from engine.types import Decision
from protocol.messages import Answer, TableInfo

if TYPE_CHECKING:
    from client.session import Session

SMALL = (
    f"The board needs a terminal of {maps.COLUMNS}x24; on this one its places are listed instead."
)

LEAVE_OR_QUIT = "leave or quit when you are done."

NO = frozenset({"n", "no"})
YES_OR_NO = NO | {"y", "yes"}
"""What people say to a warning that wants a word said twice; never an answer to the game then."""


class GameRoom:
    """A running or finished game, for a player or a watcher."""

    def __init__(self, session: Session, now: Callable[[], float] = time.monotonic) -> None:
        self._session = session
        self._now = now
        self._clocks_told = 0.0
        self._teller = Teller(session.glyphs, self._tells_whole, lambda: session.width)
        self._sent: str | None = None
        self._shown: str | None = None
        self._over_shown = False
        self._introduced = False
        self._told_small = False
        self._wanted = self._wanted_before = ""
        self._hinted = 0
        self._silent = False
        self._commands = table_commands(session, self)

    # ---------------------------------------------------------------------- what happens

    def reset(self) -> None:
        """A new table."""
        self._teller = Teller(self._session.glyphs, self._tells_whole, lambda: self._session.width)
        self._sent = self._shown = None
        self._over_shown = self._introduced = False
        self._wanted = self._wanted_before = ""
        self._hinted = 0

    def changed(self, change: Change) -> None:
        """Tell the news, then ask what is to be asked."""
        model = self._session.model
        if model is None:
            return
        lines = self._introduction(model)
        lines += self._teller.tell(model, change.events)
        if (change.questions and not self._silent) or model.over:
            lines += self._teller.flush(model)
        self._session.show(lines)
        if change.questions:
            self._sent = None
            self._shown = model.decisions[0].id if model.decisions else None
            self._wanted = ""
            self.ask()
        if change.clocks and model.clocks is not None:
            self._clocks_told = self._now()
            for sentence in clock.news(model, change.clocks_before, model.clocks):
                self._session.warn(sentence)
        if model.over and not self._over_shown:
            self._finish(model)

    @property
    def passed(self) -> float:
        """Seconds since the server told of the clocks."""
        return self._now() - self._clocks_told

    @property
    def ticking(self) -> bool:
        """Whether the prompt shows time that passes."""
        model = self._session.model
        return model is not None and bool(clock.running_out(model.clocks, self.passed))

    def seats_changed(self, before: TableInfo | None, now: TableInfo) -> None:
        """Tell who left the running game, or came back to it, and the seed once it is over."""
        if now.state == "playing":
            for sentence in comings_and_goings(before, now):
                self._session.tell(sentence)
        if (
            now.state == "over"
            and now.seed
            and not now.seeded
            and (before is None or not before.seed)
        ):
            self._session.show([seed_line(now.seed, flag=self._session.alone)])

    def _introduction(self, model: TableModel) -> list[Line]:
        """What somebody who comes to a game is told, once; a watcher sees the board too."""
        if self._introduced or model.view is None or model.catalogue is None or not model.info:
            return []
        self._introduced = True
        lines = guide.introduction(model, width=self._session.width)
        if model.seat < 0 and not model.over:
            lines += self.board_lines(model)
            words = "You watch: board, scores and cards work, and so does leave."
            lines += wrap(words, self._session.width)
        return lines

    def _tells_whole(self, seat: int) -> bool:
        """A bot's turn is over in a moment: it is told in one piece; so is a row of trains."""
        model = self._session.model
        if self._silent:
            return True
        if model is None or model.info is None or not 0 <= seat < len(model.info.seats):
            return False
        return model.info.seats[seat].kind == "bot"

    def _finish(self, model: TableModel) -> None:
        width = self._session.width
        lines = final_table(model, self._session.glyphs, width)
        if not lines:
            return
        self._over_shown = True
        self._session.finished.add(model.table)
        if self._session.journals:
            lines += journal_lines(self._session.journals, model.table)
        if self._session.console.interactive:
            then = "again plays another game, quit ends." if self._session.alone else LEAVE_OR_QUIT
            if not self._session.alone and self._hosting(model):
                then = f"rematch is another game with the same people; {then}"
            lines += wrap(f"board, scores and log still work; {then}", width, "  ")
        self._session.show(lines)

    def _hosting(self, model: TableModel) -> bool:
        return model.info is not None and model.info.host == self._session.connection.welcome.name

    # ------------------------------------------------------------------------- questions

    @property
    def decision(self) -> Decision | None:
        """The question to be answered now: one that was shown, and whose answer is not on its
        way."""
        model = self._session.model
        if model is None or not model.decisions:
            return None
        decision = model.decisions[0]
        if decision.id != self._shown or decision.id == self._sent:
            return None
        return prompt.arranged(decision)

    def ask(self) -> None:
        """Show the question that is open, if one is."""
        model, decision = self._session.model, self.decision
        if model is None or decision is None or self._silent:
            return
        turn = model.view.turn if model.view else None
        width = self._session.width
        if decision.kind == "start-rail":  # the board last, so that it is on the screen
            words = f"{prompt.question_text(model, decision)} {prompt.hint(model, decision)}"
            lines = prompt.option_lines(model, decision, width)
            if not maps.too_small(self._session.console.size):  # else it would be the same again
                lines += self.board_lines(model)
            if model.view is not None and model.view.own:
                hand = cards_text(model, model.view.own.hand)
                lines += wrap(f"Your hand: {hand}.", width, "  ")
            asked = wrap(words, width, "  ")
            self._session.show([*lines, *([("class:question", line[0][1])] for line in asked)])
            self._session.console.bell()
            return
        number = turn.number if turn else 0
        new = not prompt.is_turn(decision) or number != self._hinted
        if prompt.is_turn(decision):
            self._hinted = number
        lines = prompt.ask(model, decision, hints=new, width=width)
        if new and prompt.is_turn(decision):
            lines = [*self._board_above(model, len(lines)), *lines]
        self._session.show(lines)
        if new and (prompt.is_turn(decision) or (turn and turn.seat != model.seat)):
            self._session.console.bell()

    def _board_above(self, model: TableModel, rows: int) -> list[Line]:
        """The board, where the terminal has room for it above so many rows and the prompt."""
        console = self._session.console
        if not console.interactive or maps.too_small(console.size):
            return []
        board = maps.drawn(model, console.glyphs, console.size)
        return board if len(board) + rows + 2 <= console.size[1] else []

    def board_lines(self, model: TableModel) -> list[Line]:
        """The board; where the terminal is too small for it, that is said once."""
        size = self._session.console.size
        if maps.too_small(size) and not self._told_small:
            self._told_small = True
            self._session.warn(SMALL)
        return maps.drawn(model, self._session.glyphs, size)

    @property
    def wants_line(self) -> bool:
        model = self._session.model
        return self.decision is not None or (model is not None and model.over and self._told_over)

    @property
    def _told_over(self) -> bool:
        return self._over_shown

    def prompt(self) -> str:
        model = self._session.model
        if model is None or model.view is None:
            return "> "
        if model.over:
            return "game over > "
        time_left = clock.running_out(model.clocks, self.passed)
        if self.decision is not None:
            text = prompt.prompt_text(model, self.decision)
            return f"{time_left}, {text}" if time_left else text
        waited = waited_for(model)
        if waited and time_left:
            waited += f", {time_left}"
        if model.seat < 0:
            return f"(watching, {waited} to move) > " if waited else "(watching) > "
        return f"({waited} to move) > " if waited else "> "

    def completions(self, line: str) -> list[tuple[str, str]]:
        found = []
        typed = line.lstrip().lower()
        model, decision = self._session.model, self.decision
        if model is not None and decision is not None:
            question = prompt.question_of(model, decision)
            for option in decision.options:
                whole = question.completion(option, typed)
                if whole:
                    found.append((whole, safe(option.text, 60) or question.name(option)))
        watching = model is not None and model.seat < 0
        return found + self._commands.completions(line, watching=watching)

    async def typed(self, line: str, *, stale: bool) -> None:
        """A command, or an answer to the open question."""
        decision = self.decision
        self._wanted_before, self._wanted = self._wanted, ""
        if decision is not None and any(line.strip() == o.key for o in decision.options):
            command = None  # a key is always an answer
        else:
            command = self._commands.find(line)
        refusal = command[0].refusal(command[1]) if command is not None else ""
        if self._wanted_before and line.strip().lower() in YES_OR_NO:
            if line.strip().lower() in NO:
                self._session.tell("Then nothing is done.")
            else:
                self._wanted = self._wanted_before
                self._session.warn(f"Type {self._wanted} once more if you mean it.")
        elif refusal:
            self._session.warn(refusal)
        elif command is not None and not (stale and command[0].changes):
            await command[0].run(command[1])
        elif decision is None:
            if line.strip():
                self._session.warn(f"{self._why_no_answer()}; help lists what can be typed.")
        elif stale:
            if line.strip():
                self._session.warn(
                    f"“{safe(line, 40)}” was begun before this question and is not taken as its "
                    "answer; please type it again."
                )
        else:
            await self._answer(decision, line)

    async def _answer(self, decision: Decision, line: str) -> None:
        session = self._session
        model = session.model
        assert model is not None
        if not line.strip():
            default = harmless_default(decision)
            if default is None:
                session.warn("An empty line answers nothing; options shows the question again.")
                return
            keys = default
        else:
            question = prompt.question_of(model, decision)
            try:
                keys = parse(question, line)
            except NoSuchOptionError as problem:
                reason = why_not(model, decision, problem.words)
                words = f"“{safe(problem.words, 40)}” is none of the options: {reason}."
                session.warn(words if reason else str(problem))
                return
            except BadAnswerError as problem:
                session.warn(str(problem))
                return
        if keys == (END,) and not self._end_meant(model, decision):
            return
        await self._send(decision, keys)

    def _why_no_answer(self) -> str:
        model = self._session.model
        if model is not None and model.over:
            return "The game is over"
        if model is not None and model.seat < 0:
            return "You watch: nothing is asked of you"
        return "Nothing is asked of you now"

    def _end_meant(self, model: TableModel, decision: Decision) -> bool:
        """What could still be of use is given up only by a second word."""
        left = leftovers(model, decision)
        return not left or self._said_twice(
            "end", f"You still have {left}. Type end again to end your turn anyway."
        )

    async def _send(self, decision: Decision, keys: tuple[str, ...]) -> bool:
        """Send an answer; tells whether it was taken.  If not, the question is open again."""
        session = self._session
        model = session.model
        assert model is not None
        self._sent = decision.id
        session.serial += 1
        try:
            request = Answer(session.connection.next_id(), model.table, decision.id, keys)
            await session.connection.request(request)
        except RefusedError as refused:
            # What the server says of a wrong answer is meant for programs: it lists keys.
            wrong = refused.code == "illegal-answer"
            session.warn("The server does not take that answer." if wrong else refused.text)
            if self._sent == decision.id:
                self._sent = None
                self.ask()
            return False
        return True

    async def ended(self) -> bool:
        """A person who hits Ctrl-D has to confirm it like quit; a pipe just ends."""
        self._wanted_before, self._wanted = self._wanted, ""
        if not self.may_go("quit"):
            return False
        self._session.leave()
        return True

    def may_go(self, word: str) -> bool:
        """Whether to leave a game by this command: while it runs a person has to say it twice."""
        model = self._session.model
        if model is None or not model.playing or model.seat < 0:
            return True
        if self._session.alone:
            why = "The game is not over; if you go, it simply ends."
        else:
            why = (
                "The game is running: if you go, a bot plays for your seat from now on, and you "
                "cannot take it again."
            )
        return self._said_twice(word, f"{why} Type {word} once more to go.")

    def may_kick(self, name: str) -> bool:
        """Whether to put somebody out of a running game: a person has to say that twice."""
        model = self._session.model
        info = model.info if model is not None else None
        seated = info is not None and any(seat.name == name for seat in info.seats)
        if model is None or not model.playing or not seated:
            return True
        who = safe(name, 20)
        why = f"A bot then plays for {who}, who cannot come back."
        return self._said_twice("kick", f"{why} Once more, if you mean it.")

    def _said_twice(self, word: str, question: str) -> bool:
        """Whether a person has typed the same word twice in a row; a script need not."""
        if self._wanted_before == word or not self._session.console.interactive:
            return True
        self._wanted = word
        self._session.warn(question)
        return False

    async def play_trains(self, _: str) -> None:
        """Play what brings money and does nothing else, one card after the other."""
        played = False
        self._silent = True
        try:
            while (found := self._plain_money()) is not None:
                decision, key = found
                if not await self._send(decision, (key,)):
                    break
                played = True
                await self._session.until(lambda: self.decision is not None or not self._going)
        finally:
            self._silent = False
        model = self._session.model
        if played and model is not None:
            self._session.show(self._teller.flush(model))
            self.ask()
        else:
            self._session.tell("You can play no card that only brings money.")

    def _plain_money(self) -> tuple[Decision, str] | None:
        decision = self.decision
        if decision is None:
            return None
        for option in decision.options:
            if option.key.startswith("play:") and option.gain and not option.effect:
                return decision, option.key
        return None

    @property
    def _going(self) -> bool:
        """Whether there is a game that may still ask something."""
        model = self._session.model
        return model is not None and model.playing

    def shortest_text(self, key: str) -> str:
        """The shortest text that picks the option with this key now; raises StopIteration."""
        model, decision = self._session.model, self.decision
        assert model is not None
        assert decision is not None
        option = next(option for option in decision.options if option.key == key)
        reserved = self._commands.words | NOTHING
        return shortest(prompt.question_of(model, decision), option, reserved)
