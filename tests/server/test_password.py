from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.__main__ import main
from server.config import misspelt
from server.password import LONGEST, VARIABLE, Hash, PasswordError, given_password

CHEAP = (2, 1, 1)

PASSWORDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60)


@given(PASSWORDS, PASSWORDS)
def test_a_hash_fits_its_password_and_no_other(password: str, other: str) -> None:
    hashed = Hash.of(password, CHEAP)
    assert hashed.fits(password)
    assert Hash.parse(str(hashed)) == hashed
    assert password not in str(hashed) or len(password) < 3
    if other != password:
        assert hashed.fits(other) is (Hash.of(other, CHEAP).fits(password))


def test_forms_of_the_same_text_are_the_same_password() -> None:
    assert Hash.of("sésame", CHEAP).fits("se\u0301same")
    assert not Hash.of("sesame", CHEAP).fits("Sesame")
    assert not Hash.of("sesame", CHEAP).fits("sesame ")


def test_no_two_hashes_are_the_same() -> None:
    assert Hash.of("x", CHEAP) != Hash.of("x", CHEAP)


def test_it_is_the_scrypt_of_everybody_else() -> None:
    """A test vector of RFC 7914, section 12."""
    digest = "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
    hashed = Hash((1024, 8, 16), b"NaCl", bytes.fromhex(digest))
    assert hashed.fits("password")
    assert not hashed.fits("Password")


@given(st.text(max_size=80) | st.from_regex(r"scrypt\$\d{1,9}\$\d{1,3}\$\d\$[A-Za-z=]*\$[A-z=]*"))
@settings(max_examples=50)
def test_any_other_line_is_no_hash(line: str) -> None:
    with pytest.raises(PasswordError, match="no hash that senro-server hash-password makes"):
        Hash.parse(line)


def test_a_file_holds_a_password_or_its_hash(tmp_path: Path) -> None:
    file = tmp_path / "password"
    for line in ("open sesame\n", f"{Hash.of('open sesame', CHEAP)}\r\nmore"):
        file.write_text(line)
        found = given_password(str(file), {})
        assert found is not None
        assert found.fits("open sesame")


def test_so_does_the_environment() -> None:
    assert given_password("", {}) is None
    for said in ("open sesame", str(Hash.of("open sesame", CHEAP))):
        found = given_password("", {VARIABLE: said})
        assert found is not None
        assert found.fits("open sesame")
    assert misspelt({VARIABLE: "x"}) == {}


@pytest.mark.parametrize(
    ("data", "environment", "says"),
    [
        (b"", {}, "1 to 256 characters"),
        (b"\nopen sesame", {}, "1 to 256 characters"),
        (b"x" * (LONGEST + 1), {}, "1 to 256 characters"),
        (b"\xff", {}, "not UTF-8"),
        (b"scrypt$x", {}, "password: this is no hash"),
        (b"x", {VARIABLE: "y"}, "take one away"),
        (None, {}, "cannot be read"),
        (None, {VARIABLE: ""}, "take one away"),
    ],
)
def test_what_cannot_be_used_is_said(
    tmp_path: Path, data: bytes | None, environment: dict[str, str], says: str
) -> None:
    file = tmp_path / "password"
    if data is not None:
        file.write_bytes(data)
    with pytest.raises(PasswordError, match=says) as wrong:
        given_password(str(file), environment)
    assert "open sesame" not in str(wrong.value)


def test_an_empty_variable_is_no_open_door() -> None:
    with pytest.raises(PasswordError, match=f"{VARIABLE}: a password has 1 to"):
        given_password("", {VARIABLE: ""})


def test_the_command_makes_a_hash(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("open sesame\n"))
    assert main(["hash-password"]) == 0
    assert Hash.parse(capsys.readouterr().out.strip()).fits("open sesame")


@pytest.mark.parametrize(
    ("typed", "says"), [(["a", "b"], "not the same"), (["", ""], "1 to 256"), ([], "was none")]
)
def test_at_a_terminal_it_is_typed_twice(
    typed: list[str],
    says: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdin", terminal)
    left = list(typed)

    def read(_: str) -> str:
        if not left:
            raise EOFError
        return left.pop(0)

    monkeypatch.setattr("getpass.getpass", read)
    with pytest.raises(SystemExit) as end:
        main(["hash-password"])
    assert end.value.code == 2
    assert says in capsys.readouterr().err
    left += ["open sesame"] * 2
    assert main(["hash-password"]) == 0
