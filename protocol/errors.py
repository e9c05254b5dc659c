"""What can go wrong on the wire, as stable codes, and the exceptions of this package.

The table :data:`CODES` is the only list of error codes; clients switch on the code and show the
sentence that travels with it.  This module knows no message beyond :class:`messages.Error`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from msgspec import UNSET, Struct

from protocol.messages import Error

CODES: Mapping[str, str] = MappingProxyType(
    {
        # the connection itself; these come without ``re`` and end it
        "not-senro": "the first bytes are not the magic; the connection ends without a word",
        "bad-frame": "a frame is not one msgpack map of the allowed subset",
        "frame-too-long": "a frame announces more bytes than the limit",
        "no-tls": "the first bytes are TLS, which is not spoken here; connect without it",
        "tls-needed": "nothing but TLS is spoken here; connect with it",
        "version": "no common protocol version; the text names the supported range",
        "unexpected-message": "a message that has no place at this point of the connection",
        "password-needed": "the server has a password; connect again with it in hello",
        "wrong-password": "this is not the server's password",
        "bad-name": "the name is too short or too long; connect again with another",
        "name-taken": "somebody who is here has the same name but for case and form",
        "no-such-session": "the token is of no session that is kept; say hello without it",
        "replaced": "another connection has taken the session up; this one is not needed any more",
        "timeout": "nothing, or not the rest of a frame, came in time",
        "too-slow": "too much waits to be read by this connection",
        "shutting-down": "the server ends",
        "kicked": "whoever runs the server has closed this connection",
        "banned": "whoever runs the server does not let this name or address in",
        # a single message or request
        "bad-message": "no message of this type, or a field is missing, unknown or out of range",
        "too-many": "too many connections, tables, requests or chat lines; try again later",
        "busy": "the server or the table cannot take this now; try again later",
        "bad-options": "the options of a table do not fit together; the text begins with the "
        "option that it is about (`players: ...`)",
        "bad-text": "a title or chat line is too long or has nothing printable",
        "muted": "whoever runs the server, or the host of the table, does not let this player chat",
        "no-such-table": "there is no table of that name",
        "bad-password": "the table has a password, and this is not it",
        "not-admitted": "the host of the table has put this player out; there is no way back",
        "no-watching": "nobody may watch at this table",
        "no-such-player": "nobody of that name is at the table, or it is the one who asks",
        "no-such-bot": "there is no bot of that level; welcome lists them",
        "no-such-seat": "the table has no such seat, or no bot holds it",
        "seat-taken": "somebody holds that seat already",
        "color-taken": "somebody has that colour already",
        "table-full": "no seat is free",
        "already-here": "you are at this table already",
        "not-here": "you are not at this table",
        "not-host": "only the host of the table may do this",
        "not-your-seat": "you hold no seat at this table; only players may do this",
        "not-ready": "not all seats are taken, or not everybody is ready",
        "wrong-state": "the table has not begun, is running or is over: not now",
        "unknown-decision": "you are not asked this: answered, another's, or never asked",
        "too-late": "you were asked this, but the time for it was over; it was answered for you",
        "illegal-answer": "the answer is none that the decision's options allow",
        "internal": "the server made a mistake; the game goes on or its journal is kept",
    }
)
"""Every error code with its meaning."""


class ProtocolError(Exception):
    """Base of the exceptions of this package."""


class RemoteError(ProtocolError):
    """The peer broke the rules of framing or encoding: ``code`` and a sentence that is safe to
    print, whatever the peer sent."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


class LocalError(ProtocolError):
    """This side tried to send what may not be sent now, or cannot be put into a frame."""


class Fault(Struct, frozen=True):
    """Something a peer sent is wrong.

    After a ``fatal`` one the connection delivers nothing more; its shell sends ``error`` (unless
    the code is ``not-senro``: then it says nothing at all) and closes.
    """

    error: Error
    fatal: bool


def error(code: str, text: str = "", re: int | None = None) -> Error:
    """An :class:`messages.Error` with a code out of the table; without a text, its meaning.

    Raises KeyError for a code that is not in the table.
    """
    meaning = CODES[code]
    return Error(code=code, text=text or meaning, re=UNSET if re is None else re)
