"""Operations on Waste."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.effects.base import Ask, Choice, Forecast, Step
from engine.effects.each import carry_out_each, check_each
from engine.movement import gain_waste, return_waste

if TYPE_CHECKING:
    from engine.game import Game
    from engine.state import Task, Zone


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
        _forecast_return(game, forecast, forecast.hand[game.setting.waste])
        return True

    def run(self, game: Game, task: Task) -> None:
        hand = game.state.seats[task.seat].hand
        return_waste(game, task.seat, hand, "hand", hand[game.setting.waste])


class ReturnWaste(Step):
    """``return-waste = n``: n Waste from hand go back to their pile; with fewer it cannot be
    carried out."""

    def forecast(self, game: Game, seat: int, forecast: Forecast, arg: Any) -> bool:
        _forecast_return(game, forecast, arg)
        return forecast.hand[game.setting.waste] >= 0

    def run(self, game: Game, task: Task) -> None:
        return_waste(game, task.seat, game.state.seats[task.seat].hand, "hand", task.arg)


class ReturnAnyWaste(Choice):
    """``return-any-waste = {from = zone, each = ...}``: any number of Waste from the hand or the
    discard pile, with something for each; ``max = n`` limits it and ``each`` may be left out."""

    kind = "return-any-waste"
    always = True

    def check(self, arg: Any) -> None:
        if not isinstance(arg, dict) or not {"from"} <= {*arg} <= {"from", "each", "max"}:
            raise ValueError(f"wants from and perhaps each and max, not {arg!r}")
        if arg["from"] not in ("hand", "discard"):
            raise ValueError(f"from is {arg['from']!r}; allowed are hand, discard")
        if "each" in arg:
            check_each(arg["each"])
        if "max" in arg:
            super().check(arg["max"])

    def ask(self, game: Game, task: Task) -> Ask:
        waste, zone = game.setting.waste, _zone(game, task)
        most = min(zone[waste], task.arg.get("max", zone[waste]))
        options = game.setting.some_of(waste, most) if most else ()
        return Ask(options, 0, most, ())

    def resolve(self, game: Game, task: Task, keys: list[str]) -> None:
        return_waste(game, task.seat, _zone(game, task), task.arg["from"], len(keys))
        if "each" in task.arg:
            carry_out_each(game, task.seat, task.arg["each"], len(keys))


def _zone(game: Game, task: Task) -> Zone:
    me = game.state.seats[task.seat]
    return me.hand if task.arg["from"] == "hand" else me.discard


def _forecast_return(game: Game, forecast: Forecast, count: int) -> None:
    forecast.size -= count
    forecast.hand[game.setting.waste] -= count
