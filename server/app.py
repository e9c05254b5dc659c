"""A running server: listeners, connections and games, begun and ended in the right order."""

from __future__ import annotations

from collections.abc import Sequence

import trio

from server.accepting import accept
from server.door import Door
from server.drain import drain
from server.hall import Hall
from server.listener import Reception
from server.oplog import Log


class Server:
    """Serves a hall.  Open the listeners first (:func:`trio.open_tcp_listeners`), then run it.

    ``addresses`` are host and port of each listener; ``draining`` and ``ending`` are set once it is
    asked for that, ``ended`` when everything has ended.
    """

    def __init__(
        self,
        hall: Hall,
        listeners: Sequence[trio.SocketListener],
        log: Log,
        door: Door | None = None,
    ) -> None:
        self.hall = hall
        self.reception = Reception(hall, log, door)
        self._listeners = list(listeners)
        self.addresses: list[tuple[str, int]] = [
            listener.socket.getsockname()[:2] for listener in self._listeners
        ]
        self._log = log
        self.ending = trio.Event()
        self.draining = trio.Event()
        self.ended = trio.Event()

    def drain(self) -> None:
        """Ask the server to end once the running games have (:mod:`server.drain`)."""
        self.draining.set()

    def end(self) -> None:
        """Ask the server to end."""
        self.ending.set()

    async def _end_after_draining(self) -> None:
        await self.draining.wait()
        await drain(self.hall)
        self.ending.set()

    async def run(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Serve until :meth:`end`: then nobody is let in any more, the tables are closed, everybody
        is told, and connections have a moment to take their last words."""
        async with trio.open_nursery() as connections:
            async with trio.open_nursery() as games:
                await games.start(self.hall.run)
                async with trio.open_nursery() as accepting:
                    for listener in self._listeners:
                        accepting.start_soon(
                            accept, listener, self.reception.receive, connections, self._log
                        )
                    accepting.start_soon(self._end_after_draining)
                    for host, port in self.addresses:
                        self._log.info("listening", host=host, port=port)
                    task_status.started()
                    await self.ending.wait()
                    accepting.cancel_scope.cancel()
                self.hall.close()
            self.reception.close()
            with trio.move_on_after(self.hall.settings.farewell):
                await self.reception.empty()
            connections.cancel_scope.cancel()
        self._log.info("ended")
        self.ended.set()
