"""One end of a connection, without any input or output: bytes in, messages out, and back.

A shell (Trio, asyncio, a test) moves the bytes; it calls ``receive`` with whatever arrived and
writes what ``send`` returns.  Every way to cut a stream into pieces gives the same messages, and
arbitrary bytes give nothing but messages and faults.  What may come when is decided in
:mod:`protocol.state`; neither end knows clocks, names or tables.
"""

from __future__ import annotations

from typing import Any, Final

from protocol.codec import (
    BadMessageError,
    Message,
    encode_frame,
    plain_request,
    request_id,
    to_client_message,
    to_server_message,
    unpack,
)
from protocol.errors import Fault, LocalError, RemoteError, error
from protocol.frames import TO_CLIENT_LIMIT, TO_SERVER_LIMIT, FrameBuffer
from protocol.messages import ClientMessage, Hello, ServerMessage, Welcome
from protocol.state import TRANSITIONS, State, Step, step_of

MAGIC: Final = b"\x8fSENRO\r\n"
"""The first bytes of either direction, in every version: no text, no TLS, and a connection that
changes the eighth bit or line ends is found out at once."""

TLS_HANDSHAKE: Final = 0x16
"""The first byte of whoever begins with TLS."""

TLS_ALERT: Final = 0x15
"""The first byte of a TLS server's answer to what is no TLS."""

NO_TLS: Final = (
    "this server speaks no TLS here: connect without it (senro join senro://HOST:PORT), or ask its "
    "host for it"
)
TLS_NEEDED: Final = "this server speaks only TLS here: connect with it (senro join --tls HOST:PORT)"

VERSIONS: Final = (1, 1)
"""The lowest and the highest protocol version spoken here."""


class _Connection:
    """What both ends have in common."""

    _other: Step  # the step of a message from here that is not special
    _peers: Step  # the same of a message from the other end
    _who: str  # what the other end should be

    def __init__(self, limit: int, send_limit: int) -> None:
        self.state = State.START
        self.version = 0
        self._buffer = FrameBuffer(limit)
        self._send_limit = send_limit
        self._magic_heard = b""
        self._magic_said = False

    @property
    def frame_begun(self) -> bool:
        """Whether the rest of a frame, or of the magic, is still to come."""
        return len(self._buffer) > 0 or 0 < len(self._magic_heard) < len(MAGIC)

    def _reading(self) -> bool:
        return self.state is not State.CLOSING and self.state is not State.CLOSED

    def _take_in(self, data: bytes) -> list[Any]:
        self.feed(data)
        return list(iter(self._next, None))

    def feed(self, data: bytes) -> None:
        """Take in bytes; what they say is still to be read."""
        if self._reading():
            self._buffer.feed(data)

    def _next(self) -> Any:
        """The next message or fault in the bytes that were taken in; None: more have to come."""
        got = None
        try:
            while got is None and self._reading() and self._hear_magic():
                body = self._buffer.next_frame()
                if body is None:
                    return None
                got = self._read(body)
        except RemoteError as wrong:
            got = self._fail(wrong.code, wrong.text)
        if not self._reading():
            self._buffer.clear()
        return got

    def _hear_magic(self) -> bool:
        missing = len(MAGIC) - len(self._magic_heard)
        if missing:
            self._magic_heard += self._buffer.take(missing)
            if not MAGIC.startswith(self._magic_heard):
                raise self._no_magic(self._magic_heard[0])
            if len(self._magic_heard) < len(MAGIC):
                return False
            self._magic_through()
        return True

    def _magic_through(self) -> None:
        """The other end's magic has been heard in full."""

    def _no_magic(self, first: int) -> RemoteError:  # noqa: ARG002 - the ends look at it
        """What is wrong with an other end that begins with this byte, or another wrong one."""
        return RemoteError("not-senro", f"the other end is no Senro {self._who}")

    def _read(self, body: bytes) -> Any:
        """What a frame says: a message, a fault, or None where it is to be passed over.  Raises
        RemoteError for what ends the connection."""
        raise NotImplementedError

    def _fail(self, code: str, text: str) -> Fault:
        step = Step.TLS if code == "no-tls" else Step.FAULT
        self.state = TRANSITIONS[self.state][step]
        return Fault(error(code, text), fatal=True)

    def _received(self, message: Message) -> None:
        step = step_of(message, self.state) or self._peers
        following = TRANSITIONS[self.state].get(step)
        if following is None:
            raise RemoteError("unexpected-message", self._what_is_due())
        self.state = following

    def _what_is_due(self) -> str:
        if self.state is State.OPEN or (self._peers is Step.REQUEST and self.version):
            return "hello and welcome are said only once"
        if self.state is State.GREETING:
            return "the first message has to be hello"
        if self.state is State.ANSWERING:
            return "hello has to be answered by welcome or an error"
        return "a server speaks only after hello"

    def _give_out(self, message: Message | bytes) -> bytes:
        """The bytes of a message.  Nothing has changed if LocalError is raised."""
        step = step_of(message, self.state) or self._other
        following = TRANSITIONS[self.state].get(step)
        if following is None:
            raise LocalError(
                f"cannot send a {step.value} while the connection is {self.state.value}"
            )
        data = message if isinstance(message, bytes) else encode_frame(message, self._send_limit)
        self.state = following
        if not self._magic_said:
            self._magic_said = True
            data = MAGIC + data
        return data


