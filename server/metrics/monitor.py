"""Watches one server and serves what it sees."""

from __future__ import annotations

from collections.abc import Sequence

import trio

from server.accepting import accept
from server.app import Server
from server.journal import Write
from server.metrics.collector import Instruments
from server.metrics.lag import measure
from server.metrics.web import Web
from server.oplog import Log


class Monitor:
    """Answers at these listeners once it runs."""

    def __init__(self, listeners: Sequence[trio.SocketListener]) -> None:
        self._listeners = list(listeners)
        self._instruments = Instruments()

    def timed(self, write: Write) -> Write:
        """A write of journals whose time is measured."""
        return self._instruments.timed(write)

    async def run(self, server: Server, log: Log) -> None:
        """Watch and answer until cancelled."""

        def health() -> tuple[int, str]:
            if server.hall.closing:
                return 503, "ending"
            return 200, "draining" if server.hall.order.draining else "ok"

        instruments = self._instruments
        instruments.watch(server)
        for listener in self._listeners:
            host, port = listener.socket.getsockname()[:2]
            log.info("metrics", host=host, port=port)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(measure, instruments.loop_lag.observe)
            web = Web(instruments.registry, health, log)
            for listener in self._listeners:
                nursery.start_soon(accept, listener, web.receive, nursery, log)
