"""The real program at a real (pseudo) terminal of 80x24, seen through a terminal emulator."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pyte
import pytest
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from client.plain.terminal import TerminalConsole

pty = pytest.importorskip("pty", reason="there are no pseudo terminals here")

PATIENCE = 30.0
"""Seconds after which something that should appear never will."""


class Terminal:
    """A program in a terminal of 80x24."""

    def __init__(self, *arguments: str, term: str = "xterm-256color") -> None:
        environment = os.environ | {"TERM": term, "LANG": "C.UTF-8", "PYTHONUTF8": "1"}
        environment |= {"LINES": "24", "COLUMNS": "80", "PROMPT_TOOLKIT_NO_CPR": "1"}
        command = [sys.executable, "-m", "client", *arguments]
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execve(command[0], command, environment)  # noqa: S606 - no shell, on purpose
        import fcntl
        import struct
        import termios

        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.screen = pyte.HistoryScreen(80, 24, history=1000)
        self._stream = pyte.ByteStream(self.screen)
        self.exit_code: int | None = None
        self._ended = False

    def type(self, text: str) -> None:
        os.write(self.fd, text.encode())

    def enter(self, line: str) -> None:
        self.type(line + "\r")

    @property
    def lines(self) -> list[str]:
        return [line.rstrip() for line in self.screen.display]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def last(self) -> str:
        """The line with the prompt."""
        return next((line for line in reversed(self.lines) if line), "")

    def see(self, holds: str | Callable[[], bool]) -> None:
        """Read until something is on the screen."""
        end = time.monotonic() + PATIENCE
        while not (holds in self.text if isinstance(holds, str) else holds()):
            if not self._read(end):
                pytest.fail(f"never saw {holds!r} on:\n{self.text}")

    def asked(self, prompt: str, words: str = "") -> None:
        """Read until the cursor stands behind this prompt, below these words."""
        self.see(lambda: self.last == prompt and words in self.text)

    def wait(self) -> int:
        """Read until the program ends; gives its exit code."""
        end = time.monotonic() + PATIENCE
        while self._read(end):
            pass
        if self.exit_code is None:
            if not self._ended:
                pytest.fail(f"has not ended:\n{self.text}")
            _, status = os.waitpid(self.pid, 0)
            self.exit_code = os.waitstatus_to_exitcode(status)
        return self.exit_code

    def _read(self, end: float) -> bool:
        ready, _, _ = select.select([self.fd], [], [], max(0.0, end - time.monotonic()))
        if not ready:
            return False
        try:
            data = os.read(self.fd, 65536)
        except OSError:  # Linux says so when the other end is closed
            data = b""
        self._ended = not data
        self._stream.feed(data)
        return bool(data)

    def close(self) -> None:
        if self.exit_code is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.fd)


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    flags = ["--name", "Anna", "--seed", "7", "--kingdom", "tokyo-first-game"]
    it = Terminal("play", *flags, "--journals", str(tmp_path))
    yield it
    it.close()


def test_the_first_screen_shows_the_board_and_asks_for_a_start(terminal: Terminal) -> None:
    terminal.asked("answer >", "Where do you start?")
    rows = [line[:2] for line in terminal.lines if "│" in line]
    assert "".join(rows) == "A B C D E F G H "
    assert "B Anna (you)" in terminal.text
    assert "Your hand: 3 Normal Train, Lay Rails, Station Expansion." in terminal.text
    assert "help rules" in terminal.text
    before = "".join(
        "".join(line[x].data for x in range(80)).rstrip() + "\n"
        for line in terminal.screen.history.top
    )
    assert "Tokyo, in turn order: a Greedy 1, B Anna (you)." in before
    assert "Cards: Steel Bridge, Landfill," in before


def test_a_turn_is_played_with_numbers_words_and_commands(terminal: Terminal) -> None:
    terminal.asked("answer >", "Where do you start?")
    terminal.enter("shinj")
    terminal.asked("0 money, 0 rail points >")
    assert "Anna starts at Shinjuku-Shibuya (D6)." in terminal.text
    terminal.enter("play norm")
    terminal.asked("1 money, 0 rail points >")
    terminal.enter("trains")
    terminal.asked("3 money, 0 rail points >")
    terminal.enter("lay rails")
    terminal.see("“lay rails” could mean play Lay Rails or buy Lay Rails")
    terminal.enter("play:lay-rails")
    terminal.asked("3 money, 1 rail point >")
    terminal.enter("rails")
    terminal.see("$2 price of a rail there")
    assert "$0" in terminal.text
    terminal.enter("C6")
    terminal.see("Anna lays a rail on C6")
    terminal.enter("buy exp")
    terminal.see("Anna buys Express Train for 3.")
    terminal.enter("")
    terminal.see("! An empty line answers nothing")
    assert "Anna (" not in terminal.last
    terminal.enter("end")
    terminal.see("── Turn 4: Anna - Your turn (a ")
    terminal.asked("0 money, 0 rail points >")


def test_tab_completes_from_the_options(terminal: Terminal) -> None:
    terminal.asked("answer >", "Where do you start?")
    terminal.enter("shinj")
    terminal.asked("0 money, 0 rail points >")
    terminal.type("play n\t")
    terminal.see("> play normal-train")
    terminal.type("\r")
    terminal.asked("1 money, 0 rail points >")


def test_quitting_a_running_game_is_asked_twice_and_leaves_the_terminal_in_order(
    terminal: Terminal,
) -> None:
    terminal.asked("answer >", "Where do you start?")
    terminal.type("abc\x03")  # Ctrl-C drops the line
    terminal.enter("quit")
    terminal.asked("answer >", "it simply ends. Type quit once more")
    terminal.enter("scores")  # takes it back, and is on no screen before
    terminal.asked("answer >", "Stations left")
    terminal.type("\x04")
    terminal.see(
        lambda: (
            terminal.last == "answer >"
            and "Type quit once more" in terminal.text.rpartition("Stations left")[2]
        )
    )
    terminal.type("\x04")
    assert terminal.wait() == 0


def test_a_dumb_terminal_gets_plain_lines(tmp_path: Path) -> None:
    terminal = Terminal(
        "play", "--name", "Anna", "--seed", "7", "--journals", str(tmp_path), term="dumb"
    )
    try:
        terminal.asked("answer >", "Where do you start?")
        terminal.enter("shinj")
        terminal.asked("0 money, 0 rail points >")
        terminal.enter("1")
        terminal.asked("1 money, 0 rail points >")
        terminal.enter("quit")
        terminal.see("once more")
        terminal.see(lambda: terminal.last.endswith("rail points >"))
        terminal.enter("quit")
        assert terminal.wait() == 0
    finally:
        terminal.close()


class Table:
    """A listener with a question that tests change; it remembers what it took for answers."""

    def __init__(self) -> None:
        self.serial = 0
        self.answers: list[str] = []
        self.rest: list[str] = []
        self.prompted = asyncio.Event()
        self.got = asyncio.Event()

    def ask(self) -> None:
        self.serial += 1

    def prompt(self) -> str:
        self.prompted.set()
        return "> "

    def completions(self, line: str) -> list[tuple[str, str]]:
        return []

    async def asking(self) -> None:
        return

    async def typed(self, line: str, serial: int) -> None:
        if serial == self.serial:
            self.answers.append(line)
            self.serial += 1  # the answer is on its way
        else:
            self.rest.append(line)
        self.got.set()

    async def ended(self) -> bool:
        return True


def at_a_keyboard(visit: Callable[[Table, PipeInput, Buffer], Awaitable[None]]) -> Table:
    """A console whose keys the test strikes."""

    async def main() -> Table:
        table = Table()
        with create_pipe_input() as keys:
            console = TerminalConsole(keys, DummyOutput())
            running = asyncio.create_task(console.run(table))
            async with asyncio.timeout(PATIENCE):
                await table.prompted.wait()
                await visit(table, keys, console._session.default_buffer)
                keys.send_text("\x04")
                await running
        return table

    return asyncio.run(main())


async def strike(keys: PipeInput, buffer: Buffer, text: str, leaves: str) -> None:
    """Strike keys and wait until they have left this in the line."""
    changed = asyncio.Event()

    def note(_: Buffer) -> None:
        changed.set()

    buffer.on_text_changed += note
    keys.send_text(text)
    while buffer.text != leaves or not changed.is_set():
        changed.clear()
        await changed.wait()
    buffer.on_text_changed -= note


@pytest.mark.parametrize(
    ("before", "leaves", "after", "taken"),
    [("1", "1", "\r", False), ("1", "1", "2\r", False), ("1\x7f", "", "1\r", True)],
)
def test_only_a_line_begun_under_the_question_answers_it(
    before: str, leaves: str, after: str, taken: bool
) -> None:
    async def visit(table: Table, keys: PipeInput, buffer: Buffer) -> None:
        await strike(keys, buffer, before, leaves)
        table.ask()
        keys.send_text(after)
        await table.got.wait()

    table = at_a_keyboard(visit)
    assert bool(table.answers) == taken
    assert bool(table.rest) != taken


def test_of_lines_typed_ahead_only_the_first_is_an_answer() -> None:
    async def visit(table: Table, keys: PipeInput, buffer: Buffer) -> None:
        keys.send_text("1\r2\r3")
        await strike(keys, buffer, "4", "34")
        table.ask()
        keys.send_text("\r")
        while len(table.rest) < 2 and "34" not in table.answers + table.rest:
            table.got.clear()
            await table.got.wait()

    table = at_a_keyboard(visit)
    assert table.answers[0] == "1"
    assert "34" in table.rest
