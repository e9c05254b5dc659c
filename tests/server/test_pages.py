"""Pages: never too many parts, never too many bytes, and nothing lost from page to page."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from server.pages import page

SIZES = st.lists(st.integers(1, 50), max_size=30)


@given(SIZES, st.integers(1, 10), st.integers(0, 200))
def test_a_page_is_bounded_and_as_long_as_it_may_be(sizes: list[int], most: int, room: int) -> None:
    parts = [Raw(b"x" * size) for size in sizes]
    taken = page(parts, most, room)
    assert taken == parts[: len(taken)]
    assert len(taken) <= most
    assert sum(sizes[: len(taken)]) <= room or len(taken) == 1
    if len(taken) < min(most, len(parts)):
        assert sum(sizes[: len(taken) + 1]) > room


@given(SIZES, st.integers(1, 10), st.integers(0, 200))
def test_page_after_page_comes_to_the_end(sizes: list[int], most: int, room: int) -> None:
    parts = [Raw(b"x" * size) for size in sizes]
    seen: list[Raw] = []
    while len(seen) < len(parts):
        seen += page(parts[len(seen) :], most, room)
    assert seen == parts
