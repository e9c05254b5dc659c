"""Requests and their replies, so that each is carried out once although a connection breaks.

A client whose connection was lost cannot know whether its last requests were carried out.  When it
takes the session up again it names those without a reply, and sends them again as they were; here
it is found out which of them were carried out already, and only their replies are said again.
Requests that change nothing are not remembered: they may be carried out as often as one likes.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from protocol.codec import encode_frame
from protocol.errors import error
from protocol.messages import (
    GetCatalogue,
    GetHistory,
    GetSnapshot,
    ListTables,
    Loaded,
    Ok,
    Ping,
    Request,
)
from server.outbox import Outbox

REMEMBERED = 64
"""Requests of one connection that a session remembers, the last ones."""

_HARMLESS = frozenset({Ping, ListTables, Loaded, GetSnapshot, GetCatalogue, GetHistory})


class Call:
    """One request and its reply, which goes to the connection that wants it.

    What the request said is not kept (it may hold a password), only a mark to know it again.
    """

    __slots__ = ("_id", "_mark", "_outbox", "_reply", "_wanted", "given_up")

    def __init__(self, request: Request, outbox: Outbox) -> None:
        self._id = request.id
        self._mark = _mark(request)
        self._outbox = outbox
        self._reply = b""
        self._wanted = False  # over another connection
        self.given_up = False

    def is_for(self, request: Request) -> bool:
        """Whether this was the request."""
        return self._mark == _mark(request)

    def accept(self, result: dict[str, Any] | None = None, *, later: bool = False) -> None:
        """Reply that it was carried out.  Raises LocalError if the result is too long for a
        frame.  With ``later`` a flush of the outbox will follow."""
        self._say(encode_frame(Ok(self._id, result or {})), later=later)

    def refuse(self, code: str, text: str) -> None:
        """Reply that it was refused."""
        self._say(encode_frame(error(code, text, self._id)))

    def _say(self, reply: bytes, *, later: bool = False) -> None:
        self._reply = reply
        self._outbox.put(reply, later=later)

    def repeat(self, outbox: Outbox) -> None:
        """The same request has come again over another connection."""
        self._outbox = outbox
        self._wanted = True
        if self._reply:
            outbox.put(self._reply)

    def give_up(self) -> None:
        """It is not carried out after all: its connection ended while it had to wait."""
        self.given_up = True
        if self._wanted:
            self.refuse("busy", "this had to wait for too long; try again")


def _mark(request: Request) -> tuple[type[Request], int]:
    return type(request), hash(request)


class Calls:
    """The last calls of one session."""

    __slots__ = ("_before", "_now")

    def __init__(self) -> None:
        self._now: dict[int, Call] = {}
        self._before: dict[int, Call] = {}

    def begin(self, request: Request, outbox: Outbox) -> Call | None:
        """The call of a request that has come; None if it came over an earlier connection
        already: its reply has been said again or is to come."""
        call = Call(request, outbox)
        if type(request) in _HARMLESS:
            return call
        known = self._before.pop(request.id, None) if self._before else None
        if known is not None and known.is_for(request) and not known.given_up:
            known.repeat(outbox)
            call = known
        self._now.pop(request.id, None)
        self._now[request.id] = call
        if len(self._now) > REMEMBERED:
            del self._now[next(iter(self._now))]
        return None if call is known else call

    def turn_over(self, unanswered: Collection[int]) -> None:
        """A new connection begins, whose client will send these again."""
        known = self._before | self._now
        self._before = {number: known[number] for number in unanswered if number in known}
        self._now = {}
