"""The door to gettext: which languages there are, and how a message is looked up.

Messages are English sentences with named places (``{count}``).  ``N_`` marks a message in a table,
to be translated where it is used.
"""

from __future__ import annotations

import gettext
from pathlib import Path

DOMAIN = "senro"
LOCALES = Path(__file__).parent / "locale"
LANGUAGES = (
    "en",
    *sorted(p.parent.parent.name for p in LOCALES.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")),
)

Plural = tuple[str, str]
"""A message for one and a message for many."""


def N_(message: str) -> str:  # noqa: N802  gettext's own name for a marked message
    """Mark a message for translation without translating it yet."""
    return message


def nN_(one: str, many: str) -> Plural:  # noqa: N802  the same for a pair
    """Mark a message with a plural."""
    return one, many


class Translator:
    """Looks messages up in one language; English needs no file, and stands in for a language
    that is not there."""

    def __init__(self, language: str) -> None:
        self.language = language if language in LANGUAGES else "en"
        self._catalogue = gettext.translation(
            DOMAIN, LOCALES, languages=[self.language], fallback=True
        )

    def one(self, message: str, **values: object) -> str:
        """A message with its places filled."""
        return self._catalogue.gettext(message).format(**values)

    def many(self, plural: Plural, count: int, **values: object) -> str:
        """The message that fits a number, with its places filled; ``{count}`` is the number."""
        return self._catalogue.ngettext(*plural, count).format(count=count, **values)
