"""Every setting of the server, as frozen records with their defaults, ranges and meanings; nothing
else.  Where their values come from is :mod:`server.config`'s affair.

Times are in seconds unless the name ends in ``_ms``.  The server prints all of them when it starts.
A setting added here has its place in the file, its environment variable and its flag at once.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from protocol.messages import TableOptions

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 7262

Durability = Literal["answer", "turn", "off"]
Level = Literal["debug", "info", "warning", "error"]
Tls = Literal["off", "auto"]

ABOUT_TABLES = {
    "board": "a board that senro-server boards lists; left out: tokyo, if the boxes and the number "
    "of players allow it",
    "players": "seats; 0: two, if the board is for two",
    "boxes": "boxes to take cards from, base and rising-sun; left out: those that board and cards "
    "are from, or base",
    "kingdom": "eight cards with a pile each, or one set that senro-server sets lists; left "
    "out, or random: drawn anew for each table",
    "victory": "the box whose victory cards are played with, or one card of each tier; left "
    "out, or random: drawn between the boxes",
    "bonuses": "whether route bonuses are played with",
    "starts": "where a game begins: any city or hex, or the board's marked cities (chiba)",
    "order": "how seats are dealt",
    "reactions": "whether windows for reactions tell by their timing (fast) or not (sealed)",
    "turn_ms": "milliseconds of a turn; 0: turns have no clock",
    "reserve_ms": "milliseconds that a player has for the whole game besides",
    "window_ms": "milliseconds that players have to react to others; 0: as long as they like",
    "sealed_min_ms": "milliseconds that a sealed window is open at least",
    "absence_ms": "milliseconds that a player who is gone is waited for until a bot takes over",
    "loaded_ms": "milliseconds that players have to get their table on the screen",
    "private": "whether tables are left out of the list",
    "spectators": "whether others may watch: off, on, or delayed (some turns later)",
    "delay_turns": "turns that delayed spectators are behind",
}
"""What options of tables mean, for hosts; the wire describes them to writers of clients."""


def _text(what: str, least: int = 0) -> Meta:
    return Meta(min_length=least, max_length=4096, description=what)


def _range(low: float, high: float, what: str) -> Meta:
    return Meta(ge=low, le=high, description=what)


class Site(Struct, frozen=True, kw_only=True):
    """Where the server is to be found, and what it keeps where."""

    name: Annotated[
        str, Meta(max_length=64, description="what players see as the server's name")
    ] = ""
    host: Annotated[
        str, _text("address to listen at; with lan the default means all of this machine's", 1)
    ] = DEFAULT_HOST
    port: Annotated[int, _range(0, 65_535, "TCP port; 0 takes a free one")] = DEFAULT_PORT
    lan: Annotated[
        bool, Meta(description="listen to the local network, and tell it so by multicast DNS")
    ] = False
    state: Annotated[str, _text("folder for what outlives the server; empty: the user's own")] = ""
    journals: Annotated[
        str, _text("folder for the journals, one file a table; empty: journals in the state folder")
    ] = ""
    control: Annotated[
        str, _text("socket for senro-server ctl; empty: control.sock in the state folder")
    ] = ""
    box: Annotated[
        tuple[str, ...],
        Meta(
            max_length=8,
            description="folders of the host's own boxes: more cards and boards, or corrections",
        ),
    ] = ()
    metrics_port: Annotated[
        Annotated[int, Meta(ge=0, le=65_535)] | None,
        Meta(description="loopback port for /metrics and /healthz; 0 takes a free one"),
    ] = None
    tls: Annotated[
        Tls, Meta(description="auto: speak TLS, with a certificate made once in the state folder")
    ] = "off"
    tls_cert: Annotated[
        str, _text("PEM file of a certificate, with those that vouch for it; speaks TLS with it")
    ] = ""
    tls_key: Annotated[str, _text("PEM file of its key; empty: in the file of the certificate")] = (
        ""
    )
    password_file: Annotated[
        str, _text("file whose first line is the password that all players need, or its hash")
    ] = ""
    log_level: Annotated[Level, Meta(description="the least level that is logged")] = "info"

    def to_plain(self) -> dict[str, Any]:
        """All of it by name, for the log."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return plain


