"""Collects every message of :mod:`engine.text` into the template that translators start from.

``python -m engine.text.extract`` writes ``locale/senro.pot``; a test fails while that file is not up to
date.  Needs Babel, which players do not.
"""

from __future__ import annotations

import io
from pathlib import Path

from engine.text.catalogue import DOMAIN, LOCALES

KEYWORDS = {"N_": None, "nN_": (1, 2)}
TEMPLATE = LOCALES / f"{DOMAIN}.pot"


def template() -> bytes:
    """The template as it should be now."""
    from babel.messages.catalog import Catalog
    from babel.messages.extract import extract_from_dir
    from babel.messages.pofile import write_po

    catalog = Catalog(project="Senro", copyright_holder="The Senro authors", charset="utf-8")
    folder = Path(__file__).parent
    found = extract_from_dir(str(folder), [("**.py", "python")], keywords=KEYWORDS)
    for _, _, message, _, _ in sorted(found, key=lambda entry: str(entry[2])):
        catalog.add(message)
    output = io.BytesIO()
    write_po(output, catalog, omit_header=True, sort_output=True)
    return output.getvalue()


if __name__ == "__main__":
    TEMPLATE.write_bytes(template())
