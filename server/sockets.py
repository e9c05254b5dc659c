"""A TCP connection as a Trio stream that does no more than it must.

Trio's own socket stream tries, checks and yields several times for each call, which is right for
everybody and costs more here than the system calls do.  This one waits until there is something to
read, and waits to write only when the system does not take the bytes at once.  As with Trio's
stream, one task may read and one may write at a time.
"""

from __future__ import annotations

import socket

import trio
from trio.abc import HalfCloseableStream


class PlainStream(HalfCloseableStream):
    """Takes over the socket of a Trio stream, which cannot be used any more then."""

    def __init__(self, stream: trio.SocketStream) -> None:
        taken = stream.socket
        self._socket = socket.socket(taken.family, taken.type, taken.proto, taken.detach())
        self._socket.setblocking(False)

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """Bytes as soon as there are some; empty at the end."""
        while True:
            try:
                await trio.lowlevel.wait_readable(self._socket)
                return self._socket.recv(max_bytes or 65_536)
            except BlockingIOError:  # somebody else was told that there was something to read
                continue
            except (OSError, ValueError) as error:
                raise self._gone() from error

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Write all of it.  Yields only if it has to wait."""
        try:
            sent = self._send(data)
            if sent == len(data):
                return
            with memoryview(data) as rest:
                while sent < len(rest):
                    await trio.lowlevel.wait_writable(self._socket)
                    sent += self._send(rest[sent:])
        except (OSError, ValueError) as error:
            raise self._gone() from error

    def send_now(self, data: bytes) -> int:
        """Write what the system takes without waiting; returns how many bytes.  A broken
        connection takes none, and says so to the next one who waits for it.  Not while somebody
        else sends."""
        try:
            return self._send(data)
        except (OSError, ValueError):
            return 0

    def _send(self, data: bytes | bytearray | memoryview) -> int:
        try:
            return self._socket.send(data)
        except BlockingIOError:
            return 0

    async def wait_send_all_might_not_block(self) -> None:
        """Wait until some bytes can be written."""
        try:
            await trio.lowlevel.wait_writable(self._socket)
        except (OSError, ValueError) as error:
            raise self._gone() from error

    async def send_eof(self) -> None:
        """Say that no more will be written."""
        try:
            self._socket.shutdown(socket.SHUT_WR)
        except OSError as error:
            raise self._gone() from error

    async def aclose(self) -> None:
        """Close the socket."""
        if self._socket.fileno() >= 0:
            trio.lowlevel.notify_closing(self._socket)
            self._socket.close()
        await trio.lowlevel.checkpoint()

    def _gone(self) -> trio.BrokenResourceError | trio.ClosedResourceError:
        if self._socket.fileno() < 0:
            return trio.ClosedResourceError("this socket was closed")
        return trio.BrokenResourceError("the connection is broken")
