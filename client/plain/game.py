"""The room of a game: tells what happens, asks what is to be decided, and takes the answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from client.connection import RefusedError
from client.model import Change, LoggedEvent, TableModel
from client.plain import board, prompt, table
from client.plain.answers import NOTHING, BadAnswerError, harmless_default, parse, shortest
from client.plain.commands import Command, Commands
from client.plain.history import Teller
from client.plain.lines import Line, grid, rule, safe, text, wrap
from client.plain.result import final_table
from engine.types import Decision
from protocol.messages import Answer, Chat
from protocol.names import TextError, clean_text

if TYPE_CHECKING:
    from client.session import Session

CHAT_COLUMNS = 300
LOG_LINES = 20
MARKS = {"lay", "hex"}


class GameRoom:
    """A running or finished game, for a player or a watcher."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._teller = Teller(session.glyphs, self._tells_whole)
        self._sent: str | None = None
        self._shown: str | None = None
        self._over_shown = False
        self._quit_asked = False
        self._hinted = 0
        self._silent = False
        self._commands = Commands(
            [
                Command("help", "", "This list.", self._help, ("?",)),
                Command("board", "", "The board.", self._shows(self._board), ("b",)),
                Command(
                    "rails",
                    "",
                    "Where you can lay a rail now, and what it costs.",
                    self._shows(self._rails),
                ),
                Command("trains", "", "Play all cards that only bring money.", self._trains),
                Command(
                    "places",
                    "",
                    "Cities and remote locations by name, and the barriers.",
                    self._shows(lambda model: table.places(model, session.glyphs)),
                    ("names",),
                ),
                Command("hand", "", "Your cards, in every zone.", self._shows(table.hand)),
                Command(
                    "supply", "", "All piles with price and number.", self._shows(table.supply)
                ),
                Command("scores", "", "Everybody's score and cards.", self._shows(table.scores)),
                Command("card", "NAME", "What a card does.", self._card),
                Command("log", "[N]", f"The last N ({LOG_LINES}) things that happened.", self._log),
                Command("options", "", "Ask me again.", self._again),
                Command("say", "TEXT", "Chat with the table.", self._say),
                Command("leave", "", "Leave the table, back to the lobby.", self._leave),
                Command("quit", "", "Leave the table and the program.", self._quit, ("exit",)),
            ]
        )

    # ---------------------------------------------------------------------- what happens

    def reset(self) -> None:
        """A new table."""
        self._teller = Teller(self._session.glyphs, self._tells_whole)
        self._sent = self._shown = None
        self._over_shown = False
        self._quit_asked = False

    def changed(self, change: Change) -> None:
        """Tell the news, then ask what is to be asked."""
        model = self._session.model
        if model is None:
            return
        lines = self._teller.tell(model, change.events)
        if change.questions or model.over:
            lines += self._teller.flush(model)
        self._session.show(lines)
        if change.questions:
            self._sent = None
            self._shown = model.decisions[0].id if model.decisions else None
            self._quit_asked = False
            self._ask()
        if model.over and not self._over_shown:
            self._finish(model)

    def _tells_whole(self, seat: int) -> bool:
        """A bot's turn is over in a moment: it is told in one piece."""
        model = self._session.model
        if model is None or model.info is None or not 0 <= seat < len(model.info.seats):
            return False
        return model.info.seats[seat].kind == "bot"

    def _finish(self, model: TableModel) -> None:
        lines = final_table(model, self._session.glyphs)
        if not lines:
            return
        self._over_shown = True
        if self._session.journals:
            lines += wrap(f"The journal is in {safe(self._session.journals, 300)}", indent="  ")
        if self._session.console.interactive:
            lines += wrap("board, scores and log still work; leave or quit when you are done.")
        self._session.show(lines)

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

    def _ask(self) -> None:
        model, decision = self._session.model, self.decision
        if model is None or decision is None or self._silent:
            return
        if decision.kind == "start-rail":  # the board last, so that it is on the screen
            words = f"{prompt.question_text(model, decision)} {prompt.hint(decision)}"
            options = prompt.option_lines(model, decision)
            board_lines = self._board(model)
            self._session.show([*options, *board_lines, [("class:question", words)]])
        else:
            turn = model.view.turn.number if model.view else 0
            new = not prompt.is_turn(decision) or turn != self._hinted
            self._hinted = turn
            self._session.show(prompt.ask(model, decision, hints=new))

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
        if self.decision is not None:
            return prompt.prompt_text(model, self.decision)
        waited = [safe(model.name(seat), 20) for seat in model.view.asked if seat != model.seat]
        return f"({', '.join(waited)} to move) > " if waited else "> "

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
        commands = self._commands.all
        return found + [(one.name, one.help) for one in commands if one.name.startswith(typed)]

    async def typed(self, line: str, *, stale: bool) -> None:
        """A command, or an answer to the open question."""
        decision = self.decision
        quitting, self._quit_asked = self._quit_asked, False
        if decision is not None and any(line.strip() == o.key for o in decision.options):
            command = None  # a key is always an answer
        else:
            command = self._commands.find(line)
        if command is not None:
            self._quit_asked = quitting and command[0].name in {"quit", "leave"}
            await command[0].run(command[1])
        elif decision is None:
            if line.strip():
                over = self._session.model is not None and self._session.model.over
                why = "The game is over" if over else "Nothing is asked of you now"
                self._session.warn(f"{why}; help lists what can be typed.")
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
            except BadAnswerError as problem:
                session.warn(str(problem))
                return
        await self._send(decision, keys)

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
            session.warn(refused.text)
            if self._sent == decision.id:
                self._sent = None
                self._ask()
            return False
        return True

    async def ended(self) -> bool:
        """A person who hits Ctrl-D has to confirm it like quit; a pipe just ends."""
        if not self._confirmed("quit"):
            return False
        self._session.leave()
        return True

    @property
    def _would_hurt(self) -> bool:
        model = self._session.model
        return model is not None and model.playing and model.seat >= 0

    # -------------------------------------------------------------------------- commands

    def _shows(self, make: Callable[[TableModel], list[Line]]) -> Callable[[str], Awaitable[None]]:
        async def run(_: str) -> None:
            if self._session.model is not None:
                self._session.show(make(self._session.model))

        return run

    async def _help(self, _: str) -> None:
        lines = wrap(
            "Answer a question by the number of an option, by its key (buy:express-train), or by "
            "any words that fit only one option: buy exp, C5, kichi. Where several may be picked, "
            "separate them by blanks or commas. Tab completes. Besides, at any time:"
        )
        self._session.show([*lines, *self._commands.help_lines()])

    def _board(self, model: TableModel) -> list[Line]:
        return self._drawn(model, {})

    def _drawn(self, model: TableModel, marks: dict[str, str]) -> list[Line]:
        if model.catalogue is None:
            return [text(table.NOT_YET)]
        glyphs, info = self._session.glyphs, model.catalogue.board
        lines = board.draw(info, model.view, model.seat, glyphs, marks)
        return lines + board.legend(info, model.names, model.seat, glyphs, marks=bool(marks))

    def _rails(self, model: TableModel) -> list[Line]:
        decision = self.decision
        marks: dict[str, str] = {}
        items: list[Line] = []
        for number, option in enumerate(decision.options if decision else (), 1):
            verb, _, name = option.key.partition(":")
            if decision is not None and verb in MARKS:
                marks[name] = prompt.price(option) if verb == "lay" else "<->"
                label = prompt.option_label(model, decision, option)
                items.append([("class:number", f"{number:>2} "), ("", label)])
        if not marks:
            lines = [text("You can lay no rail now: a rail card gives the rail point for it.")]
            return self._drawn(model, {}) + lines
        return self._drawn(model, marks) + grid(items)

    async def _trains(self, _: str) -> None:
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
        if played:
            self._ask()
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

    async def _card(self, name: str) -> None:
        model = self._session.model
        if model is not None:
            if not name:
                self._session.warn("Which card? card NAME, for instance card lay rails.")
                return
            self._session.show(table.card(model, name))

    async def _log(self, number: str) -> None:
        model = self._session.model
        if model is None:
            return
        if number and not (number.isdecimal() and 0 < int(number[:6]) <= 2000):
            self._session.warn(f"log wants a number from 1 to 2000, not “{safe(number, 20)}”.")
            return
        wanted = int(number) if number else LOG_LINES
        lines: list[Line] = []
        for logged in list(model.log)[-wanted:]:
            lines += log_lines(model, logged, self._session)
        self._session.show(lines or [text("Nothing has happened yet.")])

    async def _again(self, _: str) -> None:
        if self.decision is None:
            self._session.tell("Nothing is asked of you now.")
        self._ask()

    async def _say(self, words: str) -> None:
        await say(self._session, words)

    async def _leave(self, _: str) -> None:
        if self._confirmed("leave"):
            await self._session.leave_table()
            if self._session.model is None:
                await self._session.lobby.arrive()

    async def _quit(self, _: str) -> None:
        if self._confirmed("quit"):
            self._session.leave()

    def _confirmed(self, word: str) -> bool:
        """Leaving a running game is asked twice of a person."""
        if not self._would_hurt or self._quit_asked or not self._session.console.interactive:
            return True
        self._quit_asked = True
        self._session.warn(
            "The game is running: if you go, your seat only takes the most modest choices from "
            f"now on. Type {word} once more to go."
        )
        return False

    def shortest_text(self, key: str) -> str:
        """The shortest text that picks the option with this key now; raises StopIteration."""
        model, decision = self._session.model, self.decision
        assert model is not None
        assert decision is not None
        option = next(option for option in decision.options if option.key == key)
        reserved = self._commands.words | NOTHING
        return shortest(prompt.question_of(model, decision), option, reserved)


def log_lines(model: TableModel, logged: LoggedEvent, session: Session) -> list[Line]:
    """An event as the log tells it; the beginning of a turn is a heading."""
    event = logged.event
    words = safe(event.text, 500) if isinstance(event.text, str) else ""
    if not words:
        return []
    if event.type == "turn":
        return [rule(words.rstrip("."), session.glyphs)]
    own = isinstance(event.seat, int) and event.seat == model.seat
    style = "" if own else "class:others"
    return [[(style, line[0][1])] for line in wrap("  " + words, indent="    ")]


async def say(session: Session, words: str) -> None:
    """Chat at the table, if the text is fit for it."""
    if session.model is None:
        session.warn("You are at no table yet; there is nobody to talk to.")
        return
    try:
        line = clean_text(words, CHAT_COLUMNS, "chat line")
    except TextError as error:
        session.warn(f"{error}: say TEXT.")
        return
    await session.demand(Chat(session.connection.next_id(), session.model.table, line))
