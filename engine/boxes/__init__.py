"""Boxes: folders of data and their loader: ``box.toml``, ``cards.toml``,
``boards/*.toml`` and ``bonuses.toml``.

``common`` holds the cards that every game uses and is always loaded.  Besides
:mod:`engine.scenario_file` this is the only place of the engine that reads files.
"""

from __future__ import annotations

from engine.boxes.loader import (
    Box,
    Kingdom,
    box_hash,
    check_given_box,
    known_boards,
    known_boxes,
    load_box,
    load_boxes,
    load_own_box,
)

__all__ = [
    "Box",
    "Kingdom",
    "box_hash",
    "check_given_box",
    "known_boards",
    "known_boxes",
    "load_box",
    "load_boxes",
    "load_own_box",
]
