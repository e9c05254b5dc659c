from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from client.address import Address
from client.entrance import Visit, enter, read_password
from client.errors import ClientError
from client.known_servers import VOUCHED, KnownServers
from client.plain.person import AtTerminal, Nobody
from client.trust import CertificateError, NewCertificateError
from client.wire import TurnedAwayError
from protocol.messages import Error

HOST = Address("host", 1)
DIGITS = "ab" * 32
NEW = NewCertificateError(HOST, DIGITS, "self-signed certificate")


def no(code: str) -> TurnedAwayError:
    return TurnedAwayError(Error(code, "because"))


class Somebody:
    """Answers as told; ``said`` is what they were told."""

    def __init__(self, *passwords: str, trusting: bool = True) -> None:
        self.trusting = trusting
        self.passwords = list(passwords)
        self.said: list[str] = []

    def trusts(self, new: NewCertificateError) -> bool:
        self.said.append(str(new))
        return self.trusting

    def password(self, place: str) -> str:
        return self.passwords.pop(0)

    def tell(self, text: str) -> None:
        self.said.append(text)


class Going:
    """What is attempted: fails in the given ways, one after the other, and then does not."""

    def __init__(self, *ends: Exception) -> None:
        self.ends = list(ends)
        self.visits: list[Visit] = []

    def __call__(self, visit: Visit) -> None:
        self.visits.append(visit)
        if self.ends:
            raise self.ends.pop(0)


@pytest.fixture
def known(tmp_path: Path) -> KnownServers:
    return KnownServers(tmp_path / "known_servers")


def test_nothing_is_asked_where_nothing_is_in_the_way() -> None:
    going = Going()
    visit = Visit(HOST, "Ann")
    enter(visit, Somebody(), going)
    assert going.visits == [visit]


def test_a_new_server_is_kept_once_somebody_trusts_it(known: KnownServers) -> None:
    going, somebody = Going(NEW), Somebody()
    enter(Visit(HOST._replace(tls=True), "Ann", known), somebody, going)
    assert known.find("host:1") == DIGITS
    assert len(going.visits) == 2
    assert somebody.said == [str(NEW)]


def test_and_not_if_nobody_does(known: KnownServers) -> None:
    going = Going(NEW)
    with pytest.raises(ClientError, match="host:1 was not joined"):
        enter(Visit(HOST, "Ann", known), Somebody(trusting=False), going)
    assert known.find("host:1") == ""
    assert len(going.visits) == 1


def test_where_nothing_can_be_kept_the_fingerprint_counts_for_this_time() -> None:
    going, somebody = Going(NEW), Somebody()
    enter(Visit(HOST, "Ann"), somebody, going)
    assert going.visits[-1].fingerprint == DIGITS
    assert "asked again" in somebody.said[-1]


def test_a_changed_certificate_is_nothing_to_be_asked_about() -> None:
    going = Going(CertificateError("CHANGED"))
    with pytest.raises(CertificateError):
        enter(Visit(HOST, "Ann"), Somebody(), going)
    assert len(going.visits) == 1


@pytest.mark.parametrize("said", [DIGITS, VOUCHED])
def test_who_has_spoken_tls_once_has_to_speak_it_again(known: KnownServers, said: str) -> None:
    known.keep("host:1", said)
    going, somebody = Going(), Somebody()
    enter(Visit(HOST, "Ann", known), somebody, going)
    assert going.visits[0].address.tls is True
    enter(Visit(HOST._replace(tls=False), "Ann", known), somebody, going)
    assert going.visits[1].address.tls is False
    assert "everybody can listen" in somebody.said[-1]


def test_a_server_that_wants_tls_gets_it_unless_plain_words_were_wanted() -> None:
    going, somebody = Going(no("tls-needed")), Somebody()
    enter(Visit(HOST, "Ann"), somebody, going)
    assert [visit.address.tls for visit in going.visits] == [None, True]
    with pytest.raises(TurnedAwayError):
        enter(Visit(HOST._replace(tls=False), "Ann"), Somebody(), Going(no("tls-needed")))
    with pytest.raises(TurnedAwayError):
        enter(Visit(HOST, "Ann"), Somebody(), Going(no("tls-needed"), no("tls-needed")))


