"""Every sentence about the game, composed from data, in the language of its reader."""

from __future__ import annotations

from engine.text.words import LANGUAGES, Words

__all__ = ["LANGUAGES", "Words"]
