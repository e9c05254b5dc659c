"""Operations on rail points.  Laying itself is an act of the turn: see :mod:`engine.rails`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.effects.base import Step

if TYPE_CHECKING:
    from engine.game import Game
    from engine.state import Task


class GainRailPoints(Step):
    """``gain-rail-points = n``: n rails more may be laid this turn."""

    always = True

    def run(self, game: Game, task: Task) -> None:
        game.state.rail_points += task.arg
        game.facts.append(("rail-points", task.seat, task.arg))
