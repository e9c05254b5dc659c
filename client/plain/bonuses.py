"""Route bonuses as lines: which are in the game, who has them, what the reader still lacks."""

from __future__ import annotations

from client.model import TableModel
from client.plain.board import neighbours
from client.plain.lines import WIDTH, Line, fold, safe, text, wrap
from engine.types import BonusInfo, BonusView

NONE = "This game is played without route bonuses."


def revealed(model: TableModel) -> list[BonusInfo]:
    """The route bonuses of this game."""
    view = model.view
    return [] if view is None else [b for name, b in model.bonuses.items() if name in view.bonuses]


def bonuses(model: TableModel, width: int = WIDTH) -> list[Line]:
    """Every route bonus of the game with its cities, its ability, its holder."""
    view = model.view
    if view is None or not revealed(model):
        return [text(NONE)]
    lines: list[Line] = []
    for bonus in revealed(model):
        held = _state(model, bonus, view.bonuses[bonus.id])
        heading = [("class:heading", safe(bonus.name, 40)), ("", f" - {bonus.vp} VP; {held}")]
        lines += fold(heading, width)
        cities = " - ".join(_city(model, name) for name in bonus.cities)
        lines += wrap(f"  {cities}. {safe(bonus.text, 400)}", width, "  ")
        if bonus.house:
            lines += wrap("  Its cities, VP and ability are Senro's own design.", width, "  ")
    note = "Whose rails first join all cities of one takes it, and may use its ability once."
    return [*lines, *([("class:hint", line[0][1])] for line in wrap(note, width, "  "))]


def _city(model: TableModel, name: str) -> str:
    return f"{safe(model.hex_title(name), 40)} ({safe(name, 8)})"


def _state(model: TableModel, bonus: BonusInfo, lies: BonusView) -> str:
    if lies.holder >= 0:
        other = f"{safe(model.name(lies.holder), 20)} has"
        who = "you have" if lies.holder == model.seat else other
        return f"{who} {'used it' if lies.used else 'it, its ability unused'}"
    if model.seat < 0:
        return "nobody has it yet"
    missing = _missing(model, bonus)
    return f"nobody has it yet; {missing}"


def _missing(model: TableModel, bonus: BonusInfo) -> str:
    """What the reader lacks: rails in cities, or between them."""
    assert model.view is not None
    mine = {name for name, lies in model.view.hexes.items() if model.seat in lies.rails}
    without = [_city(model, name) for name in bonus.cities if name not in mine]
    if without:
        return f"you have no rail in {', '.join(without)}"
    assert model.catalogue is not None
    reached, edge = {bonus.cities[0]}, [bonus.cities[0]]
    while edge:
        near = set(neighbours(model.catalogue.board, edge.pop())) & mine - reached
        reached |= near
        edge += near
    apart = [_city(model, name) for name in bonus.cities if name not in reached]
    return f"your rails do not join {', '.join(apart)} to the rest yet" if apart else "it is yours"
