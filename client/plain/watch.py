"""Watching a game to its end as text: one block a turn, then the final account."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from client.connection import Connection, LineNews
from client.errors import ClientError
from client.model import LoggedEvent, TableModel
from client.plain import guide
from client.plain.history import Teller
from client.plain.lines import Glyphs, Line, safe, text
from client.plain.result import final_table
from protocol.messages import Closed, GetHistory, GetSnapshot, Loaded, Lobby

Show = Callable[[Iterable[Line]], None]
PAGE = 200


async def watch(connection: Connection, table: str, show: Show, glyphs: Glyphs) -> None:
    """Print a table's game as it goes; returns when it is over.

    Raises :class:`ClientError` if the table or the connection ends before the game.
    """
    model = TableModel(table)
    teller = Teller(glyphs, whole=lambda _: True)
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
            show(guide.introduction(model, newcomer=False))
        if change.history_wanted is not None:
            change.events += await fetch(connection, model, *change.history_wanted)
        show(teller.tell(model, change.events))
        if not loaded:
            loaded = True
            await connection.request(Loaded(connection.next_id(), table))
        if model.over:
            show([*teller.flush(model), text(""), *final_table(model, glyphs)])
            return


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
