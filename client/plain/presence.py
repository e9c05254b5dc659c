"""Who is there: what changed between two states of a table's seats while its game runs.

The server says of a seat whether its holder is connected, and whether they have left for good.
"""

from __future__ import annotations

from client.model import TableModel
from client.plain.lines import safe
from protocol.messages import SeatInfo, TableInfo


def gone(seat: SeatInfo) -> bool:
    """Held by a person who is not there."""
    return seat.kind == "human" and not seat.connected


def comings_and_goings(before: TableInfo | None, now: TableInfo) -> list[str]:
    """A sentence for everybody who went or came back since; without a before: who is missing."""
    told = []
    old = before.seats if before is not None else []
    for number, seat in enumerate(now.seats):
        name = safe(seat.name, 20)
        was_gone = number < len(old) and gone(old[number])
        had_left = number < len(old) and old[number].left
        if seat.left and not had_left:
            told.append(f"{name} is not here any more; a bot plays for that seat.")
        elif gone(seat) and not was_gone:
            told.append(f"{name} has lost the connection, and may come back.")
        elif was_gone and not gone(seat):
            told.append(f"{name} is back.")
    return told


def waited_for(model: TableModel) -> str:
    """Who is deciding, other than the reader, and whether they are there at all."""
    if model.view is None:
        return ""
    names = []
    for number in model.view.asked:
        if number == model.seat:
            continue
        seats = model.info.seats if model.info is not None else []
        away = 0 <= number < len(seats) and gone(seats[number])
        names.append(safe(model.name(number), 20) + (", not here," if away else ""))
    return ", ".join(names)
