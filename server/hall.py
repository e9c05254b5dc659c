"""The hall: who is here, and which tables there are.

It knows sessions by their names and tables by their ids, begins and ends both, and runs the tasks
of the games.  What may be asked of it is in :mod:`server.requests`; what happens at a table in
:mod:`server.table`.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable

import trio

import engine
from engine.bots import LEVELS
from engine.chance import SEED_BYTES
from protocol.errors import error
from protocol.messages import Hello, Notice, TableOptions, Welcome
from protocol.names import TextError, clean_name, clean_text
from server.journal import JournalError, Journals
from server.meter import Meter
from server.oplog import Log
from server.options import GameFactory, chosen_seed, make_game, to_setup
from server.order import Order
from server.outbox import Outbox
from server.play import Play
from server.refusal import Refusal
from server.session import Session
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

    ``game_factory`` makes the games (a test may prepare decks in it); ``new_id`` and ``new_seed``
    name tables and seed games.  :meth:`run` has to run as a task before the first game starts.
    """

    def __init__(
        self,
        settings: Settings,
        journals: Journals,
        *,
        log: Log,
        name: str = "senro-server",
        order: Order | None = None,
        game_factory: GameFactory = engine.Game.new,
        new_id: Callable[[], str] = random_id,
        new_seed: Callable[[], bytes] = random_seed,
    ) -> None:
        self.settings = settings
        self.log = log
        self.name = name
        self.order = order or Order()
        self.tally = Tally()
        self.sessions: dict[str, Session] = {}
        self.tables: dict[str, Table] = {}
        self.closing = False
        self._created = 0
        self._creating: dict[str, Meter] = {}  # by address
        self._journals = journals
        self._game_factory = game_factory
        self._new_id = new_id
        self._new_seed = new_seed
        self._nursery: trio.Nursery | None = None

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Run the tasks of the games until cancelled or closed."""
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            task_status.started()
            await trio.sleep_forever()

    def close(self) -> None:
        """The server ends: tables are closed and everybody is told; their journals stay as they
        are, to be taken up again."""
        self.closing = True
        for table in list(self.tables.values()):
            if table.play is not None:
                table.play.stop()
            table.close("the server is shutting down")
            table.journal.close()
        self.tables.clear()
        if self._nursery is not None:
            self._nursery.cancel_scope.cancel()

    # ------------------------------------------------------------------ people

    def greet(
        self, hello: Hello, version: int, outbox: Outbox, address: str = ""
    ) -> tuple[Session, Welcome]:
        """Let somebody in under the name they ask for.  Raises Refusal."""
        if self.closing:
            raise Refusal("shutting-down", "the server is shutting down")
        try:
            name = clean_name(hello.name)
        except TextError as wrong:
            raise Refusal("bad-name", str(wrong)) from None
        session = Session(name, outbox, self.settings, hello.language, address)
        self.order.check_name(session.key)
        if session.key in self.sessions:
            raise Refusal("name-taken", f"somebody here is called {name}, or nearly so")
        self.sessions[session.key] = session
        return session, Welcome(
            version=version,
            name=name,
            server=self.name,
            frame_limit=self.settings.frame_limit,
            bots=list(LEVELS),
            boards=list(engine.known_boards()),
            defaults=self.settings.defaults,
        )

    def farewell(self, session: Session, *, for_good: bool) -> None:
        """Somebody's connection has ended; ``for_good`` if they said bye."""
        for table in list(session.tables.values()):
            self.leave(table, session, for_good=for_good)
        if self.sessions.get(session.key) is session:
            del self.sessions[session.key]

    def announce(self, text: str) -> None:
        """Tell everybody who is here something in the name of whoever runs the server."""
        for session in self.sessions.values():
            session.send(Notice(text))

    def expel(self, session: Session, code: str, text: str) -> None:
        """Put somebody out: they have left for good, and their connection closes once it has said
        why."""
        self.farewell(session, for_good=True)
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
        settings, now = self.settings, trio.current_time()
        meter = self._creating.get(address)
        if meter is None:
            for known in [a for a, m in self._creating.items() if m.full(now)]:
                del self._creating[known]  # as good as new, and so not worth remembering
            rate = settings.creates / settings.creates_every
            meter = self._creating[address] = Meter(rate, settings.creates, now)
        if not meter.try_take(now):
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
        seed = chosen_seed(options) or self._new_seed()
        # Played nowhere: whether these options make a game is best known by making one.
        make_game(self._game_factory, to_setup(options, seed))
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

    def leave(self, table: Table, session: Session, *, for_good: bool) -> None:
        """Somebody leaves a table; one that nobody is at any more goes away."""
        table.leave(session, for_good=for_good)
        if table.members:
            table.tell()
            return
        self.tables.pop(table.id, None)
        if table.play is not None:
            table.play.stop()
        if table.state == "lobby":
            table.journal.discard()  # no game, nothing to keep
        elif table.state == "playing":
            table.end("abandoned", reason="nobody is at the table any more")
        self.log.info("table gone", table=table.id, state=table.state)

    def run_game(self, play: Play) -> None:
        """Start the task of a game."""
        assert self._nursery is not None, "Hall.run has to run first"
        self._nursery.start_soon(play.run)
