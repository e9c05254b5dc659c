"""The client's connection: bytes in and out of asyncio streams, typed messages for the rest.

A reader task turns bytes into messages.  Answers to requests wake whoever asked; all else waits
in order in a queue for :meth:`Connection.next`.  It knows nothing of tables, games or screens.
"""

from __future__ import annotations

import asyncio
import contextlib
from types import TracebackType
from typing import Any, Self, cast

import protocol
from client import __version__
from client.errors import ClientError
from protocol.messages import (
    Bye,
    ClientMessage,
    Error,
    FromServer,
    Hello,
    Ok,
    Ping,
    Request,
    Welcome,
)
from protocol.names import shorten

CONNECT_SECONDS = 10.0
PING_SECONDS = 15.0
SILENCE_SECONDS = 45.0
CHUNK = 65536


def safe(text: object) -> str:
    """A sentence of the other side, harmless and of one line."""
    return shorten(str(text), 300)


def _sentence(error: Error) -> str:
    """What a refusal says; one without words means what its code does."""
    return (
        safe(error.text) or protocol.errors.CODES.get(error.code) or f"refused: {safe(error.code)}"
    )


class ConnectionLostError(ClientError):
    """The connection has ended and nobody here asked for it."""


class RefusedError(Exception):
    """The server refused a request: a stable code and a sentence fit to be shown."""

    def __init__(self, error: Error) -> None:
        self.code = error.code
        self.text = _sentence(error)
        super().__init__(self.text)


class Connection:
    """A greeted connection.  Open it by :meth:`open`; leave it by ``async with``."""

    welcome: Welcome

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._wire = protocol.ClientConnection()
        self._last_id = 0
        self._waiting: dict[int, asyncio.Future[Ok]] = {}
        self._pushed: asyncio.Queue[FromServer | None] = asyncio.Queue()
        self._lost: ConnectionLostError | None = None
        self._tasks: list[asyncio.Task[None]] = []

    @classmethod
    async def open(cls, host: str, port: int, name: str, seconds: float = CONNECT_SECONDS) -> Self:
        """Connect and say hello; raises :class:`ClientError` with one clear sentence."""
        where = f"{host}:{port}"
        connection = None
        try:
            async with asyncio.timeout(seconds):
                reader, writer = await asyncio.open_connection(host, port)
                connection = cls(reader, writer)
                await connection._greet(name)
        except TimeoutError:
            await _abandon(connection)
            raise ClientError(f"{where} did not answer within {seconds:g} seconds.") from None
        except ConnectionLostError as error:
            await _abandon(connection)
            raise ClientError(f"{where}: {error}") from None
        except (OSError, ValueError) as error:  # ValueError: no name that can be looked up
            await _abandon(connection)
            reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
            raise ClientError(f"Cannot connect to {where}: {safe(reason)}.") from None
        except BaseException:
            await _abandon(connection)
            raise
        return connection

    async def _greet(self, name: str) -> None:
        hello = Hello(versions=protocol.VERSIONS, name=name, client=f"senro {__version__}")
        self._writer.write(self._wire.opening() + self._wire.send(hello))
        with contextlib.suppress(ConnectionError):  # why we are not wanted may be there to be read
            await self._writer.drain()
        while True:
            data = await self._reader.read(CHUNK)
            if not data:
                raise ConnectionLostError("it closed the connection; is it a Senro server?")
            for message in self._messages(data):
                if isinstance(message, Welcome):
                    self.welcome = message
                    self._tasks = [
                        asyncio.create_task(self._read(), name="senro-reader"),
                        asyncio.create_task(self._keep_alive(), name="senro-ping"),
                    ]
                    return
                if isinstance(message, Error):
                    raise ClientError(_sentence(message))

    def _messages(self, data: bytes) -> list[FromServer]:
        """The messages in these bytes; a fatal fault raises :class:`ConnectionLostError`."""
        found: list[FromServer] = []
        for message in self._wire.receive(data):
            if not isinstance(message, protocol.Fault):
                found.append(message)
            elif message.fatal:
                raise ConnectionLostError(
                    f"what it sends is not understood: {safe(message.error.text)}"
                )
            # A message that is not understood but well framed is skipped: later servers may
            # send kinds that this client does not know.
        return found

    # ------------------------------------------------------------------------- requests

    def next_id(self) -> int:
        """A fresh id for a request."""
        self._last_id += 1
        return self._last_id

    async def request(self, message: Request) -> dict[str, Any]:
        """Send a request and wait for its answer.

        Raises :class:`RefusedError` if the server says no, :class:`ConnectionLostError` if it is
        gone.
        """
        if self._lost is not None:
            raise self._lost
        answer: asyncio.Future[Ok] = asyncio.get_running_loop().create_future()
        self._waiting[message.id] = answer
        try:
            self._writer.write(self._wire.send(cast(ClientMessage, message)))
            with contextlib.suppress(ConnectionError):  # the reader reports it
                await self._writer.drain()
            return (await answer).result
        finally:
            self._waiting.pop(message.id, None)

    async def next(self) -> FromServer:
        """The next message that is no answer to a request; raises :class:`ConnectionLostError`."""
        message = await self._pushed.get()
        if message is None:
            self._pushed.put_nowait(None)
            raise self._lost or ConnectionLostError("The connection is closed.")
        return message

    # ------------------------------------------------------------------------ the tasks

    async def _read(self) -> None:
        reason = "The server closed the connection."
        try:
            while data := await self._reader.read(CHUNK):
                for message in self._messages(data):
                    self._route(message)
                    if isinstance(message, Error) and not isinstance(message.re, int):
                        reason = _sentence(message)
        except ConnectionLostError as error:
            reason = f"The connection was given up: {error}"
        except OSError as error:
            reason = f"The connection to the server was lost: {safe(error.strerror or error)}."
        self._fail(reason)

    def _route(self, message: FromServer) -> None:
        if isinstance(message, Ok | Error) and isinstance(message.re, int):
            waiting = self._waiting.get(message.re)
            if waiting is None or waiting.done():
                return
            if isinstance(message, Ok):
                waiting.set_result(message)
            else:
                waiting.set_exception(RefusedError(message))
        elif not isinstance(message, Error):
            self._pushed.put_nowait(message)

    def _fail(self, reason: str) -> None:
        if self._lost is None:
            self._lost = ConnectionLostError(reason)
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(self._lost)
        self._pushed.put_nowait(None)

    async def _keep_alive(self) -> None:
        try:
            while True:
                await asyncio.sleep(PING_SECONDS)
                async with asyncio.timeout(SILENCE_SECONDS):
                    await self.request(Ping(id=self.next_id()))
        except TimeoutError:
            self._fail("The server has fallen silent.")
        except (ConnectionLostError, RefusedError):
            return

    # --------------------------------------------------------------------------- the end

    async def close(self) -> None:
        """Say bye if somebody is still there, and close."""
        if self._lost is None:
            with contextlib.suppress(OSError, protocol.LocalError):  # too early for a bye, say
                self._writer.write(self._wire.send(Bye()))
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._fail("The connection is closed.")
        self._writer.close()
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(1):
                await self._writer.wait_closed()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()


async def _abandon(connection: Connection | None) -> None:
    if connection is not None:
        await connection.close()
