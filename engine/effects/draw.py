"""Operations that draw cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.effects.base import Forecast, Step
from engine.movement import draw

if TYPE_CHECKING:
    from engine.game import Game
    from engine.state import Task


class OthersDraw(Step):
    """``others-draw = n``: each other player draws n cards, clockwise, or as many as they have."""

    always = True

    def run(self, game: Game, task: Task) -> None:
        seats = len(game.state.seats)
        for step in range(1, seats):
            draw(game, (task.seat + step) % seats, task.arg)


class Draw(Step):
    """``draw = n``: draw n cards, or as many as there are."""

    always = True

    def forecast(self, game: Game, seat: int, forecast: Forecast, arg: Any) -> bool:
        drawn = min(arg, forecast.drawable)
        forecast.size += drawn
        forecast.drawable -= drawn
        return True

    def run(self, game: Game, task: Task) -> None:
        draw(game, task.seat, task.arg)
