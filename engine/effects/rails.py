"""Operations on rail points and rails.  Laying for a point is an act of the turn: see
:mod:`engine.rails`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.effects.base import Ask, Choice, Forecast, Step
from engine.rails import free_lay_options, opponents_part, put_paid_rail, rails_left

if TYPE_CHECKING:
    from engine.game import Game
    from engine.state import Task


class GainRailPoints(Step):
    """``gain-rail-points = n``: n rails more may be laid this turn."""

    always = True

    def run(self, game: Game, task: Task) -> None:
        gain_rail_points(game, task.seat, task.arg)


def gain_rail_points(game: Game, seat: int, count: int) -> None:
    """Add to the turn's rail points and say so."""
    game.state.rail_points += count
    game.facts.append(("rail-points", seat, count))


class LayFree(Choice):
    """``lay-free = 1``: lay one rail at once without the surcharge of the ground; what others'
    rails cost and bring there stays.  Without a token or a place that can be paid for it cannot be
    carried out."""

    kind = "lay-free"

    def check(self, arg: Any) -> None:
        self.check_one(arg)

    def forecast(self, game: Game, seat: int, forecast: Forecast, arg: Any) -> bool:
        return rails_left(game, seat) > 0 and bool(free_lay_options(game, seat))

    def ask(self, game: Game, task: Task) -> Ask:
        options = tuple(free_lay_options(game, task.seat))
        return Ask(options, 1, 1, (options[0].key,))

    def resolve(self, game: Game, task: Task, keys: list[str]) -> None:
        i = game.setting.hex_of(keys[0])
        put_paid_rail(game, task.seat, i, opponents_part(game, i))
