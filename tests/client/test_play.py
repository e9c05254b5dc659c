from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from client.__main__ import main
from client.plain.lines import WIDTH


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
    assert lines[-1] == f"The journal is in {tmp_path / 'j'}"
    assert lines[-2].endswith((f"{ranks[0][1]} wins.", "rails on the board.", "the victory."))
    assert len(list((tmp_path / "j").glob("*.jsonl"))) == 1
    assert play(capfd, *flags) == out  # the same seed, the same game


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
