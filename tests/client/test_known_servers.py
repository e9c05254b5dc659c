from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.errors import ClientError
from client.known_servers import MOST_BYTES, VOUCHED, KnownServers

ONE, OTHER = "ab" * 32, "01" * 32

PLACES = st.sampled_from(
    ["example.org:7262", "example.org:1", "EXAMPLE.org:7262", "10.0.0.1:7262", "[::1]:7262"]
)
SAID = st.just(VOUCHED) | st.text("0123456789abcdef", min_size=64, max_size=64)


@given(st.lists(st.tuples(PLACES, SAID), max_size=12))
def test_what_was_kept_last_is_found_and_nothing_else(kept: list[tuple[str, str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        known = KnownServers(Path(folder) / "deep" / "known_servers")
        expected: dict[str, str] = {}
        for place, said in kept:
            assert known.keep(place, said)
            expected[place.lower()] = said
            again = KnownServers(known.path)
            for other in ("example.org:7262", "example.org:1", "10.0.0.1:7262", "[::1]:7262"):
                assert again.find(other) == expected.get(other, "")
        if kept:
            assert known.path is not None
            assert [path.name for path in known.path.parent.iterdir()] == ["known_servers"]


@given(st.binary(max_size=300))
def test_whatever_stands_in_the_file_stays_there_and_permits_nothing(noise: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "known_servers"
        path.write_bytes(noise)
        known = KnownServers(path)
        assert known.find("example.org:7262") == ""
        assert known.keep("example.org:7262", ONE)
        assert known.find("example.org:7262") == ONE
        before = noise.decode("utf-8", "surrogateescape").splitlines()
        after = path.read_bytes().decode("utf-8", "surrogateescape").splitlines()
        assert after[: len(before)] == before


@pytest.mark.parametrize(
    "said",
    ["", "sha256:", "sha256:abcd", ONE, "md5:" + ONE, "vouched for", "VOUCHED", f"sha256:{ONE}0"],
)
def test_a_line_that_is_not_clear_is_no_permission(tmp_path: Path, said: str) -> None:
    path = tmp_path / "known_servers"
    path.write_text(f"# mine\n\nexample.org:7262 {said}\nexample.net:7262 vouched\n")
    known = KnownServers(path)
    with pytest.raises(ClientError, match="line 3, does not say clearly"):
        known.find("Example.org:7262")
    assert known.find("example.net:7262") == VOUCHED
    assert known.find("example.org:7263") == ""


def test_people_may_write_the_file(tmp_path: Path) -> None:
    path = tmp_path / "known_servers"
    path.write_text(f"  example.org:7262   SHA256:{ONE}\r\n".replace("SHA256", "sha256"))
    assert KnownServers(path).find("example.org:7262") == ONE


@pytest.mark.skipif(os.name != "posix", reason="modes are of POSIX")
def test_nobody_else_can_read_it(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        KnownServers(tmp_path / "s" / "known_servers").keep("h:1", ONE)
    finally:
        os.umask(before)
    (file,) = (tmp_path / "s").iterdir()
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)


def test_a_file_that_cannot_be_read_is_no_empty_one(tmp_path: Path) -> None:
    with pytest.raises(ClientError, match="Cannot read which servers are known"):
        KnownServers(tmp_path).find("h:1")
    (tmp_path / "long").write_bytes(b"#" * (MOST_BYTES + 1))
    with pytest.raises(ClientError, match="too long"):
        KnownServers(tmp_path / "long").find("h:1")


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    known = KnownServers(tmp_path / "file" / "known_servers")
    with pytest.raises(ClientError, match="Cannot read"):
        known.find("h:1")
    assert KnownServers().find("h:1") == ""
    assert not KnownServers().keep("h:1", OTHER)
