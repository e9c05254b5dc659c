"""The line editor with keys that a test strikes, and no screen."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from client.plain.terminal import TerminalConsole

PATIENCE = 30.0


class Table:
    """A listener with a question that tests change; it remembers what it took for answers."""

    def __init__(self, keys: PipeInput) -> None:
        self.serial = 0
        self.answers: list[str] = []
        self.rest: list[str] = []
        self.keys = keys
        self.console = TerminalConsole(keys, DummyOutput())
        self.buffer = self.console._session.default_buffer
        self.happened = asyncio.Event()

    def prompt(self) -> str:
        self.happened.set()
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
        self.happened.set()

    async def ended(self) -> bool:
        return True

    async def until(self, holds: Callable[[], bool]) -> None:
        while not holds():
            self.happened.clear()
            await self.happened.wait()

    async def ask(self) -> None:
        """A new question, until it is on the screen."""
        self.serial += 1
        self.console.redraw()
        await self.until(lambda: self.console._seen == self.serial)

    async def strike(self, text: str, leaves: str) -> None:
        """Strike keys and wait until they have left this in the line."""
        self.keys.send_text(text)
        await self.until(lambda: self.buffer.text == leaves)


def at_a_keyboard(visit: Callable[[Table], Awaitable[None]], before: str = "") -> Table:
    """A console whose keys the test strikes, some of them before it begins to read."""

    async def main() -> Table:
        with create_pipe_input() as keys:
            table = Table(keys)
            table.buffer.on_text_changed += lambda _: table.happened.set()
            keys.send_text(before)
            running = asyncio.create_task(table.console.run(table))
            app = table.console._session.app
            await asyncio.sleep(0)
            app.after_render += lambda _: table.happened.set()
            async with asyncio.timeout(PATIENCE):
                await table.until(lambda: table.console._seen == table.serial)
                await visit(table)
                while not running.done():  # in a burst a single Ctrl-D would be lost
                    keys.send_text("\x15\x04")
                    await asyncio.wait([running], timeout=0.05)
            await running
        return table

    return asyncio.run(main())


@pytest.mark.parametrize(
    ("before", "leaves", "after", "taken"),
    [("1", "1", "\r", False), ("1", "1", "2\r", False), ("12\x7f\x7f", "", "1\r", True)],
)
def test_only_a_line_begun_under_the_question_answers_it(
    before: str, leaves: str, after: str, taken: bool
) -> None:
    async def visit(table: Table) -> None:
        table.keys.send_text(before[:1])
        await table.until(lambda: table.buffer.text == before[:1])
        await table.strike(before[1:], leaves)
        await table.ask()
        table.keys.send_text(after)
        await table.until(lambda: bool(table.answers or table.rest))

    table = at_a_keyboard(visit)
    assert bool(table.answers) == taken
    assert bool(table.rest) != taken


def test_keys_that_wait_when_a_question_appears_are_older_than_it() -> None:
    async def visit(table: Table) -> None:
        table.serial += 1
        table.console.redraw()
        table.keys.send_text("1")
        await table.until(lambda: table.console._seen == table.serial)
        await table.until(lambda: table.buffer.text == "1")
        table.keys.send_text("\r")
        await table.until(lambda: bool(table.answers or table.rest))

    table = at_a_keyboard(visit)
    assert (table.answers, table.rest) == ([], ["1"])


def test_of_a_burst_the_first_line_is_taken_and_the_last_can_be_finished() -> None:
    async def visit(table: Table) -> None:
        await table.strike("1\r2\r3\r4", "4")
        await table.ask()
        table.console._keyboard._burst_until = 0.0  # a pause
        table.keys.send_text("5\r")
        await table.until(lambda: bool(table.rest))

    table = at_a_keyboard(visit)
    assert (table.answers, table.rest) == (["1"], ["45"])


def test_a_burst_that_comes_in_pieces_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("client.plain.keys.PAUSE_SECONDS", PATIENCE)

    async def visit(table: Table) -> None:
        await table.strike("1\r2\r3", "3")
        await table.ask()
        await table.strike("4\r5\r6", "6")
        await table.strike("\r7", "7")
        table.console._keyboard._burst_until = 0.0
        await table.strike("\x158", "8")
        table.keys.send_text("\r")
        await table.until(lambda: len(table.answers + table.rest) == 2)

    assert at_a_keyboard(visit).answers == ["1", "8"]


def test_what_was_typed_before_the_first_prompt_is_no_answer() -> None:
    async def visit(table: Table) -> None:
        await table.until(lambda: table.buffer.text == "3")
        table.keys.send_text("\r")
        await table.until(lambda: bool(table.answers or table.rest))

    def slow(table: Table) -> Awaitable[None]:
        table.console._keyboard._burst_until = 0.0
        return visit(table)

    table = at_a_keyboard(slow, before="1\r2\r3")
    assert (table.answers, table.rest) == ([], ["3"])


_ESCAPES = st.sampled_from(
    ["\x1b[", "\x1b", "\x1b[M", "\x1b[<", "\x1b[200~", "\x1b[201~", "\x1bO", "\x9b", "\x18\x05"]
)
_SOUP = st.lists(
    _ESCAPES | st.text(st.sampled_from("0123456789;<MmRABCu~$ \t")) | st.characters(),
    max_size=12,
).map("".join)


@given(_SOUP.map(lambda soup: "".join(c for c in soup if c not in "\r\n\x03\x04")))
@example("\x1b[5M")
@example("\x1b[<1;2M")
@example("\x1b[200~ never ended")
@settings(max_examples=25)
def test_no_keys_raise_anything_or_get_the_keyboard_stuck(soup: str) -> None:
    async def visit(table: Table) -> None:
        loop = asyncio.get_running_loop()
        failed: list[object] = []
        loop.set_exception_handler(lambda _, context: failed.append(context))
        table.keys.send_bytes(soup.encode("utf-8", "replace"))
        table.keys.send_text("\x1b[201~\x07\x15")
        await table.ask()
        assert not failed

    table = at_a_keyboard(visit)
    assert all(line.isprintable() for line in table.answers + table.rest)


def test_a_paste_without_an_end_is_given_up() -> None:
    with create_pipe_input() as keys:
        keyboard = TerminalConsole(keys, DummyOutput())._keyboard
        keys.send_text("\x1b[200~abc")
        assert keyboard.read_keys() == []
        keyboard.flush_keys()
        keys.send_text("x")
        assert [press.data for press in keyboard.read_keys()] == ["x"]
