"""The operational log: two formats, and nothing of strangers that a terminal would obey."""

from __future__ import annotations

import io
import json

from hypothesis import given
from hypothesis import strategies as st

from server.oplog import operational_log, printable

NASTY = "a\x1b[31mb\u202ec\u200d\x07\ud800\n"


def test_elsewhere_than_on_a_terminal_each_line_is_json() -> None:
    out = io.StringIO()
    log = operational_log(out)
    log.info("connected", name="Ann", port=7262)
    log.debug("not shown")
    (line,) = out.getvalue().splitlines()
    entry = json.loads(line)
    assert entry["message"] == "connected"
    assert (entry["name"], entry["port"], entry["level"]) == ("Ann", 7262, "info")


def test_a_terminal_gets_words() -> None:
    out = io.StringIO()
    operational_log(out, terminal=True).info("connected", name="Ann")
    assert "connected" in out.getvalue()
    assert not out.getvalue().startswith("{")


def test_text_of_strangers_is_escaped_in_both() -> None:
    for terminal in (False, True):
        out = io.StringIO()
        log = operational_log(out, terminal=terminal)
        log.info("bad input", name=NASTY, more={"k": [NASTY]})
        shown = out.getvalue()
        assert "\u202e" not in shown
        assert "\x07" not in shown
        assert "[31mb" in shown
        assert "\x1b[31mb" not in shown
        shown.encode()
        assert shown.count("\n") == 1


def test_long_text_is_cut() -> None:
    out = io.StringIO()
    operational_log(out).info("x", text="a" * 10_000)
    assert len(out.getvalue()) < 1_000


def test_a_traceback_is_shown_and_its_message_is_harmless() -> None:
    out = io.StringIO()
    log = operational_log(out)
    try:
        raise ValueError(NASTY)
    except ValueError as error:
        log.error("table broken", exc_info=error)
    entry = json.loads(out.getvalue())
    assert "Traceback" in entry["exception"]
    assert "\u202e" not in entry["exception"]


@given(st.text(st.characters(exclude_categories=[])))
def test_printable_text_is_printable_and_encodes(text: str) -> None:
    shown = printable(text)
    assert shown.isprintable()
    shown.encode()
    assert printable(shown) == shown
