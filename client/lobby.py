"""The room before a game: the list of tables, and a table whose game has not begun.

It always says what one can do next.  What is allowed is the server's business: refusals are shown
as they come.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from client import lobby_lines as told
from client.plain import guide
from client.plain import table as cards_on_table
from client.plain.chat import say
from client.plain.commands import Command, Commands
from client.plain.lines import Line, safe, text
from client.plain.people import people_commands
from client.plain.seating import seat_commands
from client.table_list import TableList
from client.table_words import OPTIONS, check_name, check_password, read_options
from protocol.messages import (
    AddBot,
    Create,
    GetCatalogue,
    Join,
    Ready,
    RemoveBot,
    Request,
    Start,
    TableInfo,
)

if TYPE_CHECKING:
    from client.model import TableModel
    from client.session import Session


WILL_BE_DRAWN = (
    "Eight of these will be drawn when the game begins, besides those that every game has:"
)


class LobbyRoom:
    """Lists, opens and fills tables by typed commands."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._listed = TableList(session)
        self._everywhere = [
            Command(
                "help",
                "[create]",
                "This list; help create.",
                self._help,
                ("?",),
                offers=lambda: (("create", "All options of a table."),),
            ),
            Command("quit", "", "Leave the program.", self._quit, ("exit",)),
        ]
        self._outside = Commands(
            [
                Command("list", "", "The tables that are there.", self._list, ("ls",)),
                Command(
                    "join",
                    "N [PASSWORD]",
                    "Sit down at table N of the list, or at a table of that name.",
                    self._join,
                    offers=self._tables_offered,
                ),
                Command(
                    "watch",
                    "N [PASSWORD]",
                    "Watch table N without playing.",
                    self._watch,
                    offers=self._tables_offered,
                ),
                Command(
                    "create",
                    "[OPTIONS]",
                    "Open a table of your own: create players=3 board=osaka; help create lists "
                    "all options.",
                    self._create,
                    offers=lambda: ((f"{name}=", word.about) for name, word in OPTIONS.items()),
                ),
                *self._everywhere,
            ]
        )
        self._inside = Commands(
            [
                Command("table", "", "Who sits where.", self._table),
                Command("ready", "", "You are ready to play.", self._ready),
                Command("unready", "", "You are not ready after all.", self._unready),
                Command(
                    "add-bot",
                    "[LEVEL]",
                    "Host: a bot takes a free seat.",
                    self._add_bot,
                    offers=self._levels_offered,
                ),
                Command(
                    "remove-bot",
                    "[SEAT]",
                    "Host: a bot leaves again.",
                    self._remove_bot,
                    offers=self._seats_offered,
                ),
                Command("start", "", "Host: begin the game.", self._start),
                *seat_commands(session),
                *people_commands(session),
                Command("board", "", "The board that will be played.", self._board),
                Command("cards", "", "The cards that will be played.", self._cards),
                Command(
                    "card",
                    "NAME",
                    "One card in full.",
                    self._card,
                    offers=lambda: cards_on_table.card_offers(session.model),
                ),
                Command("say", "TEXT", "Chat with the table.", self._say),
                Command("leave", "", "Leave the table.", self._leave),
                *self._everywhere,
            ]
        )

    # ------------------------------------------------------------------------- the room

    @property
    def _commands(self) -> Commands:
        return self._inside if self._session.model is not None else self._outside

    @property
    def _info(self) -> TableInfo | None:
        return self._session.model.info if self._session.model else None

    @property
    def _bots(self) -> list[int]:
        """The seats of bots, counted from 1."""
        seats = self._info.seats if self._info else []
        return [number for number, seat in enumerate(seats, 1) if seat.kind == "bot"]

    @property
    def _hosting(self) -> bool:
        info = self._info
        return info is not None and info.host == self._session.connection.welcome.name

    @property
    def wants_line(self) -> bool:
        """A player who is ready only waits for the host."""
        model, info = self._session.model, self._info
        if model is None:
            return True
        if info is None or info.state != "lobby":
            return False
        if self._hosting:
            return True
        return 0 <= model.seat < len(info.seats) and not info.seats[model.seat].ready

    def prompt(self) -> str:
        info = self._info
        if info is None:
            return "lobby > "
        return f"table {safe(info.table, 12)} > "

    def completions(self, line: str) -> list[tuple[str, str]]:
        return self._commands.completions(line)

    def _tables_offered(self) -> Iterable[tuple[str, str]]:
        for number, info in enumerate(self._listed, 1):
            yield str(number), safe(info.title, 40) or f"{safe(info.host, 20)}'s table"

    def _levels_offered(self) -> Iterable[tuple[str, str]]:
        for level in self._session.connection.welcome.bots:
            yield safe(level, 20), "a bot of this level"

    def _seats_offered(self) -> Iterable[tuple[str, str]]:
        seats = self._info.seats if self._info else []
        return ((str(number), safe(seats[number - 1].name, 20)) for number in self._bots)

    async def typed(self, line: str, *, stale: bool) -> None:  # noqa: ARG002 - of Room
        if not line.strip():
            self._next_steps()
            return
        command = self._commands.find(line)
        if command is None:
            names = ", ".join(one.name for one in self._commands.all)
            word = safe(line.split(maxsplit=1)[0], 30)
            self._session.warn(f"“{word}” is no command here. There are: {names}.")
            return
        refusal = command[0].refusal(command[1])
        if refusal:
            self._session.warn(refusal)
            return
        await command[0].run(command[1])

    async def ended(self) -> bool:
        self._session.leave()
        return True

    # -------------------------------------------------------------------- what is shown

    async def arrive(self) -> None:
        """What a newcomer sees: the tables, and what to do next."""
        await self._list("")

    def changed(self, before: TableInfo | None) -> None:
        """Tell what is new at the table, and when nothing is missing any more."""
        info = self._info
        model = self._session.model
        if info is None or model is None or info.state != "lobby":
            self._told_start(before)
            return
        if self._session.setting_up:
            return
        if before is None:
            self._session.show(self._table_lines())
            self._next_steps()
            return
        me = self._session.connection.welcome.name
        for line in told.differences(before, info):
            self._session.tell(line)
        if before.host != info.host:
            who = "You are" if info.host == me else f"{safe(info.host, 20)} is"
            self._session.tell(f"{who} the host now.")
        if before.seats != info.seats and self._hosting:
            self._next_steps()

    def _told_start(self, before: TableInfo | None) -> None:
        info = self._info
        if info is None:
            return
        if info.state == "playing" and (before is None or before.state == "lobby"):
            if before is not None:
                self._session.tell("The game begins.")
            if info.seeded and not self._hosting:
                self._session.tell("The host chose the seed, so the host could know every shuffle.")
        self._session.game.seats_changed(before, info)

    def _table_lines(self) -> list[Line]:
        model, info = self._session.model, self._info
        if info is None or model is None:
            return [text("You are at no table.")]
        return told.one_table(info, model.seat, self._session.width)

    def _next_steps(self) -> None:
        """One line about what can be done next."""
        info, model = self._info, self._session.model
        if info is None or model is None:
            if self._listed:
                self._session.tell("join N sits down, watch N looks on, create opens a new table.")
            else:
                self._session.tell("create opens a table; help lists all commands.")
            return
        free = sum(seat.kind == "open" for seat in info.seats)
        waited = told.not_ready(info)
        if not self._hosting:
            ready = model.seat >= 0 and info.seats[model.seat].ready
            host = safe(info.host, 20)
            if model.seat < 0 or ready:
                self._session.tell(f"{host} starts the game when all are ready.")
            else:
                self._session.tell(f"Type ready when you are; then {host} can start the game.")
        elif free:
            seats = "1 seat is" if free == 1 else f"{free} seats are"
            self._session.tell(
                f"{seats} free: wait for players (senro join), or add-bot fills one with a bot."
            )
        elif waited:
            self._session.tell(f"Waiting for {', '.join(waited)} to be ready.")
        else:
            self._session.tell("Everybody is here and ready: type start.")

    # -------------------------------------------------------------------------- commands

    async def _help(self, topic: str) -> None:
        if topic.lower() == "create":
            self._session.show(told.create_help(self._session.width))
            return
        if topic:
            self._session.warn(f"help knows create, not “{safe(topic, 30)}”.")
        self._session.show(self._commands.help_lines(width=self._session.width))

    async def _quit(self, _: str) -> None:
        self._session.leave()

    async def _list(self, _: str) -> None:
        self._session.show(told.all_tables(await self._listed.fetch(), self._session.width))
        self._next_steps()

    async def look_around(self) -> None:
        """Tell of the tables that have been opened since the list was shown; their numbers go on
        from there."""
        for number, info in await self._listed.more():
            if info.state in {"lobby", "playing"} and self._session.model is None:
                self._session.tell(told.opened(number, info))

    async def _join(self, which: str) -> None:
        await self._go(which, watch=False)

    async def _watch(self, which: str) -> None:
        await self._go(which, watch=True)

    async def _go(self, words: str, *, watch: bool) -> None:
        word = "watch" if watch else "join"
        which, password = self._listed.apart(words)
        unlisted = bool(which) and not which.isdecimal()
        if not self._listed and not unlisted:
            await self._list("")
            if not self._listed:
                return
        elif unlisted and self._listed.named(which) is None:
            await self._listed.fetch(quietly=True)
            which, password = self._listed.apart(words)
        try:
            table = self._listed.named(which) or (check_name(word, which) if unlisted else None)
            check_password(password)
        except ValueError as error:
            self._session.warn(str(error))
            return
        if table is None:
            last = len(self._listed)
            allowed = "1" if last == 1 else f"1 to {last}"
            self._session.warn(f"{word} wants the number of a table in the list: {allowed}.")
            return
        if self._listed.locked(table) and not password:
            self._session.warn(f"This table has a password: {word} {which or 1} PASSWORD.")
            return
        self._session.will_enter(table)
        await self._enter(Join(self._session.connection.next_id(), table, watch, password))

    async def _create(self, words: str) -> None:
        try:
            new = read_options(words, self._session.connection.welcome.defaults)
        except ValueError as error:
            self._session.warn(str(error))
            return
        number = self._session.connection.next_id()
        self._session.will_enter()
        await self._enter(Create(number, new.title, new.options, new.watch, new.password))

    async def _enter(self, request: Request) -> None:
        """Go to a table and wait until the server has told how things stand there."""
        if await self._session.demand(request):
            await self._session.until(lambda: self._info is not None)
        else:
            self._session.awaits_table = False

    async def _table(self, _: str) -> None:
        self._session.show(self._table_lines())
        self._next_steps()

    async def _looked_up(self) -> TableModel | None:
        """The table with the cards and the board that will be played, asked for once."""
        session, model = self._session, self._session.model
        if model is None:
            return None
        request = GetCatalogue(session.connection.next_id(), model.table)
        if model.catalogue is None and not await session.demand(request):
            return None
        await session.until(lambda: model.catalogue is not None or session.model is not model)
        return model if session.model is model else None

    async def _board(self, _: str) -> None:
        model = await self._looked_up()
        if model is not None:
            self._session.show(self._session.game.board_lines(model))

    async def _cards(self, _: str) -> None:
        model, info = await self._looked_up(), self._info
        if model is None:
            return
        if info is not None and not info.options.kingdom:
            self._session.tell(WILL_BE_DRAWN)
        self._session.show(guide.cards(model, self._session.width))
        self._session.tell("card NAME tells more about one.")

    async def _card(self, name: str) -> None:
        if not name:
            await self._cards("")
            return
        model = await self._looked_up()
        if model is not None:
            self._session.show(cards_on_table.card(model, name, self._session.width))

    async def _ready(self, _: str) -> None:
        await self._say_ready(ready=True)

    async def _unready(self, _: str) -> None:
        await self._say_ready(ready=False)

    async def _say_ready(self, *, ready: bool) -> None:
        session = self._session
        if session.model is None:
            return
        request = Ready(session.connection.next_id(), session.model.table, ready)
        if await session.demand(request):
            await session.until(lambda: self._is_ready() in {ready, None})
            if not self._hosting:
                self._next_steps()

    def _is_ready(self) -> bool | None:
        """Whether I am ready; None if that means nothing any more."""
        info, model = self._info, self._session.model
        if info is None or model is None or not 0 <= model.seat < len(info.seats):
            return None
        return info.seats[model.seat].ready if info.state == "lobby" else None

    async def _add_bot(self, level: str) -> None:
        session = self._session
        if session.model is None:
            return
        try:
            level = level and check_name("add-bot", level)
        except ValueError as error:
            session.warn(str(error))
            return
        number = session.connection.next_id()
        table = session.model.table
        request = AddBot(number, table, level) if level else AddBot(number, table)
        before = len(self._bots)
        if await session.demand(request):
            await session.until(lambda: self._info is None or len(self._bots) > before)

    async def _remove_bot(self, seat: str) -> None:
        session, info = self._session, self._info
        if session.model is None or info is None:
            return
        bots = self._bots
        if not bots:
            session.warn("There is no bot at this table.")
            return
        wanted = seat or str(bots[-1])
        if wanted not in map(str, bots):
            session.warn(f"remove-bot wants the seat of a bot: {', '.join(map(str, bots))}.")
            return
        number = session.connection.next_id()
        if await session.demand(RemoveBot(number, session.model.table, int(wanted) - 1)):
            await session.until(lambda: self._info is None or len(self._bots) < len(bots))

    async def _start(self, _: str) -> None:
        session = self._session
        if session.model is None:
            return
        if await session.demand(Start(session.connection.next_id(), session.model.table)):
            await session.until(lambda: self._info is None or self._info.state != "lobby")

    async def _say(self, words: str) -> None:
        await say(self._session, words)

    async def _leave(self, _: str) -> None:
        await self._session.leave_table()
        if self._session.model is None:
            await self.arrive()
