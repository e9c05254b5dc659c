"""Opens tables, and journals for them: new ones, and those of a rematch."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec
import trio
from msgspec.structs import replace

from engine.boxes import Box
from engine.chance import SEED_BYTES
from protocol.messages import TableOptions
from protocol.names import TextError, clean_text
from server.journal import Journal, JournalError, Journals
from server.meter import Meters
from server.options import GameFactory, chosen_seed, make_game, to_setup
from server.password import Hash
from server.recovery import Unfinished
from server.refusal import Refusal
from server.resolve import resolve
from server.session import Session
from server.table import Table

if TYPE_CHECKING:
    from server.hall import Hall

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


class Opening:
    """Opens the tables of one hall."""

    def __init__(
        self,
        hall: Hall,
        journals: Journals,
        game_factory: GameFactory,
        new_id: Callable[[], str],
        new_seed: Callable[[], bytes],
    ) -> None:
        settings = hall.settings
        self._hall = hall
        self._journals = journals
        self._game_factory = game_factory
        self._new_id = new_id
        self._new_seed = new_seed
        self._opened = Meters(settings.creates, settings.creates_every)  # by address
        self._count = 0

    def create(
        self,
        creator: Session,
        title: str,
        options: TableOptions,
        watch: bool,
        password: Hash | None,
    ) -> Table:
        """Open a table.  Raises Refusal."""
        hall = self._hall
        hall.order.check_begin()
        hall.check_room(creator)
        if len(hall.tables) >= hall.settings.tables:
            raise Refusal("too-many", "there are too many tables already; try again later")
        try:
            title = clean_text(title or f"{creator.name}'s table", TITLE_COLUMNS, "title")
        except TextError as wrong:
            raise Refusal("bad-text", str(wrong)) from None
        options = resolve(options, hall.defaults, hall.own)
        if watch and options.spectators == "off":
            raise Refusal("bad-options", "spectators: off leaves no place to watch from")
        seed = chosen_seed(options) or self._new_seed()
        # Played nowhere: whether these options make a game is best known by making one.
        make_game(self._game_factory, to_setup(options, seed, hall.own))
        self._check_pace(creator.address)
        table_id = self._new_id()
        while table_id in hall.tables:
            table_id = self._new_id()
        journal = self._begin_journal(table_id)
        table = self._make(table_id, title, options, seed, journal, own=hall.own)
        try:
            table.begin(creator, watch, password)
        except (JournalError, Refusal) as wrong:
            raise self._not_begun(journal, wrong) from None
        hall.log.info("table created", table=table_id, creator=creator.name, file=journal.path.name)
        return table

    def rematch(self, table: Table) -> None:
        """Back to the lobby for another game, if :func:`server.lobby.check_rematch` lets it; a new
        journal begins.  Raises Refusal."""
        self._hall.order.check_begin()
        journal = self._begin_journal(table.id)
        try:
            table.begin_again(journal, self._new_seed())
        except JournalError as wrong:
            raise self._not_begun(journal, wrong) from None
        self._hall.log.info("rematch", table=table.id, file=journal.path.name)

    def take_up(self, found: Unfinished) -> Table | None:
        """The table of a journal of an earlier run, still without its people; None if there was
        nothing to do but to write that its game is over.

        Raises :class:`OSError` if the journal cannot be opened.
        """
        header, game = found.story.table, found.story.game
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
        options = replace(header.options, seed=seed.hex() if header.seeded else "")
        own = header.boxes.own or ()
        return self._make(header.table, header.title, options, seed, journal, own=own)

    def _make(
        self,
        table_id: str,
        title: str,
        options: TableOptions,
        seed: bytes,
        journal: Journal,
        *,
        own: tuple[Box, ...],
    ) -> Table:
        hall = self._hall
        self._count += 1
        return Table(
            table_id,
            title,
            options,
            seed,
            journal,
            number=self._count,
            settings=hall.settings,
            log=hall.log,
            own=own,
            game_factory=self._game_factory,
            tally=hall.tally,
        )

    def _check_pace(self, address: str) -> None:
        """Take one of the tables that an address may open for now.  Raises Refusal."""
        settings = self._hall.settings
        if not self._opened.try_take(address, trio.current_time()):
            raise Refusal(
                "too-many",
                f"at most {settings.creates} tables may be opened from one address in "
                f"{settings.creates_every:g} seconds; try again later",
            )

    def _begin_journal(self, table_id: str) -> Journal:
        try:
            return self._journals.begin(table_id)
        except OSError as wrong:
            raise self._not_begun(None, wrong) from None

    def _not_begun(self, journal: Journal | None, wrong: Exception) -> Refusal:
        self._hall.log.error("journal not begun", reason=str(wrong))
        if journal is not None:
            journal.discard()
        return Refusal("busy", "no journal can be begun now; try again later")
