"""Watching a game to its end as text: one block a turn, then the final account."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterable

from client.connection import Connection, ConnectionLostError, LineNews
from client.errors import ClientError
from client.model import LoggedEvent, TableModel
from client.plain import guide
from client.plain.history import ENDS, Teller
from client.plain.lines import WIDTH, Glyphs, Line, safe, text
from client.plain.result import final_table
from protocol.messages import Closed, GetHistory, GetSnapshot, Loaded, Lobby

Show = Callable[[Iterable[Line]], None]
PAGE = 200


async def watch(
    connection: Connection,
    table: str,
    show: Show,
    glyphs: Glyphs,
    *,
    width: int = WIDTH,
    pace: float = 0,
    rest: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> str:
    """Print a table's game as it goes, and before each turn rest for ``pace`` seconds; returns the
    seed when it is over, if the server tells it.

    Raises :class:`ClientError` if the table or the connection ends before the game.
    """
    model = TableModel(table)
    teller = Teller(glyphs, whole=lambda _: True, width=lambda: width)
    loaded = False
    introduced = False
    while True:
        message = await connection.next()
        if isinstance(message, LineNews):
            continue
        change = model.apply(message)
        if change.snapshot_wanted:
            await connection.request(GetSnapshot(connection.next_id(), table))
        if isinstance(message, Lobby) and message.info.state == "broken":
            raise ClientError("The game has broken off: the server made a mistake.")
        if isinstance(message, Closed) and change.closed is not None:
            raise ClientError(f"The table was closed: {safe(change.closed, 200)}")
        if model.view is None or model.catalogue is None or model.info is None:
            continue
        if not introduced:
            introduced = True
            show(guide.introduction(model, newcomer=False, width=width))
        if change.history_wanted is not None:
            change.events += await fetch(connection, model, *change.history_wanted)
        if pace and any(logged.event.type in ENDS for logged in change.events):
            await rest(pace)
        show(teller.tell(model, change.events))
        if not loaded:
            loaded = True
            await connection.request(Loaded(connection.next_id(), table))
        if model.over:
            show([*teller.flush(model), text(""), *final_table(model, glyphs, width)])
            return await _seed(connection, model)


async def _seed(connection: Connection, model: TableModel) -> str:
    """The seed of a game that is over, which the lobby tells last; empty if it was chosen."""
    with contextlib.suppress(ConnectionLostError):
        while model.info is not None and model.info.state == "playing":
            message = await connection.next()
            if not isinstance(message, LineNews):
                model.apply(message)
    info = model.info
    return info.seed if info is not None and not info.seeded else ""


async def fetch(
    connection: Connection, model: TableModel, since: int, until: int
) -> list[LoggedEvent]:
    """The events from one number up to another, put into the model's log."""
    fetched: list[LoggedEvent] = []
    while since < until:
        request = GetHistory(connection.next_id(), model.table, since, min(PAGE, until - since))
        events = model.read_history(await connection.request(request))
        if not events:
            break
        fetched += model.keep(events)
        since += len(events)
    return fetched
