"""The keyboard as the line editor sees it: no mouse, no odd keys, and one line at a time.

Whatever is struck after a line's end and before the next prompt was struck blindly: of that, whole
lines are dropped, and only the beginning of a line is kept for the prompt.  Once lines had to be
dropped, keys that follow without a pause belong to the same burst (a paste, mostly), until there
is a pause.  It knows neither lines' meaning nor the screen.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager

from prompt_toolkit.input import Input
from prompt_toolkit.input.typeahead import get_typeahead, store_typeahead
from prompt_toolkit.key_binding import KeyPress
from prompt_toolkit.keys import Keys

from client.plain.console import PAUSE_SECONDS

MOST_READS = 1000
"""Reads at once between two prompts: a source that never rests must not hold up the rest."""

_SWALLOWED = frozenset(
    {
        Keys.Vt100MouseEvent,  # nothing here is clicked, and a malformed one is an exception
        Keys.WindowsMouseEvent,
        Keys.ControlQ,  # these three put control characters into the line
        Keys.ControlV,
        Keys.ControlZ,
    }
)
_ENDS = frozenset({Keys.ControlM, Keys.ControlJ, Keys.ControlC, Keys.ControlD})


class Keyboard(Input):
    """Another input, strained.  Whenever lines were dropped from it, ``forget`` is called if what
    the line editor has is the beginning of one, and ``tell`` if anything was on them."""

    def __init__(self, source: Input, forget: Callable[[], None], tell: Callable[[], None]) -> None:
        self._source = source
        self._forget = forget
        self._tell = tell
        self._burst_until = 0.0

    @property
    def in_burst(self) -> bool:
        return time.monotonic() < self._burst_until

    def read_keys(self) -> list[KeyPress]:
        keys = self._known(self._source.read_keys())
        return self._strained(keys) if keys and self.in_burst else keys

    def flush_keys(self) -> list[KeyPress]:
        keys = self._known(self._source.flush_keys())
        # A paste that began and never ends would swallow all keys from now on.
        parser = getattr(self._source, "vt100_parser", None)
        if parser is not None:
            parser.reset()
        return keys

    def start_line(self) -> None:
        """To be called just before a prompt is shown: drop the lines that came too early."""
        keys = get_typeahead(self._source)
        for _ in range(MOST_READS):
            more = self._known(self._source.read_keys())
            if not more:
                break
            keys += more
        store_typeahead(self._source, self._strained(keys))

    def _strained(self, keys: list[KeyPress]) -> list[KeyPress]:
        """What follows the last whole line; answers of the terminal are none of our keys."""
        ends = [place for place, press in enumerate(keys) if press.key in _ENDS]
        if self.in_burst or ends:
            self._burst_until = time.monotonic() + PAUSE_SECONDS
        if not ends:
            return keys
        gone = [press for press in keys[: ends[-1] + 1] if press.key != Keys.CPRResponse]
        answers = [press for press in keys[: ends[-1]] if press.key == Keys.CPRResponse]
        self._forget()
        if any(press.key not in _ENDS for press in gone):
            self._tell()
        return answers + keys[ends[-1] + 1 :]

    def _known(self, keys: Iterable[KeyPress]) -> list[KeyPress]:
        kept = []
        for press in keys:
            if press.key == Keys.BracketedPaste:
                first, *more = re.split(r"[\r\n]+", press.data.strip("\r\n"))
                if any(line.strip() for line in more):
                    self._tell()
                kept.append(KeyPress(Keys.BracketedPaste, printable(first)))
            elif isinstance(press.key, Keys):
                if press.key not in _SWALLOWED:
                    kept.append(press)
            elif printable(press.key):
                kept.append(KeyPress(printable(press.key), press.data))
        return kept

    # ---------------------------------------------------------------- as the source does it

    def fileno(self) -> int:
        return self._source.fileno()

    def typeahead_hash(self) -> str:
        return self._source.typeahead_hash()

    def flush(self) -> None:
        self._source.flush()

    @property
    def closed(self) -> bool:
        return self._source.closed

    def raw_mode(self) -> AbstractContextManager[None]:
        return self._source.raw_mode()

    def cooked_mode(self) -> AbstractContextManager[None]:
        """Stay raw, even while something is printed: else a key struck just then would be echoed
        into it, and Ctrl-C would be a signal that ends the program."""
        return contextlib.nullcontext()

    def attach(self, input_ready_callback: Callable[[], None]) -> AbstractContextManager[None]:
        return self._source.attach(input_ready_callback)

    def detach(self) -> AbstractContextManager[None]:
        return self._source.detach()

    def close(self) -> None:
        self._source.close()


def printable(text: str) -> str:
    """The text without what cannot be printed, every kind of blank as a blank."""
    spaced = (" " if char.isspace() else char for char in text)
    return "".join(char for char in spaced if char.isprintable())
