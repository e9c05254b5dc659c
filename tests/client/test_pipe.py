from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.child import ChildServer
from client.plain.pipe import LineSource


@contextmanager
def pipe(content: bytes) -> Iterator[int]:
    reading, writing = os.pipe()
    try:
        os.write(writing, content)
        os.close(writing)
        yield reading
    finally:
        os.close(reading)


async def all_lines(source: LineSource) -> list[str]:
    lines = []
    while (line := await source.next_line()) is not None:
        lines.append(line)
    return lines


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n"))))
def test_lines_of_a_pipe_come_one_by_one_as_they_are(lines: list[str]) -> None:
    with pipe("".join(f"{line}\n" for line in lines).encode()) as fd:
        assert asyncio.run(all_lines(LineSource(fd))) == lines


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (b"", []),
        (b"end", ["end"]),
        (b"1\r\n2\n", ["1", "2"]),
        (b"\n\n", ["", ""]),
        (b"\xff\xfe\n", ["\ufffd\ufffd"]),
    ],
)
def test_odd_ends_and_odd_bytes_are_lines_too(content: bytes, lines: list[str]) -> None:
    with pipe(content) as fd:
        assert asyncio.run(all_lines(LineSource(fd))) == lines


def test_a_line_without_end_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LineSource, "LIMIT", 1000)
    with pipe(b"x" * 60_000 + b"\nnext\n") as fd:
        lines = asyncio.run(all_lines(LineSource(fd)))
    assert lines[0] == "x" * 1000
    assert lines[-1] == "next"


async def senro(port: int, name: str, typed: str) -> tuple[int, str, str]:
    """Run ``senro join`` with these lines in its pipe; gives exit code, stdout and stderr."""
    process = await asyncio.create_subprocess_exec(
        *[sys.executable, "-m", "client", "join", f"127.0.0.1:{port}", "--name", name],
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate(typed.encode())
    assert process.returncode is not None
    return process.returncode, out.decode(), err.decode()


def test_a_script_plays_a_whole_game_through_a_pipe(tmp_path: Path) -> None:
    """Lines are pulled only when something is asked, so none is lost while the bot plays."""

    async def main() -> tuple[int, str, str]:
        async with ChildServer(str(tmp_path)) as child:
            typed = "create players=2 seed=1\nadd-bot greedy\nstart\nkichi\n"
            return await senro(child.port, "Script", typed + "trains\n" + "end\n" * 300)

    code, out, err = asyncio.run(main())
    assert (code, err) == (0, "")
    assert "Script starts at Kichijoji (C5)." in out
    assert "Script plays Normal Train for 1 money" in out
    assert "The game is over: " in out
    assert "Final scores" in out
    assert "stale" not in out
    assert "was begun before" not in out


def test_a_wrong_line_is_refused_and_the_next_one_taken(tmp_path: Path) -> None:
    typed = """\
nonsense
create players=9
join 7
create seed=1 title=Two of us
start now
start
add-bot genius
add-bot xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
add-bot
remove-bot 1
remove-bot 2
add-bot random
start
Atlantis
log x
say

C5
"""

    async def main() -> tuple[int, str, str]:
        async with ChildServer(str(tmp_path)) as child:
            return await senro(child.port, "Script", typed)

    code, out, err = asyncio.run(main())
    assert (code, err) == (0, "")
    refusals = [line for line in out.splitlines() if line.startswith("! ")]
    begins = [
        "! “nonsense” is no command here. There are: list, join,",
        "! Players is 2, 3 or 4, not “9”.",
        "! Start takes no words after it.",
        "! A seat is free",
        "! Bots are: ",
        "! Add-bot wants a name of 1 to 64 printable characters, not",
        "! Remove-bot wants the seat of a bot: 2.",
        "! “Atlantis” is none of the options",
        "! Log wants a number from 1 to 2000, not “x”.",
        "! A chat line needs something printable",
        "! An empty line answers nothing",
    ]
    shown = zip(refusals, begins, strict=False)
    assert [line[: len(begin)] for line, begin in shown] == begins
    assert len(refusals) == len(begins)
    assert "There are no tables yet." in out
    assert "Script starts at Kichijoji (C5)." in out


def test_the_name_of_another_is_refused_and_exit_code_1(tmp_path: Path) -> None:
    async def main() -> tuple[int, str, str]:
        from client.connection import Connection

        async with (
            ChildServer(str(tmp_path)) as child,
            await Connection.open("127.0.0.1", child.port, "Anna"),
        ):
            return await senro(child.port, "ANNA", "")

    code, out, err = asyncio.run(main())
    assert (code, out) == (1, "")
    assert err.startswith("senro: ")
    assert err.count("\n") == 1
