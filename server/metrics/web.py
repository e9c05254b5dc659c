"""Answers ``GET /metrics`` and ``GET /healthz`` over HTTP; h11 understands the requests.

Meant for a port of the loopback interface.  One connection gets one answer, a few are served at a
time, and none has long.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import h11
import trio
from prometheus_client import CollectorRegistry
from prometheus_client.exposition import choose_encoder

from server.oplog import Log

MOST = 16
"""Connections at the same time."""

PATIENCE = 10.0
"""Seconds that a connection has for its request and for reading the answer."""

PLAIN = "text/plain; charset=utf-8"


class Page(NamedTuple):
    """An answer."""

    status: int
    kind: str
    body: bytes


class Web:
    """Serves what ``registry`` and ``health`` say; the health is a status and a word."""

    def __init__(
        self, registry: CollectorRegistry, health: Callable[[], tuple[int, str]], log: Log
    ) -> None:
        self._registry = registry
        self._health = health
        self._log = log
        self._guests = 0

    async def receive(self, stream: trio.SocketStream) -> None:
        """Serve one connection.  Raises nothing but Cancelled."""
        self._guests += 1
        try:
            if self._guests <= MOST:
                with trio.move_on_after(PATIENCE):
                    await self._talk(stream)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass
        except Exception as error:  # noqa: BLE001 - whatever it is, it ends this connection only
            self._log.error("metrics failed", exc_info=error)
        finally:
            self._guests -= 1
            await trio.aclose_forcefully(stream)

    async def _talk(self, stream: trio.SocketStream) -> None:
        wire = h11.Connection(h11.SERVER)
        head = False
        try:
            request = await _request(stream, wire)
            if request is None:
                return
            page = self._page(request)
            head = request.method == b"HEAD"
        except h11.RemoteProtocolError as wrong:
            page = Page(wrong.error_status_hint, PLAIN, b"this is no request\n")
        if wire.our_state is not h11.SEND_RESPONSE and wire.our_state is not h11.IDLE:
            return
        headers = [
            ("content-type", page.kind),
            ("content-length", str(len(page.body))),
            ("connection", "close"),
        ]
        out = wire.send(h11.Response(status_code=page.status, headers=headers))
        out += b"" if head else wire.send(h11.Data(data=page.body))
        await stream.send_all(out + wire.send(h11.EndOfMessage()))
        await stream.send_eof()
        while await stream.receive_some(4_096):  # unread bytes would take the answer back
            pass

    def _page(self, request: h11.Request) -> Page:
        path = request.target.partition(b"?")[0]
        if request.method not in (b"GET", b"HEAD"):
            return Page(405, PLAIN, b"only GET and HEAD are answered here\n")
        if path == b"/healthz":
            status, word = self._health()
            return Page(status, PLAIN, f"{word}\n".encode())
        if path == b"/metrics":
            accept = dict(request.headers).get(b"accept", b"").decode("latin-1")
            encode, kind = choose_encoder(accept)
            return Page(200, kind, encode(self._registry))
        return Page(404, PLAIN, b"there are /metrics and /healthz\n")


async def _request(stream: trio.SocketStream, wire: h11.Connection) -> h11.Request | None:
    """The request, or None if the client goes before it is whole."""
    while True:
        event = wire.next_event()
        if event is h11.NEED_DATA:
            data = await stream.receive_some(4_096)
            wire.receive_data(data)
            if not data:
                return None
        elif isinstance(event, h11.Request):
            return event
        else:
            return None
