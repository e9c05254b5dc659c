"""``senro join``: a session at somebody's server, in line mode."""

from __future__ import annotations

from client.connection import Connection
from client.plain.console import make_console
from client.plain.lines import safe, wrap
from client.session import Session


async def join(host: str, port: int, name: str) -> None:
    """Run the command; raises :class:`ClientError` for whatever goes wrong."""
    async with await Connection.open(host, port, name) as connection:
        console = make_console()
        server = safe(connection.welcome.server, 40)
        me = safe(connection.welcome.name, 20)
        console.show(wrap(f"Welcome to {server} at {safe(host, 80)}:{port}, {me}."))
        await Session(connection, console).run()
