"""The template for translators holds every message, and another language really is used."""

from __future__ import annotations

from pathlib import Path

import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from engine.text import catalogue
from tests.engine.text_template import TEMPLATE, template


def test_the_template_is_up_to_date() -> None:
    """If this fails: ``make messages``."""
    assert TEMPLATE.read_bytes() == template()


def test_a_translation_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with TEMPLATE.open("rb") as file:
        messages = read_po(file, locale="de")
    messages["Draw 1 card."].string = ("Ziehe 1 Karte.", "Ziehe {count} Karten.")
    messages["Yes"].string = "Ja"
    folder = tmp_path / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    with (folder / f"{catalogue.DOMAIN}.mo").open("wb") as compiled:
        write_mo(compiled, messages)
    monkeypatch.setattr(catalogue, "LOCALES", tmp_path)
    monkeypatch.setattr(catalogue, "LANGUAGES", ("en", "de"))

    german = catalogue.Translator("de")

    assert german.many(("Draw 1 card.", "Draw {count} cards."), 3) == "Ziehe 3 Karten."
    assert german.one("Yes") == "Ja"
    assert german.one("No") == "No"
    assert catalogue.Translator("xx").language == "en"
