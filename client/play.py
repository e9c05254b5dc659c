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
from client.plain.watch import watch
from client.session import Session
from client.table_words import make_options, split_kingdom
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
    journals: str = ""
    order: str = "random"
    watch: bool = False

    def options(self) -> TableOptions:
        """The options of the table; raises :class:`ClientError` (wrong use)."""
        try:
            return make_options(
                board=self.board,
                players=self.players,
                kingdom=split_kingdom(self.kingdom),
                seed=self.seed,
                order=self.order,
                reactions="fast",
            )
        except ValueError as error:
            raise ClientError(str(error), USAGE) from None


async def play(flags: PlayFlags) -> None:
    """Run the command; raises :class:`ClientError` for whatever goes wrong."""
    options = flags.options()
    watching = flags.watch or not is_terminal()
    async with (
        ChildServer(_journals(flags.journals)) as child,
        await Connection.open(child.host, child.port, flags.name) as connection,
    ):
        if watching:
            table = await set_up(connection, flags, options, watch=True)
            output = PipeConsole()
            await watch(connection, table, output.show, output.glyphs)
            return

        async def begin(session: Session) -> None:
            await set_up(connection, flags, options, watch=False)
            await session.until(lambda: session.model is not None and session.model.playing)

        console = make_console()
        await Session(connection, console, begin=begin, journals=flags.journals, alone=True).run()


async def set_up(
    connection: Connection, flags: PlayFlags, options: TableOptions, *, watch: bool
) -> str:
    """Open the table, fill it with bots and start it; returns its id."""
    try:
        create = Create(connection.next_id(), f"{flags.name}'s game", options, watch)
        table = str((await connection.request(create)).get("table", ""))
        for _ in range(options.players if watch else options.players - 1):
            await connection.request(AddBot(connection.next_id(), table, flags.bots))
        await connection.request(Start(connection.next_id(), table))
    except RefusedError as refused:
        code = USAGE if refused.code in WRONG_OPTIONS else 1
        raise ClientError(refused.text, code) from None
    return table


def _journals(folder: str) -> str | None:
    """The folder for the server, as an absolute path; raises :class:`ClientError`."""
    if not folder:
        return None
    path = Path(folder).expanduser()
    if path.exists() and not path.is_dir():
        raise ClientError(f"--journals wants a folder; {safe(path)} is none.", USAGE)
    return str(path.resolve())
