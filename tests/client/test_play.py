from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from client.__main__ import main
from client.plain.lines import WIDTH
from server.log.__main__ import main as log_main


def play(capfd: pytest.CaptureFixture[str], *flags: str) -> str:
    assert main(["play", *flags]) == 0
    out, err = capfd.readouterr()
    assert err == ""
    return out


def test_without_a_terminal_bots_play_a_whole_game_that_can_be_read(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    flags = ["--players", "3", "--bots", "random", "--seed", "7", "--journals", str(tmp_path / "j")]
    out = play(capfd, *flags)
    lines = out.splitlines()
    assert max(map(len, lines[:-1])) <= WIDTH
    turns = [int(n) for n in re.findall(r"^── Turn (\d+): ", out, re.MULTILINE)]
    assert turns == list(range(1, len(turns) + 1))
    assert len(turns) > 20
    assert "The game is over: " in out
    ranks = re.findall(r"^ (\d)\. (\w+ \d) +(\d+) \+ +(\d+) \+ +(\d+) = +(\d+) ", out, re.MULTILINE)
    assert len(ranks) == 3
    assert all(int(a) + int(b) + int(c) == int(total) for _, _, a, b, c, total in ranks)
    assert [int(rank) for rank, *_ in ranks] == sorted(int(rank) for rank, *_ in ranks)
    (journal,) = (tmp_path / "j").glob("*.jsonl")
    assert lines[-1] == f"Turn by turn: senro-log show {journal}"
    assert log_main(["show", *lines[-1].split()[-1:]]) == 0
    capfd.readouterr()
    assert lines[-2].endswith((f"{ranks[0][1]} wins.", "rails on the board.", "the victory."))
    again = play(capfd, *flags)  # the same seed, the same game
    assert again.splitlines()[:-1] == lines[:-1]


def test_the_seed_that_was_drawn_is_told_and_plays_the_same_game_again(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    flags = ["--bots", "random", "--journals", str(tmp_path)]
    lines = play(capfd, *flags).splitlines()
    told = lines[-2].partition("The same shuffles again: ")[2].split()
    assert told[0] == "--seed"
    again = play(capfd, *flags, *told).splitlines()
    assert again[:-1] == lines[:-2]


def test_each_bot_may_have_a_level_of_its_own(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    flags = ["--board", "nagoya", "--bots", "random, greedy,random", "--seed", "1"]
    out = play(capfd, *flags, "--order", "seats", "--journals", str(tmp_path))
    assert "in turn order: a Random 1, b Greedy 1, c Random 2." in " ".join(out.split())


@pytest.mark.parametrize("pace", ["-1", "61", "fast", "nan", "inf"])
def test_a_pace_is_some_seconds(pace: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--watch", "--pace", pace]) == 2
    assert "is no number of seconds from 0 to 60" in capfd.readouterr().err


def test_the_kingdom_can_be_named_by_the_names_on_the_cards(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    cards = "Landfill, Conductor Area,passing-station,Holiday Timetable,steel-bridge,"
    cards += "amusement_park,Maintenance Factory,Dump Site"
    out = play(capfd, "--watch", "--seed", "1", "--kingdom", cards, "--journals", str(tmp_path))
    introduction = " ".join(out.split("Turn 1:")[0].split())
    assert "Landfill" in introduction
    assert "Amusement Park" in introduction


@pytest.mark.parametrize(
    ("redirection", "code", "says"),
    [
        ("<&-", 0, ""),
        ("</dev/null >/dev/full", 1, "senro: No space left on device\n"),
        ("| head -n 1 >/dev/null", 0, ""),
    ],
)
def test_odd_ends_of_the_command_are_no_tracebacks(
    redirection: str, code: int, says: str, tmp_path: Path
) -> None:
    command = f"{shlex.quote(sys.executable)} -m client play --seed 1 --journals {tmp_path}"
    done = subprocess.run(
        ["/bin/sh", "-c", f"{command} {redirection}"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (code, says)
