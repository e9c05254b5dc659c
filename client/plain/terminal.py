"""The console of a real terminal: prompt_toolkit's line editor, with log lines above the prompt.

The prompt is always there, so keys are read as they are typed, and a line knows under which
question its first key was struck.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterable

from prompt_toolkit import PromptSession, print_formatted_text
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.input import Input
from prompt_toolkit.output import Output
from prompt_toolkit.patch_stdout import patch_stdout
from prompt_toolkit.styles import Style

from client.plain.console import Listener
from client.plain.lines import Glyphs, Line, fold, glyphs_for

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


class TerminalConsole:
    """A PromptSession; ``source`` and ``sink`` replace the real terminal in tests."""

    interactive = True

    def __init__(self, source: Input | None = None, sink: Output | None = None) -> None:
        self._session: PromptSession[str] = PromptSession(input=source, output=sink)
        self.glyphs: Glyphs = glyphs_for(self._session.output.encoding())
        self._begun = 0
        self._empty = True

    @property
    def size(self) -> tuple[int, int]:
        size = self._session.output.get_size()
        return size.columns, size.rows

    def bell(self) -> None:
        self._session.output.bell()
        self._session.output.flush()

    def show(self, lines: Iterable[Line]) -> None:
        width, _ = self.size
        folded = [part for line in lines for part in fold(line, max(width, 20))]
        # All at once: every single print would wipe and redraw the prompt below it.
        fragments = [piece for line in folded for piece in (*line, ("", "\n"))]
        if fragments:
            print_formatted_text(
                FormattedText(fragments), end="", style=STYLE, output=self._session.output
            )

    def redraw(self) -> None:
        self._session.app.invalidate()

    async def run(self, listener: Listener) -> None:
        buffer = self._session.default_buffer

        def typing(changed: Buffer) -> None:
            if self._empty and changed.text:
                self._begun = listener.serial
            self._empty = not changed.text

        buffer.on_text_changed += typing
        work: asyncio.Queue[tuple[str, int]] = asyncio.Queue()
        worker = asyncio.create_task(_work(work, listener))
        try:
            with patch_stdout():
                await self._read(listener, work, worker)
        finally:
            buffer.on_text_changed -= typing
            worker.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await worker

    async def _read(
        self,
        listener: Listener,
        work: asyncio.Queue[tuple[str, int]],
        worker: asyncio.Task[None],
    ) -> None:
        while not worker.done():
            self._empty = True
            try:
                line = await self._session.prompt_async(
                    lambda: [("class:number", listener.prompt())],
                    completer=_Completer(listener),
                    complete_while_typing=False,
                    style=STYLE,
                )
            except EOFError:
                if await listener.ended():
                    return
                continue
            except KeyboardInterrupt:
                continue  # Ctrl-C drops the line; Ctrl-D on an empty one leaves
            # An empty line is begun and ended by the same key: it belongs to what is shown now.
            work.put_nowait((line, self._begun if line else listener.serial))
        await worker


async def _work(work: asyncio.Queue[tuple[str, int]], listener: Listener) -> None:
    while True:
        line, serial = await work.get()
        await listener.typed(line, serial)


class _Completer(Completer):
    def __init__(self, listener: Listener) -> None:
        self._listener = listener

    def get_completions(self, document: Document, _: CompleteEvent) -> Iterable[Completion]:
        typed = document.text_before_cursor
        for whole, remark in self._listener.completions(typed):
            yield Completion(
                whole,
                start_position=-len(typed),
                display=[("", whole)],
                display_meta=[("", remark)],
            )
