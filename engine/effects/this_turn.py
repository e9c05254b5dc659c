"""Operations whose effect lasts for the rest of the turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.effects.base import Step
from engine.running import INDEX, RUNNING

if TYPE_CHECKING:
    from engine.game import Game
    from engine.state import Task


class ThisTurn(Step):
    """``this-turn = name``: one more of the named running effects (:mod:`engine.running`)."""

    always = True

    def check(self, arg: Any) -> None:
        if not isinstance(arg, str) or arg not in INDEX:
            raise ValueError(f"knows no {arg!r}; allowed are {', '.join(RUNNING)}")

    def run(self, game: Game, task: Task) -> None:
        game.state.running[INDEX[task.arg]] += 1
        game.facts.append(("this-turn", task.seat, task.arg))
