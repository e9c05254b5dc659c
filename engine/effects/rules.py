"""The operations that the rules themselves put on the stack: starts and turns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.effects.base import Ask, Choice, Step
from engine.rails import put_rail
from engine.turn import act, begin_turn, turn_options

if TYPE_CHECKING:
    from engine.game import Game
    from engine.state import Task


class StartRail(Choice):
    """The first rail token: not on sea, not on a remote location, not where another player's rail
    lies (rules, section 2.7)."""

    kind = "start-rail"

    def ask(self, game: Game, task: Task) -> Ask:
        board = game.setting.board
        taken = 0
        for own in game.masks.own:
            taken |= own
        options = game.setting.hex_options(board.land & ~board.remotes & ~taken)
        return Ask(options, 1, 1, (options[0].key,))

    def resolve(self, game: Game, task: Task, keys: list[str]) -> None:
        i = game.setting.hex_of(keys[0])
        put_rail(game, task.seat, i)
        game.facts.append(("start-rail", task.seat, i))


class Turn(Choice):
    """A player's turn, one act after another, until its player ends it."""

    kind = "turn"

    def ask(self, game: Game, task: Task) -> Ask:
        return Ask(tuple(turn_options(game, task.seat)), 1, 1, ("end-turn",))

    def resolve(self, game: Game, task: Task, keys: list[str]) -> None:
        act(game, task, keys[0])


class BeginTurns(Step):
    """All starts are placed: the first turn begins."""

    def run(self, game: Game, task: Task) -> None:
        begin_turn(game, task.seat)
