"""One connection: bytes to messages, messages to bytes, and all patience with a client.

One task reads, one writes.  The reader hands each message to :mod:`server.requests` and so waits
while its table or its own replies are stuck; the writer empties the :class:`Outbox`.  Whichever
ends first takes the other with it.  It works over any Trio stream and knows nothing of games.
"""

from __future__ import annotations

from math import inf

import trio
from trio.abc import HalfCloseableStream, Stream

from protocol import ServerConnection, State
from protocol.errors import Fault, error
from protocol.frames import HEADER
from protocol.messages import Bye, ClientMessage, Hello, Request
from server.hall import Hall
from server.meter import Meter
from server.oplog import Log
from server.outbox import Outbox
from server.patience import Patience
from server.refusal import Refusal
from server.requests import handle
from server.session import Session
from server.sockets import PlainStream

CHUNK = 16_384
"""Bytes read at once: two of the longest frames."""

REST = 1.0
"""Seconds without a byte after which a client does not send without a rest; more than a server
under load takes to come round to it."""

_GONE = (trio.BrokenResourceError, trio.ClosedResourceError)


class Connection:
    """Serves one client over a stream, from its first byte to the end."""

    def __init__(self, stream: Stream, hall: Hall, log: Log, address: str = "") -> None:
        self._stream = stream
        self._address = address
        self._hall = hall
        self._settings = hall.settings
        self._log = log
        self._tally = hall.tally
        self._wire = ServerConnection(limit=hall.settings.frame_limit)
        send_now = stream.send_now if isinstance(stream, PlainStream) else None
        self._outbox = Outbox(hall.settings.queue, send_now, space=hall.settings.queue_bytes)
        self._session: Session | None = None
        self._patience = Patience()
        self._reading = trio.CancelScope()
        self._writing = trio.CancelScope()
        self._reading_away = False
        self._said_bye = False

    @property
    def waiting(self) -> int:
        """How many frames wait to be written."""
        return len(self._outbox)

    @property
    def sent(self) -> int:
        """How many frames were written, or are being so."""
        return self._outbox.taken

    async def run(self) -> None:
        """Serve the client until either side has had enough.  Expected ends raise nothing."""
        self._tally.connections += 1
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._patience.watch, self._reading.cancel, self._writing.cancel)
                nursery.start_soon(self._write, nursery.cancel_scope)
                await self._read()
                self._outbox.finish()  # the writer says what is left, and ends both
                if self._reading_away:  # what is left has been said
                    nursery.cancel_scope.cancel()
        finally:
            self._depart()
            self._tally.frames_out += self._outbox.taken
            self._outbox.taken = 0
            await trio.aclose_forcefully(self._stream)

    def end(self, code: str, text: str) -> None:
        """Say a last word and close; what waits in the queue goes out before it."""
        self._tally.refused[code] += 1
        if self._wire.state in {State.START, State.CLOSED}:
            self._outbox.finish()
            return
        self._outbox.put(self._wire.send(error(code, text)))
        self._outbox.finish()

    def _depart(self) -> None:
        session, self._session = self._session, None
        if session is None or not session.detach(self._outbox):
            return
        if self._said_bye:
            self._hall.farewell(session)
        else:
            self._hall.miss(session)
        self._log.info("disconnected", bye=self._said_bye)

    # ------------------------------------------------------------------ reading

    async def _read(self) -> None:
        """Read until the client is done, gone, silent for too long, or wrong beyond repair."""
        receive = self._stream.receive_some
        settings = self._settings
        now = trio.current_time()
        meter = Meter(settings.frame_rate, settings.frame_burst, now)
        hello_due = now + settings.hello
        frame_due = inf
        flood_due, much = inf, min(settings.frame_limit + HEADER, CHUNK - 1)
        patience = self._patience
        with self._reading:
            while True:
                limit = hello_due if self._session is None else now + settings.silence
                patience.read_by(min(frame_due, limit))
                try:
                    data = await receive(CHUNK)
                except _GONE:
                    return
                if not data:
                    return
                then, now = now, trio.current_time()
                if len(data) <= much or now - then > REST:
                    flood_due = inf
                elif flood_due == inf:  # more has come than one message, and waits to be read
                    flood_due = now + settings.flood
                self._wire.feed(bytes(data))
                heard = False
                while (message := self._wire.next()) is not None:
                    self._tally.frames_in += 1
                    patience.read_due = inf  # waiting, for a table too, is no fault of the client
                    wait = meter.take(now)
                    if wait > 0:
                        await trio.sleep(wait)
                        now = trio.current_time()
                    if now >= flood_due:
                        self._flooded()
                        return
                    if self._outbox.full:
                        await self._outbox.room()
                    if self._outbox.finished or not await self._take(message):
                        return
                    heard = True
                if heard:
                    now = trio.current_time()
                if not self._wire.frame_begun:
                    frame_due = inf
                elif heard or frame_due == inf:  # its first bytes have just come
                    frame_due = now + settings.rest_of_frame
        self._too_late(frame_due)

    def _flooded(self) -> None:
        seconds = self._settings.flood
        self.end("too-many", f"more came than can be read, for {seconds:g} seconds")
        self._log.warning("flooded")

    def _too_late(self, frame_due: float) -> None:
        if self._session is None:
            self.end("timeout", "no hello came in time")
        elif frame_due <= trio.current_time():
            self.end("timeout", "the rest of a frame did not come in time")
        else:
            self.end("timeout", "nothing came for too long; send a ping now and then")
        self._log.info("timeout")

    async def _take(self, message: ClientMessage | Fault) -> bool:
        """Deal with one message; False: nothing more is to be read."""
        if self._outbox.finished:  # shown the door meanwhile
            return False
        session = self._session
        if session is not None and isinstance(message, Request):
            try:
                await handle(self._hall, session, message, self._outbox)
            except Exception as wrong:  # noqa: BLE001 - whatever it is, it ends this connection only
                self._log.error("request failed", request=type(message).__name__, exc_info=wrong)
                self.end("internal", "the server made a mistake; please connect again")
            return not self._outbox.finished
        if isinstance(message, Hello):
            return await self._greet(message)
        if isinstance(message, Fault):
            return await self._fault(message)
        self._said_bye = isinstance(message, Bye)
        if not self._said_bye:  # a request before hello; the wire lets none through
            self.end("unexpected-message", "the first message of a client has to be hello")
        return False

    async def _greet(self, hello: Hello) -> bool:
        try:
            await self._hall.gate.check(hello, self._address)
            if self._outbox.finished:
                return False
            session, welcome = self._hall.greet(hello, self._wire.version, self._address)
        except Refusal as no:
            self._log.info("not let in", code=no.code)
            self.end(no.code, no.text)
            return False
        self._session = session
        self._outbox.put(self._wire.send(welcome))
        session.attach(self._outbox, self.end, hello.unanswered)
        self._log = self._log.bind(name=session.name)
        self._log.info("connected", client=hello.client, resumed=welcome.resumed)
        self._hall.arrive(session)
        return True

    async def _fault(self, fault: Fault) -> bool:
        self._log.info("bad input", code=fault.error.code, text=fault.error.text)
        self._tally.refused[fault.error.code] += 1
        if fault.error.code == "not-senro":
            return False
        self._outbox.put(self._wire.send(fault.error))
        if not fault.fatal:
            return True
        self._reading_away = True
        self._outbox.finish()
        await self._read_away()
        return False

    async def _read_away(self) -> None:
        """Let a client that is still sending read its error: closing a socket with unread bytes
        would take the error back.  They are not here any more meanwhile."""
        self._depart()
        with trio.move_on_after(self._settings.farewell):
            try:
                while await self._stream.receive_some(CHUNK):
                    pass
            except _GONE:
                return

    # ------------------------------------------------------------------ writing

    async def _write(self, connection: trio.CancelScope) -> None:
        """Write until the outbox is finished or the client does not take it; then end both."""
        outbox, send_all = self._outbox, self._stream.send_all
        slow, farewell = self._settings.slow, self._settings.farewell
        patience = self._patience
        with self._writing:
            try:
                while True:
                    data = outbox.take()
                    if data:
                        due = farewell if outbox.finished else slow
                        patience.write_by(trio.current_time() + due)
                        await send_all(data)
                        patience.write_due = inf
                    elif outbox.finished:
                        break
                    else:
                        await outbox.wait()
                if isinstance(self._stream, HalfCloseableStream):
                    await self._stream.send_eof()
            except _GONE:
                pass
        if self._writing.cancelled_caught or outbox.hopeless:
            self._log.warning("too slow")
        if not self._reading_away:
            connection.cancel()
