"""What may be done at a table besides playing: seats, colours, bots, and what only a host may do.

Each of these either changes the table and writes that into the journal, or raises Refusal and
changes nothing.  Telling the others comes afterwards (:meth:`server.table.Table.tell`).
"""

from __future__ import annotations

from dataclasses import replace

from engine.bots import LEVELS
from engine.types import SPECTATOR
from protocol.matching import meant
from protocol.names import name_key
from server.password import Hash
from server.refusal import Refusal
from server.seating import BOT, HUMAN, OPEN, Seat, bot_name, free_color, free_seat
from server.session import Session
from server.table import Member, Table


def set_ready(table: Table, session: Session, ready: bool) -> None:
    """Note whether a player is ready."""
    member = table.member(session)
    if member.seat == SPECTATOR:
        raise Refusal("not-your-seat", "you are watching; only players can be ready")
    _in_lobby(table)
    table.seats[member.seat] = replace(table.seats[member.seat], ready=ready)


# ------------------------------------------------------------------ seats


def sit(table: Table, session: Session, seat: int) -> None:
    """Take another seat, or none (:data:`SPECTATOR`)."""
    member = table.member(session)
    _in_lobby(table)
    if seat == member.seat:
        return
    if seat == SPECTATOR:
        table.check_watching()
    elif seat >= len(table.seats):
        raise Refusal("no-such-seat", f"seats are 0 to {len(table.seats) - 1}")
    elif table.seats[seat].kind != OPEN:
        raise Refusal("seat-taken", f"{table.seats[seat].name} sits there")
    with table.noted():
        mine = table.new_seat(session)
        if member.seat != SPECTATOR:
            mine, table.seats[member.seat] = table.seats[member.seat], Seat()
        if seat != SPECTATOR:
            table.seats[seat] = mine
        member.seat = seat


def swap(table: Table, session: Session, seat: int, other: int) -> None:
    """Let whoever is on two seats change places."""
    _host_in_lobby(table, session)
    seats = table.seats
    for number in (seat, other):
        if number >= len(seats):
            raise Refusal("no-such-seat", f"seats are 0 to {len(seats) - 1}")
    with table.noted():
        seats[seat], seats[other] = seats[other], seats[seat]
        for number in (seat, other):
            holder = seats[number].session
            if holder is not None:
                table.members[holder].seat = number


def choose_color(table: Table, session: Session, color: str) -> None:
    """Give a player's rails another colour."""
    member = table.member(session)
    if member.seat == SPECTATOR:
        raise Refusal("not-your-seat", "you are watching; only players have a colour")
    _in_lobby(table)
    for number, seat in enumerate(table.seats):
        if seat.color == color and number != member.seat:
            raise Refusal("color-taken", f"{seat.name} is {color} already")
    with table.noted():
        table.seats[member.seat] = replace(table.seats[member.seat], color=color)


# ------------------------------------------------------------------ bots


def add_bot(table: Table, session: Session, level: str) -> int:
    """Put a bot on a free seat; returns which."""
    _host_in_lobby(table, session)
    levels = meant(level, {name: (name,) for name in LEVELS})
    if len(levels) != 1:
        raise Refusal("no-such-bot", f"bots are: {', '.join(LEVELS)}")
    (level,) = levels
    free = free_seat(table.seats)
    if free is None:
        raise Refusal("table-full", "no seat is free")
    with table.noted():
        name, color = bot_name(level, table.seats), free_color(table.seats)
        table.seats[free] = Seat(BOT, name, level=level, color=color)
    return free


def remove_bot(table: Table, session: Session, seat: int) -> None:
    """Free a seat that a bot holds."""
    _host_in_lobby(table, session)
    if seat >= len(table.seats) or table.seats[seat].kind != BOT:
        raise Refusal("no-such-seat", f"no bot holds seat {seat}")
    with table.noted():
        table.seats[seat] = Seat()


# ------------------------------------------------------------------ what a host may do


def set_password(table: Table, session: Session, password: Hash | None) -> None:
    """Lock the table with a password, or with none."""
    _host_in_lobby(table, session)
    with table.noted():
        table.password = password


def check_kick(table: Table, session: Session, name: str) -> Session:
    """Whom a host puts out; they are still there."""
    check_host(table, session)
    return _other(table, session, name).session


def give_host(table: Table, session: Session, name: str) -> None:
    """Make somebody else the host."""
    check_host(table, session)
    other = _other(table, session, name).session
    if not other.connected:
        raise Refusal("no-such-player", f"{other.name} is not connected just now")
    if table.state == "lobby":
        with table.noted():
            table.host = other
    else:
        table.host = other


def mute(table: Table, session: Session, name: str, muted: bool, everybody: bool) -> None:
    """Let nobody hear somebody any more, or only the one who asks; or hear them again."""
    member = table.member(session)
    if everybody:
        check_host(table, session)
    names = table.chatter.silenced if everybody else member.muted
    key = name_key(name)
    if not muted:
        if names.pop(key, None) is None:
            raise Refusal("no-such-player", "nobody of that name is muted")
        return
    other = _other(table, session, name)
    names[other.session.key] = other.session.name


def check_host(table: Table, session: Session) -> None:
    """Raises Refusal unless this is the table's host."""
    table.member(session)
    if table.host is not session:
        raise Refusal("not-host", "only the host of the table may do this")


def check_start(table: Table, session: Session) -> None:
    """Raises Refusal unless the game can begin now."""
    _host_in_lobby(table, session)
    if any(seat.kind == OPEN for seat in table.seats):
        raise Refusal("not-ready", "a seat is free; fill it with a player or a bot")
    waited_for = [
        seat.name if seat.present else f"{seat.name} (not connected)"
        for seat in table.seats
        if seat.kind == HUMAN and not (seat.present and (seat.ready or seat.session is session))
    ]
    if waited_for:
        raise Refusal("not-ready", f"not ready yet: {', '.join(waited_for)}")


def check_rematch(table: Table, session: Session) -> None:
    """Raises Refusal unless there can be another game now."""
    check_host(table, session)
    if table.state != "over":
        raise Refusal("wrong-state", "the game is not over yet")


def _host_in_lobby(table: Table, session: Session) -> None:
    check_host(table, session)
    _in_lobby(table)


def _in_lobby(table: Table) -> None:
    if table.state != "lobby":
        raise Refusal("wrong-state", "the game has begun already")


def _other(table: Table, session: Session, name: str) -> Member:
    key = name_key(name)
    for member in table.members.values():
        if member.session.key == key and member.session is not session:
            return member
    raise Refusal("no-such-player", "nobody else of that name is at this table")
