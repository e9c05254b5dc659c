"""The console of a real terminal: prompt_toolkit's line editor, with log lines above the prompt.

The prompt is always there, so keys are read as they are typed, and a line knows which question
was on the screen when its first key was struck.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable

from prompt_toolkit import PromptSession, print_formatted_text
from prompt_toolkit.application import get_app_session
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.input import Input
from prompt_toolkit.output import Output
from prompt_toolkit.patch_stdout import patch_stdout
from prompt_toolkit.styles import Style

from client.plain.console import DROPPED, PAUSE_SECONDS, Listener
from client.plain.keys import Keyboard, printable
from client.plain.lines import Glyphs, Line, fitting, fold, glyphs_for, styled, text
from protocol.signs import fit

STYLE = Style.from_dict(
    {
        "heading": "bold",
        "own-turn": "bold reverse",
        "label": "bold",
        "number": "bold",
        "question": "bold",
        "own": "bold",
        "own-rails": "bold reverse",
        "mark": "bold underline",
        "barrier": "bold",
        "warning": "bold ansired",
        "hint": "ansibrightblack",
        "price": "ansiyellow",
        "river": "ansiblue",
        "mountain": "ansigreen",
        "city": "ansimagenta",
        "remote": "ansicyan",
    }
)

NOTHING_SEEN = -1
"""The serial number of no question."""

HOW_TO_LEAVE = "  quit leaves the program, and so does Ctrl-D."


class TerminalConsole:
    """A PromptSession; ``source`` and ``sink`` replace the real terminal in tests."""

    interactive = True

    def __init__(self, source: Input | None = None, sink: Output | None = None) -> None:
        keys = source or get_app_session().input
        self._keyboard = Keyboard(keys, self._forget, self._dropped)
        self._session: PromptSession[str] = PromptSession(input=self._keyboard, output=sink)
        self._encoding = self._session.output.encoding()
        self.glyphs: Glyphs = glyphs_for(self._encoding)
        self._seen = NOTHING_SEEN
        self._begun = NOTHING_SEEN
        self._empty = True
        self._telling: asyncio.TimerHandle | None = None

    @property
    def size(self) -> tuple[int, int]:
        size = self._session.output.get_size()
        return size.columns, size.rows

    def bell(self) -> None:
        self._session.output.bell()
        self._session.output.flush()

    def show(self, lines: Iterable[Line]) -> None:
        width, _ = self.size
        shown = (fitting(line, self._encoding) for line in lines)
        folded = [part for line in shown for part in fold(line, max(width, 20))]
        # All at once: every single print would wipe and redraw the prompt below it.
        fragments = [piece for line in folded for piece in (*line, ("", "\n"))]
        if fragments:
            print_formatted_text(
                FormattedText(fragments), end="", style=STYLE, output=self._session.output
            )

    def redraw(self) -> None:
        self._session.app.invalidate()

    def leaving(self) -> None:
        """The prompt that is there goes away with its application, and leaves no trace."""
        self._session.app.erase_when_done = True

    async def run(self, listener: Listener) -> None:
        buffer, app = self._session.default_buffer, self._session.app

        def typing(changed: Buffer) -> None:
            if self._empty and changed.text:
                self._begun = self._seen
            self._empty = not changed.text

        def rendering(_: object) -> None:
            if app.is_done or self._seen == listener.serial:
                return
            # Keys that wait to be read were struck before this question can be seen.
            app.key_processor.feed_multiple(self._keyboard.read_keys())
            app.key_processor.process_keys()
            self._seen = listener.serial

        buffer.on_text_changed += typing
        app.before_render += rendering
        work: asyncio.Queue[tuple[str, int]] = asyncio.Queue()
        worker = asyncio.create_task(_work(work, listener))
        try:
            with patch_stdout(), self._keyboard.raw_mode():
                await self._read(listener, work, worker)
        finally:
            buffer.on_text_changed -= typing
            app.before_render -= rendering
            if self._telling is not None:
                self._telling.cancel()
            worker.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await worker

    async def _read(
        self,
        listener: Listener,
        work: asyncio.Queue[tuple[str, int]],
        worker: asyncio.Task[None],
    ) -> None:
        start_line: Callable[[], None] | None = self._keyboard.start_line
        while not worker.done():
            self._empty = True
            try:
                line = await self._session.prompt_async(
                    lambda: [("class:number", fit(listener.prompt(), self._encoding))],
                    completer=_Completer(listener, self._encoding),
                    complete_while_typing=False,
                    style=STYLE,
                    pre_run=start_line,
                )
                start_line = self._keyboard.start_line
            except EOFError:
                start_line = self._keyboard.start_line
                if await listener.ended():
                    return
                continue
            except KeyboardInterrupt:
                # Ctrl-C drops the line, so the next is still the first; Ctrl-D on an empty one
                # leaves.
                start_line = None
                if not self._session.default_buffer.text:
                    self.show([text(HOW_TO_LEAVE)])
                continue
            # An empty line is begun and ended by the same key: it belongs to what was shown then.
            work.put_nowait((printable(line), self._begun if line else self._seen))
        await worker

    def _forget(self) -> None:
        self._session.default_buffer.reset()
        self._empty = True

    def _dropped(self) -> None:
        if self._telling is None:
            self._tell_dropped()

    def _tell_dropped(self) -> None:
        """Say that lines were dropped: once, when the burst is over."""
        if self._telling is None or self._keyboard.in_burst:
            loop = asyncio.get_running_loop()
            self._telling = loop.call_later(PAUSE_SECONDS, self._tell_dropped)
            return
        self._telling = None
        self.show([styled("class:warning", DROPPED)])


async def _work(work: asyncio.Queue[tuple[str, int]], listener: Listener) -> None:
    while True:
        line, serial = await work.get()
        await listener.typed(line, serial)


class _Completer(Completer):
    def __init__(self, listener: Listener, encoding: str) -> None:
        self._listener = listener
        self._encoding = encoding

    def get_completions(self, document: Document, _: CompleteEvent) -> Iterable[Completion]:
        typed = document.text_before_cursor
        for whole, remark in self._listener.completions(typed):
            yield Completion(
                whole,
                start_position=-len(typed),
                display=[("", whole)],
                display_meta=[("", fit(remark, self._encoding))],
            )
