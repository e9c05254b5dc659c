from __future__ import annotations

from collections.abc import Sequence

import pytest

from client import start
from client.__main__ import main
from client.address import Address
from client.discovery import Found
from client.entrance import Person, Visit
from client.errors import ClientError
from protocol.discovery import Record

ANN = Found(Record("Ann's house", tls=True, fingerprint="ab" * 8), Address("10.0.0.1", 1, True))
BEN = Found(Record("Ben's house"), Address("10.0.0.2", 2))
NEWER = Found(Record("Tomorrow", versions=(8, 9)), Address("10.0.0.3", 3))


@pytest.fixture
def typing(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Lines to be typed; after the last one the input is at its end."""
    lines: list[str] = []

    def read(prompt: str) -> str:
        print(prompt)
        if not lines:
            raise EOFError
        return lines.pop(0)

    monkeypatch.setattr("builtins.input", read)
    return lines


def network(*found: Found) -> start.Find:
    return lambda: found


@pytest.mark.parametrize(
    ("typed", "chosen"),
    [
        (["1"], ANN.address),
        ([" 2 "], BEN.address),
        (["senros://example.org:9"], Address("example.org", 9, True)),
        (["10.0.0.9"], Address("10.0.0.9")),
        (["play"], start.PLAY),
        (["P"], start.PLAY),
        (["q"], start.QUIT),
        ([], start.QUIT),
        (["0", "4", "99999999999", "٣", "3", "a b", "host:x", "2"], BEN.address),
        (["", "1"], ANN.address),
    ],
)
def test_a_choice_is_a_number_an_address_or_a_word(
    typing: list[str],
    typed: list[str],
    chosen: object,
    capsys: pytest.CaptureFixture[str],
) -> None:
    typing += typed
    assert start.choose(network(ANN, BEN, NEWER)) == chosen
    out = capsys.readouterr().out
    assert "  1  Ann's house  10.0.0.1:1  (TLS, abababab...)\n" in out
    assert "  2  Ben's house  10.0.0.2:2  (no TLS)\n" in out
    assert out.count("\n! ") == max(0, len([t for t in typed if t]) - 1)


def test_nothing_is_found_and_then_something(
    typing: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    looks: list[Sequence[Found]] = [[], [ANN]]
    typing += ["1", "", "1"]
    assert start.choose(lambda: looks.pop(0)) == ANN.address
    out = capsys.readouterr().out
    assert "No server was found." in out
    assert "no server 1 in the list: none" in out


def test_without_multicast_an_address_can_be_typed(
    typing: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    def find() -> Sequence[Found]:
        raise ClientError("This machine cannot ask its network for servers.")

    typing.append("10.0.0.9")
    assert start.choose(find) == Address("10.0.0.9")
    assert "cannot ask its network" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [[], ["join"], ["join", "--name", "Anna"]])
def test_at_a_terminal_somebody_chooses(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, typing: list[str]
) -> None:
    joined: list[Visit] = []

    def join(visit: Visit, person: Person) -> None:
        joined.append(visit)

    monkeypatch.setattr("client.plain.console.is_terminal", lambda: True)
    monkeypatch.setattr("client.join.join", join)
    monkeypatch.setattr("client.start.look_around", network(ANN))
    typing.append("1")
    assert main(arguments) == 0
    assert joined[0].address == ANN.address
    typing.append("q")
    assert main(arguments) == 0
    assert len(joined) == 1


def test_a_game_against_bots_can_be_chosen(
    monkeypatch: pytest.MonkeyPatch, typing: list[str]
) -> None:
    played: list[str] = []
    monkeypatch.setattr("client.plain.console.is_terminal", lambda: True)
    monkeypatch.setattr("client.__main__._play", lambda flags: played.append(flags.name))
    monkeypatch.setattr("client.start.look_around", network())
    typing.append("play")
    assert main(["join", "--name", "Anna"]) == 0
    assert played == ["Anna"]
