"""Signs for outputs that cannot show all of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.signs import ESCAPED, PLAIN, fit

OURS = "“Tun”… ×3 – a’b · ● ○ ─ Ōsaka Kyōto Zürich"


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [
        ("utf-8", OURS),
        ("ascii", '"Tun"... x3 - a\'b . @ o - Osaka Kyoto Zurich'),
        ("ANSI_X3.4-1968", '"Tun"... x3 - a\'b . @ o - Osaka Kyoto Zurich'),
        (None, '"Tun"... x3 - a\'b . @ o - Osaka Kyoto Zurich'),
        ("no-such-encoding", '"Tun"... x3 - a\'b . @ o - Osaka Kyoto Zurich'),
        ("latin-1", '"Tun"... ×3 - a\'b · @ o - Osaka Kyoto Zürich'),
    ],
)
def test_what_an_encoding_lacks_is_put_plainly(encoding: str | None, shown: str) -> None:
    assert fit(OURS, encoding) == shown


def test_what_nothing_plain_stands_for_is_a_question_mark_or_an_escape() -> None:
    assert fit("線路", "ascii") == "??"
    assert "線×".encode("ascii", ESCAPED) == b"\\u7ddax"
    assert "線×".encode("ascii", PLAIN) == b"?x"
    for handler in (PLAIN, ESCAPED):
        with pytest.raises(UnicodeDecodeError):
            b"\xff".decode("ascii", handler)


@given(st.text(), st.sampled_from(["ascii", "latin-1", "cp437", "cp932", "utf-8"]))
def test_anything_can_be_shown_and_nothing_that_could_be_is_changed(
    text: str, encoding: str
) -> None:
    text = text.encode("utf-8", "replace").decode()
    shown = fit(text, encoding)
    shown.encode(encoding)
    assert fit(shown, encoding) == shown
    try:
        if text.encode(encoding).decode(encoding) == text:
            assert shown == text
    except UnicodeEncodeError:
        assert shown != text
