"""Takes in connections at a listener, also when the process has run out of file descriptors: then
those who come wait, everything else goes on, and the log says so now and then."""

from __future__ import annotations

import errno
from collections.abc import Awaitable, Callable
from math import inf

import trio

from server.oplog import Log

PAUSE = 0.1
"""Seconds until a connection that could not be taken in is tried again."""

QUIET = 60.0
"""Seconds until the log says it again."""

OUT_OF = {errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS}
"""What the system may run out of."""

Receive = Callable[[trio.SocketStream], Awaitable[object]]


async def accept(
    listener: trio.SocketListener, receive: Receive, nursery: trio.Nursery, log: Log
) -> None:
    """Hand each connection to ``receive``, in a task of ``nursery``; until cancelled."""
    quiet_until = -inf
    async with listener:
        while True:
            try:
                stream = await listener.accept()
            except OSError as error:
                if error.errno not in OUT_OF:
                    raise
                now = trio.current_time()
                if now >= quiet_until:
                    log.error("new connections wait", reason=error.strerror or str(error))
                    quiet_until = now + QUIET
                await trio.sleep(PAUSE)
            else:
                nursery.start_soon(receive, stream)
