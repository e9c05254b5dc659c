"""Cuts a stream of bytes into frames: a 4-byte big-endian length, then that many bytes.

Knows nothing of what is inside a frame.  The work is linear in the bytes received however they
are chunked, and never more is kept than one unfinished frame and the last chunk.
"""

from __future__ import annotations

from protocol.errors import LocalError, RemoteError

HEADER = 4
"""Bytes of a frame's length."""

TO_SERVER_LIMIT = 8_192
"""The longest frame a server takes, in bytes, without the header."""

TO_CLIENT_LIMIT = 262_144
"""The longest frame a client takes, in bytes, without the header."""


class FrameBuffer:
    """Bytes in, whole frames out."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._data = bytearray()
        self._start = 0  # what lies before has been handed out already

    def feed(self, chunk: bytes) -> None:
        """Add what was received."""
        # Handed-out bytes are dropped here, once per chunk and not once per frame.  What is left
        # over came in the chunk before, so no byte is moved more than once.
        if self._start:
            del self._data[: self._start]
            self._start = 0
        self._data += chunk

    def take(self, count: int) -> bytes:
        """The next bytes as they are, at most ``count``: for what comes before the frames."""
        piece = bytes(self._data[self._start : self._start + count])
        self._start += len(piece)
        return piece

    def next_frame(self) -> bytes | None:
        """The next whole frame without its header, or None until more has come.

        Raises RemoteError (``frame-too-long``) as soon as a header announces too much.
        """
        body = self._start + HEADER
        if len(self._data) < body:
            return None
        length = int.from_bytes(self._data[self._start : body], "big")
        if length > self._limit:
            raise RemoteError(
                "frame-too-long",
                f"a frame may have at most {self._limit} bytes; this one announces {length}",
            )
        end = body + length
        if len(self._data) < end:
            return None
        self._start = end
        return bytes(self._data[body:end])

    def clear(self) -> None:
        """Forget everything: after a fault nothing more is read."""
        self._data.clear()
        self._start = 0

    def __len__(self) -> int:
        """How many bytes wait for the rest of their frame."""
        return len(self._data) - self._start


def frame(body: bytes, limit: int) -> bytes:
    """``body`` with its header.  Raises LocalError if it is longer than ``limit``."""
    length = len(body)
    if length > limit:
        raise LocalError(f"a frame of {length} bytes is over the limit of {limit}")
    return length.to_bytes(HEADER, "big") + body
