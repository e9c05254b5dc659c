from __future__ import annotations

import pytest

from client.__main__ import main, split_address
from client.errors import ClientError


@pytest.mark.parametrize(
    ("address", "host", "port"),
    [
        ("example.org", "example.org", 7262),
        ("example.org:1", "example.org", 1),
        ("127.0.0.1:65535", "127.0.0.1", 65535),
        ("::1", "::1", 7262),
        ("[::1]", "::1", 7262),
        ("[fe80::1]:99", "fe80::1", 99),
    ],
)
def test_an_address_is_a_host_and_perhaps_a_port(address: str, host: str, port: int) -> None:
    assert split_address(address) == (host, port)


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("", "no address"),
        (":7262", "no address"),
        ("a b", "no address"),
        ("\x1b[2J", "no address"),
        ("x" * 300, "no address"),
        ("[::1", "no address"),
        ("[::1]7262", "no address"),
        ("host:", "no port"),
        ("host:0", "no port"),
        ("host:65536", "no port"),
        ("host:99999999999999999999", "no port"),
        ("host:http", "no port"),
        ("host:٣", "no port"),
        ("host:-1", "no port"),
        ("[::1]:", "no port"),
    ],
)
def test_a_bad_address_is_one_clear_line(address: str, says: str) -> None:
    with pytest.raises(ClientError, match=says) as caught:
        split_address(address)
    assert caught.value.code == 2
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "COMMAND"),
        (["dance"], "invalid choice"),
        (["join"], "HOST"),
        (["join", "127.0.0.1:x", "--name", "Anna"], "no port: use a number from 1 to 65535"),
        (["join", "127.0.0.1", "--name", "A"], "a name has 2 to 20 columns"),
        (["join", "127.0.0.1", "--name", "\x1b\x07"], "a name has 2 to 20 columns"),
        (["join", "127.0.0.1", "--name", "Anna", "--speed", "9"], "unrecognized"),
        (["play", "--players", "5"], "invalid choice: 5"),
        (["play", "--players", "two"], "invalid int"),
        (["play", "--name", "x" * 30], "a name has 2 to 20 columns"),
        (["play", "--board", ""], "These options cannot be sent"),
        (["play", "--kingdom", ",".join(["landfill"] * 20)], "These options cannot be sent"),
        (["play", "--journals", __file__], "wants a folder"),
        (["play", "--board", "atlantis"], "atlantis"),
        (["play", "--kingdom", "flying-carpet"], "name 8 randomizer piles"),
        (["play", "--bots", "genius"], "bots are: "),
        (["play", "--wat"], "unrecognized"),
    ],
)
def test_bad_flags_are_one_clear_line_and_exit_code_2(
    arguments: list[str], says: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith("senro: ")
    assert err.count("\n") == 1
    assert says in err


def test_a_server_that_is_not_there_is_exit_code_1(capfd: pytest.CaptureFixture[str]) -> None:
    # Port 1 is never handed out and belongs to a service that nobody runs.
    assert main(["join", "127.0.0.1:1", "--name", "Anna"]) == 1
    assert capfd.readouterr().err.startswith("senro: Cannot connect to 127.0.0.1:1: ")


def test_the_help_says_what_may_be_chosen(capfd: pytest.CaptureFixture[str]) -> None:
    for command, words in (
        (
            "play",
            (
                "random, greedy or planner",
                "tokyo, or another board",
                "eight card ids",
                "suggested set",
            ),
        ),
        ("join", ("default: your login",)),
    ):
        with pytest.raises(SystemExit):
            main([command, "--help"])
        out = " ".join(capfd.readouterr().out.split())
        for word in words:
            assert word in out


def test_without_a_name_whoever_joins_is_called_by_their_login(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    joined = []

    async def join(host: str, port: int, name: str) -> None:
        joined.append((host, port, name))

    monkeypatch.setattr("client.join.join", join)
    monkeypatch.setattr("getpass.getuser", lambda: "hanako")
    assert main(["join", "example.org"]) == 0
    assert joined == [("example.org", 7262, "hanako")]


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["play", "--help"]])
def test_version_and_help_are_asked_for_and_no_mistake(
    arguments: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 0
    assert "senro" in capfd.readouterr().out
