"""A bare Trio server that moves frames without knowing a game, to compare the real server with.

``python -m benchmarks.echo OK UPDATE`` prints ``ready HOST PORT``.  Connections come in pairs:
their first two bytes are twice the number of the pair, plus the seat.  For each frame from one of
them it sends a frame of ``OK`` bytes and one of ``UPDATE`` bytes back, and one of ``UPDATE`` bytes
to the other, as the real server does for an accepted answer: one write for each connection.  The
first payload byte of an update says whether its reader is to send next; the turn passes every few
frames.
"""

from __future__ import annotations

import sys

import trio

ANSWERS_A_TURN = 6


def frame(size: int, turn: bool) -> bytes:
    return (size - 4).to_bytes(4, "big") + bytes([turn]) + bytes(size - 5)


class Pair:
    """Two connections and whose turn it is."""

    def __init__(self, ok: int, update: int) -> None:
        self.streams: dict[int, trio.SocketStream] = {}
        self.count = 0
        self.mover = 0
        self.sending = trio.Lock()  # the other may answer before a send has quite returned
        self.ok = frame(ok, False)
        self.update = [frame(update, False), frame(update, True)]

    async def run(self, seat: int) -> None:
        waiting = bytearray()
        stream = self.streams[seat]
        while True:
            data = await stream.receive_some(16384)
            if not data:
                return
            waiting += data
            while len(waiting) >= 4:
                end = 4 + int.from_bytes(waiting[:4], "big")
                if len(waiting) < end:
                    break
                del waiting[:end]
                self.count += 1
                if self.count % ANSWERS_A_TURN == 0:
                    self.mover = 1 - self.mover
                async with self.sending:
                    await stream.send_all(self.ok + self.update[self.mover == seat])
                    await self.streams[1 - seat].send_all(self.update[self.mover != seat])


async def main() -> None:
    ok, update = int(sys.argv[1]), int(sys.argv[2])
    pairs: dict[int, Pair] = {}

    async def serve(stream: trio.SocketStream) -> None:
        first = await stream.receive_some(1)
        first += await stream.receive_some(1)
        number, seat = divmod(int.from_bytes(first, "big"), 2)
        pair = pairs.setdefault(number, Pair(ok, update))
        pair.streams[seat] = stream
        try:
            await pair.run(seat)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            return

    listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
    print(f"ready 127.0.0.1 {listeners[0].socket.getsockname()[1]}", flush=True)
    await trio.serve_listeners(serve, listeners)


if __name__ == "__main__":
    trio.run(main)
