from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import LocalError, RemoteError
from protocol.frames import HEADER, FrameBuffer, frame
from tests.protocol.strategies import cut


def drain(buffer: FrameBuffer) -> list[bytes]:
    frames = []
    while (body := buffer.next_frame()) is not None:
        frames.append(body)
    return frames


@given(st.lists(st.binary(max_size=40), max_size=8), st.lists(st.integers(0, 300), max_size=12))
def test_any_chunking_gives_the_same_frames(bodies: list[bytes], places: list[int]) -> None:
    stream = b"".join(frame(body, 40) for body in bodies)
    buffer = FrameBuffer(40)
    got = []
    for piece in cut(stream, places):
        buffer.feed(piece)
        got += drain(buffer)
    assert got == bodies
    assert len(buffer) == 0


def test_a_frame_may_be_as_long_as_the_limit_and_no_longer() -> None:
    assert frame(b"x" * 10, 10) == b"\x00\x00\x00\x0a" + b"x" * 10
    with pytest.raises(LocalError, match="11 bytes is over the limit of 10"):
        frame(b"x" * 11, 10)
    buffer = FrameBuffer(10)
    buffer.feed(b"\x00\x00\x00\x0a" + b"x" * 10)
    assert buffer.next_frame() == b"x" * 10


def test_a_length_over_the_limit_is_refused_before_the_body_comes() -> None:
    buffer = FrameBuffer(10)
    buffer.feed(b"\x00\x00\x00")
    assert buffer.next_frame() is None
    buffer.feed(b"\x0b")
    with pytest.raises(RemoteError, match="at most 10 bytes; this one announces 11") as caught:
        buffer.next_frame()
    assert caught.value.code == "frame-too-long"


@given(st.lists(st.binary(max_size=30), max_size=30))
def test_no_more_is_kept_than_one_frame_and_the_last_chunk(chunks: list[bytes]) -> None:
    buffer = FrameBuffer(16)
    for chunk in chunks:
        buffer.feed(chunk)
        try:
            drain(buffer)
        except RemoteError:
            break
        assert len(buffer) < 16 + HEADER
        assert len(buffer._data) < 16 + HEADER + len(chunk)


def test_many_small_chunks_are_not_copied_again_and_again() -> None:
    # A frame fed byte by byte: the bytes moved are counted, not the time.
    moved = 0

    class Counting(bytearray):
        def __delitem__(self, key: object) -> None:
            nonlocal moved
            super().__delitem__(key)  # type: ignore[arg-type]
            moved += len(self)

    buffer = FrameBuffer(5_000)
    buffer._data = Counting()
    for byte in frame(b"x" * 5_000, 5_000) * 2:
        buffer.feed(bytes([byte]))
        drain(buffer)
    assert moved <= 2 * 5_004


def test_bytes_before_the_frames_can_be_taken_as_they_are() -> None:
    buffer = FrameBuffer(10)
    buffer.feed(b"ma")
    assert buffer.take(5) == b"ma"
    buffer.feed(b"gic\x00\x00\x00\x01y")
    assert buffer.take(3) == b"gic"
    assert drain(buffer) == [b"y"]
    buffer.feed(b"\x00\x00")
    assert len(buffer) == 2
    buffer.clear()
    assert len(buffer) == 0
