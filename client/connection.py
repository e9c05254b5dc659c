"""The client's connection to a server, which may outlive the wires it goes over.

Answers to requests wake whoever asked; all else waits in order in a queue for
:meth:`Connection.next`.  A lasting connection whose wire breaks connects again by itself and takes
its session up: requests without an answer are sent again as they were (the server carries out each
once), and news of the line come in the queue between the server's messages.  It knows nothing of
tables, games or screens.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self, cast

from msgspec import UNSET

import protocol
from client import __version__
from client.errors import ClientError, full_stop
from client.tokens import Tokens
from client.trust import CertificateError, Trust
from client.wire import ConnectionLostError, TurnedAwayError, Wire, safe, sentence
from protocol.messages import (
    ClientMessage,
    Error,
    FromServer,
    Hello,
    Ok,
    Ping,
    Request,
    Welcome,
)

__all__ = ["Connection", "ConnectionLostError", "LineNews", "RefusedError", "safe"]

CONNECT_SECONDS = 10.0
PING_SECONDS = 15.0
SILENCE_SECONDS = 45.0

FIRST_PAUSE = 0.5
LONGEST_PAUSE = 15.0
GIVE_UP_SECONDS = 600.0
"""So long, pauses counted, does a lasting connection try to come back."""

PASSING = frozenset({"", "timeout", "too-slow", "shutting-down", "internal", "busy", "too-many"})
"""Last words (or none) after which coming back makes sense."""


class RefusedError(Exception):
    """A request is refused: a stable code and a sentence fit to be shown."""

    def __init__(self, error: Error) -> None:
        self.code = error.code
        self.text = sentence(error)
        super().__init__(self.text)


OFFLINE = Error("offline", "You are not connected just now: nothing was sent.")


@dataclass(frozen=True)
class LineNews:
    """What has become of the line: ``up`` again or not, with a sentence.  ``resumed`` tells whether
    the session is the one from before; all that was known of another is void."""

    up: bool
    text: str
    resumed: bool = False


class Connection:
    """A greeted connection.  Open it by :meth:`open`; leave it by ``async with``.

    ``welcome`` is what the server said last, ``up`` whether there is a wire now.
    """

    def __init__(
        self,
        host: str,
        port: int,
        name: str,
        *,
        lasting: bool,
        tokens: Tokens,
        trust: Trust | None,
        password: str,
    ) -> None:
        self.welcome: Welcome
        self.up = False
        self._host = host
        self._port = port
        self._name = name
        self._lasting = lasting
        self._tokens = tokens
        self._trust = trust
        self._password = password
        self._token = ""
        self._wire: Wire
        self._last_id = 0
        self._waiting: dict[int, tuple[Request, asyncio.Future[Ok]]] = {}
        self._pushed: asyncio.Queue[FromServer | LineNews | None] = asyncio.Queue()
        self._lost: ConnectionLostError | None = None
        self._tasks: list[asyncio.Task[None]] = []

    @classmethod
    async def open(
        cls,
        host: str,
        port: int,
        name: str,
        seconds: float = CONNECT_SECONDS,
        *,
        lasting: bool = False,
        tokens: Tokens | None = None,
        trust: Trust | None = None,
        password: str = "",
    ) -> Self:
        """Connect and say hello; raises :class:`ClientError` with one clear sentence.

        A ``lasting`` connection comes back when it is lost.  In ``tokens`` it finds a session
        from before, and keeps the one it has.  With ``trust`` it goes through TLS.
        """
        self = cls(
            host,
            port,
            name,
            lasting=lasting,
            tokens=tokens or Tokens(),
            trust=trust,
            password=password,
        )
        self._token = self._tokens.find(host, port, name)
        self._take_wire(await self._connect(seconds))
        self._tasks = [
            asyncio.create_task(self._read(), name="senro-reader"),
            asyncio.create_task(self._keep_alive(), name="senro-ping"),
        ]
        return self

    async def _connect(self, seconds: float = CONNECT_SECONDS) -> Wire:
        """A new wire, greeted with the token if there is one; one of no session is forgotten."""
        if self._token:
            try:
                return await self._hello(seconds)
            except TurnedAwayError as no:
                if no.reason != "no-such-session":
                    raise
                self._tokens.forget(self._host, self._port, self._name)
                self._token = ""
        return await self._hello(seconds)

    async def _hello(self, seconds: float) -> Wire:
        hello = Hello(
            versions=protocol.VERSIONS,
            name=self._name,
            client=f"senro {__version__}",
            resume=self._token,
            password=self._password if self._password and not self._token else UNSET,
            unanswered=tuple(self._waiting)[:64] if self._token else (),
        )
        return await Wire.open(self._host, self._port, hello, seconds, self._trust)

    def _take_wire(self, wire: Wire) -> None:
        self._wire = wire
        self.welcome = wire.welcome
        self.up = True
        if not self.welcome.resumed:
            self._token = self.welcome.token
            self._tokens.keep(self._host, self._port, self._name, self._token)

    # ------------------------------------------------------------------------- requests

    def next_id(self) -> int:
        """A fresh id for a request."""
        self._last_id += 1
        return self._last_id

    async def request(self, message: Request) -> dict[str, Any]:
        """Send a request and wait for its answer, over as many wires as it takes.

        Raises :class:`RefusedError` if the server says no, or if there is no wire to begin with;
        :class:`ConnectionLostError` if the server is gone.
        """
        if self._lost is not None:
            raise self._lost
        if not self.up:
            raise RefusedError(OFFLINE)
        answer: asyncio.Future[Ok] = asyncio.get_running_loop().create_future()
        self._waiting[message.id] = message, answer
        try:
            await self._wire.send(cast(ClientMessage, message))
            return (await answer).result
        finally:
            self._waiting.pop(message.id, None)

    async def next(self) -> FromServer | LineNews:
        """The next message that is no answer to a request, or news of the line; raises
        :class:`ConnectionLostError`."""
        message = await self._pushed.get()
        if message is None:
            self._pushed.put_nowait(None)
            raise self._lost or ConnectionLostError("The connection is closed.")
        return message

    # ------------------------------------------------------------------------ the tasks

    async def _read(self) -> None:
        while True:
            try:
                while True:
                    for message in await self._wire.receive():
                        self._route(message)
            except ConnectionLostError as error:
                lost = error
            self.up = False
            await self._wire.close()
            if not self._lasting or lost.reason not in PASSING:
                self._fail(str(lost))
                return
            if not await self._come_back(str(lost)):
                return

    def _route(self, message: FromServer) -> None:
        if isinstance(message, Ok | Error) and isinstance(message.re, int):
            _, waiting = self._waiting.get(message.re, (None, None))
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
        self._give_up_waiting(self._lost)
        self._pushed.put_nowait(None)

    def _give_up_waiting(self, error: ConnectionLostError) -> None:
        for _, waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(error)

    async def _keep_alive(self) -> None:
        while self._lost is None:
            await asyncio.sleep(PING_SECONDS)
            wire = self._wire
            try:
                async with asyncio.timeout(SILENCE_SECONDS):
                    await self.request(Ping(id=self.next_id()))
            except TimeoutError:
                if self.up and wire is self._wire:
                    wire.give_up("The server has fallen silent.")
            except (ConnectionLostError, RefusedError):
                continue

    # ---------------------------------------------------------------------- coming back

    async def _come_back(self, reason: str) -> bool:
        """Try to connect again, and say so; False if there is no way back."""
        self._say(up=False, text=f"{full_stop(reason)} Trying to come back.")
        last = reason
        for pause in _pauses():
            await asyncio.sleep(pause)
            try:
                wire = await self._connect()
            except TurnedAwayError as no:
                if no.reason not in PASSING:
                    self._fail(str(no))
                    return False
                last = str(no)
            except CertificateError as changed:
                self._fail(str(changed))
                return False
            except ClientError as error:
                last = str(error)
            else:
                await self._resume(wire)
                return True
            self._say(up=False, text=f"{full_stop(last)} Trying again.")
        self._fail(f"There is no way back. {last}")
        return False

    async def _resume(self, wire: Wire) -> None:
        resumed = wire.welcome.resumed
        self._take_wire(wire)
        if resumed:
            self._say(up=True, text="You are back.", resumed=True)
            for message, _ in list(self._waiting.values()):
                await wire.send(cast(ClientMessage, message))
        else:
            text = "You are back, but your place was not kept: you begin anew."
            self._give_up_waiting(ConnectionLostError("The session has ended."))
            self._say(up=True, text=text)

    def _say(self, *, up: bool, text: str, resumed: bool = False) -> None:
        self._pushed.put_nowait(LineNews(up, text, resumed))

    # --------------------------------------------------------------------------- the end

    async def close(self, *, bye: bool = True) -> None:
        """Close.  With ``bye`` the session ends, if the server can be told so; without, it can be
        taken up again later."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        bye = bye and self.up and self._lost is None
        if bye:
            self._tokens.forget(self._host, self._port, self._name)
        self.up = False
        self._fail("The connection is closed.")
        await self._wire.close(bye=bye)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Whoever leaves by an exception has not said goodbye."""
        await self.close(bye=kind is None)


def _pauses() -> Iterator[float]:
    """Seconds to wait before each attempt: longer and longer, and never quite the same for two
    clients that were cut off at once."""
    pause, total = FIRST_PAUSE, 0.0
    while total < GIVE_UP_SECONDS:
        this = pause * random.uniform(0.5, 1.0)  # noqa: S311 - no secret
        yield this
        total += this
        pause = min(2 * pause, LONGEST_PAUSE)
