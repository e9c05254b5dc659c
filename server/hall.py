"""The hall: who is here, and which tables there are.

It knows sessions by their names and tables by their ids, begins and ends both, and runs the tasks
of the games.  What may be asked of it is in :mod:`server.requests`; what happens at a table in
:mod:`server.table`.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping

import msgspec
import trio

import engine
from engine.bots import LEVELS
from engine.boxes import Box
from engine.chance import SEED_BYTES
from protocol.errors import error
from protocol.messages import Hello, Notice, TableOptions, Welcome
from protocol.names import TextError, clean_name, clean_text
from server.gate import Gate
from server.journal import JournalError, Journals
from server.meter import Meters
from server.oplog import Log
from server.options import GameFactory, chosen_seed, make_game, to_setup
from server.order import Order
from server.play import Play
from server.recovery import Unfinished
from server.refusal import Refusal
from server.reminders import Reminders
from server.resolve import resolve
from server.session import Session, random_token, token_hash
from server.settings import Settings
from server.table import Table
from server.tally import Tally

ID_LETTERS = "bcdfghjkmnpqrstvwxz23456789"
"""No letters that look alike, and no vowels that make words."""

ID_LENGTH = 5
TITLE_COLUMNS = 40


def random_id() -> str:
    """A new name for a table: short, and easy to read out."""
    return "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))


def random_seed() -> bytes:
    """A seed that nobody can foretell."""
    return secrets.token_bytes(SEED_BYTES)


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
        self.sessions: dict[str, Session] = {}
        self.tables: dict[str, Table] = {}
        self.closing = False
        self.reminders = Reminders(log)
        self._created = 0
        self._by_token: dict[bytes, Session] = {}  # by the hash of the token
        self._creating = Meters(settings.creates, settings.creates_every)  # by address
        self._wrong_tokens = Meters(settings.resumes, settings.resumes_every)  # by address
        self._journals = journals
        self._game_factory = game_factory
        self._new_id = new_id
        self._new_seed = new_seed
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
            session = self._session_of(hello.resume, address)
            session.language, session.address = hello.language, address
        else:
            token = self._new_token()
            session = self._new_session(hello.name, token_hash(token))
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

    def _session_of(self, token: str, address: str) -> Session:
        """The session with this token.  Raises Refusal."""
        digest = token_hash(token)
        session = self._by_token.get(digest)
        if session is not None and session.known_by(digest):
            return session
        settings = self.settings
        if not self._wrong_tokens.try_take(address, trio.current_time()):
            raise Refusal(
                "too-many",
                f"at most {settings.resumes} wrong tokens may come from one address in "
                f"{settings.resumes_every:g} seconds; try again later",
            )
        self.log.info("wrong token", address=address)
        raise Refusal("no-such-session", "that session is not kept here (any more)")

    def _new_session(self, wanted: str, digest: bytes) -> Session:
        """A session of that name, not yet connected.  Raises Refusal."""
        try:
            name = clean_name(wanted)
        except TextError as wrong:
            raise Refusal("bad-name", str(wrong)) from None
        session = Session(name, digest, self.settings)
        self.order.check_name(session.key)
        other = self.sessions.get(session.key)
        if other is not None:
            text = f"somebody here is called {name}, or nearly so"
            if not other.connected:
                text = f"{text}, and may come back"
            raise Refusal("name-taken", text)
        if len(self.sessions) >= self.settings.sessions:
            raise Refusal("too-many", "there are too many players here; try again later")
        self.sessions[session.key] = self._by_token[digest] = session
        return session

    def arrive(self, session: Session) -> None:
        """A session has got a connection: it is shown the tables that it is at, whole."""
        self.reminders.drop(session)
        for table in session.tables.values():
            self.reminders.drop(table)
            table.welcome_back(session)

    def miss(self, session: Session) -> None:
        """A session has lost its connection; it may come back for a while."""
        if self.sessions.get(session.key) is not session:
            return  # it was put out
        if not session.asked:
            self.farewell(session)
            return
        self._wait_for(session)
        for table in session.tables.values():
            table.look_around()
            self._note_deserted(table)
        self._limit_idle(session.address)

    def _limit_idle(self, address: str) -> None:
        """Of those who are away and at no table, only as many are kept for an address as may be
        connected from there: names are not to be had by coming and going."""
        idle = [
            session
            for session in self.sessions.values()
            if not session.connected and not session.tables and session.address == address
        ]
        for session in idle[: -self.settings.per_address]:
            self.farewell(session)

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
        if self.sessions.get(session.key) is session:
            del self.sessions[session.key]
            del self._by_token[session.token_hash]

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

    def _check_pace(self, address: str) -> None:
        """Take one of the tables that an address may open for now.  Raises Refusal."""
        settings = self.settings
        if not self._creating.try_take(address, trio.current_time()):
            raise Refusal(
                "too-many",
                f"at most {settings.creates} tables may be opened from one address in "
                f"{settings.creates_every:g} seconds; try again later",
            )

    def create(self, creator: Session, title: str, options: TableOptions, watch: bool) -> Table:
        """Open a table.  Raises Refusal."""
        self.order.check_begin()
        self.check_room(creator)
        if len(self.tables) >= self.settings.tables:
            raise Refusal("too-many", "there are too many tables already; try again later")
        try:
            title = clean_text(title or f"{creator.name}'s table", TITLE_COLUMNS, "title")
        except TextError as wrong:
            raise Refusal("bad-text", str(wrong)) from None
        options = resolve(options, self.defaults, self.own)
        seed = chosen_seed(options) or self._new_seed()
        # Played nowhere: whether these options make a game is best known by making one.
        make_game(self._game_factory, to_setup(options, seed, self.own))
        self._check_pace(creator.address)
        table_id = self._new_id()
        while table_id in self.tables:
            table_id = self._new_id()
        try:
            journal = self._journals.begin(table_id)
        except OSError as wrong:
            self.log.error("journal not begun", reason=str(wrong))
            raise Refusal("busy", "no journal can be begun now; try again later") from None
        table = Table(
            table_id,
            title,
            options,
            seed,
            journal,
            number=self._created + 1,
            settings=self.settings,
            log=self.log,
            own=self.own,
            game_factory=self._game_factory,
            tally=self.tally,
        )
        try:
            table.begin(creator, watch)
        except (JournalError, Refusal) as wrong:
            self.log.error("journal not begun", reason=str(wrong))
            journal.discard()
            raise Refusal("busy", "no journal can be begun now; try again later") from None
        self._created += 1
        self.tables[table_id] = table
        self.log.info("table created", table=table_id, creator=creator.name, file=journal.path.name)
        return table

    def leave(self, table: Table, session: Session, *, of_own_will: bool = True) -> None:
        """Somebody leaves a table for good; one that nobody is at any more goes away.  A lobby
        whose players have only lost their connections stays for a while, to be found again."""
        table.leave(session)
        if table.members:
            table.tell()
            self._note_deserted(table)
        elif of_own_will or table.state != "lobby":
            self._remove(table)

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
        story = found.story
        header, game = story.table, story.game
        assert header is not None, "a journal begins with its table"
        journal = self._journals.go_on(found.path, found.kept)
        if game is not None and game.over:
            results = msgspec.to_builtins(game.results)
            journal.line("over", results=results, seed=game.setup.seed.hex())
            journal.close()
            return None
        if game is not None:
            seed = game.setup.seed
        else:
            seed = bytes.fromhex(header.seed) if header.seed else self._new_seed()
        chosen = seed.hex() if header.seeded else ""
        self._created += 1
        table = Table(
            header.table,
            header.title,
            msgspec.structs.replace(header.options, seed=chosen),
            seed,
            journal,
            number=self._created,
            settings=self.settings,
            log=self.log,
            own=header.boxes.own or (),
            game_factory=self._game_factory,
            tally=self.tally,
        )
        table.take_up(found, self._known_session, pulse)
        self.tables[table.id] = table
        if table.play is not None:
            self._taken_up.append(table.play)
        self._note_deserted(table)
        return table

    def _known_session(self, name: str, digest: bytes) -> Session | None:
        """The session of an earlier run, without a connection; None if another one has its name."""
        session = self._by_token.get(digest)
        if session is None:
            session = Session(name, digest, self.settings)
            session.asked = True  # for the seat that it comes back to
            if session.key in self.sessions:
                return None
            self.sessions[session.key] = self._by_token[digest] = session
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
