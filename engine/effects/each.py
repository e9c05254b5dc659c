"""The tail of effects that count cards: ``each = {draw = n}`` or ``each = {earn = n}``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.effects.money import earn
from engine.movement import draw

if TYPE_CHECKING:
    from engine.game import Game


def check_each(each: Any) -> None:
    """Raise ValueError unless this is ``{draw = n}`` or ``{earn = n}``."""
    if isinstance(each, dict) and len(each) == 1 and {*each} <= {"draw", "earn"}:
        (count,) = each.values()
        if type(count) is int and count > 0:
            return
    raise ValueError(f"each wants {{draw = n}} or {{earn = n}}, not {each!r}")


def carry_out_each(game: Game, seat: int, each: dict[str, int], count: int) -> None:
    """Do it for so many cards."""
    ((what, per_card),) = each.items()
    if not count:
        return
    if what == "draw":
        draw(game, seat, per_card * count)
    else:
        earn(game, seat, per_card * count)
