from __future__ import annotations

import os
from pathlib import Path

import pytest

from client.tokens import Tokens


def test_a_token_is_found_again_by_server_and_name(tmp_path: Path) -> None:
    tokens = Tokens(tmp_path / "deep" / "sessions")
    assert tokens.find("Example.org", 7262, "Anna") == ""
    assert tokens.keep("Example.org", 7262, "Anna", "secret")
    again = Tokens(tmp_path / "deep" / "sessions")
    assert again.find("example.org", 7262, "ANNA") == "secret"
    for host, port, name in (
        ("example.com", 7262, "Anna"),
        ("example.org", 7263, "Anna"),
        ("example.org", 7262, "Ben"),
    ):
        assert again.find(host, port, name) == ""
    again.keep("example.org", 7262, "Anna", "newer")
    assert tokens.find("example.org", 7262, "Anna") == "newer"
    again.forget("example.org", 7262, "Anna")
    again.forget("example.org", 7262, "Anna")
    assert tokens.find("example.org", 7262, "Anna") == ""
    assert list((tmp_path / "deep" / "sessions").iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="modes are of POSIX")
def test_nobody_else_can_read_it(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        Tokens(tmp_path / "s").keep("h", 1, "Anna", "secret")
    finally:
        os.umask(before)
    (file,) = (tmp_path / "s").iterdir()
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"\xff", b"[]", b"{}", b"{" * 99_999),
        b'{"server": "h:1", "name": "Anna", "token": 5}',
        b'{"server": "h:1", "name": "Anna", "token": "%s"}' % (b"x" * 65),
    ],
)
def test_a_file_that_is_none_of_ours_is_no_token(tmp_path: Path, content: bytes) -> None:
    tokens = Tokens(tmp_path)
    tokens.keep("h", 1, "Anna", "secret")
    (file,) = tmp_path.iterdir()
    file.write_bytes(content)
    assert tokens.find("h", 1, "Anna") == ""


def test_without_a_folder_nothing_is_kept(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for tokens in (Tokens(), Tokens(tmp_path / "file"), Tokens(tmp_path / "file" / "below")):
        assert not tokens.keep("h", 1, "Anna", "secret")
        assert tokens.find("h", 1, "Anna") == ""
        tokens.forget("h", 1, "Anna")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
