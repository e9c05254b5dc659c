from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from client.plain.lines import columns_of, fold, plain, wrap

words = st.text("abcdefgh ", max_size=60)


fragments = st.tuples(st.sampled_from(["", "class:x"]), words.map("{} ".format))


@given(st.lists(fragments, max_size=6), st.integers(20, 80))
def test_a_narrow_screen_gets_whole_words_in_order(line: list[tuple[str, str]], width: int) -> None:
    folded = fold(line, width)
    assert all(columns_of(plain(part)) <= width for part in folded)
    if columns_of(plain(line)) <= width:
        assert folded == [line]
    pieces = [word for _, text in line for word in text.split()]
    if all(len(word) <= width for word in pieces):
        there = [word for part in folded for _, text in part for word in text.split()]
        assert there == pieces


@given(words, st.integers(20, 80))
def test_wrapping_splits_no_word(sentence: str, width: int) -> None:
    lines = wrap(sentence, width, "  ")
    if all(len(word) <= width - 2 for word in sentence.split()):
        assert [word for line in lines for word in plain(line).split()] == sentence.split()
