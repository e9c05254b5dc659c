from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import VERSIONS
from protocol.discovery import NAME_COLUMNS, Record, from_txt, shown_name
from protocol.names import shorten, width

RECORDS = st.builds(
    Record,
    name=st.text(min_size=1, max_size=60) | st.just("กี้" * 30),
    versions=st.tuples(st.integers(0, 50), st.integers(50, 9_999)),
    tls=st.booleans(),
    fingerprint=st.text("0123456789abcdef", min_size=64, max_size=64) | st.just(""),
    password=st.booleans(),
)


def on_the_wire(txt: dict[str, str]) -> dict[bytes, bytes | None]:
    return {key.encode(): value.encode() for key, value in txt.items()}


@given(RECORDS)
def test_what_is_written_can_be_read(record: Record) -> None:
    txt = record.to_txt()
    for key, value in txt.items():  # RFC 6763: a pair has at most 255 bytes
        assert len(f"{key}={value}".encode()) <= 255
    found = from_txt(on_the_wire(txt))
    assert found is not None
    assert found.name == shown_name(record.name) or not shown_name(record.name)
    assert found.fingerprint == record.fingerprint[:16]
    assert (found.versions, found.tls, found.password) == (
        record.versions,
        record.tls,
        record.password,
    )


@given(
    st.dictionaries(
        st.sampled_from([b"name", b"versions", b"tls", b"fingerprint", b"NAME", b"\xff"])
        | st.binary(max_size=10),
        st.none() | st.binary(max_size=255) | st.just(b"1-1"),
        max_size=8,
    )
)
def test_whatever_a_record_says_is_harmless(txt: dict[bytes, bytes | None]) -> None:
    found = from_txt(txt)
    if found is not None:
        assert found.name == shorten(found.name, NAME_COLUMNS)
        assert width(found.name) <= NAME_COLUMNS
        assert found.fingerprint == "" or len(found.fingerprint) == 16
        assert found.fingerprint.isascii()
        assert found.versions[0] <= found.versions[1] <= 9_999


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (b"Ann\x1b[2J's\r\nhouse", "Ann[2J's house"),
        ("Ann\u202e\u200b".encode(), "Ann"),
        (b"\xff\xfe", "\ufffd\ufffd"),
        (b"\x1b\x07", "a server without a name"),
        (b"x" * 200, "x" * (NAME_COLUMNS - 1) + "…"),
    ],
)
def test_a_name_is_text_of_a_stranger(name: bytes, shown: str) -> None:
    found = from_txt({b"versions": b"1-1", b"name": name})
    assert found is not None
    assert found.name == shown


@pytest.mark.parametrize(
    "versions", [None, b"", b"1", b"2-1", b"-1-1", b"1-99999", b"\xd9\xa3-\xd9\xa3", b"1-1\n"]
)
def test_a_record_without_versions_is_none_of_ours(versions: Any) -> None:
    assert from_txt({b"versions": versions, b"name": b"x"}) is None


@pytest.mark.parametrize(
    ("versions", "understood"),
    [(VERSIONS, True), ((0, 9), True), ((VERSIONS[1] + 1, 99), False), ((0, 0), False)],
)
def test_a_server_of_another_age_is_known_beforehand(
    versions: tuple[int, int], understood: bool
) -> None:
    assert Record("x", versions).understood is understood
