"""One person (or script) at one server: brings messages to the model and lines to a room.

A room is what the typed lines are for: the lobby or a game.  The session owns the connection, the
model of the one table it is at, and the console; rooms ask it to send and to show.  It decides no
wording beyond its own notices and draws nothing itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

from client.connection import Connection, ConnectionLostError, RefusedError
from client.lobby import LobbyRoom
from client.model import TableModel
from client.plain.chat import spoken
from client.plain.console import Console
from client.plain.game import GameRoom
from client.plain.lines import WIDTH, Glyphs, Line, safe, wrap
from client.plain.watch import fetch
from client.rooms import Room
from protocol import LocalError
from protocol.messages import FromServer, GetSnapshot, Leave, Loaded, Lobby, Notice, Request

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
        self.setting_up = begin is not None
        """Whether ``begin`` still runs, when what happens in the lobby is of no interest."""
        self.awaits_table = begin is not None
        """Whether a table was asked for: then the next one told of is where we are."""
        self.lobby = LobbyRoom(self)
        self.game = GameRoom(self)
        self._begin = begin
        self._leaving = asyncio.Event()
        self._news = asyncio.Condition()
        self._loaded = False
        self._left = ""

    # ---------------------------------------------------------------------- the outline

    async def run(self) -> None:
        """Play until the end; raises :class:`ClientError` if the connection is lost."""
        work = [
            asyncio.create_task(self._receive(), name="senro-messages"),
            asyncio.create_task(self._converse(), name="senro-console"),
            asyncio.create_task(self._leaving.wait(), name="senro-leaving"),
        ]
        try:
            done, _ = await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in work:
                task.cancel()
            await asyncio.gather(*work, return_exceptions=True)
        for task in done:
            task.result()

    async def _converse(self) -> None:
        if self._begin is not None:
            await self._begin(self)
            self.setting_up = False
        else:
            await self.lobby.arrive()
        await self.console.run(self)

    async def _receive(self) -> None:
        while True:
            await self._take(await self.connection.next())
            async with self._news:
                self._news.notify_all()

    def leave(self) -> None:
        """End the session."""
        self._leaving.set()

    # ---------------------------------------------------------------------- what comes in

    async def _take(self, message: FromServer) -> None:
        if isinstance(message, Lobby) and self.model is None and self._expects(message.info.table):
            self._enter(message.info.table)
        if isinstance(message, Notice):
            self.tell(f"* {message.text}")
        model = self.model
        if model is None:
            return
        change = model.apply(message)
        if change.lobby:
            self.lobby.changed(change.lobby_before)
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
        if change.closed is not None:
            self.warn(f"The table is closed: {safe(change.closed, 200)}")
            self.forget()
        if model.view is not None and model.catalogue is not None and not self._loaded:
            self._loaded = True
            await self.demand(Loaded(self.connection.next_id(), model.table))
        self.console.redraw()

    # ---------------------------------------------------------------------- what goes out

    async def ask(self, request: Request) -> Mapping[str, Any]:
        """Send a request; a refusal is shown, and gives an empty result."""
        try:
            return await self.connection.request(request)
        except RefusedError as refused:
            self.warn(refused.text)
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
        return self.room.prompt()

    def completions(self, line: str) -> list[tuple[str, str]]:
        return self.room.completions(line)

    async def asking(self) -> None:
        await self.until(lambda: self.room.wants_line)

    async def typed(self, line: str, serial: int) -> None:
        try:
            await self.room.typed(line, stale=serial != self.serial)
        except LocalError as error:
            self.warn(safe(error))
        except ConnectionLostError:
            return  # the receiver reports it, once
        self.console.redraw()

    async def ended(self) -> bool:
        return await self.room.ended()

    @property
    def _width(self) -> int:
        return max(20, min(WIDTH, self.console.size[0]))

    def show(self, lines: Iterable[Line]) -> None:
        self.console.show(lines)

    def tell(self, sentence: str) -> None:
        """A notice."""
        self.console.show(wrap(safe(sentence, 800), self._width, "  "))

    def warn(self, sentence: str) -> None:
        """Something was wrong."""
        words = safe("! " + sentence[:1].upper() + sentence[1:], 800)
        lines = wrap(words, self._width, "  ")
        self.console.show([[("class:warning", line[0][1])] for line in lines])