def test_a_fingerprint_asks_for_tls() -> None:
    going = Going()
    enter(Visit(HOST, "Ann", fingerprint=DIGITS), Somebody(), going)
    assert going.visits[0].address.tls is True


def test_a_password_is_asked_for_until_it_is_right() -> None:
    going = Going(no("password-needed"), no("wrong-password"))
    somebody = Somebody("open barley", "open sesame\u0301")
    enter(Visit(HOST, "Ann"), somebody, going)
    assert [visit.password for visit in going.visits] == ["", "open barley", "open sesamé"]
    assert somebody.said == ["That is not the password."]


def test_but_not_for_ever() -> None:
    going = Going(no("password-needed"), *[no("wrong-password")] * 9)
    with pytest.raises(TurnedAwayError):
        enter(Visit(HOST, "Ann"), Somebody("a", "b", "c", "d"), going)
    assert len(going.visits) == 4


@pytest.mark.parametrize(
    ("end", "passwords", "says"),
    [
        (no("wrong-password"), ("x",), "because"),  # it came from a file
        (no("too-many"), ("x",), "because"),
        (no("password-needed"), ("",), "it has a password"),
        (no("password-needed"), ("x" * 257,), "at most 256 characters"),
        (no("password-needed"), ("\udcff",), "characters of Unicode"),
    ],
)
def test_what_asking_does_not_help(end: Exception, passwords: tuple[str, ...], says: str) -> None:
    with pytest.raises(ClientError, match=says):
        enter(Visit(HOST, "Ann"), Somebody(*passwords), Going(end))


# -------------------------------------------------------------- whoever is there


def typing(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    left = list(lines)

    def read(prompt: str = "") -> str:
        print(prompt)
        if not left:
            raise EOFError
        return left.pop(0)

    monkeypatch.setattr("builtins.input", read)
    monkeypatch.setattr("getpass.getpass", read)


@pytest.mark.parametrize(
    ("lines", "trusts"),
    [
        (("yes",), True),
        ((" YES ",), True),
        (("y", "ok", "yes"), True),
        (("no",), False),
        (("y", "n"), False),
        (("",), False),
        ((), False),
    ],
)
def test_trust_is_given_by_a_whole_word(
    lines: tuple[str, ...],
    trusts: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    typing(monkeypatch, *lines)
    assert AtTerminal().trusts(NEW) is trusts
    out = capsys.readouterr().out
    assert ":".join(["abababab"] * 8) in out
    assert all(len(line) <= 80 for line in out.splitlines())


def test_a_password_is_typed_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    typing(monkeypatch, "open sesame")
    assert AtTerminal().password("host:1") == "open sesame"
    assert AtTerminal().password("host:1") == ""


def test_in_a_pipe_a_new_server_is_taken_and_no_password_is_known(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert Nobody().trusts(NEW)
    out, err = capsys.readouterr()
    assert out == ""
    assert ":".join(["abababab"] * 8) in err
    assert "another one will be refused" in err
    with pytest.raises(ClientError, match="--password-file"):
        Nobody().password("host:1")


# -------------------------------------------------------------- a password in a file


@pytest.mark.parametrize("end", ["", "\n", "\r\n", "\nmore\n"])
def test_the_first_line_of_a_file_is_the_password(tmp_path: Path, end: str) -> None:
    file = tmp_path / "password"
    file.write_bytes(f" open sesame\u0301 {end}".encode())
    assert read_password(str(file)) == " open sesamé "


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "is empty"),
        (b"\nopen sesame\n", "is empty"),
        (b"\xff\xfe", "is not UTF-8"),
        (b"x" * 300, "at most 256"),
    ],
)
def test_a_file_without_one_is_said(tmp_path: Path, data: bytes, says: str) -> None:
    file = tmp_path / "password"
    file.write_bytes(data)
    with pytest.raises(ClientError, match=says):
        read_password(str(file))


@pytest.mark.parametrize("open_file", [lambda folder: str(folder), lambda _: "a\0b"])
def test_what_is_no_file_is_said(tmp_path: Path, open_file: Callable[[Path], str]) -> None:
    with pytest.raises(ClientError, match="--password-file: cannot read"):
        read_password(open_file(tmp_path))
