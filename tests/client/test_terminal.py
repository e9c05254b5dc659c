"""The real program at a real (pseudo) terminal, seen through a terminal emulator."""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pyte
import pytest

pty = pytest.importorskip("pty", reason="there are no pseudo terminals here")

PATIENCE = 30.0
"""Seconds after which something that should appear never will."""


class Terminal:
    """A program in a terminal of so many columns and rows."""

    def __init__(
        self,
        *arguments: str,
        term: str = "xterm-256color",
        size: tuple[int, int] = (80, 24),
        encoding: str = "utf-8",
    ) -> None:
        columns, rows = size
        environment = os.environ | {"TERM": term, "LANG": "C.UTF-8", "PYTHONUTF8": "1"}
        environment |= {"PYTHONIOENCODING": encoding, "PROMPT_TOOLKIT_NO_CPR": "1"}
        environment |= {"LINES": str(rows), "COLUMNS": str(columns)}
        command = [sys.executable, "-m", "client", *arguments]
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execve(command[0], command, environment)  # noqa: S606 - no shell, on purpose
        import fcntl
        import struct
        import termios

        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.screen = pyte.HistoryScreen(columns, rows, history=1000)
        self._stream = pyte.ByteStream(self.screen)
        self.exit_code: int | None = None
        self._ended = False
        self._old = False  # nothing has come since something was typed

    def type(self, text: str) -> None:
        self._old = True
        os.write(self.fd, text.encode(errors="surrogateescape"))

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
        """Read until something is on the screen, and what was typed has had some effect."""
        end = time.monotonic() + PATIENCE
        while self._old or not (holds in self.text if isinstance(holds, str) else holds()):
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
        self._old = False
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
    flags += ["--journals", str(tmp_path)]
    it = Terminal("play", *flags)
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
    terminal.asked("3 money, 0 rail points >", "Anna lays a rail on C6")
    terminal.enter("buy exp")
    terminal.asked("0 money, 0 rail points >", "Anna buys Express Train for 3.")
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
    terminal.enter("board")  # takes it back
    terminal.see(lambda: "blank sea" in terminal.text.partition("> board")[2])
    terminal.asked("answer >")
    terminal.type("\x04")
    terminal.asked("answer >", "blank sea  heavy line barrier\nanswer >\n! The game is not over")
    terminal.type("\x04")
    assert terminal.wait() == 0
    assert "Turn by turn: senro-log show /" in " ".join(terminal.text.split())
    assert "answer >" not in terminal.text.rpartition("The game is not over.")[2]


BURST = "7\n1\n1\n1\nend\nend\n"
IGNORED = "! Pasted or typed-ahead lines were ignored"


@pytest.mark.parametrize("enter", ["\n", "\r"])
def test_of_a_paste_only_the_first_line_is_taken(terminal: Terminal, enter: str) -> None:
    terminal.asked("answer >", "Where do you start?")
    terminal.type("D6\n1\n1\n1\nend\nend\n".replace("\n", enter))
    terminal.asked("0 money, 0 rail points >", IGNORED)
    terminal.type(BURST.replace("\n", enter))
    terminal.see(lambda: terminal.text.count(IGNORED) == 2)
    terminal.enter("log")  # what is typed after that is taken again
    terminal.see("Anna starts at Shinjuku-Shibuya (D6).")
    assert "ends the turn" not in terminal.text
    assert "Turn 4" not in terminal.text


def test_a_paste_that_is_known_as_one_gives_its_first_line(terminal: Terminal) -> None:
    terminal.asked("answer >", "Where do you start?")
    terminal.type("\x1b[200~shinj\nend\nend\n\x1b[201~")
    terminal.asked("answer > shinj", IGNORED)
    terminal.type("\r")
    terminal.asked("0 money, 0 rail points >")


@pytest.mark.parametrize(
    "keys",
    [
        "\x1b[5M",
        "\x1b[<1;2M",
        "\x1b[M\udcff  ",
        "\x1b[1;2;3;4M",
        "\x1b[999999;1R",
        "\x16\x1b[31m",
        "\x1b]0;title\x07",
    ],
)
def test_odd_keys_do_nothing(terminal: Terminal, keys: str) -> None:
    terminal.asked("answer >", "Where do you start?")
    terminal.type(keys + "\x15shinj")  # Ctrl-U: what they left as text
    terminal.asked("answer > shinj")
    terminal.type("\r")
    terminal.asked("0 money, 0 rail points >")
    assert "exception" not in terminal.text


