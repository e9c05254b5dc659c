"""``senro join``: a session at somebody's server, in line mode."""

from __future__ import annotations

import asyncio

from client.entrance import Person, Visit, enter
from client.plain.console import make_console
from client.plain.lines import safe, wrap
from client.session import Session


def join(visit: Visit, person: Person) -> None:
    """Run the command; raises :class:`ClientError` for whatever goes wrong."""
    enter(visit, person, lambda settled: asyncio.run(_join(settled)))


async def _join(visit: Visit) -> None:
    async with await visit.connect(lasting=True) as connection:
        console = make_console()
        server = safe(connection.welcome.server, 40)
        me = safe(connection.welcome.name, 20)
        again = " back" if connection.welcome.resumed else ""
        where = safe(visit.address.place, 90)
        console.show(wrap(f"Welcome{again} to {server} at {where}, {me}."))
        await Session(connection, console).run()
