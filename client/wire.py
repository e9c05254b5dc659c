"""One greeted connection of the client: bytes in and out of asyncio streams, as typed messages.

It ends when it ends; that the client comes back over another one is :mod:`client.connection`'s
business.  It knows nothing of requests, tables or screens.
"""

from __future__ import annotations

import asyncio
import contextlib
from ipaddress import ip_address
from typing import Self

import protocol
from client.address import Address
from client.errors import ClientError, full_stop
from client.network_errors import in_words
from client.trust import Trust
from protocol.connection import TLS_NEEDED
from protocol.messages import Bye, ClientMessage, Error, FromServer, Hello, Welcome
from protocol.names import shorten

CHUNK = 65536

IN_CLEAR = (
    "The password would go over the network for everybody to read, so it was not sent.  Ask the "
    "host to start the server with --tls auto."
)


ANOTHER_NAME = "Say another name with --name NAME."


def safe(text: object) -> str:
    """A sentence of the other side, harmless and of one line."""
    return shorten(str(text), 800)


def sentence(error: Error) -> str:
    """What a refusal says; one without words means what its code does."""
    return (
        safe(error.text) or protocol.errors.CODES.get(error.code) or f"refused: {safe(error.code)}"
    )


class ConnectionLostError(ClientError):
    """The connection has ended and nobody here asked for it.  ``reason`` is the code of the
    server's last word, or of what was wrong with it; empty if nothing was said."""

    def __init__(self, text: str, reason: str = "") -> None:
        super().__init__(text)
        self.reason = reason


class TurnedAwayError(ClientError):
    """The server does not let us in: a stable code and its sentence."""

    def __init__(self, error: Error) -> None:
        advice = f" {ANOTHER_NAME}" if error.code == "name-taken" else ""
        super().__init__(full_stop(sentence(error)) + advice)
        self.reason = error.code


class Wire:
    """Open it by :meth:`open`; ``welcome`` is what the server said then."""

    welcome: Welcome

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._protocol = protocol.ClientConnection()
        self._rest: list[FromServer] = []  # what came in the same breath as the welcome
        self._last_word: Error | None = None
        self._given_up = ""

    @classmethod
    async def open(
        cls, host: str, port: int, hello: Hello, seconds: float, trust: Trust | None = None
    ) -> Self:
        """Connect, with ``trust`` through TLS, and say hello; raises :class:`ClientError` with one
        clear sentence, a :class:`TurnedAwayError` if it is the server's.

        A password is said only inside TLS, or to this machine.
        """
        where = f"{host}:{port}"
        wire = None
        try:
            async with asyncio.timeout(seconds):
                if trust is None:
                    streams = await asyncio.open_connection(host, port)
                else:
                    streams = await trust.open(Address(host, port, True))
                wire = cls(*streams)
                if hello.password and trust is None and not _is_here(streams[1]):
                    raise ClientError(IN_CLEAR)
                await wire._greet(hello)
        except TimeoutError:
            await _abandon(wire)
            raise ClientError(f"{where} did not answer within {seconds:g} seconds.") from None
        except ConnectionLostError as error:
            await _abandon(wire)
            if error.reason == "tls-needed":
                raise TurnedAwayError(Error(error.reason, TLS_NEEDED)) from None
            raise ClientError(f"{where}: {error}") from None
        except (OSError, ValueError) as error:  # ValueError: no name that can be looked up
            await _abandon(wire)
            raise ClientError(f"Cannot connect to {where}: {in_words(error)}.") from None
        except BaseException:
            await _abandon(wire)
            raise
        return wire

    async def _greet(self, hello: Hello) -> None:
        self._writer.write(self._protocol.opening() + self._protocol.send(hello))
        with contextlib.suppress(ConnectionError):  # why we are not wanted may be there to be read
            await self._writer.drain()
        while True:
            data = await self._reader.read(CHUNK)
            if not data:
                raise ConnectionLostError("it closed the connection; is it a Senro server?")
            messages = self._messages(data)
            for number, message in enumerate(messages):
                if isinstance(message, Welcome):
                    self.welcome = message
                    self._rest = messages[number + 1 :]
                    return
                if isinstance(message, Error):
                    raise TurnedAwayError(message)

    def _messages(self, data: bytes) -> list[FromServer]:
        """The messages in these bytes; a fatal fault raises :class:`ConnectionLostError`."""
        found: list[FromServer] = []
        for message in self._protocol.receive(data):
            if not isinstance(message, protocol.Fault):
                found.append(message)
            elif message.fatal:
                self._rest += found
                raise ConnectionLostError(
                    f"what it sends is not understood: {safe(message.error.text)}",
                    message.error.code,
                )
            # A message that is not understood but well framed is skipped: later servers may
            # send kinds that this client does not know.
        return found

    async def send(self, message: ClientMessage) -> None:
        """Write a message; that the connection is broken is found out by :meth:`receive`.

        Raises LocalError for what cannot be sent."""
        self._writer.write(self._protocol.send(message))
        with contextlib.suppress(ConnectionError):
            await self._writer.drain()

    async def receive(self) -> list[FromServer]:
        """The next messages, at least one; raises :class:`ConnectionLostError`."""
        while True:
            found, self._rest = self._rest, []
            if not found:
                try:
                    data = await self._reader.read(CHUNK)
                except OSError as error:
                    if self._given_up:
                        raise self._ended() from None
                    raise ConnectionLostError(
                        f"The connection to the server was lost: {safe(error.strerror or error)}."
                    ) from None
                if not data:
                    raise self._ended()
                try:
                    found = self._messages(data)
                except ConnectionLostError as error:
                    raise ConnectionLostError(
                        f"The connection was given up: {error}", error.reason
                    ) from None
            for message in found:
                if isinstance(message, Error) and not isinstance(message.re, int):
                    self._last_word = message
            if found:
                return found

    def _ended(self) -> ConnectionLostError:
        if self._given_up:
            return ConnectionLostError(self._given_up)
        if self._last_word is None:
            return ConnectionLostError("The server closed the connection.")
        return ConnectionLostError(sentence(self._last_word), self._last_word.code)

    def give_up(self, why: str) -> None:
        """End the connection at once; :meth:`receive` says why."""
        self._given_up = why
        self._writer.transport.abort()

    async def close(self, *, bye: bool = False) -> None:
        """Close, perhaps with a word."""
        if bye:
            with contextlib.suppress(OSError, protocol.LocalError):  # too early for a bye, say
                self._writer.write(self._protocol.send(Bye()))
        self._writer.close()
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(1):
                await self._writer.wait_closed()


def _is_here(writer: asyncio.StreamWriter) -> bool:
    """Whether the other end is on this machine."""
    address = str(writer.get_extra_info("peername")[0]).partition("%")[0]
    return ip_address(address).is_loopback


async def _abandon(wire: Wire | None) -> None:
    if wire is not None:
        await wire.close()
