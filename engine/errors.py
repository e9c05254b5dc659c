"""What the engine refuses, as typed errors.  Each carries one sentence that says what was wrong and
what is allowed; whoever raises one has changed nothing."""

from __future__ import annotations


class EngineError(ValueError):
    """Base of everything the engine refuses."""


class BoxError(EngineError):
    """A box's data is not usable; the sentence names the file and the card, board or field."""


class SetupError(EngineError):
    """A game cannot be set up like this."""


class SavedGameError(EngineError):
    """Saved data is not a game of this version."""


class AnswerError(EngineError):
    """An answer was refused.

    ``code`` is ``unknown-decision`` (no such open decision: late, repeated or never asked) or
    ``illegal-answer`` (the decision is open, but these picks are not allowed).
    """

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
