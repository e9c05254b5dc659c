"""The door of a server: what is done with a connection before its first words are looked at.

Without TLS that is nothing.  With it everything goes through TLS; a client that speaks plain words
is told what to do, and whoever speaks neither is left without a word.
"""

from __future__ import annotations

import ssl

import trio
from trio.abc import ReceiveStream, Stream

from protocol.connection import MAGIC, TLS_HANDSHAKE, TLS_NEEDED
from protocol.errors import error
from server.oplog import Log
from server.settings import Settings
from server.sockets import PlainStream
from server.turned_away import turn_away

_GONE = (trio.BrokenResourceError, trio.ClosedResourceError)


class Door:
    """Takes bare connections and gives those that the server may listen to."""

    def __init__(self, settings: Settings, tls: ssl.SSLContext | None = None) -> None:
        self._settings = settings
        self._tls = tls

    async def enter(self, stream: Stream, log: Log, seconds: float) -> Stream | None:
        """The stream that carries the protocol; None if there is none after so many seconds, and
        ``stream`` is closed then."""
        if isinstance(stream, trio.SocketStream):
            stream = PlainStream(stream)
        if self._tls is None:
            return stream
        entered = None
        try:
            with trio.move_on_after(seconds) as patience:
                entered = await self._through_tls(stream, self._tls, log)
            if patience.cancelled_caught:
                log.info("no TLS in time")
        finally:
            if entered is None:
                await trio.aclose_forcefully(stream)
        return entered

    async def _through_tls(self, stream: Stream, tls: ssl.SSLContext, log: Log) -> Stream | None:
        try:
            first = bytes(await stream.receive_some(1))
        except _GONE:
            return None
        whole = trio.StapledStream(stream, _Begun(first, stream))
        if first == MAGIC[:1]:
            log.info("plain words where only TLS is spoken")
            await turn_away(whole, self._settings, error("tls-needed", TLS_NEEDED))
        if not first or first[0] != TLS_HANDSHAKE:
            return None
        # No close alerts: frames say where they end, and nobody can wait for the other's.
        secured = trio.SSLStream(whole, tls, server_side=True, https_compatible=True)
        try:
            await secured.do_handshake()
        except _GONE as broken:
            cause = broken.__cause__
            reason = cause.reason if isinstance(cause, ssl.SSLError) else None
            log.info("no TLS", reason=reason or "the client hung up")
            return None
        return secured


class _Begun(ReceiveStream):
    """A stream of which the first bytes were read already."""

    def __init__(self, first: bytes, stream: ReceiveStream) -> None:
        self._first = first
        self._stream = stream

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        first, self._first = self._first, b""
        if first:
            await trio.lowlevel.checkpoint()
            return first
        return await self._stream.receive_some(max_bytes)

    async def aclose(self) -> None:
        await self._stream.aclose()