def test_ctrl_c_on_an_empty_line_says_how_to_leave(terminal: Terminal) -> None:
    terminal.asked("answer >", "Where do you start?")
    terminal.type("\x03")
    terminal.asked("answer >", "quit leaves the program, and so does Ctrl-D.")
    terminal.type("\x03\x03\x03")
    terminal.enter("shinj")
    terminal.asked("0 money, 0 rail points >")


@pytest.mark.parametrize("word", ["n", "no", "N"])
def test_no_to_leaving_is_no_answer_to_the_game(terminal: Terminal, word: str) -> None:
    terminal.asked("answer >", "Where do you start?")
    terminal.type("\x04")
    terminal.asked("answer >", "Type quit once more to go.")
    terminal.enter(word)
    terminal.asked("answer >", "Then nothing is done.")


def test_a_dumb_terminal_takes_one_line_at_a_time(tmp_path: Path) -> None:
    terminal = Terminal(
        "play", "--name", "Anna", "--seed", "7", "--journals", str(tmp_path), term="dumb"
    )
    try:
        terminal.asked("answer >", "Where do you start?")
        terminal.type("D6\n1\n1\n1\nend\nend\n")
        terminal.asked("0 money, 0 rail points >", IGNORED)
        terminal.enter("log")
        terminal.see("Anna starts at Shinjuku-Shibuya (D6).")
        assert "Turn 4" not in terminal.text
    finally:
        terminal.close()


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
        assert "points >" not in terminal.text.rpartition("> quit")[2]
    finally:
        terminal.close()


FLAGS = ["play", "--name", "Anna", "--seed", "7", "--kingdom", "tokyo-first-game"]


@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
def test_every_screen_takes_the_width_there_is(
    tmp_path: Path, size: tuple[int, int], term: str
) -> None:
    terminal = Terminal(*FLAGS, "--journals", str(tmp_path), size=size, term=term)
    columns, rows = size
    try:
        terminal.asked("answer >", "Where do you start?" if columns >= 80 else "or place:")
        terminal.enter("shibuya")
        terminal.asked("0 money, 0 rail points >")
        # the board stands above the first question of the turn where both have room
        whole = all(f"\n{row} " in f"\n{terminal.text}" for row in "ABCDEFGH")
        assert whole == (rows == 40)
        for command, last in (
            ("supply", "card NAME tells what a card does"),
            ("places", "Barriers: "),
            ("scores", "You have 0 money"),
            ("cards", "Waste"),
            ("help scoring", "among equals"),
        ):
            terminal.enter(command)
            terminal.see(lambda last=last, command=command: last in after(terminal, command))
            terminal.asked("0 money, 0 rail points >")
            widest = max(map(len, after(terminal, command).splitlines()))
            assert widest <= columns
            if command in {"supply", "places"}:
                assert widest > columns - 30
    finally:
        terminal.close()


def after(terminal: Terminal, command: str) -> str:
    """What is on the screen below the line with a command; all of it if that has scrolled away."""
    return terminal.text.rpartition(f"> {command}\n")[2]


@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
def test_a_terminal_that_knows_ascii_only_gets_no_question_marks(tmp_path: Path, term: str) -> None:
    terminal = Terminal(*FLAGS, "--journals", str(tmp_path), term=term, encoding="ascii")
    try:
        terminal.asked("answer >", "Where do you start?")
        terminal.enter("zeppelin")
        terminal.asked("answer >", '! "zeppelin" is none of the options')
        terminal.enter("shibuya")
        terminal.asked("0 money, 0 rail points >")
        terminal.see("Normal Train for 1 money (x3)")
        terminal.enter("end")
        terminal.see("again to end your")
        assert "?" not in terminal.text.replace("New here?", "").replace("start?", "")
        assert terminal.text.isascii()
    finally:
        terminal.close()
