"""A player who has said hello: a name, an outgoing queue, and the tables they are at.

For now a session lives as long as its connection; it is its own record so that it can outlive one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import trio

from protocol.codec import encode_frame
from protocol.errors import error
from protocol.messages import ServerMessage
from protocol.names import name_key
from server.meter import Meter
from server.outbox import Outbox
from server.settings import Settings

if TYPE_CHECKING:
    from server.table import Table


class Session:
    """One player among those who are here; ``key`` is what makes the name unique, ``address``
    where the connection comes from (without a port)."""

    __slots__ = ("address", "chat", "key", "language", "name", "outbox", "tables")

    def __init__(
        self,
        name: str,
        outbox: Outbox,
        settings: Settings,
        language: str = "en",
        address: str = "",
    ) -> None:
        self.name = name
        self.key = name_key(name)
        self.address = address
        self.outbox = outbox
        self.language = language
        self.tables: dict[str, Table] = {}
        self.chat = Meter(settings.chat / settings.chat_every, settings.chat, trio.current_time())

    def send(self, message: ServerMessage) -> None:
        """Put a message that has to arrive into the queue."""
        self.outbox.put(encode_frame(message))

    def refuse(self, code: str, text: str, re: int) -> None:
        """Answer the request ``re`` with an error."""
        self.send(error(code, text, re))
