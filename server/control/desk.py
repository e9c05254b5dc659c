"""The socket of a running server at which its owner may ask for things.

A Unix socket that only the owner of the state folder can open; what is asked is read line by line
and handed to the :class:`Office`.  A system without such sockets has no desk.
"""

from __future__ import annotations

import os
import socket
from pathlib import Path

import msgspec
import trio

from protocol.names import shorten
from server.accepting import accept
from server.control import words
from server.control.office import Office, OfficeError
from server.oplog import Log

MOST = 8
"""Connections at the same time."""

PATIENCE = 60.0
"""Seconds until a connection that says nothing is closed."""

_GONE = (trio.BrokenResourceError, trio.ClosedResourceError)


class DeskError(Exception):
    """There can be no desk; the sentence says why."""


class InUseError(DeskError):
    """Another server has its desk there: two cannot share a state folder."""


def supported() -> bool:
    """Whether this system has such sockets."""
    return hasattr(socket, "AF_UNIX") and os.name == "posix"


class Desk:
    """Open by :meth:`open`, then :meth:`serve`; closed by cancelling."""

    def __init__(self, path: Path, sock: socket.socket, log: Log) -> None:
        self.path = path
        self._listener = trio.SocketListener(trio.socket.from_stdlib_socket(sock))
        self._inode = path.stat().st_ino
        self._log = log
        self._guests = 0

    @classmethod
    def open(cls, path: Path, log: Log) -> Desk:
        """Make the socket (0600).  Raises InUseError, or another DeskError."""
        if not supported():
            raise DeskError("this system has no Unix sockets")
        sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            _clear(path)
            before = os.umask(0o177)
            try:
                sock.bind(os.fspath(path))
            finally:
                os.umask(before)
            sock.listen(MOST)
            return cls(path, sock, log)
        except OSError as error:
            sock.close()
            reason = error.strerror or str(error)
            raise DeskError(f"no socket at {path}: {reason}") from None
        except BaseException:
            sock.close()
            raise

    async def serve(self, office: Office) -> None:
        """Take in whoever comes, until cancelled."""

        async def receive(stream: trio.SocketStream) -> None:
            await self._receive(stream, office)

        try:
            async with trio.open_nursery() as nursery:
                await accept(self._listener, receive, nursery, self._log)
        finally:
            self.close()

    def close(self) -> None:
        """Take the socket away, unless another server's is there by now."""
        self._listener.socket.close()
        try:
            if self.path.stat().st_ino == self._inode:
                self.path.unlink()
        except OSError:
            pass

    async def _receive(self, stream: trio.SocketStream, office: Office) -> None:
        self._guests += 1
        try:
            if self._guests <= MOST:
                await self._talk(stream, office)
        except _GONE:
            pass
        except Exception as error:  # noqa: BLE001 - whatever it is, it ends this conversation only
            self._log.error("control failed", exc_info=error)
        finally:
            self._guests -= 1
            await trio.aclose_forcefully(stream)

    async def _talk(self, stream: trio.SocketStream, office: Office) -> None:
        heard = bytearray()
        while True:
            line, found, rest = heard.partition(b"\n")
            if found:
                heard = rest
                await self._answer(stream, bytes(line), office)
                continue
            if len(heard) > words.LINE_LIMIT:
                await _say(stream, words.Answer(False, error="a request is too long"))
                return
            data = b""
            with trio.move_on_after(PATIENCE):
                data = await stream.receive_some(4_096)
            if not data:
                return
            heard += data

    async def _answer(self, stream: trio.SocketStream, line: bytes, office: Office) -> None:
        then = None
        try:
            command = words.decode(line)
            result, then = office.do(command)
        except OfficeError as no:
            answer = words.Answer(False, error=str(no))
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as wrong:
            answer = words.Answer(False, error=f"not understood: {shorten(str(wrong), 200)}")
        else:
            answer = words.Answer(True, result)
            self._log.info("control", command=msgspec.to_builtins(command))
        try:
            await _say(stream, answer)
        finally:
            if then is not None:
                then()


async def _say(stream: trio.SocketStream, answer: words.Answer) -> None:
    with trio.move_on_after(PATIENCE):
        await stream.send_all(words.encode(answer) + b"\n")


def _clear(path: Path) -> None:
    """Take away a socket that nobody listens at any more."""
    if not path.is_socket():
        if path.exists():
            raise DeskError(f"no socket at {path}: something else is there")
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(os.fspath(path))
        except ConnectionRefusedError:
            path.unlink(missing_ok=True)
            return
    raise InUseError(
        f"another server keeps its state in {path.parent}; give this one a folder of its own "
        "(--state DIR)"
    )
