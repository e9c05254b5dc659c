"""A player who has said hello: a name, the tables they are at, and the connection they have now.

A session outlives its connections.  Whoever shows its token takes it up again; the server keeps no
more than the token's SHA-256, so neither its memory nor a journal can give a seat away.  While
there is no connection, what is said to the session is said to nobody: it is shown everything anew
when it is taken up.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection
from hashlib import sha256
from hmac import compare_digest
from math import inf
from typing import TYPE_CHECKING

import trio

from protocol.codec import encode_frame
from protocol.messages import ServerMessage
from protocol.names import name_key
from server.calls import Calls
from server.meter import Meter
from server.outbox import Outbox
from server.settings import Settings

if TYPE_CHECKING:
    from server.table import Table

TOKEN_BYTES = 32

HangUp = Callable[[str, str], None]
"""Ends a connection with a code and a sentence."""

_NOWHERE = Outbox(0)
_NOWHERE.finish()


def random_token() -> str:
    """A token that nobody can guess: 43 letters, digits, ``-`` and ``_``."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def token_hash(token: str) -> bytes:
    """What is kept of a token: its SHA-256."""
    return sha256(token.encode("utf-8", "replace")).digest()


class Session:
    """One player among those who are known here.

    ``key`` is what makes the name unique, ``token_hash`` what a token is checked against;
    ``address`` is where the last connection came from (without a port).  ``away_since`` (Trio's
    clock) says since when there is no connection; infinity while there is one.  ``asked`` is set by
    the first request: before that there is nothing to come back to.
    """

    __slots__ = (
        "_hang_up",
        "address",
        "asked",
        "away_since",
        "calls",
        "chat",
        "key",
        "language",
        "name",
        "outbox",
        "tables",
        "token_hash",
    )

    def __init__(
        self,
        name: str,
        token_hash: bytes,
        settings: Settings,
        language: str = "en",
        address: str = "",
    ) -> None:
        self.name = name
        self.key = name_key(name)
        self.token_hash = token_hash
        self.address = address
        self.language = language
        self.tables: dict[str, Table] = {}
        self.asked = False
        self.calls = Calls()
        self.outbox = _NOWHERE
        self._hang_up: HangUp | None = None
        self.away_since = now = trio.current_time()
        self.chat = Meter(settings.chat / settings.chat_every, settings.chat, now)

    @property
    def connected(self) -> bool:
        """Whether there is a connection."""
        return self._hang_up is not None

    def known_by(self, digest: bytes) -> bool:
        """Whether this is the hash of the session's token; takes the same time for every wrong
        one."""
        return compare_digest(self.token_hash, digest)

    def attach(self, outbox: Outbox, hang_up: HangUp, unanswered: Collection[int] = ()) -> None:
        """From now on this connection is the session's; one that it had is told and ended.  Its
        client will send the requests ``unanswered`` again."""
        before, self._hang_up = self._hang_up, hang_up
        self.outbox = outbox
        self.away_since = inf
        self.calls.turn_over(unanswered)
        if before is not None:
            before("replaced", "another connection has taken up this session")

    def detach(self, outbox: Outbox) -> bool:
        """The connection with this outbox has ended; False: it was not the session's any more."""
        if outbox is not self.outbox:
            return False
        self.outbox = _NOWHERE
        self._hang_up = None
        self.away_since = trio.current_time()
        return True

    def send(self, message: ServerMessage) -> None:
        """Put a message that has to arrive into the queue."""
        self.outbox.put(encode_frame(message))
