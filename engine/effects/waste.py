"""Operations on Waste."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.effects.base import Forecast, Step
from engine.movement import gain_waste, return_waste

if TYPE_CHECKING:
    from engine.game import Game
    from engine.state import Task


class GainWaste(Step):
    """``gain-waste = n``: gain n Waste, as far as the pile and *no Waste* let it."""

    always = True

    def run(self, game: Game, task: Task) -> None:
        for _ in range(task.arg):
            gain_waste(game, task.seat)


class ReturnAllWaste(Step):
    """``return-all-waste = {from = "hand"}``: all Waste in hand goes back to its pile, be there
    none or many."""

    always = True

    def check(self, arg: Any) -> None:
        if arg != {"from": "hand"}:
            raise ValueError(f'wants {{from = "hand"}}, not {arg!r}')

    def forecast(self, game: Game, seat: int, forecast: Forecast, arg: Any) -> bool:
        waste = game.setting.waste
        forecast.size -= forecast.hand[waste]
        forecast.hand[waste] = 0
        return True

    def run(self, game: Game, task: Task) -> None:
        hand = game.state.seats[task.seat].hand
        return_waste(game, task.seat, hand, "hand", hand[game.setting.waste])