class ServerConnection(_Connection):
    """The server's end.  ``limit`` is the longest frame it takes, ``send_limit`` the longest it
    sends, in bytes without the header."""

    _other = Step.REPLY
    _peers = Step.REQUEST
    _who = "client"

    def __init__(
        self,
        limit: int = TO_SERVER_LIMIT,
        send_limit: int = TO_CLIENT_LIMIT,
        versions: tuple[int, int] = VERSIONS,
    ) -> None:
        super().__init__(limit, send_limit)
        self._versions = versions

    def receive(self, data: bytes) -> list[ClientMessage | Fault]:
        """What the client said with these bytes, in order.

        A fatal fault is the last thing ever returned.  After a :class:`~messages.Hello` the
        version is settled in ``version``.  Never raises, whatever the bytes are.
        """
        return self._take_in(data)

    def next(self) -> ClientMessage | Fault | None:
        """One message at a time: the same as :meth:`receive`, for bytes given to :meth:`feed`, so
        that nothing is read before somebody has the time for it.  None: more have to come."""
        message: ClientMessage | Fault | None = self._next()
        return message

    def send(self, message: ServerMessage | bytes) -> bytes:
        """The bytes that say ``message``; ready-made frames (:func:`codec.encode_frame`) pass as
        they are.  The first ones begin with the magic.

        Raises LocalError if this may not be said now, or cannot be encoded.
        """
        return self._give_out(message)

    def _magic_through(self) -> None:
        self.state = TRANSITIONS[self.state][Step.MAGIC]

    def _no_magic(self, first: int) -> RemoteError:
        if first == TLS_HANDSHAKE:
            return RemoteError("no-tls", NO_TLS)
        return super()._no_magic(first)

    def _read(self, body: bytes) -> ClientMessage | Fault:
        greeting = self.state is State.GREETING
        message = None if greeting else plain_request(body)
        if message is None:
            data = unpack(body)
            if greeting and data.get("type") == "hello":
                # First of all, so that a newer client's unknown fields do not hide the reason.
                self._agree(data.get("versions"))
            try:
                message = to_client_message(data)
            except BadMessageError as wrong:
                if greeting:
                    raise RemoteError("bad-message", str(wrong)) from None
                return Fault(error("bad-message", str(wrong), request_id(data)), fatal=False)
        self._received(message)
        return message

    def _agree(self, offered: object) -> None:
        if type(offered) is not list or [type(number) for number in offered] != [int, int]:
            return  # a bad message, and reported as one
        lowest, highest = offered
        low, high = self._versions
        if lowest > highest:
            raise RemoteError("bad-message", "hello: versions has the lowest first")
        if highest < low or lowest > high:
            raise RemoteError(
                "version", f"this server speaks versions {low} to {high} of the protocol"
            )
        self.version = min(highest, high)


class ClientConnection(_Connection):
    """The client's end.  ``limit`` is the longest frame it takes, in bytes without the header;
    the longest it may send is what the server's welcome says."""

    _other = Step.REQUEST
    _peers = Step.REPLY
    _who = "server"

    def __init__(self, limit: int = TO_CLIENT_LIMIT, send_limit: int = TO_SERVER_LIMIT) -> None:
        super().__init__(limit, send_limit)
        self._offered = VERSIONS

    def opening(self) -> bytes:
        """The first bytes of the connection, once; ``send`` puts them first if this was not
        called."""
        if self._magic_said:
            return b""
        self._say_magic()
        return MAGIC

    def receive(self, data: bytes) -> list[ServerMessage | Fault]:
        """What the server said with these bytes, in order; unknown types of messages are left
        out.

        A fatal fault is the last thing ever returned, and so is an error that ends the connection.
        Never raises, whatever the bytes are.
        """
        return self._take_in(data)

    def send(self, message: ClientMessage) -> bytes:
        """The bytes that say ``message``.

        Raises LocalError if this may not be said now, or cannot be encoded.
        """
        if self._magic_said:
            data = self._give_out(message)
        else:
            before = self.state
            self.state = TRANSITIONS[before][Step.MAGIC]
            try:
                data = self._give_out(message)
            except LocalError:
                self.state = before
                raise
        if isinstance(message, Hello):
            self._offered = message.versions
        return data

    def _no_magic(self, first: int) -> RemoteError:
        if first == TLS_ALERT:
            return RemoteError("tls-needed", TLS_NEEDED)
        return super()._no_magic(first)

    def _say_magic(self) -> None:
        self._magic_said = True
        self.state = TRANSITIONS[self.state][Step.MAGIC]

    def _read(self, body: bytes) -> ServerMessage | Fault | None:
        try:
            message = to_server_message(unpack(body))
        except BadMessageError as wrong:
            if self.state is not State.OPEN:
                raise RemoteError("bad-message", str(wrong)) from None
            return Fault(error("bad-message", str(wrong)), fatal=False)
        if message is None:
            if self.state is not State.OPEN:
                raise RemoteError("unexpected-message", self._what_is_due())
            return None
        if isinstance(message, Welcome):
            low, high = self._offered
            if not low <= message.version <= high:
                raise RemoteError(
                    "version",
                    f"the server speaks version {message.version}; this client offered "
                    f"{low} to {high}",
                )
        self._received(message)
        if isinstance(message, Welcome):
            self.version = message.version
            self._send_limit = min(self._send_limit, message.frame_limit)
        return message
