"""The board as the moment needs it: with prices, with free stations, or as a list of places.

Presenters, like :mod:`client.plain.table`: they take what is known and return lines.  The board
comes last, so that on a screen of 24 lines it is whole.
"""

from __future__ import annotations

from collections.abc import Mapping

from client.model import TableModel
from client.plain import board, labels, prompt, table
from client.plain.lines import WIDEST, Glyphs, Line, grid, safe, text, wrap
from engine.types import Decision

Size = tuple[int, int]
COLUMNS, ROWS = 80, 20
"""What a terminal needs for the board."""

WATCHING = "You watch: nothing is asked of you."
NO_RAIL = "You can lay no rail now: a rail card gives the rail point for it."
NOT_ASKED = "You can lay no rail now: it is not your turn."
PRICES = "$2 price of a rail there, w = and a Waste"
FREE = "+1 number of stations free"


def too_small(size: Size) -> bool:
    """Whether the board would be torn on a terminal of so many columns and rows."""
    return size[0] < COLUMNS or size[1] < ROWS


def drawn(
    model: TableModel,
    glyphs: Glyphs,
    size: Size,
    marks: Mapping[str, str] | None = None,
    note: str = "",
) -> list[Line]:
    """The board with its legend, or what fits of it; ``note`` explains the marks."""
    if model.catalogue is None:
        return [text(table.NOT_YET)]
    width = min(size[0], WIDEST)
    if too_small(size):
        return [*table.places(model, glyphs, width), *_rails_in_words(model, width)]
    info = model.catalogue.board
    if marks is None and model.starts:
        marks, note = dict.fromkeys(model.starts, "S"), table.START_MARK
    lines = board.draw(info, model.view, model.seat, glyphs, marks)
    return lines + board.legend(info, model.names, model.seat, glyphs, marks=note, width=width)


def _rails_in_words(model: TableModel, width: int) -> list[Line]:
    """Where everybody's rails lie."""
    lines: list[Line] = []
    for seat, name in enumerate(model.names):
        hexes = model.view.hexes if model.view is not None else {}
        laid = " ".join(where for where, lies in hexes.items() if seat in lies.rails)
        letter = board.letter_of(seat, model.seat)
        lines += wrap(f"Rails of {letter} {safe(name, 20)}: {laid or 'none'}", width, "  ")
    return lines


def rails(model: TableModel, decision: Decision | None, glyphs: Glyphs, size: Size) -> list[Line]:
    """What rails cost now, on the board and as a list; or why none can be laid."""
    if decision is not None and any(option.key.startswith("hex:") for option in decision.options):
        if decision.kind == "place-station":
            return stations(model, decision, glyphs, size)
        return [*drawn(model, glyphs, size), text(prompt.question_text(model, decision))]
    marks: dict[str, str] = {}
    items: list[Line] = []
    for number, option in (prompt.numbers_of(decision) if decision else {}).items():
        verb, _, name = option.key.partition(":")
        if decision is not None and verb == "lay":
            marks[name] = labels.price(option)
            owners = labels.owners(model, name)
            label = labels.option_label(model, decision, option) + (f" {owners}" if owners else "")
            items.append([("class:number", f"{number:>2} "), ("", label)])
    if not marks:
        why = WATCHING if model.seat < 0 else NO_RAIL if decision is not None else NOT_ASKED
        return [*drawn(model, glyphs, size), text(why)]
    return [*grid(items, width=min(size[0], WIDEST)), *drawn(model, glyphs, size, marks, PRICES)]


def stations(
    model: TableModel, decision: Decision | None, glyphs: Glyphs, size: Size
) -> list[Line]:
    """The cities with stations to be built: those of the question, or all."""
    if model.catalogue is None or model.view is None:
        return [text(table.NOT_YET)]
    asked = None
    if decision is not None and decision.kind == "place-station":
        asked = {option.key.removeprefix("hex:") for option in decision.options}
    marks: dict[str, str] = {}
    for name, info in model.catalogue.board.hexes.items():
        lies = model.view.hexes.get(name)
        free = info.slots - (lies.stations if lies else 0)
        if free and (asked is None or name in asked):
            marks[name] = f"+{free}"
    lines = drawn(model, glyphs, size, marks, FREE)
    if asked is not None and decision is not None:
        return [*prompt.option_lines(model, decision, min(size[0], WIDEST)), *lines]
    return [*lines, text(f"Station tokens left: {model.view.stations_left}.")]
