from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.fingerprint import LENGTH, fingerprint, grouped, parse


@given(st.binary(max_size=100))
def test_what_is_shown_can_be_typed_again(certificate: bytes) -> None:
    digits = fingerprint(certificate)
    assert digits == hashlib.sha256(certificate).hexdigest()
    assert len(digits) == LENGTH
    spaced = f" {grouped(digits).replace(':', ' ')}\n"
    for form in (digits, digits.upper(), grouped(digits), spaced):
        assert parse(form) == digits
    assert parse(f"SHA256:{digits}") == digits
    assert len(grouped(digits)) <= 72


@pytest.mark.parametrize(
    "text", ["", "ab", "g" * 64, "a" * 63, "a" * 65, "٣" * 64, "a" * 32 + "-" + "a" * 31]
)
def test_anything_else_is_refused_in_words(text: str) -> None:
    with pytest.raises(ValueError, match="64 hexadecimal digits"):
        parse(text)