class Settings(Struct, frozen=True, kw_only=True):
    """The limits the server keeps to (the design, section 8), and the options of tables whose
    creators name none (``defaults``).

    Above ``frame_rate`` the server stops reading a connection until its messages are due.  A client
    should ping every ``silence`` / 2.  Records that are made in the code are not checked against
    the ranges: tests may go beyond them.
    """

    frame_limit: Annotated[int, _range(1_024, 65_536, "bytes in one frame to the server")] = 8_192
    frame_rate: Annotated[
        float, _range(1, 10_000_000, "messages a second read from one connection")
    ] = 30.0
    frame_burst: Annotated[
        int, _range(1, 10_000_000, "messages that a connection may send at once")
    ] = 60
    flood: Annotated[
        float, _range(1, 86_400, "seconds that more may come than is read before a connection ends")
    ] = 60.0
    connections: Annotated[int, _range(1, 1_000_000, "connections at the same time")] = 4_000
    queue: Annotated[
        int, _range(4, 10_000, "messages that wait for a slow reader before updates collapse")
    ] = 64
    queue_bytes: Annotated[
        int, _range(65_536, 67_108_864, "bytes that wait for a slow reader before the same")
    ] = 524_288
    hello: Annotated[float, _range(0.1, 3_600, "seconds until a client has to say hello")] = 10.0
    rest_of_frame: Annotated[
        float, _range(0.1, 3_600, "seconds that a frame may take from its first byte to its last")
    ] = 10.0
    silence: Annotated[
        float, _range(0.1, 86_400, "seconds that a client may say nothing; it pings in half of it")
    ] = 30.0
    slow: Annotated[
        float, _range(0.1, 3_600, "seconds that one write may take before its reader is given up")
    ] = 20.0
    farewell: Annotated[
        float, _range(0.0, 60, "seconds that last words may take before a connection is closed")
    ] = 2.0
    password_tries: Annotated[
        int, _range(1, 10_000_000, "wrong passwords from one address in password-every seconds")
    ] = 5
    password_every: Annotated[float, _range(0.1, 86_400, "seconds, see password-tries")] = 60.0
    per_address: Annotated[int, _range(1, 100_000, "connections from one address")] = 16
    tables: Annotated[int, _range(1, 100_000, "tables at the same time")] = 200
    tables_per_session: Annotated[int, _range(1, 1_000, "tables one player may be at")] = 8
    watchers: Annotated[int, _range(0, 10_000, "people who may watch one table")] = 64
    sessions: Annotated[
        int, _range(1, 100_000, "players known at the same time, with those who may come back")
    ] = 2_000
    grace: Annotated[
        float,
        _range(0, 86_400, "seconds that lobby seats and host's rights of a lost player are kept"),
    ] = 120.0
    resumes: Annotated[
        int, _range(1, 1_000_000, "wrong tokens heard of one address in resumes-every seconds")
    ] = 10
    resumes_every: Annotated[float, _range(1, 86_400, "seconds, see resumes")] = 60.0
    lobby_kept: Annotated[
        float, _range(0, 86_400, "seconds that a lobby is kept where nobody is connected")
    ] = 300.0
    game_kept: Annotated[
        float,
        _range(0, 31_536_000, "seconds that a running game is kept with nobody connected"),
    ] = 604_800.0
    over_kept: Annotated[
        float, _range(0, 86_400, "seconds that a finished game is kept where nobody is connected")
    ] = 300.0
    creates: Annotated[
        int, _range(1, 10_000_000, "tables that one address may open in creates-every seconds")
    ] = 20
    creates_every: Annotated[float, _range(1, 86_400, "seconds, see creates")] = 600.0
    mailbox: Annotated[
        int, _range(1, 10_000, "answers that wait for a table before their senders are held back")
    ] = 64
    chat: Annotated[int, _range(1, 1_000, "lines a player may say in chat-every seconds")] = 10
    chat_every: Annotated[float, _range(0.1, 3_600, "seconds, see chat")] = 10.0
    chat_limit: Annotated[int, _range(1, 300, "columns of a line of chat")] = 300
    chat_kept: Annotated[
        int, _range(0, 1_000, "last lines of chat of a table for players who were away")
    ] = 50
    history_page: Annotated[int, _range(1, 500, "events in one answer to get-history")] = 200
    page_bytes: Annotated[
        int, _range(16_384, 131_072, "bytes of the events or tables in one answer")
    ] = 65_536
    journal_retry: Annotated[
        float, _range(0.5, 600, "seconds at most until a failed write of a journal is tried again")
    ] = 8.0
    durability: Annotated[
        Durability,
        Meta(
            description="when journals are forced to the disk before anybody is told: at every "
            "answer, at the end of every turn, or never (only a loss of power can then take the "
            "last seconds)"
        ),
    ] = "turn"
    recovered: Annotated[
        float, _range(0, 86_400, "seconds that a game waits for its players after a crash")
    ] = 120.0
    drain: Annotated[
        float, _range(0, 86_400, "seconds that running games have once the server is to end")
    ] = 300.0
    defaults: TableOptions = TableOptions()

    def to_plain(self) -> dict[str, Any]:
        """All settings by name, for the log."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return plain
