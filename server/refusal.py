"""The one exception with which the server says no to a request."""

from __future__ import annotations


class Refusal(Exception):  # noqa: N818 - it is an answer, not a failure of the program
    """A request is refused and nothing has changed.

    ``code`` is one of :mod:`protocol.errors`; ``text`` a sentence that says what was wrong and what
    is allowed.  It may be shown to whoever asked, so it holds nothing they may not know.
    """

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
