"""What a player may ask, and who answers it: a table from message types to handlers.

A handler changes something and returns the :class:`Reply`, or raises :class:`Refusal`; what
others have to be told comes after the reply.  Only an answer to a decision goes another way: it is
put into the mailbox of its table, whose task replies.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

import msgspec
import trio
from msgspec import Raw

from protocol.errors import LocalError
from protocol.messages import (
    AddBot,
    Answer,
    Chat,
    ChooseColor,
    Create,
    GetCatalogue,
    GetHistory,
    GetSnapshot,
    GiveHost,
    Join,
    Kick,
    Leave,
    ListTables,
    Loaded,
    Mute,
    Pause,
    Ping,
    Prefer,
    Ready,
    Rematch,
    RemoveBot,
    Request,
    SetPassword,
    Sit,
    Start,
    Swap,
)
from protocol.names import TextError, clean_text
from server import lobby
from server.hall import Hall
from server.mailbox import Letter
from server.outbox import Outbox
from server.pages import page
from server.play import Play
from server.preview import preview
from server.refusal import Refusal
from server.session import Session
from server.table import Member, Table


class Reply(NamedTuple):
    """The result of a request, and what is to be told to whom once its sender has it."""

    result: dict[str, Any]
    then: Callable[[], None] | None = None


_DONE = Reply({})
_to_msgpack = msgspec.msgpack.Encoder().encode


async def handle(hall: Hall, session: Session, message: Request, outbox: Outbox) -> None:
    """Carry out one request and reply to it over the connection it came from."""
    session.asked = True
    call = session.calls.begin(message, outbox)
    if call is None:
        return
    try:
        if type(message) is Answer:
            letter = Letter(session, message, call, trio.current_time())
            await _game(hall, session, message.table).deliver(letter)
            return
        slow = _SLOW.get(type(message))
        if slow is None:
            result, then = _HANDLERS[type(message)](hall, session, message)
        else:
            result, then = await slow(hall, session, message)
        call.accept(result)
    except Refusal as no:
        hall.tally.refused[no.code] += 1
        call.refuse(no.code, no.text)
        return
    except OSError as wrong:  # no descriptors or memory left: nobody's mistake, and no end
        hall.log.error("request failed", request=type(message).__name__, reason=str(wrong))
        hall.tally.refused["busy"] += 1
        call.refuse("busy", "the server has run out of something; try again later")
        return
    except LocalError as wrong:
        # Whatever is too much for a frame costs its sender this reply, not the connection.
        hall.log.error("reply not sent", request=type(message).__name__, reason=str(wrong))
        call.refuse("internal", "the server's answer does not fit into a frame")
        return
    except trio.Cancelled:
        call.give_up()
        raise
    if then is not None:
        try:
            then()
        except LocalError as wrong:
            hall.log.error("news not sent", request=type(message).__name__, reason=str(wrong))


def _here(hall: Hall, session: Session, table_id: str) -> tuple[Table, Member]:
    table = hall.table(table_id)
    member = table.members.get(session)
    if member is None:
        raise Refusal("not-here", "you are not at this table")
    return table, member


def _game(hall: Hall, session: Session, table_id: str) -> Play:
    table, member = _here(hall, session, table_id)
    if member.seat < 0:
        raise Refusal("not-your-seat", "you are watching; only players are asked")
    if table.play is None or table.state != "playing":
        raise Refusal("wrong-state", "no game is being played at this table")
    return table.play


def _begun(hall: Hall, session: Session, table_id: str) -> tuple[Play, Member]:
    table, member = _here(hall, session, table_id)
    if table.play is None:
        raise Refusal("wrong-state", "the game has not begun")
    return table.play, member


def _ping(_hall: Hall, _session: Session, _message: Ping) -> Reply:
    return _DONE


def _list(hall: Hall, session: Session, message: ListTables) -> Reply:
    # hall.tables has them in the order of their numbers
    wanted = [
        table
        for table in hall.tables.values()
        if table.number > message.after and (not table.options.private or session in table.members)
    ]
    infos = (Raw(_to_msgpack(table.info())) for table in wanted)
    found = page(infos, message.limit, hall.settings.page_bytes)
    following = wanted[len(found) - 1].number if len(found) < len(wanted) else 0
    return Reply({"tables": found, "next": following})


async def _create(hall: Hall, session: Session, message: Create) -> Reply:
    options = message.options or hall.defaults
    password = await hall.lock(session, message.password)
    table = hall.create(session, message.title, options, message.watch, password)
    return Reply({"table": table.id}, lambda: hall.settle(table))


async def _join(hall: Hall, session: Session, message: Join) -> Reply:
    table = hall.table(message.table)
    if session not in table.members:
        hall.check_room(session)
        table.check_entering(session)
        await hall.unlock(session, table, message.password)
    table.enter(session, message.watch)

    def then() -> None:
        hall.settle(table)
        if table.play is not None:
            table.play.show(session)

    return Reply({"table": table.id}, then)


async def _set_password(hall: Hall, session: Session, message: SetPassword) -> Reply:
    table, _ = _here(hall, session, message.table)
    lobby.check_host(table, session)
    password = await hall.lock(session, message.password)
    lobby.set_password(hall.table(table.id), session, password)
    return Reply({}, table.tell)


def _leave(hall: Hall, session: Session, message: Leave) -> Reply:
    table, _ = _here(hall, session, message.table)
    return Reply({}, lambda: hall.leave(table, session))


def _in_lobby(
    change: Callable[[Table, Session, Any], object],
) -> Callable[[Hall, Session, Any], Reply]:
    """A handler for a change of a lobby; a number that it returns is the seat."""

    def handler(hall: Hall, session: Session, message: Any) -> Reply:
        table, _ = _here(hall, session, message.table)
        seat = change(table, session, message)
        return Reply({} if seat is None else {"seat": seat}, table.tell)

    return handler


def _kick(hall: Hall, session: Session, message: Kick) -> Reply:
    table, _ = _here(hall, session, message.table)
    other = lobby.check_kick(table, session, message.name)
    return Reply({}, lambda: hall.kick(table, other))


def _start(hall: Hall, session: Session, message: Start) -> Reply:
    table, _ = _here(hall, session, message.table)
    lobby.check_start(table, session)
    hall.order.check_begin()
    play = table.start()

    def then() -> None:
        table.tell()
        for member in list(table.members):
            play.show(member)
        hall.run_game(play)

    return Reply({}, then)


def _rematch(hall: Hall, session: Session, message: Rematch) -> Reply:
    table, _ = _here(hall, session, message.table)
    lobby.check_rematch(table, session)
    hall.rematch(table)
    return Reply({}, table.tell)


def _chat(hall: Hall, session: Session, message: Chat) -> Reply:
    table, _ = _here(hall, session, message.table)
    settings = hall.settings
    hall.order.check_chat(session.key)
    table.check_chat(session)
    try:
        text = clean_text(message.text, settings.chat_limit, "chat line")
    except TextError as wrong:
        raise Refusal("bad-text", str(wrong)) from None
    if not session.chat.try_take(trio.current_time()):
        raise Refusal(
            "too-many", f"at most {settings.chat} lines of chat in {settings.chat_every:g} seconds"
        )
    return Reply({}, lambda: table.chat(session, text))


def _loaded(hall: Hall, session: Session, message: Loaded) -> Reply:
    play, member = _begun(hall, session, message.table)
    member.loaded = True
    play.look()
    return _DONE


def _prefer(hall: Hall, session: Session, message: Prefer) -> Reply:
    play = _game(hall, session, message.table)
    table, member = _here(hall, session, message.table)
    play.prefer(member.seat, message.reactions)
    return Reply({}, lambda: table.tell_one(session))


def _pause(hall: Hall, session: Session, message: Pause) -> Reply:
    play = _game(hall, session, message.table)
    _, member = _here(hall, session, message.table)
    return Reply({}, play.wish(member.seat, message.pause))


def _snapshot(hall: Hall, session: Session, message: GetSnapshot) -> Reply:
    play, member = _begun(hall, session, message.table)
    frame = play.views.snapshot(member.seat)
    return Reply({}, lambda: play.teller.show_view(member, frame))


def _catalogue(hall: Hall, session: Session, message: GetCatalogue) -> Reply:
    table, _ = _here(hall, session, message.table)
    frame = preview(table) if table.play is None else table.play.views.catalogue()
    return Reply({}, lambda: session.outbox.put(frame))


def _history(hall: Hall, session: Session, message: GetHistory) -> Reply:
    play, member = _begun(hall, session, message.table)
    limit = min(message.limit, hall.settings.history_page)
    room = hall.settings.page_bytes
    events, following = play.views.history(member.seat, message.since, limit, room)
    return Reply({"events": events, "next": following})


_HANDLERS: dict[type[Request], Callable[[Hall, Session, Any], Reply]] = {
    Ping: _ping,
    ListTables: _list,
    Leave: _leave,
    Ready: _in_lobby(lambda t, s, m: lobby.set_ready(t, s, m.ready)),
    AddBot: _in_lobby(lambda t, s, m: lobby.add_bot(t, s, m.level)),
    RemoveBot: _in_lobby(lambda t, s, m: lobby.remove_bot(t, s, m.seat)),
    Sit: _in_lobby(lambda t, s, m: lobby.sit(t, s, m.seat)),
    Swap: _in_lobby(lambda t, s, m: lobby.swap(t, s, m.seat, m.other)),
    ChooseColor: _in_lobby(lambda t, s, m: lobby.choose_color(t, s, m.color)),
    GiveHost: _in_lobby(lambda t, s, m: lobby.give_host(t, s, m.name)),
    Mute: _in_lobby(lambda t, s, m: lobby.mute(t, s, m.name, m.muted, m.everybody)),
    Kick: _kick,
    Start: _start,
    Rematch: _rematch,
    Chat: _chat,
    Loaded: _loaded,
    Prefer: _prefer,
    Pause: _pause,
    GetSnapshot: _snapshot,
    GetCatalogue: _catalogue,
    GetHistory: _history,
}

_SLOW: dict[type[Request], Callable[[Hall, Session, Any], Awaitable[Reply]]] = {
    Create: _create,
    Join: _join,
    SetPassword: _set_password,
}
"""Those that have to wait for something."""
