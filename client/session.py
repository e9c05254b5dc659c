"""One person (or script) at one server: brings messages to the model and lines to a room.

A room is what the typed lines are for: the lobby or a game.  The session owns the connection, the
model of the one table it is at, and the console; rooms ask it to send and to show.  It decides no
wording beyond its own notices and draws nothing itself.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, cast

from client.connection import Connection, ConnectionLostError, LineNews, RefusedError
from client.errors import ClientError, full_stop
from client.lobby import LobbyRoom
from client.model import TableModel
from client.plain.chat import spoken
from client.plain.console import Console
from client.plain.game import GameRoom
from client.plain.lines import NARROWEST, WIDEST, Glyphs, Line, safe, wrap
from client.plain.watch import fetch
from client.rooms import Room
from protocol import LocalError
from protocol.messages import (
    FromServer,
    GetSnapshot,
    Leave,
    Loaded,
    Lobby,
    Notice,
    Request,
    Snapshot,
)

NEWS_SECONDS = 5.0
"""So often is the list of tables looked at by whoever is in the lobby."""

SHOWN_HISTORY = 10
"""Events told when coming to a game that is running."""

Begin = Callable[["Session"], Awaitable[None]]


class Session:
    """Runs until its person leaves or the connection is lost.

    ``begin`` is done once before anything else (``senro play`` sets up its table there).
    ``journals`` is shown at the end of a game, where it is known.  ``alone`` says that no other
    person can be at the table, so that the game ends when this one goes.
    """

    def __init__(
        self,
        connection: Connection,
        console: Console,
        *,
        begin: Begin | None = None,
        journals: str = "",
        alone: bool = False,
    ) -> None:
        self.connection = connection
        self.console = console
        self.journals = journals
        self.alone = alone
        self.model: TableModel | None = None
        self.serial = 0
        self.finished: set[str] = set()
        """The tables whose games were seen to their end."""
        self.setting_up = begin is not None
        """Whether ``begin`` still runs, when what happens in the lobby is of no interest."""
        self.awaits_table = begin is not None or bool(connection.welcome.tables)
        """Whether a table was asked for: then the next one told of is where we are."""
        self.lobby = LobbyRoom(self)
        self.game = GameRoom(self)
        self._begin = begin
        self._leaving = asyncio.Event()
        self._news = asyncio.Condition()
        self._loaded = False
        self._left = ""
        self._back = False
        self._line_lost = asyncio.Event()
        self._handling: set[asyncio.Task[None]] = set()

    # ---------------------------------------------------------------------- the outline

    async def run(self) -> None:
        """Play until the end; raises :class:`ClientError` if the connection is lost."""
        work = [
            asyncio.create_task(self._receive(), name="senro-messages"),
            asyncio.create_task(self._converse(), name="senro-console"),
            asyncio.create_task(self._leaving.wait(), name="senro-leaving"),
            asyncio.create_task(self._look_around(), name="senro-news"),
            asyncio.create_task(self._tick(), name="senro-clock"),
        ]
        try:
            done, _ = await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.console.leaving()
            for task in (*work, *self._handling):
                task.cancel()
            await asyncio.gather(*work, *self._handling, return_exceptions=True)
        for task in done:
            task.result()

    async def _converse(self) -> None:
        if self._begin is not None:
            await self._begin(self)
            self.setting_up = False
        elif not self.awaits_table:
            await self.lobby.arrive()
        await self.console.run(self)

    async def _receive(self) -> None:
        while True:
            await self._take(await self.connection.next())
            async with self._news:
                self._news.notify_all()

    async def _look_around(self) -> None:
        """Whoever sits in the lobby hears of the tables that others open."""
        while True:
            await asyncio.sleep(NEWS_SECONDS)
            in_lobby = self.model is None and not self.awaits_table and not self.setting_up
            if in_lobby and self.console.interactive and self.connection.up:
                with contextlib.suppress(ConnectionLostError):  # the receiver reports it, once
                    await self.lobby.look_around()

    async def _tick(self) -> None:
        """Time that is short is shown as it passes."""
        while True:
            await asyncio.sleep(1)
            if self.game.ticking:
                self.console.redraw()

    def leave(self) -> None:
        """End the session."""
        self.console.leaving()
        self._leaving.set()

    # ---------------------------------------------------------------------- what comes in

    async def _take(self, message: FromServer | LineNews) -> None:
        if isinstance(message, LineNews):
            await self._line(message)
            return
        if isinstance(message, Lobby) and self.model is None and self._expects(message.info.table):
            self._enter(message.info.table)
        if isinstance(message, Notice):
            self.tell(f"* {message.text}")
        model = self.model
        if model is None:
            return
        change = model.apply(message)
        if change.rematch:
            self._loaded = False
            self.serial += 1
            self.game.reset()
            self.finished.discard(model.table)
            self.tell("Another game, with the same people:")
        if change.lobby:
            anew = (self._back and self._in_lobby) or change.rematch
            self.lobby.changed(None if anew else change.lobby_before)
            self._back = self._back and not self._in_lobby
        if change.chat is not None:
            self.tell(spoken(change.chat))
        if change.snapshot_wanted:
            await self.demand(GetSnapshot(self.connection.next_id(), model.table))
        if change.history_wanted is not None:
            change.events += await fetch(self.connection, model, *change.history_wanted)
            if change.first:
                del change.events[:-SHOWN_HISTORY]
        if change.questions:
            self.serial += 1
        self.game.changed(change)
        if self._back and isinstance(message, Snapshot):
            self._back = False
            if not change.questions:
                self.serial += 1
                self.game.ask()
        if change.closed is not None:
            self.warn(f"You are at this table no more: {safe(change.closed, 200)}")
            self.forget()
        if model.view is not None and model.catalogue is not None and not self._loaded:
            self._loaded = True
            await self.demand(Loaded(self.connection.next_id(), model.table))
        self.console.redraw()

    async def _line(self, news: LineNews) -> None:
        """The line to the server is lost, or there again.  What was typed meanwhile was typed
        before whatever is asked now."""
        self.serial += 1
        self._back = news.up
        if not news.up:
            self.warn(news.text)
            self._line_lost.set()
            self.console.redraw()
            return
        self.tell(news.text)
        self._loaded = False  # as far as the server knows, which may be another one
        tables = self.connection.welcome.tables
        if self.model is not None and self.model.table not in tables:
            self.warn("The table is gone, or you are not at it any more.")
            self.forget()
        if self.model is None and tables:
            self.will_enter(tables[-1])
        elif self.model is None and not self.awaits_table:
            await self.lobby.arrive()
        self.console.redraw()

    @property
    def _in_lobby(self) -> bool:
        info = self.model.info if self.model is not None else None
        return info is not None and info.state == "lobby"

    # ---------------------------------------------------------------------- what goes out

    async def ask(self, request: Request) -> Mapping[str, Any]:
        """Send a request; a refusal is shown, and gives an empty result."""
        try:
            return await self.connection.request(request)
        except RefusedError as refused:
            self.warn(refused.text)
            return {}

    async def ask_quietly(self, request: Request) -> Mapping[str, Any]:
        """The same for what nobody has typed: a refusal is not shown."""
        with contextlib.suppress(RefusedError):
            return await self.connection.request(request)
        return {}

    async def demand(self, request: Request) -> bool:
        """Send a request; tells whether it was carried out.  A refusal is shown."""
        try:
            await self.connection.request(request)
        except RefusedError as refused:
            self.warn(refused.text)
            return False
        return True

    async def until(self, ready: Callable[[], bool]) -> None:
        """Wait until something holds that messages bring about."""
        async with self._news:
            await self._news.wait_for(ready)

    def _expects(self, table: str) -> bool:
        """What was on its way when a table was left does not bring it back."""
        return self.awaits_table and table != self._left

    def _enter(self, table: str) -> None:
        """Be at a table."""
        self.model = TableModel(table)
        self.awaits_table = False
        self._loaded = False
        self.game.reset()

    def will_enter(self, table: str = "") -> None:
        """A table was asked for; without a name it is a new one."""
        self.awaits_table = True
        if table == self._left:
            self._left = ""

    def forget(self) -> None:
        """Be at no table."""
        if self.model is not None:
            self._left = self.model.table
        self.model = None
        self.serial += 1
        self.game.reset()

    async def leave_table(self) -> None:
        """Leave the table, if there is one, and be back in the lobby."""
        if self.model is not None:
            table = self.model.table
            if await self.demand(Leave(self.connection.next_id(), table)):
                self.forget()

    async def again(self) -> bool:
        """Leave the table and begin once more as at first; tells whether there is such a way."""
        if self._begin is None:
            return False
        await self.leave_table()
        if self.model is None:
            self.setting_up = True
            self.will_enter()
            try:
                await self._begin(self)
            except ConnectionLostError:
                raise
            except ClientError as error:
                self.awaits_table = False
                self.warn(str(error))
            finally:
                self.setting_up = False
        return True

    # ------------------------------------------------------------------------- the console

    @property
    def glyphs(self) -> Glyphs:
        return self.console.glyphs

    @property
    def room(self) -> Room:
        """What the typed lines are for."""
        model = self.model
        started = model is not None and model.info is not None and model.info.state != "lobby"
        return self.game if started else self.lobby

    def prompt(self) -> str:
        return self.room.prompt() if self.connection.up else "(no connection) > "

    def completions(self, line: str) -> list[tuple[str, str]]:
        return self.room.completions(line)

    async def asking(self) -> None:
        await self.until(lambda: self.room.wants_line and self.connection.up and not self._handling)

    async def typed(self, line: str, serial: int) -> None:
        """Act on a line.  If the line to the server breaks meanwhile, the rest happens once it is
        there again, and does not keep what is typed next from being heard."""
        self._line_lost.clear()
        handling = asyncio.create_task(self._handle(line, stale=serial != self.serial))
        self._handling.add(handling)
        lost = asyncio.create_task(self._line_lost.wait())
        try:
            await asyncio.wait({handling, lost}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            lost.cancel()
        if handling.done():
            handling.result()
        elif line.strip():
            self.tell(f"“{safe(line, 40)}” will be sent again.")

    async def _handle(self, line: str, *, stale: bool) -> None:
        try:
            await self.room.typed(line, stale=stale)
        except LocalError as error:
            self.warn(safe(error))
        except ConnectionLostError:
            return  # the receiver reports it, once
        finally:
            self._handling.discard(cast("asyncio.Task[None]", asyncio.current_task()))
            async with self._news:
                self._news.notify_all()
        self.console.redraw()

    async def ended(self) -> bool:
        return await self.room.ended()

    @property
    def width(self) -> int:
        """The columns that lines may have."""
        return max(NARROWEST, min(WIDEST, self.console.size[0]))

    def show(self, lines: Iterable[Line]) -> None:
        self.console.show(lines)

    def tell(self, sentence: str) -> None:
        """A notice."""
        self.console.show(wrap(safe(sentence, 800), self.width, "  "))

    def warn(self, sentence: str) -> None:
        """Something was wrong."""
        words = full_stop(safe("! " + sentence[:1].upper() + sentence[1:], 800))
        lines = wrap(words, self.width, "  ")
        self.console.show([[("class:warning", line[0][1])] for line in lines])
