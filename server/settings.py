"""Every limit of the server, as one frozen record with its defaults; nothing else.

Times are in seconds unless the name ends in ``_ms``.  The server prints all of them when it starts.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from protocol.messages import TableOptions

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 7262


class Settings(Struct, frozen=True, kw_only=True):
    """The limits the server keeps to (the design, section 8).

    frame_limit: bytes in one frame towards the server.
    frame_rate, frame_burst: messages a second that a connection may send, and how many at once;
        above that the server stops reading until they are due.
    queue: messages that wait for a slow reader before updates collapse into a snapshot.
    hello, rest_of_frame, silence: how long a client may take to say hello, to finish a frame it
        began, and to say nothing (it should ping every ``silence`` / 2).
    slow: how long one write may take before its reader is given up.
    farewell: how long last words may take before a connection is closed anyway.
    per_address: connections from one address.
    tables, tables_per_session, watchers: tables in all, tables one player may be at, and people
        who may watch one table.
    creates, creates_every: tables that may be opened from one address in ``creates_every`` seconds.
    mailbox: answers that wait for a table before its senders are held back.
    chat, chat_every, chat_limit: lines of chat a player may send in ``chat_every`` seconds, and the
        columns of one.
    history_page: events in one answer to ``get-history``.
    page_bytes: bytes that the events or tables in one answer may have.
    defaults: the options of tables whose creators name none.
    journal_retry: the longest pause before a failed write of a journal is tried again.
    """

    frame_limit: int = 8192
    frame_rate: float = 30.0
    frame_burst: int = 60
    queue: int = 64
    hello: float = 10.0
    rest_of_frame: float = 10.0
    silence: float = 30.0
    slow: float = 20.0
    farewell: float = 2.0
    per_address: int = 16
    tables: int = 200
    tables_per_session: int = 8
    watchers: int = 64
    creates: int = 20
    creates_every: float = 600.0
    mailbox: int = 64
    chat: int = 10
    chat_every: float = 10.0
    chat_limit: int = 300
    history_page: int = 200
    page_bytes: int = 65_536
    journal_retry: float = 8.0
    defaults: TableOptions = TableOptions()

    def to_plain(self) -> dict[str, Any]:
        """All settings by name, for the log."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return plain
