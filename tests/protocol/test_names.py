from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcwidth

from protocol.names import (
    BYTES_A_COLUMN,
    TextError,
    clean_name,
    clean_text,
    name_key,
    shorten,
    width,
)

ANY_TEXT = st.text(st.characters(), max_size=60)  # lone surrogates and all

CLEANED = {
    "plain": ("Ann", "Ann"),
    "space around and inside": ("  Ann \t  Bee\n", "Ann Bee"),
    "composed": ("Zoe\u0308", "Zoë"),
    "escape sequence": ("\x1b[31mred\x1b[0m", "[31mred[0m"),
    "title injection": ("\x1b]0;owned\x07ok", "]0;ownedok"),
    "C1 control": ("a\x9bb", "ab"),
    "line separators": ("a\u2028b\u2029c", "a b c"),
    "bidi override": ("abc\u202edef", "abcdef"),
    "bidi isolate": ("\u2066abc\u2069", "abc"),
    "marks of direction": ("a\u200e\u200f\u061cb", "ab"),
    "zero-width space": ("ab\u200bcd", "abcd"),
    "byte order mark": ("\ufeffab", "ab"),
    "soft hyphen": ("a\u00adb", "ab"),
    "tag characters": ("ab\U000e0041\U000e007f", "ab"),
    "variation selector": ("\u2764\ufe0fx", "\u2764x"),
    "joined family": (
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",
        "\U0001f468\U0001f469\U0001f467",
    ),
    "wide emoji": ("🚂🚃", "🚂🚃"),
    "skin tone": ("ok\U0001f44d\U0001f3fd", "ok\U0001f44d"),
    "flag": ("ab\U0001f1e9\U0001f1ea", "ab"),
    "stacked marks": ("a" + "\u0316" * 50 + "b", "a\u0316\u0316\u0316b"),
    "marks with nothing to sit on": ("\u0301\u0301ab", "ab"),
    "lone surrogate": ("a\ud800b", "ab"),
    "private use": ("a\ue000b", "ab"),
    "unassigned": ("a\U000e0fffb", "ab"),
    "Hangul filler": ("a\u3164b", "ab"),
    "no-break and ideographic space": ("a\u00a0b\u3000c", "a b c"),
    "markup": ("<b>%s</b>", "<b>%s</b>"),
    "Greek": ("Ελένη", "Ελένη"),
    "Japanese": ("線路", "線路"),
    "longest": ("x" * 20, "x" * 20),
    "longest, wide": ("線" * 10, "線" * 10),
}


@pytest.mark.parametrize(("text", "name"), CLEANED.values(), ids=CLEANED.keys())
def test_names_come_out_harmless(text: str, name: str) -> None:
    assert clean_name(text) == name


@pytest.mark.parametrize(
    "text",
    ["", " ", "a", "\u200b" * 10, "\ud800\ud801", "\x00\x01", "x" * 21, "線" * 11, "\u0301" * 5],
)
def test_names_of_a_wrong_width_are_refused(text: str) -> None:
    with pytest.raises(TextError, match=r"a name has 2 to 20 columns.*this one has \d+$"):
        clean_name(text)


@given(ANY_TEXT)
def test_cleaned_text_is_safe_and_stays_as_it_is(text: str) -> None:
    try:
        line = clean_text(text, 40)
    except TextError:
        return
    assert clean_text(line, 40) == line
    assert unicodedata.is_normalized("NFC", line)
    assert line == line.strip()
    assert line.isprintable()
    assert 0 < width(line) <= 40
    assert all(wcwidth(char) >= 0 for char in line)
    assert len(line.encode()) <= 40 * BYTES_A_COLUMN


@given(
    st.one_of(ANY_TEXT, st.text("a\u0316\U0001d165\U0001d15f線", max_size=60)), st.integers(1, 20)
)
def test_shortened_text_fits_and_never_fails(text: str, limit: int) -> None:
    line = shorten(text, limit)
    assert width(line) <= limit
    assert len(line.encode()) <= limit * BYTES_A_COLUMN
    assert line.isprintable()
    assert shorten(line, limit) == line
    line.encode()


def test_shortening_says_that_something_is_missing() -> None:
    assert shorten("abcdef", 6) == "abcdef"
    assert shorten("abcdefg", 6) == "abcde…"
    assert shorten("線路線路", 6) == "線路…"
    assert shorten("ab cdefg", 4) == "ab…"
    assert shorten("x" * 100_000, 5) == "xxxx…"


def test_lines_of_chat_have_a_limit_and_need_something_in_them() -> None:
    assert clean_text("hello\nthere", 300) == "hello there"
    with pytest.raises(TextError, match="a chat line needs something printable"):
        clean_text("\u200b", 300, "chat line")
    with pytest.raises(TextError, match="a chat line has at most 300 columns; this one has 301"):
        clean_text("x" * 301, 300, "chat line")


HEAPED = "\U0001d400" + "\U0001e944" * 3
"""One column in sixteen bytes: a letter and three marks of four bytes each."""


def test_columns_that_are_heaped_with_marks_are_too_many_bytes() -> None:
    assert clean_name(HEAPED * 11) == HEAPED * 11  # 176 bytes
    with pytest.raises(TextError, match="a name has at most 180 bytes in UTF-8; this one has 192"):
        clean_name(HEAPED * 12)
    with pytest.raises(TextError, match="a title has at most 360 bytes"):
        clean_text(HEAPED * 40, 40, "title")
    assert len(shorten(HEAPED * 20, 20).encode()) <= 180


@pytest.mark.parametrize("word", ["नमस्ते", "ที่นี่", "tiếng Việt", "🚂🚃", "שָׁלוֹם"])
def test_no_script_needs_more_bytes_than_a_name_may_have(word: str) -> None:
    name = word
    while width(name + word) <= 20:
        name += word
    assert clean_name(name)


def test_a_long_pile_of_marks_is_no_work() -> None:
    assert clean_text("a" + "\u0316\u0301" * 100_000, 20) == "\u00e1\u0316\u0316"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann", "ANN"),
        ("straße", "STRASSE"),
        ("Zoë", "Zoe\u0308"),
        ("①②", "12"),
        ("Ａｎｎ", "ann"),
        ("An n", "ann"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"),
    ],
)
def test_names_that_look_the_same_are_the_same(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


@given(ANY_TEXT)
def test_the_key_of_a_name_is_its_own_key(text: str) -> None:
    assert name_key(name_key(text)) == name_key(text)
