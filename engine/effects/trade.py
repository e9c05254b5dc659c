"""Operations that trade a Train for another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.effects.base import Ask, Choice, Forecast
from engine.movement import gain, trash
from engine.state import Task

if TYPE_CHECKING:
    from engine.game import Game


class TradeTrain(Choice):
    """``trade-train = {up = n}``: trash a Train from hand, then gain one to hand that costs at most
    n more.  Only Trains for which there is one to gain can be chosen; without any it cannot be
    carried out."""

    kind = "trade-train"

    def check(self, arg: Any) -> None:
        if not isinstance(arg, dict) or {*arg} != {"up"}:
            raise ValueError(f"wants {{up = n}}, not {arg!r}")
        super().check(arg["up"])

    def forecast(self, game: Game, seat: int, forecast: Forecast, arg: Any) -> bool:
        return bool(_tradeable(game, forecast.hand, arg["up"]))

    def ask(self, game: Game, task: Task) -> Ask:
        hand = game.state.seats[task.seat].hand
        options = game.setting.named(_tradeable(game, hand, task.arg["up"]))
        return Ask(options, 1, 1, game.setting.cheapest(options, 1))

    def resolve(self, game: Game, task: Task, keys: list[str]) -> None:
        (card,) = game.setting.cards_of(keys)
        trash(game, task.seat, card, game.state.seats[task.seat].hand, "hand")
        most = game.setting.cards[card].cost + task.arg["up"]
        game.state.stack.append(task.then("gain-train", most))


class GainTrain(Choice):
    """Gain a Train to hand that costs at most so much."""

    kind = "gain-train"

    def ask(self, game: Game, task: Task) -> Ask:
        options = game.setting.named(_gainable(game, task.arg))
        return Ask(options, 1, 1, game.setting.cheapest(options, 1))

    def resolve(self, game: Game, task: Task, keys: list[str]) -> None:
        (card,) = game.setting.cards_of(keys)
        gain(game, task.seat, card, "hand")


def _gainable(game: Game, most: int) -> list[int]:
    """The Trains in the supply that cost at most so much."""
    cards, supply = game.setting.cards, game.state.supply
    trains = sorted(game.setting.of_type["train"])
    return [card for card in trains if supply[card] and cards[card].cost <= most]


def _tradeable(game: Game, hand: list[int], up: int) -> list[int]:
    """The Trains in a hand for which there is one to gain."""
    cards = game.setting.cards
    trains = sorted(game.setting.of_type["train"])
    return [card for card in trains if hand[card] and _gainable(game, cards[card].cost + up)]
