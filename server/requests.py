"""What a player may ask, and who answers it: a table from message types to handlers.

A handler changes something and returns the :class:`Reply`, or raises :class:`Refusal`; what
others have to be told comes after the reply.  Only an answer to a decision goes another way: it is
put into the mailbox of its table, whose task replies.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec
import trio
from msgspec import Raw

from protocol.errors import LocalError
from protocol.messages import (
    AddBot,
    Answer,
    Chat,
    Create,
    GetCatalogue,
    GetHistory,
    GetSnapshot,
    Join,
    Leave,
    ListTables,
    Loaded,
    Pause,
    Ping,
    Prefer,
    Ready,
    RemoveBot,
    Request,
    Start,
)
from protocol.names import TextError, clean_text
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
        result, then = _HANDLERS[type(message)](hall, session, message)
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


def _list(hall: Hall, _session: Session, message: ListTables) -> Reply:
    # hall.tables has them in the order of their numbers
    wanted = [table for table in hall.tables.values() if table.number > message.after]
    infos = (Raw(_to_msgpack(table.info())) for table in wanted)
    found = page(infos, message.limit, hall.settings.page_bytes)
    following = wanted[len(found) - 1].number if len(found) < len(wanted) else 0
    return Reply({"tables": found, "next": following})


def _create(hall: Hall, session: Session, message: Create) -> Reply:
    options = message.options or hall.defaults
    table = hall.create(session, message.title, options, message.watch)
    return Reply({"table": table.id}, table.tell)


def _join(hall: Hall, session: Session, message: Join) -> Reply:
    table = hall.table(message.table)
    if session not in table.members:
        hall.check_room(session)
    table.enter(session, message.watch)
    hall.reminders.drop(table)

    def then() -> None:
        table.tell()
        if table.play is not None:
            table.play.show(session)

    return Reply({"table": table.id}, then)


def _leave(hall: Hall, session: Session, message: Leave) -> Reply:
    table, _ = _here(hall, session, message.table)
    return Reply({}, lambda: hall.leave(table, session))


def _ready(hall: Hall, session: Session, message: Ready) -> Reply:
    table, _ = _here(hall, session, message.table)
    table.set_ready(session, message.ready)
    return Reply({}, table.tell)


def _add_bot(hall: Hall, session: Session, message: AddBot) -> Reply:
    table, _ = _here(hall, session, message.table)
    return Reply({"seat": table.add_bot(session, message.level)}, table.tell)


def _remove_bot(hall: Hall, session: Session, message: RemoveBot) -> Reply:
    table, _ = _here(hall, session, message.table)
    table.remove_bot(session, message.seat)
    return Reply({}, table.tell)


def _start(hall: Hall, session: Session, message: Start) -> Reply:
    table, _ = _here(hall, session, message.table)
    hall.order.check_begin()
    play = table.start(session)

    def then() -> None:
        table.tell()
        for member in list(table.members):
            play.show(member)
        hall.run_game(play)

    return Reply({}, then)


def _chat(hall: Hall, session: Session, message: Chat) -> Reply:
    table, _ = _here(hall, session, message.table)
    settings = hall.settings
    hall.order.check_chat(session.key)
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
    Create: _create,
    Join: _join,
    Leave: _leave,
    Ready: _ready,
    AddBot: _add_bot,
    RemoveBot: _remove_bot,
    Start: _start,
    Chat: _chat,
    Loaded: _loaded,
    Prefer: _prefer,
    Pause: _pause,
    GetSnapshot: _snapshot,
    GetCatalogue: _catalogue,
    GetHistory: _history,
}
