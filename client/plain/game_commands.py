"""The commands of a game besides answers: they show what is known, chat, and leave.

They change nothing in the game; what an answer is and when it is taken is the room's business.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from client.model import LoggedEvent, TableModel
from client.plain import bonuses, clock, guide, maps, table
from client.plain.chat import say
from client.plain.commands import Command, Commands
from client.plain.lines import Line, rule, safe, text, wrap
from client.plain.people import people_commands
from client.plain.result import final_table
from protocol.messages import Pause, Prefer, Rematch

if TYPE_CHECKING:
    from client.plain.game import GameRoom
    from client.session import Session

LOG_LINES = 20

PREFERENCES = {
    "ask": "you are asked whether to react.",
    "always": "a reaction card is revealed for you whenever you have one.",
    "never": "you do not react and are not asked.",
}


def table_commands(session: Session, room: GameRoom) -> Commands:
    """All commands, for players and watchers."""
    return _Handlers(session, room).commands


class _Handlers:
    """What the commands do."""

    def __init__(self, session: Session, room: GameRoom) -> None:
        self._session = session
        self._room = room
        shows = self._shows
        fitted = self._fitted
        self.commands = Commands(
            [
                Command(
                    "help",
                    "[TOPIC]",
                    "This list; help rules, help scoring.",
                    self._help,
                    ("?",),
                    offers=lambda: (("rules", "How to play."), ("scoring", "What counts.")),
                ),
                Command("board", "", "The board.", shows(room.board_lines), ("b",)),
                Command(
                    "rails",
                    "",
                    "Where you can lay a rail now, and what it costs.",
                    shows(self._rails),
                    player=True,
                ),
                Command("stations", "", "Where stations can be built.", shows(self._stations)),
                Command(
                    "trains",
                    "",
                    "Play all cards that only bring money.",
                    room.play_trains,
                    player=True,
                    changes=True,
                ),
                Command(
                    "places",
                    "",
                    "Cities and remote locations by name, and the barriers.",
                    shows(lambda model: table.places(model, session.glyphs, session.width)),
                    ("names",),
                ),
                Command("hand", "", "Your cards, in every zone.", fitted(table.hand), player=True),
                Command("supply", "", "All piles with price and number.", fitted(table.supply)),
                Command("cards", "", "What the cards of this game do.", fitted(guide.cards)),
                Command(
                    "card",
                    "NAME",
                    "One card in full.",
                    self._card,
                    offers=lambda: table.card_offers(session.model),
                ),
                Command(
                    "bonuses",
                    "",
                    "The route bonuses: cities, who has them, what you lack.",
                    fitted(bonuses.bonuses),
                ),
                Command("scores", "", "Everybody's score and cards.", shows(self._scores)),
                Command("log", "[N]", f"The last N ({LOG_LINES}) things that happened.", self._log),
                Command("options", "", "Ask me again.", self._again, player=True),
                *([] if session.alone else self._about_time()),
                Command("say", "TEXT", "Chat with the table.", self._say),
                *(self._ways_out_alone() if session.alone else self._ways_out()),
            ]
        )

    def _about_time(self) -> list[Command]:
        """Where others are at the table."""
        return [
            Command("clock", "", "Whose time runs, and how much is left.", self._clock),
            Command(
                "prefer",
                "[HOW]",
                "When others attack: be asked, always reveal a reaction, or never.",
                self._prefer,
                player=True,
                offers=lambda: (
                    ("ask", "Be asked."),
                    ("always", "Reveal a reaction card whenever there is one."),
                    ("never", "Let attacks come."),
                ),
            ),
            Command("pause", "", "Ask for a pause; all have to.", self._pause, player=True),
            Command("resume", "", "Let the game go on.", self._resume, player=True),
        ]

    def _ways_out(self) -> list[Command]:
        return [
            *people_commands(self._session, self._room.may_kick),
            Command("rematch", "", "Host, once it is over: another game.", self._rematch),
            Command("leave", "", "Leave the table, back to the lobby.", self._leave),
            Command("quit", "", "Leave the table and the program.", self._quit, ("exit",)),
        ]

    def _ways_out_alone(self) -> list[Command]:
        """Where there is no lobby to go back to but one's own."""
        return [
            Command("again", "", "Another game of this kind, with other shuffles.", self._anew),
            Command("quit", "", "End the game and the program.", self._quit, ("exit", "leave")),
        ]

    def _shows(self, make: Callable[[TableModel], list[Line]]) -> Callable[[str], Awaitable[None]]:
        async def run(_: str) -> None:
            if self._session.model is not None:
                self._session.show(make(self._session.model))

        return run

    def _fitted(
        self, make: Callable[[TableModel, int], list[Line]]
    ) -> Callable[[str], Awaitable[None]]:
        return self._shows(lambda model: make(model, self._session.width))

    async def _help(self, topic: str) -> None:
        width, model = self._session.width, self._session.model
        topics = {
            "rules": lambda: guide.rules(width, model),
            "scoring": lambda: guide.scoring(width),
        }
        word = topic.lower()
        if word in topics:
            self._session.show(topics[word]())
            return
        if word:
            self._session.warn(f"help knows rules and scoring, not “{safe(topic, 30)}”.")
        watching = model is not None and model.seat < 0
        over = model is not None and model.over
        words = (
            "The game is over. You can type:"
            if over
            else "You watch. You can type:"
            if watching
            else "Answer a question by the number of an option, by its key (buy:express-train), or "
            "by any words of its name that fit only one: buy exp, C5. Where several may be "
            "picked, separate them by blanks or commas. Tab completes. plain NAME plays a card "
            "without its effect. Besides, at any time:"
        )
        lines = wrap(words, width)
        lines += self.commands.help_lines(watching=watching or over, width=width)
        self._session.show([*lines, *wrap("New here? help rules says how to play.", width)])

    def _rails(self, model: TableModel) -> list[Line]:
        console = self._session.console
        return maps.rails(model, self._room.decision, console.glyphs, console.size)

    def _stations(self, model: TableModel) -> list[Line]:
        console = self._session.console
        return maps.stations(model, self._room.decision, console.glyphs, console.size)

    def _scores(self, model: TableModel) -> list[Line]:
        width = self._session.width
        final = final_table(model, self._session.glyphs, width)
        return [*final, *table.scores(model, width), *guide.own_victory(model, width)]

    async def _card(self, name: str) -> None:
        model = self._session.model
        if model is not None:
            if not name:
                self._session.show(guide.cards(model, self._session.width))
                self._session.tell("card NAME tells more about one.")
                return
            self._session.show(table.card(model, name, self._session.width))

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
        if self._room.decision is None:
            self._session.tell("Nothing is asked of you now.")
        self._room.ask()

    async def _say(self, words: str) -> None:
        await say(self._session, words)

    async def _clock(self, _: str) -> None:
        if self._session.model is not None:
            for sentence in clock.clock_lines(self._session.model, self._room.passed):
                self._session.tell(sentence)

    async def _prefer(self, word: str) -> None:
        session, model = self._session, self._session.model
        if model is None:
            return
        reactions = word.lower() or model.reactions
        if reactions not in PREFERENCES:
            session.warn(f"prefer is {', '.join(PREFERENCES)}, not “{safe(word, 20)}”.")
        elif not word or await session.demand(
            Prefer(session.connection.next_id(), model.table, reactions)
        ):
            session.tell(f"When others attack, {PREFERENCES[reactions]}")

    async def _pause(self, _: str) -> None:
        await self._wish(pause=True)

    async def _resume(self, _: str) -> None:
        await self._wish(pause=False)

    async def _wish(self, *, pause: bool) -> None:
        session, model = self._session, self._session.model
        if model is not None:
            await session.demand(Pause(session.connection.next_id(), model.table, pause))

    async def _leave(self, _: str) -> None:
        if self._room.may_go("leave"):
            await self._session.leave_table()
            if self._session.model is None:
                await self._session.lobby.arrive()

    async def _rematch(self, _: str) -> None:
        session = self._session
        if session.model is not None:
            await session.demand(Rematch(session.connection.next_id(), session.model.table))

    async def _anew(self, _: str) -> None:
        if self._room.may_go("again"):
            await self._session.again()

    async def _quit(self, _: str) -> None:
        if self._room.may_go("quit"):
            self._session.leave()


def log_lines(model: TableModel, logged: LoggedEvent, session: Session) -> list[Line]:
    """An event as the log tells it; the beginning of a turn is a heading."""
    event = logged.event
    words = safe(event.text, 500) if isinstance(event.text, str) else ""
    if not words:
        return []
    if event.type == "turn":
        return [rule(words.rstrip("."), session.glyphs, session.width)]
    own = isinstance(event.seat, int) and event.seat == model.seat
    style = "" if own else "class:others"
    return [[(style, line[0][1])] for line in wrap("  " + words, session.width, "    ")]
