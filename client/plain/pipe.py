"""The plain console: lines out by print, lines in by read; for pipes and dumb terminals.

A line is read only once one is wanted.  On a dumb terminal what was typed before that moment is
thrown away, since nobody can tell for what it was meant; in a pipe the lines simply wait there.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import shutil
import sys
import threading
from collections.abc import Iterable

from client.plain.console import DROPPED, PAUSE_SECONDS, Listener
from client.plain.lines import WIDTH, Glyphs, Line, fitting, fold, glyphs_for, plain
from protocol.signs import fit


class PipeConsole:
    """Plain reads from stdin, plain prints to stdout."""

    def __init__(self, *, interactive: bool = False, fd: int | None = None) -> None:
        self.interactive = interactive
        self.glyphs: Glyphs = glyphs_for(sys.stdout.encoding)
        self._fd = fd
        self._leaving = False

    @property
    def size(self) -> tuple[int, int]:
        """A pipe takes whatever comes."""
        if not self.interactive:
            return WIDTH, sys.maxsize
        columns, rows = shutil.get_terminal_size()
        return columns, rows

    def bell(self) -> None:
        if self.interactive:
            sys.stdout.write("\a")
            sys.stdout.flush()

    def show(self, lines: Iterable[Line]) -> None:
        width = max(self.size[0], 20)
        for line in (fitting(line, sys.stdout.encoding) for line in lines):
            for part in fold(line, width) if self.interactive else [line]:
                print_safely(plain(part))
        sys.stdout.flush()

    def redraw(self) -> None:
        """Nothing to do: the prompt is printed when a line is wanted."""

    def leaving(self) -> None:
        self._leaving = True

    async def run(self, listener: Listener) -> None:
        source = LineSource(stdin_fd() if self._fd is None else self._fd)
        while True:
            await listener.asking()
            if self._leaving:
                return
            serial = listener.serial
            if self.interactive:
                if await source.drop_typed_ahead():
                    print_safely(DROPPED)
                sys.stdout.write(fit(listener.prompt(), sys.stdout.encoding))
                sys.stdout.flush()
            line = await source.next_line()
            if line is None:
                await listener.ended()
                return
            await listener.typed(line, serial)


def stdin_fd() -> int:
    """The descriptor of stdin, or one that is at its end if there is no stdin."""
    try:
        return sys.stdin.fileno()
    except (AttributeError, OSError, ValueError):
        return os.open(os.devnull, os.O_RDONLY)


def print_safely(line: str) -> None:
    """Print a line, with plainer signs for what the output's encoding cannot show."""
    print(fit(line, sys.stdout.encoding))


class LineSource:
    """Lines of a file descriptor, read by a thread of their own, one at a time and only on demand.

    The descriptor is read directly: a thread that hangs in ``sys.stdin`` would hold its lock
    when the interpreter ends.
    """

    LIMIT = 65536

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._buffer = b""
        self._ended = False

    async def next_line(self) -> str | None:
        """The next line without its end, None after the last; undecodable bytes are replaced."""
        while b"\n" not in self._buffer and not self._ended:
            data = await self._read()
            self._ended = not data
            self._buffer += data
            if b"\n" not in self._buffer:
                self._buffer = self._buffer[: self.LIMIT]
        if not self._buffer:
            return None
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line[: self.LIMIT].decode("utf-8", "replace").rstrip("\r")

    async def _read(self) -> bytes:
        loop = asyncio.get_running_loop()
        result: asyncio.Future[bytes] = loop.create_future()

        def deliver(data: bytes) -> None:
            if not result.done():
                result.set_result(data)

        def work() -> None:
            try:
                data = os.read(self._fd, 65536)
            except OSError:
                data = b""
            with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
                loop.call_soon_threadsafe(deliver, data)

        threading.Thread(target=work, name="senro-stdin", daemon=True).start()
        return await result

    async def drop_typed_ahead(self) -> bool:
        """Forget what was typed before now, and what follows it without a pause; tells whether
        there were whole lines.  Only sensible on a terminal.
        """
        found = bool(self._buffer)
        self._buffer = b""
        try:
            import termios
        except ImportError:  # Windows: what was typed ahead stays in the console's own queue
            return found
        with contextlib.suppress(termios.error, OSError, ValueError):
            while select.select([self._fd], [], [], 0)[0] and not self._at_end():
                found = True
                termios.tcflush(self._fd, termios.TCIFLUSH)
                await asyncio.sleep(PAUSE_SECONDS)
            termios.tcflush(self._fd, termios.TCIFLUSH)  # the beginning of a line
        return found

    def _at_end(self) -> bool:
        """Whether the other side has hung up, which looks as if there were something to read."""
        hung_up = select.poll()
        hung_up.register(self._fd, select.POLLIN)
        return any(event & (select.POLLHUP | select.POLLERR) for _, event in hung_up.poll(0))
