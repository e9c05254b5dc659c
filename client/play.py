"""``senro play``: a server of one's own, a table with bots, and a game in line mode.

Without a terminal, or with ``--watch``, bots play on all seats and the game is printed.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from client.child import ChildServer
from client.connection import Connection, RefusedError
from client.errors import USAGE, ClientError
from client.plain.console import is_terminal, make_console
from client.plain.lines import NARROWEST, WIDEST, safe, text
from client.plain.pipe import PipeConsole
from client.plain.result import journal_lines, seed_line
from client.plain.watch import watch
from client.session import Session
from client.table_words import NAME_CHARACTERS, OPTIONS, check_name, make_options
from protocol.messages import AddBot, Create, ShownOptions, Start, TableOptions

WRONG_OPTIONS = frozenset({"bad-options", "no-such-bot", "bad-text", "bad-message"})
"""Refusals that mean that a flag was wrong."""

USUAL = ShownOptions(reactions="fast", turn_ms=0, window_ms=0)
"""How a table is played here: nobody is there from whom a hand could be hidden by waiting, and
nobody who has to wait."""

MOST_SEATS = 4

PACE = 0.5
"""Seconds a turn takes at least for somebody who watches at a terminal."""


@dataclass(frozen=True)
class PlayFlags:
    """What the command line said.

    ``pace`` is how many seconds a watched turn takes at least; without one a terminal gets some.
    ``table`` maps those options of the table that it named to what it said of them (see
    :data:`client.table_words.OPTIONS`).
    """

    name: str = "Player"
    bots: str = "greedy"
    journals: str = "journals"
    watch: bool = False
    pace: float | None = None
    table: Mapping[str, str] = field(default_factory=dict)

    def options(self) -> TableOptions:
        """The options of the table; raises :class:`ClientError` (wrong use)."""
        try:
            return make_options(self.table, USUAL)
        except ValueError as error:
            raise ClientError(f"--{error}", USAGE) from None

    def levels(self) -> list[str]:
        """The level of each bot, in the order of their seats; the last one counts for all others.
        Raises :class:`ClientError` (wrong use)."""
        try:
            return [check_name("bots", level.strip().lower()) for level in self.bots.split(",")]
        except ValueError as error:
            raise ClientError(f"--{error}", USAGE) from None


async def play(flags: PlayFlags) -> None:
    """Run the command; raises :class:`ClientError` for whatever goes wrong."""
    options = flags.options()
    flags.levels()
    watching = flags.watch or not is_terminal()
    journals = _journals(flags.journals)
    async with (
        ChildServer(journals) as child,
        await Connection.open(child.host, child.port, flags.name) as connection,
    ):
        if watching:
            await _watch(connection, flags, options, journals)
            return
        tables: list[str] = []

        async def begin(session: Session) -> None:
            # With the same seed the next game would have the same shuffles.
            wanted = msgspec.structs.replace(options, seed="") if tables else options
            tables.append(await set_up(connection, flags, wanted, watch=False))
            await session.until(lambda: session.model is not None and session.model.playing)

        console = make_console()
        session = Session(connection, console, begin=begin, journals=journals, alone=True)
        await session.run()
    for table in tables:
        if table not in session.finished:
            console.show([text("The game is not over."), *journal_lines(journals, table)])


async def _watch(
    connection: Connection, flags: PlayFlags, options: TableOptions, journals: str
) -> None:
    table = await set_up(connection, flags, options, watch=True)
    seen = sys.stdout is not None and sys.stdout.isatty()
    pace = flags.pace if flags.pace is not None else PACE if seen else 0
    output = PipeConsole(interactive=seen)
    width = max(NARROWEST, min(WIDEST, output.size[0]))
    seed = await watch(connection, table, output.show, output.glyphs, width=width, pace=pace)
    output.show([*([seed_line(seed, flag=True)] if seed else []), *journal_lines(journals, table)])


async def set_up(
    connection: Connection, flags: PlayFlags, options: TableOptions, *, watch: bool
) -> str:
    """Open the table, fill it with bots and start it; returns its id."""
    try:
        title = f"{flags.name}'s game"[:NAME_CHARACTERS]
        create = Create(connection.next_id(), title, options, watch)
        table = str((await connection.request(create)).get("table", ""))
        await _fill(connection, table, flags.levels())
        await connection.request(Start(connection.next_id(), table))
    except RefusedError as refused:
        raise _wrong_flag(refused) from None
    return table


async def _fill(connection: Connection, table: str, levels: list[str]) -> None:
    """Put bots on all free seats: how many there are the server knows, since the board decides."""
    for number in range(MOST_SEATS):
        level = levels[min(number, len(levels) - 1)]
        try:
            await connection.request(AddBot(connection.next_id(), table, level))
        except RefusedError as refused:
            if refused.code != "table-full" or not number:
                raise
            if number < len(levels):
                bots = "1 bot" if number == 1 else f"{number} bots"
                words = f"--bots: there are seats for {bots}, not for {len(levels)}."
                raise ClientError(words, USAGE) from None
            return


def _wrong_flag(refused: RefusedError) -> ClientError:
    """A refusal in the words of the command line."""
    option, colon, _ = refused.text.partition(":")
    words = refused.text
    if refused.code == "no-such-bot":
        words = f"--bots: {words}"
    elif colon and option in OPTIONS:
        words = f"--{words}"
    return ClientError(words, USAGE if refused.code in WRONG_OPTIONS else 1)


def _journals(folder: str) -> str:
    """The folder for the server, made if it is missing, as an absolute path.

    Raises :class:`ClientError` (wrong use) if it cannot be used.
    """
    try:
        path = Path(folder).expanduser()
        if path.exists() and not path.is_dir():
            raise ClientError(f"--journals wants a folder; {safe(path)} is none.", USAGE)
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        return str(path.resolve())
    except (OSError, RuntimeError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        words = f"--journals: cannot use {safe(folder, 200)}: {safe(reason, 100).rstrip('.')}."
        raise ClientError(words, USAGE) from None
