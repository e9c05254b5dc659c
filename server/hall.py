"""The hall: who is here, and which tables there are.

It knows sessions by their names and tables by their ids, begins and ends both, and runs the tasks
of the games.  What may be asked of it is in :mod:`server.requests`; what happens at a table in
:mod:`server.table`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import trio

import engine
from engine.bots import LEVELS
from engine.boxes import Box
from protocol.errors import error
from protocol.messages import Hello, Notice, TableOptions, Welcome
from server.gate import Gate
from server.journal import Journals
from server.locks import Locksmith
from server.opening import Opening, random_id, random_seed
from server.oplog import Log
from server.options import GameFactory
from server.order import Order
from server.password import Hash
from server.people import People
from server.play import Play
from server.recovery import Unfinished
from server.refusal import Refusal
from server.reminders import Reminders
from server.resolve import resolve
from server.session import Session, random_token, token_hash
from server.settings import Settings
from server.table import Table
from server.tally import Tally


class Hall:
    """All sessions and tables of one server.

    ``lasting`` says that a later run takes up what this one leaves unfinished; ``own`` are the
    host's own boxes; ``game_factory`` makes the games (a test may prepare decks in
    it); ``new_id`` and ``new_seed`` name tables and seed games, ``new_token`` makes the tokens of
    sessions.  :meth:`run` has to run as a task before the first game starts.
    """

    def __init__(
        self,
        settings: Settings,
        journals: Journals,
        *,
        log: Log,
        name: str = "senro-server",
        order: Order | None = None,
        gate: Gate | None = None,
        lasting: bool = True,
        own: tuple[Box, ...] = (),
        game_factory: GameFactory = engine.Game.new,
        new_id: Callable[[], str] = random_id,
        new_seed: Callable[[], bytes] = random_seed,
        new_token: Callable[[], str] = random_token,
        locksmith: Locksmith | None = None,
    ) -> None:
        self.settings = settings
        self.defaults = resolve(settings.defaults, own=own)
        self.own = own
        self._lasting = lasting
        self.log = log
        self.name = name
        self.order = order or Order()
        self.gate = gate or Gate(settings)
        self.tally = Tally()
        self.people = People(settings, self.order, log)
        self.sessions = self.people.sessions
        self.tables: dict[str, Table] = {}
        self.closing = False
        self.reminders = Reminders(log)
        self._opening = Opening(self, journals, game_factory, new_id, new_seed)
        self._locksmith = locksmith or Locksmith(settings)
        self._new_token = new_token
        self._nursery: trio.Nursery | None = None
        self._taken_up: list[Play] = []  # games whose tasks are still to be started

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Run the tasks of the games, and what is due, until cancelled or closed."""
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            for play in self._taken_up:
                nursery.start_soon(play.run)
            self._taken_up.clear()
            task_status.started()
            await self.reminders.run()

    def close(self) -> None:
        """The server ends: tables are closed and everybody is told; their journals stay as they
        are, to be taken up again, unless there is no later run to do that."""
        self.closing = True
        for table in list(self.tables.values()):
            if table.play is not None:
                table.play.stop()
            table.close("the server is shutting down")
            if self._lasting or table.state not in ("lobby", "playing"):
                table.journal.close()
            elif table.state == "lobby":
                table.journal.discard()
            else:
                table.end("abandoned", reason="the server of this one game has ended")
        self.tables.clear()
        if self._nursery is not None:
            self._nursery.cancel_scope.cancel()

    # ------------------------------------------------------------------ people

    def greet(self, hello: Hello, version: int, address: str = "") -> tuple[Session, Welcome]:
        """Let somebody in: under the name they ask for, or as the session whose token they have.
        They are here once they :meth:`arrive`.  Raises Refusal, and then nothing has changed."""
        if self.closing:
            raise Refusal("shutting-down", "the server is shutting down")
        token = ""
        if hello.resume:
            session = self.people.of_token(hello.resume, address)
        else:
            token = self._new_token()
            session = self.people.admit(hello.name, token_hash(token))
        session.language, session.address = hello.language, address
        return session, Welcome(
            version=version,
            name=session.name,
            server=self.name,
            frame_limit=self.settings.frame_limit,
            bots=list(LEVELS),
            boards=list(engine.known_boards(self.own)),
            defaults=self.defaults,
            token=token,
            resumed=bool(hello.resume),
            tables=list(session.tables),
        )

    def arrive(self, session: Session) -> None:
        """A session has got a connection: it is shown the tables that it is at, whole."""
        self.reminders.drop(session)
        for table in session.tables.values():
            self.reminders.drop(table)
            table.welcome_back(session)

    def miss(self, session: Session) -> None:
        """A session has lost its connection; it may come back for a while."""
        if not self.people.knows(session):
            return  # it was put out
        if not session.asked:
            self.farewell(session)
            return
        self._wait_for(session)
        for table in session.tables.values():
            table.look_around()
            self._note_deserted(table)
        for idle in self.people.idle(session.address):
            self.farewell(idle)

    def _give_up(self, session: Session) -> None:
        """Somebody has been away for long: what is theirs passes on, but for running games."""
        for table in list(session.tables.values()):
            if table.needs(session):
                table.look_around()
            else:
                self.leave(table, session, of_own_will=False)
        if session.tables:
            again = trio.current_time() + self.settings.grace
            self.reminders.set(session, again, lambda: self._give_up(session))
        else:
            self.farewell(session)

    def farewell(self, session: Session) -> None:
        """Somebody has gone for good."""
        for table in list(session.tables.values()):
            self.leave(table, session)
        self.reminders.drop(session)
        self.people.forget(session)

    def announce(self, text: str) -> None:
        """Tell everybody who is here something in the name of whoever runs the server."""
        for session in self.sessions.values():
            session.send(Notice(text))

    def expel(self, session: Session, code: str, text: str) -> None:
        """Put somebody out: they have left for good, and their connection closes once it has said
        why."""
        self.farewell(session)
        session.send(error(code, text))
        session.outbox.finish()

    # ------------------------------------------------------------------ tables

    def table(self, table_id: str) -> Table:
        """The table of that name.  Raises Refusal."""
        table = self.tables.get(table_id)
        if table is None:
            raise Refusal("no-such-table", "there is no table of that name")
        return table

    def check_room(self, session: Session) -> None:
        """Raises Refusal if a player is at too many tables already."""
        most = self.settings.tables_per_session
        if len(session.tables) >= most:
            raise Refusal("too-many", f"you are at {most} tables already; leave one first")

    async def lock(self, session: Session, password: str) -> Hash | None:
        """The hash of a password that somebody sets; None for none.  Raises Refusal."""
        lock = await self._locksmith.lock(password, session.address)
        self._check_known(session)
        return lock

    async def unlock(self, session: Session, table: Table, password: str) -> None:
        """Raises Refusal unless this is the password of the table, which is still there then."""
        opened: Hash | None = None
        while table.password is not None and table.password != opened:
            opened = table.password
            await self._locksmith.check(opened, password, session.address)
        self._check_known(session)
        self.table(table.id)

    def _check_known(self, session: Session) -> None:
        """Raises Refusal if somebody was put out meanwhile."""
        if not self.people.knows(session):
            raise Refusal("kicked", "you have been put out")

    def create(
        self,
        creator: Session,
        title: str,
        options: TableOptions,
        watch: bool,
        password: Hash | None = None,
    ) -> Table:
        """Open a table.  Raises Refusal."""
        table = self._opening.create(creator, title, options, watch, password)
        self.tables[table.id] = table
        return table

    def rematch(self, table: Table) -> None:
        """Another game for a table whose game is over.  Raises Refusal."""
        self._opening.rematch(table)

    def kick(self, table: Table, session: Session) -> None:
        """Put somebody out of a table, for good."""
        table.kick(session)
        self.settle(table)

    def leave(self, table: Table, session: Session, *, of_own_will: bool = True) -> None:
        """Somebody leaves a table for good; one that nobody is at any more goes away.  A lobby
        whose players have only lost their connections stays for a while, to be found again."""
        table.leave(session)
        if table.members:
            self.settle(table)
        elif of_own_will or table.state != "lobby":
            self._remove(table)

    def settle(self, table: Table) -> None:
        """Somebody came or went: tell the others, and see that a table where nobody is connected
        ends some day."""
        table.tell()
        self._note_deserted(table)

    def _note_deserted(self, table: Table) -> None:
        """A table at which nobody is connected is kept for so long and no longer."""
        if table.attended:
            self.reminders.drop(table)
        elif table not in self.reminders:
            settings = self.settings
            kept = {"lobby": settings.lobby_kept, "playing": settings.game_kept}
            due = trio.current_time() + kept.get(table.state, settings.over_kept)
            self.reminders.set(table, due, lambda: self._remove(table))

    def _remove(self, table: Table) -> None:
        self.reminders.drop(table)
        self.tables.pop(table.id, None)
        if table.play is not None:
            table.play.stop()
        table.close("nobody was there any more")
        if table.state == "lobby":
            table.journal.discard()  # no game, nothing to keep
        elif table.state == "playing":
            table.end("abandoned", reason="nobody is at the table any more")
        self.log.info("table gone", table=table.id, state=table.state)

    # ------------------------------------------------------------------ after a crash

    def take_up(self, found: Unfinished, pulse: Mapping[str, int]) -> Table | None:
        """Go on with the table of a journal; its players can take it up with their tokens.  None if
        there was nothing to do but to write that its game is over.  Before :meth:`run`.

        Raises :class:`OSError` if its journal cannot be opened.
        """
        table = self._opening.take_up(found)
        if table is None:
            return None
        table.take_up(found, self._known_again, pulse)
        self.tables[table.id] = table
        if table.play is not None:
            self._taken_up.append(table.play)
        self._note_deserted(table)
        return table

    def _known_again(self, name: str, digest: bytes) -> Session | None:
        """The session of an earlier run, without a connection; None if another one has its name."""
        session, new = self.people.admit_again(name, digest)
        if session is not None and new:
            self._wait_for(session)
        return session

    def _wait_for(self, session: Session) -> None:
        """Keep what is a lost player's for a while."""
        due = session.away_since + self.settings.grace
        self.reminders.set(session, due, lambda: self._give_up(session))

    def run_game(self, play: Play) -> None:
        """Start the task of a game."""
        assert self._nursery is not None, "Hall.run has to run first"
        self._nursery.start_soon(play.run)
