"""Operations on this turn's money."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.effects.base import Step

if TYPE_CHECKING:
    from engine.game import Game
    from engine.state import Task


class Earn(Step):
    """``earn = n``: +n money this turn."""

    always = True

    def run(self, game: Game, task: Task) -> None:
        earn(game, task.seat, task.arg)


def earn(game: Game, seat: int, money: int) -> None:
    """Add to the turn's money and say so."""
    game.state.money += money
    game.facts.append(("earned", seat, money))
