"""The operations that the rules themselves put on the stack: starts and turns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.effects.base import Ask, Choice, Step
from engine.movement import put_on_deck
from engine.rails import put_rail
from engine.turn import act, begin_turn, turn_options
from engine.types import Option

if TYPE_CHECKING:
    from engine.game import Game
    from engine.state import Task

TO_DECK = Option("deck")
TO_GAINED = Option("gained")


class StartRail(Choice):
    """The first rail token: not on sea, not on a remote location, not where another player's rail
    lies; where the setup says so only on a city marked S (rules, section 2.7)."""

    kind = "start-rail"
    of_rules = True

    def ask(self, game: Game, task: Task) -> Ask:
        board = game.setting.board
        taken = 0
        for own in game.masks.own:
            taken |= own
        places = board.land & ~board.remotes
        if game.setup.starts == "marked":
            places = board.starts
        options = game.setting.hex_options(places & ~taken)
        return Ask(options, 1, 1, (options[0].key,))

    def resolve(self, game: Game, task: Task, keys: list[str]) -> None:
        i = game.setting.hex_of(keys[0])
        put_rail(game, task.seat, i)
        game.facts.append(("start-rail", task.seat, i))


class PlacePurchase(Choice):
    """A card just bought may go on the deck instead of staying in the gained area."""

    kind = "place-purchase"
    of_rules = True

    def ask(self, game: Game, task: Task) -> Ask:
        cards = (game.setting.cards[task.arg].id,)
        return Ask((TO_DECK, TO_GAINED), 1, 1, ("gained",), cards=cards)

    def resolve(self, game: Game, task: Task, keys: list[str]) -> None:
        if keys[0] == "deck":
            put_on_deck(game, task.seat, task.arg, game.state.seats[task.seat].gained, "gained")


class Turn(Choice):
    """A player's turn, one act after another, until its player ends it."""

    kind = "turn"
    of_rules = True

    def ask(self, game: Game, task: Task) -> Ask:
        return Ask(tuple(turn_options(game, task.seat)), 1, 1, ("end-turn",))

    def resolve(self, game: Game, task: Task, keys: list[str]) -> None:
        act(game, task, keys[0])


class BeginTurns(Step):
    """All starts are placed: the first turn begins."""

    def run(self, game: Game, task: Task) -> None:
        begin_turn(game, task.seat)
