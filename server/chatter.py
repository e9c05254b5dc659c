"""What is said at a table: who hears it, who may not speak, and what is kept for the absent.

Nothing of it is journaled.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from protocol.codec import encode_frame
from protocol.messages import ChatLine
from protocol.names import name_key

if TYPE_CHECKING:
    from server.table import Member

SERVER = "*"
"""The server's name in lines of chat: no player can have one so short."""


class _Line(NamedTuple):
    number: int
    speaker: str  # a name's key
    frame: bytes


class Chatter:
    """The chat of one table.

    ``last`` is the number of the last line; ``silenced`` are those who may not speak, by the keys
    of their names.  Numbers go on from the time of day, so that they rise even if the server was
    started anew.
    """

    def __init__(self, table: str, kept: int) -> None:
        self._table = table
        self._said: deque[_Line] = deque(maxlen=kept)
        self.last = int(time.time() * 1000)
        self.silenced: dict[str, str] = {}

    def say(self, name: str, text: str, members: Iterable[Member]) -> None:
        """Let everybody hear a line, but for those who do not want to hear its speaker."""
        self.last += 1
        line = _Line(
            self.last, name_key(name), encode_frame(ChatLine(self._table, name, text, self.last))
        )
        self._said.append(line)
        for member in members:
            if line.speaker not in member.muted:
                member.session.outbox.put(line.frame)

    def missed(self, member: Member) -> bytes:
        """The frames of what is kept and was said since somebody came."""
        return b"".join(
            line.frame
            for line in self._said
            if line.number > member.since and line.speaker not in member.muted
        )
