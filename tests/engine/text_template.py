"""Collects every message of the engine's sentences into the template that translators start from.

``python -m tests.engine.text_template`` (or ``make messages``) writes ``locale/senro.pot`` beside
:mod:`engine.text`; a test fails while that file is not up to date.
"""

from __future__ import annotations

import io

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import write_po

from engine.text.catalogue import DOMAIN, LOCALES

KEYWORDS = {"N_": None, "nN_": (1, 2)}
TEMPLATE = LOCALES / f"{DOMAIN}.pot"


def template() -> bytes:
    """The template as it should be now."""
    catalog = Catalog(project="Senro", copyright_holder="The Senro authors", charset="utf-8")
    found = extract_from_dir(str(LOCALES.parent), [("**.py", "python")], keywords=KEYWORDS)
    for _, _, message, _, _ in sorted(found, key=lambda entry: str(entry[2])):
        catalog.add(message)
    output = io.BytesIO()
    write_po(output, catalog, omit_header=True, sort_output=True)
    return output.getvalue()


if __name__ == "__main__":
    TEMPLATE.write_bytes(template())
