"""The one error that ends a command: a sentence for its user and an exit code."""

from __future__ import annotations

USAGE = 2
FAILURE = 1


class ClientError(Exception):
    """Something a person should read.  ``code`` is the exit code: 1 failure, 2 wrong use."""

    def __init__(self, text: str, code: int = FAILURE) -> None:
        super().__init__(text)
        self.code = code


def full_stop(text: str) -> str:
    """The sentence with an end."""
    return text if text.endswith((".", "!", "?", ":", ")")) else f"{text}."
