"""Says no to a connection that is one too many or unwelcome, and why, and then closes it.

It gets no session and no more time than last words get.  A stranger who does not begin with the
magic is not told a word, as everywhere.
"""

from __future__ import annotations

import trio
from trio.abc import HalfCloseableStream, Stream

from protocol import ServerConnection, State
from protocol.messages import Error
from server.settings import Settings

CHUNK = 16_384
_GONE = (trio.BrokenResourceError, trio.ClosedResourceError)


async def turn_away(stream: Stream, settings: Settings, why: Error) -> None:
    """Answer the client's first words with an error, and close the stream."""
    wire = ServerConnection(limit=settings.frame_limit)
    try:
        with trio.move_on_after(settings.farewell):
            while wire.state is State.START:
                data = await stream.receive_some(CHUNK)
                if not data:
                    return
                wire.receive(bytes(data))
            if wire.state is State.CLOSED:
                return
            await stream.send_all(wire.send(why))
            if isinstance(stream, HalfCloseableStream):
                await stream.send_eof()
            while await stream.receive_some(CHUNK):  # unread bytes would take the error back
                pass
    except _GONE:
        pass
    finally:
        await trio.aclose_forcefully(stream)
