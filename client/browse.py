"""``senro browse``: the servers on the local network, and the tables that everybody may see."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import replace

import msgspec

from client.connection import RefusedError
from client.discovery import Found, find_servers
from client.entrance import Visit
from client.errors import ClientError
from client.known_servers import KnownServers
from client.trust import CertificateError, NewCertificateError
from protocol.messages import ListTables, TableInfo
from protocol.names import shorten

LISTED = 20
"""Tables shown of one server."""

SECONDS_EACH = 5.0
"""So long may one server take; they are asked all at once."""

NOTHING = """\
No server was found.  Its host has to start it with senro-server --lan, on the same network; some
networks of guests keep their machines from seeing each other.  With its address you can join it all
the same: senro join HOST:PORT."""


async def browse(known: KnownServers, seconds: float, interface: str | None) -> None:
    """Run the command; raises :class:`ClientError` for whatever goes wrong."""
    found = await find_servers(seconds, interface)
    if not found:
        print(NOTHING)
        return
    for one, lines in zip(found, await tables_of(found, known), strict=True):
        print(f"{one.record.name}  {one.address.place}  ({one.in_words()})")
        for line in lines:
            print(f"    {line}")


async def tables_of(found: list[Found], known: KnownServers) -> list[list[str]]:
    """For each server a line for each of its tables, or one that says why there is none."""
    return await asyncio.gather(*(_tables(one, known) for one in found))


async def _tables(found: Found, known: KnownServers) -> list[str]:
    if not found.record.understood:
        return ["its tables cannot be listed: it speaks other versions of the protocol"]
    if found.record.password:
        return ["its tables are shown to those who have the password"]
    # A name that is nobody's: looking around must not keep a player out of their own.
    visit = Visit(found.address, f"visitor-{secrets.token_hex(3)}", known)
    try:
        async with asyncio.timeout(SECONDS_EACH):
            tables, more = await _listed(visit, found.record.fingerprint)
    except TimeoutError:
        return ["it does not answer"]
    except CertificateError as error:
        return [shorten(str(error), 78)]
    except (ClientError, RefusedError) as error:
        return [f"its tables cannot be listed: {shorten(str(error), 200)}"]
    lines = [table_line(table) for table in tables[:LISTED]]
    if more or len(tables) > LISTED:
        lines.append("and more")
    return lines or ["no tables yet"]


async def _listed(visit: Visit, announced: str) -> tuple[list[TableInfo], bool]:
    """The tables, and whether there are more.  A server that is not known yet is asked if it shows
    the certificate that it announces: that proves nothing, and nothing secret is said to it."""
    if visit.address.tls is None and visit.known.find(visit.address.place):
        visit = replace(visit, address=visit.address._replace(tls=True))
    try:
        connection = await visit.connect(lasting=False)
    except NewCertificateError as new:
        if not announced or not new.fingerprint.startswith(announced):
            raise
        visit = replace(visit, known=KnownServers(), fingerprint=new.fingerprint)
        connection = await visit.connect(lasting=False)
    async with connection:
        result = await connection.request(ListTables(connection.next_id()))
    try:
        tables = msgspec.convert(result.get("tables", []), list[TableInfo])
    except (msgspec.ValidationError, RecursionError):
        raise ClientError("what it says of its tables is not understood") from None
    return tables, bool(result.get("next"))


def table_line(table: TableInfo) -> str:
    """A table in one line: what it is, where it is played, who is there."""
    taken = [shorten(seat.name, 20) for seat in table.seats[:4] if seat.kind != "open"]
    title = shorten(table.title, 40) or f"{shorten(table.host, 20)}'s table"
    words = [title, shorten(table.options.board, 20), shorten(table.state, 10)]
    words.append(f"{len(taken)} of {len(table.seats)} seats taken")
    return ", ".join(words) + (f": {', '.join(taken)}" if taken else "")
