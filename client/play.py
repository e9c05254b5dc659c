"""``senro play``: a server of one's own, a table with bots, and a game in line mode.

Without a terminal, or with ``--watch``, bots play on all seats and the game is printed.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from client.child import ChildServer
from client.connection import Connection, RefusedError
from client.errors import USAGE, ClientError
from client.plain.console import is_terminal, make_console
from client.plain.lines import safe
from client.plain.pipe import PipeConsole
from client.plain.result import journal_line
from client.plain.watch import watch
from client.session import Session
from client.table_words import NAME_CHARACTERS, check_name, make_options, read_kingdom
from protocol.messages import AddBot, Create, Start, TableOptions

WRONG_OPTIONS = frozenset({"bad-options", "no-such-bot", "bad-text", "bad-message"})
"""Refusals that mean that a flag was wrong."""


@dataclass(frozen=True)
class PlayFlags:
    """What the command line said."""

    name: str = "Player"
    board: str = "tokyo"
    players: int = 2
    bots: str = "greedy"
    seed: str = ""
    kingdom: str = ""
    journals: str = "journals"
    order: str = "random"
    watch: bool = False

    def options(self) -> TableOptions:
        """The options of the table; raises :class:`ClientError` (wrong use)."""
        try:
            check_name("bots", self.bots)
            return make_options(
                board=self.board,
                players=self.players,
                kingdom=read_kingdom(self.kingdom) if self.kingdom else (),
                seed=self.seed,
                order=self.order,
                reactions="fast",
            )
        except ValueError as error:
            raise ClientError(f"--{error}", USAGE) from None


async def play(flags: PlayFlags) -> None:
    """Run the command; raises :class:`ClientError` for whatever goes wrong."""
    options = flags.options()
    watching = flags.watch or not is_terminal()
    journals = _journals(flags.journals)
    async with (
        ChildServer(journals) as child,
        await Connection.open(child.host, child.port, flags.name) as connection,
    ):
        if watching:
            table = await set_up(connection, flags, options, watch=True)
            output = PipeConsole()
            await watch(connection, table, output.show, output.glyphs)
            output.show([journal_line(journals)])
            return

        async def begin(session: Session) -> None:
            await set_up(connection, flags, options, watch=False)
            await session.until(lambda: session.model is not None and session.model.playing)

        console = make_console()
        await Session(connection, console, begin=begin, journals=journals, alone=True).run()


async def set_up(
    connection: Connection, flags: PlayFlags, options: TableOptions, *, watch: bool
) -> str:
    """Open the table, fill it with bots and start it; returns its id."""
    try:
        title = f"{flags.name}'s game"[:NAME_CHARACTERS]
        create = Create(connection.next_id(), title, options, watch)
        table = str((await connection.request(create)).get("table", ""))
        for _ in range(options.players if watch else options.players - 1):
            await connection.request(AddBot(connection.next_id(), table, flags.bots))
        await connection.request(Start(connection.next_id(), table))
    except RefusedError as refused:
        code = USAGE if refused.code in WRONG_OPTIONS else 1
        raise ClientError(refused.text, code) from None
    return table


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
