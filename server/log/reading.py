"""Reads a journal into lines, however damaged it is; judges nothing but its form."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import msgspec

import engine
from engine.boxes import check_given_box
from protocol.names import shorten
from server.journal import SCHEMA
from server.log.lines import Boxes, Line, read_line, shown


class ReadError(ValueError):
    """A file cannot be read as a journal by this version; the sentence says why."""


class JournalFile(NamedTuple):
    """The whole lines of a file; ``torn`` says that a piece of a line follows them, as is left
    behind when a server is killed."""

    lines: list[Line]
    torn: bool


def read_journal(path: Path) -> JournalFile:
    """The lines of a file.  Raises ReadError if it cannot be read or is no journal at all."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ReadError(f"cannot be read: {error.strerror or error}") from None
    *whole, rest = content.split(b"\n")
    lines = [read_line(number, raw) for number, raw in enumerate(whole, 1)]
    if not lines:
        raise ReadError("is no journal: it has not one whole line")
    first = lines[0].data
    if first is None or first.get("type") != "table":
        raise ReadError("is no journal: it has to begin with a line of type 'table'")
    if first.get("schema") != SCHEMA:
        raise ReadError(
            f"is a journal of schema {shown(first.get('schema'))}; "
            f"this version reads schema {SCHEMA}"
        )
    return JournalFile(lines, bool(rest))


def other_rules(header: dict[str, Any]) -> str:
    """Why a journal with this first line cannot be replayed here; empty if it can."""
    rules = header.get("rules")
    if rules != engine.RULES_VERSION:
        return (
            f"was played under rules version {shown(rules)}; "
            f"this version replays rules version {engine.RULES_VERSION}"
        )
    boxes = header.get("boxes")
    try:
        parsed = msgspec.convert(boxes, Boxes)
        own = parsed.own or ()
        for box in own:
            check_given_box(box)
        known = engine.box_hash(parsed.names, own)
    except (msgspec.ValidationError, engine.EngineError) as error:
        return f"was played with boxes that are not known here: {shorten(str(error), 200)}"
    if parsed.hash != known:
        return (
            f"was played with other card data (boxes {shorten(', '.join(parsed.names), 80)}: "
            f"hash {shorten(parsed.hash, 32)}, here {known})"
        )
    return ""
