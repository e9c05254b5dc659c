"""Boxes: folders of data (``box.toml``, ``cards.toml``, ``boards/*.toml``), and their loader.

``common`` holds the cards that every game uses and is always loaded.  Besides
:mod:`engine.scenario` this is the only place of the engine that reads files.
"""

from __future__ import annotations

from engine.boxes.loader import (
    Box,
    Kingdom,
    box_hash,
    known_boards,
    known_boxes,
    load_box,
    load_boxes,
)

__all__ = [
    "Box",
    "Kingdom",
    "box_hash",
    "known_boards",
    "known_boxes",
    "load_box",
    "load_boxes",
]
