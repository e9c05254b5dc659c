"""``senro join``: a session at somebody's server, in line mode."""

from __future__ import annotations

from client.connection import Connection
from client.plain.console import make_console
from client.plain.lines import safe, wrap
from client.session import Session
from client.tokens import Tokens


async def join(host: str, port: int, name: str, tokens: Tokens) -> None:
    """Run the command; raises :class:`ClientError` for whatever goes wrong."""
    async with await Connection.open(host, port, name, lasting=True, tokens=tokens) as connection:
        console = make_console()
        server = safe(connection.welcome.server, 40)
        me = safe(connection.welcome.name, 20)
        again = " back" if connection.welcome.resumed else ""
        console.show(wrap(f"Welcome{again} to {server} at {safe(host, 80)}:{port}, {me}."))
        await Session(connection, console).run()
