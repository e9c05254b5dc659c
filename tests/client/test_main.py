from __future__ import annotations

import re
from pathlib import Path

import pytest

from client.__main__ import main
from client.entrance import Person, Visit
from client.flags import default_journals


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "say where to"),
        (["dance"], "invalid choice"),
        (["join"], "join HOST[:PORT]; browse lists"),
        (["browse", "--seconds", "0"], "--seconds: “0” is no number of seconds from 0.5 to 60"),
        (["browse", "--seconds", "nan"], "--seconds: “nan” is no number"),
        (["browse", "127.0.0.1"], "unrecognized"),
        (["join", "127.0.0.1:x", "--name", "Anna"], "no port: use a number from 1 to 65535"),
        (["join", "127.0.0.1", "--name", "A"], "a name has 2 to 20 columns"),
        (["join", "127.0.0.1", "--name", "\x1b\x07"], "a name has 2 to 20 columns"),
        (["join", "127.0.0.1", "--name", "Anna", "--speed", "9"], "unrecognized"),
        (["join", "senro://127.0.0.1", "--tls"], "use senros://"),
        (["join", "127.0.0.1", "--fingerprint", "ab:cd"], "--fingerprint: a fingerprint has 64"),
        (["join", "127.0.0.1", "--password-file", "/dev/null/x"], "--password-file: cannot read"),
        (["join", "127.0.0.1", "--password-file", "/dev/null"], "the first line of /dev/null is"),
        (["join", "senro://127.0.0.1", "--fingerprint", "ab" * 32], "senro:// wants none"),
        (["play", "--players", "5"], "--players is 2, 3 or 4, not “5”"),
        (["play", "--players", "two"], "--players is 2, 3 or 4, not “two”"),
        (["play", "--name", "x" * 30], "a name has 2 to 20 columns"),
        (["play", "--kingdom", ",".join(["landfill"] * 20)], "at most 16 names, not 20"),
        (["play", "--kingdom", ","], "--kingdom wants names"),
        (["play", "--journals", ""], "--journals: an empty text"),
        (["play", "--journals", f"{__file__}/x"], "--journals: cannot use"),
        (["play", "--journals", "/dev/null/x"], "--journals: cannot use"),
        (["play", "--journals", "~nobody-of-this-name/x"], "--journals: cannot use"),
        (
            ["play", "--name", "q\u0301\u0302\u0303" * 20],
            "--name: a name has at most 64 characters",
        ),
        (["join", "a..b:72", "--name", "Ann"], "no address"),
        (["join", f"{'x' * 64}.org", "--name", "Ann"], "no address"),
        (["join", "h\udcff", "--name", "Ann"], "no address"),
        (["\x1b[2J\n"], "invalid choice"),
        (["play", "--\x1b[2J\nx"], "unrecognized arguments: --[2J x"),
        (["play", "--journals", __file__], "wants a folder"),
        (["play", "--board", "atlantis"], "atlantis"),
        (["play", "--kingdom", "flying-carpet"], "there is no set"),
        (["play", "--bots", "genius"], "--bots: bots are: "),
        (["play", "--bots", "greedy,"], "--bots wants a name"),
        (
            ["play", "--bots", "greedy,random,planner"],
            "--bots: there are seats for 2 bots, not for",
        ),
        (["play", "--board", "chiba", "--players", "3"], "--players: Chiba is for 2 players"),
        (["play", "--board", "osakka"], "--board: there is no board “osakka”; is it Osaka?"),
        (
            ["play", "--bonuses"],
            "--bonuses: there are no route bonuses for Tokyo in the boxes base",
        ),
        (["play", "--boxes", "base", "--board", "nagoya"], "--board: Nagoya is in the box rising"),
        (["play", "--starts", "marked"], "--starts: Tokyo has no marked cities"),
        (["play", "--victory", "tower"], "--victory: there is no box “tower”"),
        (["play", "--reactions", "slow"], "--reactions is sealed or fast, not “slow”"),
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
    assert err.strip("\n").isprintable()
    assert says in err


@pytest.mark.parametrize("flag", ["board", "bots", "kingdom", "seed", "journals", "name"])
@pytest.mark.parametrize("value", ["", " ", "\udcff\udcfe", "\x1b", "\x1b[2J\n", "\u2028"])
def test_no_flag_takes_what_cannot_be_printed(
    flag: str, value: str, capfd: pytest.CaptureFixture[str]
) -> None:
    if (flag, value) == ("name", "\x1b[2J\n"):
        value = "\x1b\n"  # a name is what is left of it
    assert main(["play", "--watch", f"--{flag}", value]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.strip("\n").isprintable()
    assert f"--{flag}: " in err


@pytest.mark.parametrize("flag", ["board", "bots", "kingdom", "players", "name"])
def test_a_hundred_characters_are_too_many_for_a_name_and_said_in_words(
    flag: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", "--watch", f"--{flag}", "x" * 100]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert f"--{flag}" in err
    assert "Expected" not in err


def test_journals_go_where_a_servers_go_if_nothing_is_said(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    from server.places import state_folder
    from server.settings import Site

    assert default_journals() == str(state_folder(Site()) / "journals" / "play")
    with pytest.raises(SystemExit):
        main(["play", "--help"])
    assert default_journals() in re.sub(r"\n +", "", capfd.readouterr().out)


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
                "tokyo, osaka, chiba",
                "eight cards by name, or one set",
                "(default: fast)",
                "--bonuses ",
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
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    joined = []
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))

    def join(visit: Visit, person: Person) -> None:
        joined.append((*visit.address, visit.name))
        assert visit.tokens.keep(visit.address.host, visit.address.port, visit.name, "token")

    monkeypatch.setattr("client.join.join", join)
    monkeypatch.setattr("getpass.getuser", lambda: "hanako")
    assert main(["join", "example.org"]) == 0
    assert joined == [("example.org", 7262, None, "hanako")]
    (kept,) = tmp_path.glob("senro/sessions/*.json")
    assert kept.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["play", "--help"]])
def test_version_and_help_are_asked_for_and_no_mistake(
    arguments: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 0
    assert "senro" in capfd.readouterr().out
