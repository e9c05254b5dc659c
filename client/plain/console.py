"""What a console is to the rest, and the choice of one: a terminal with editing, or plain lines.

A console shows lines and brings what is typed to a :class:`Listener`.  It knows no game.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import Protocol

from client.plain.lines import Glyphs, Line

PAUSE_SECONDS = 0.1
"""So long has the keyboard to rest for a burst of keys to be over."""

DROPPED = "! Pasted or typed-ahead lines were ignored: one line is taken at a time."


class Listener(Protocol):
    """Whoever the typed lines are for."""

    serial: int
    """Changes with every question: a line that was begun under another number is no answer."""

    def prompt(self) -> str:
        """The text before the cursor, now."""

    def completions(self, line: str) -> list[tuple[str, str]]:
        """Whole lines that the typed one may become, each with a remark."""

    async def asking(self) -> None:
        """Return as soon as a line is wanted."""

    async def typed(self, line: str, serial: int) -> None:
        """A line was typed; it was begun under this serial number."""

    async def ended(self) -> bool:
        """The input is at its end, or somebody said so; tells whether that is final."""


class Console(Protocol):
    """Where lines are shown and typed."""

    interactive: bool
    glyphs: Glyphs

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows, as far as they limit what can be shown."""

    def show(self, lines: Iterable[Line]) -> None:
        """Print lines."""

    def bell(self) -> None:
        """Call for attention, where somebody sits."""

    def redraw(self) -> None:
        """The prompt's text may have changed."""

    def leaving(self) -> None:
        """The session ends: no prompt is wanted any more."""

    async def run(self, listener: Listener) -> None:
        """Bring typed lines to the listener until there are no more."""


def is_terminal() -> bool:
    """Whether a person sits at both ends."""
    streams = (sys.stdin, sys.stdout)  # None where a program was started without them
    return all(stream is not None and stream.isatty() for stream in streams)


def is_dumb() -> bool:
    """Whether the terminal cannot move its cursor."""
    return os.environ.get("TERM", "").lower() in {"", "dumb", "unknown"} and os.name != "nt"


def make_console() -> Console:
    """The console that fits stdin and stdout."""
    if is_terminal() and not is_dumb():
        from client.plain.terminal import TerminalConsole

        return TerminalConsole()
    from client.plain.pipe import PipeConsole

    return PipeConsole(interactive=is_terminal())
