"""What the end of a turn would throw away, in words."""

from __future__ import annotations

from client.model import TableModel
from client.plain.lines import safe
from client.plain.table import points
from engine.types import Decision

NAMED = 3
"""So many cards are named, the others counted."""


def leftovers(model: TableModel, decision: Decision) -> str:
    """A clause about what could still be of use this turn; empty if nothing could.

    Cards that bring no money do not count: not to play them is a choice as any other.
    """
    turn = model.view.turn if model.view is not None else None
    if turn is None:
        return ""
    plays = [option for option in decision.options if option.key.startswith("play:")]
    cards = [option for option in plays if option.gain]
    lays = any(option.key.startswith("lay:") for option in decision.options)
    buys = any(option.key.startswith("buy:") for option in decision.options)
    left = []
    if turn.rail_points and (lays or plays):
        left.append(points(turn.rail_points))
    if turn.money and buys:
        left.append(f"{turn.money} money that can buy something")
    if cards:
        names = [safe(model.card_name(o.key.partition(":")[2]), 40) for o in cards]
        more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
        left.append(f"money to play ({', '.join(names[:NAMED])}{more})")
    return " and ".join([", ".join(left[:-1]), left[-1]] if left[1:] else left)
