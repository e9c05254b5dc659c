"""The board as the moment needs it: with prices, with free stations, or as a list of places.

Presenters, like :mod:`client.plain.table`: they take what is known and return lines.  The board
comes last, so that on a screen of 24 lines it is whole.
"""

from __future__ import annotations

from collections.abc import Mapping

from client.model import TableModel
from client.plain import board, prompt, table
from client.plain.lines import Glyphs, Line, grid, safe, text, wrap
from engine.types import Decision

Size = tuple[int, int]
COLUMNS, ROWS = 80, 20
"""What a terminal needs for the board."""

WATCHING = "You watch: nothing is asked of you."
NO_RAIL = "You can lay no rail now: a rail card gives the rail point for it."
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
    if too_small(size):
        return [*table.places(model, glyphs, size[0]), *_rails_in_words(model, size[0])]
    info = model.catalogue.board
    lines = board.draw(info, model.view, model.seat, glyphs, marks)
    return lines + board.legend(info, model.names, model.seat, glyphs, marks=note)


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
    for number, option in enumerate(decision.options if decision else (), 1):
        verb, _, name = option.key.partition(":")
        if decision is not None and verb == "lay":
            marks[name] = prompt.price(option)
            owners = prompt.owners(model, name)
            label = prompt.option_label(model, decision, option) + (f" {owners}" if owners else "")
            items.append([("class:number", f"{number:>2} "), ("", label)])
    if not marks:
        return [*drawn(model, glyphs, size), text(WATCHING if model.seat < 0 else NO_RAIL)]
    return [*grid(items), *drawn(model, glyphs, size, marks, PRICES)]


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
        return [*prompt.option_lines(model, decision), *lines]
    return [*lines, text(f"Station tokens left: {model.view.stations_left}.")]
