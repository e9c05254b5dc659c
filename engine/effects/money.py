"""Operations on this turn's money and on the score track."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.effects.base import Step

if TYPE_CHECKING:
    from engine.game import Game
    from engine.state import Task


class Earn(Step):
    """``earn = n``: +n money this turn."""

    always = True

    def run(self, game: Game, task: Task) -> None:
        earn(game, task.seat, task.arg)


class EarnIfInPlay(Step):
    """``earn-if-in-play = {card = id, money = n}``: +n money if such a card lies in the play area
    now."""

    always = True

    def check(self, arg: Any) -> None:
        if not (
            isinstance(arg, dict) and {*arg} == {"card", "money"} and isinstance(arg["card"], str)
        ):
            raise ValueError(f'wants {{card = "id", money = n}}, not {arg!r}')
        super().check(arg["money"])

    def run(self, game: Game, task: Task) -> None:
        card = game.setting.index.get(task.arg["card"], -1)
        if card >= 0 and game.state.seats[task.seat].play[card]:
            earn(game, task.seat, task.arg["money"])


class Score(Step):
    """``score = n``: n VP at once, on the score track."""

    always = True

    def run(self, game: Game, task: Task) -> None:
        game.state.seats[task.seat].score += task.arg
        game.facts.append(("scored", task.seat, task.arg))


def earn(game: Game, seat: int, money: int) -> None:
    """Add to the turn's money and say so."""
    game.state.money += money
    game.facts.append(("earned", seat, money))
