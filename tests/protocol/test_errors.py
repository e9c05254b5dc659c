from __future__ import annotations

import re

import pytest
from msgspec import UNSET

from protocol.errors import CODES, error
from protocol.messages import Error


def test_codes_are_words_with_hyphens_and_have_a_meaning() -> None:
    for code, meaning in CODES.items():
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", code)
        assert meaning


def test_an_error_has_a_code_out_of_the_table() -> None:
    assert error("busy") == Error(code="busy", text=CODES["busy"], re=UNSET)
    assert error("busy", "wait", 7) == Error(code="busy", text="wait", re=7)
    with pytest.raises(KeyError, match="no-such-code"):
        error("no-such-code")
