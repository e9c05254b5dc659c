"""Who is not let in, by name and by address, across restarts and times."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.names import name_key
from server import bans as module
from server.bans import Ban, BanError, Bans


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "bans.json"


def test_bans_are_there_after_a_restart(file: Path) -> None:
    bans = Bans(file)
    bans.add(name="Ann", address="192.0.2.7", reason="rude")
    again = Bans(file)
    assert [(b.name, b.address, b.reason) for b in again.all()] == [
        ("Ann", "", "rude"),
        ("", "192.0.2.7/32", "rude"),
    ]
    assert again.of_name(name_key("ANN")) is not None
    assert again.of_address("192.0.2.7") is not None
    again.remove(name="ann")
    assert [b.address for b in Bans(file).all()] == ["192.0.2.7/32"]


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
def test_the_file_is_its_owners_alone(file: Path) -> None:
    Bans(file).add(name="Ann")
    assert file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in file.parent.iterdir()] == [file.name]


@pytest.mark.parametrize(
    ("banned", "address", "is_meant"),
    [
        ("192.0.2.7", "192.0.2.7", True),
        ("192.0.2.7", "::ffff:192.0.2.7", True),
        ("::ffff:192.0.2.7", "192.0.2.7", True),
        ("192.0.2.7", "192.0.2.8", False),
        ("192.0.2.9/24", "192.0.2.77", True),
        ("192.0.2.0/24", "192.0.3.1", False),
        ("2001:db8::/32", "2001:db8:1::5", True),
        ("fe80::1", "fe80::1%eth0", True),
        ("0.0.0.0/0", "2001:db8::1", False),
        ("::/0", "192.0.2.7", False),
        ("192.0.2.7", "", False),
        ("192.0.2.7", "@unix", False),
    ],
)
def test_an_address_is_meant_in_every_spelling(banned: str, address: str, is_meant: bool) -> None:
    bans = Bans()
    bans.add(address=banned)
    assert (bans.of_address(address) is not None) == is_meant


@given(st.ip_addresses(v=4), st.integers(0, 32), st.ip_addresses(v=4))
def test_a_network_is_all_addresses_that_begin_alike(
    banned: object, length: int, address: object
) -> None:
    bans = Bans()
    bans.add(address="198.51.100.1")
    bans.add(address=f"{banned}/{length}")
    alike = int(banned) >> (32 - length) == int(address) >> (32 - length)  # type: ignore[call-overload]
    assert (bans.of_address(str(address)) is not None) == (alike or str(address) == "198.51.100.1")


def test_a_ban_ends_when_its_time_has_come() -> None:
    now = 1_000.0
    bans = Bans(now=lambda: now)
    bans.add(name="Ann", address="192.0.2.7", seconds=60)
    now = 1_059.0
    assert len(bans.all()) == 2
    now = 1_060.0
    assert not bans.all()
    assert bans.of_name(name_key("Ann")) is None
    assert bans.of_address("192.0.2.7") is None
    with pytest.raises(BanError, match="no such ban"):
        bans.remove(name="Ann")


def test_who_is_banned_again_has_one_ban_the_new_one() -> None:
    bans = Bans()
    bans.add(name="Ann", seconds=5)
    bans.add(name="a n n", reason="again")
    assert [(b.name, b.until) for b in bans.all()] == [("a n n", 0.0)]


@pytest.mark.parametrize(
    ("who", "says"),
    [
        ({}, "a name or an address"),
        ({"name": "x"}, "2 to 20 columns"),
        ({"address": "somewhere"}, "an address is like"),
        ({"address": "192.0.2.0/33"}, "an address is like"),
        ({"name": "Ann", "address": "300.1.1.1"}, "an address is like"),
    ],
)
def test_what_cannot_be_banned_changes_nothing(file: Path, who: dict[str, str], says: str) -> None:
    bans = Bans(file)
    with pytest.raises(BanError, match=says):
        bans.add(**who)  # type: ignore[arg-type]
    assert not bans.all()
    assert not file.exists()


def test_what_cannot_be_kept_does_not_count(file: Path) -> None:
    bans = Bans(file / "not a folder" / "bans.json")
    with pytest.raises(BanError, match="cannot be kept"):
        bans.add(name="Ann")
    assert bans.of_name(name_key("Ann")) is None


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff",
        b"{}",
        b'{"schema": 2, "bans": []}',
        b'{"schema": 1, "bans": [{"name": 3}]}',
        b'{"schema": 1, "bans": [{"address": "here"}]}',
        b'{"schema": 1, "bans": [{"colour": "red"}]}',
    ],
)
def test_a_file_that_is_no_list_of_bans_is_an_error_and_stays(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    with pytest.raises(BanError, match=r"bans\.json: this is"):
        Bans(file)
    assert file.read_bytes() == content


def test_there_is_a_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 2)
    bans = Bans()
    bans.add(name="Ann", address="192.0.2.7")
    with pytest.raises(BanError, match="2 bans already"):
        bans.add(name="Ben")
    bans.add(name="Ann", reason="a new one for an old one")
    assert bans.all()[-1] == Ban(
        name="Ann", reason="a new one for an old one", since=bans.all()[-1].since
    )
