"""The operation that does what another card would do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.effects.base import Ask, Choice, Forecast, feasible, forecast_now
from engine.state import Task

if TYPE_CHECKING:
    from engine.game import Game
    from engine.setting import Card


class CopyAction(Choice):
    """``copy-action = 1``: carry out the effect of a card with the action icon in hand, as if it
    stood on this card.  Cards that copy themselves, and cards whose effect cannot be carried out
    now, cannot be chosen; without any other it cannot be carried out (rules, section 11)."""

    kind = "copy-action"

    def check(self, arg: Any) -> None:
        self.check_one(arg)

    def forecast(self, game: Game, seat: int, forecast: Forecast, arg: Any) -> bool:
        return bool(self._copyable(game, seat, forecast))

    def ask(self, game: Game, task: Task) -> Ask:
        cards = self._copyable(game, task.seat, forecast_now(game, task.seat))
        options = game.setting.named(card.index for card in cards)
        return Ask(options, 1, 1, game.setting.cheapest(options, 1))

    def resolve(self, game: Game, task: Task, keys: list[str]) -> None:
        (card,) = game.setting.cards_of(keys)
        game.facts.append(("copied", task.seat, card))
        game.state.stack += [
            Task(effect.op, task.seat, task.card, effect.arg, card)
            for effect in game.setting.cards[card].tasks[task.seat]
        ]

    def _copyable(self, game: Game, seat: int, forecast: Forecast) -> list[Card]:
        return [
            card
            for card in game.setting.playable
            if forecast.hand[card.index]
            and card.spec.action
            and not any(operation is self for operation, _ in card.operations)
            and feasible(game, seat, forecast.copy(), card.operations)
        ]
