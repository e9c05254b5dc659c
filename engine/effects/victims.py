"""What an attack makes its victims choose (rules, section 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.effects.base import Ask, Choice
from engine.effects.money import earn
from engine.movement import discard
from engine.types import Option

if TYPE_CHECKING:
    from engine.game import Game
    from engine.state import Task

MONEY = Option("money")


class DiscardDown(Choice):
    """``discard-down = n``: discard from hand until n cards are left."""

    kind = "discard-down"

    def hits(self, game: Game, seat: int, arg: Any) -> bool:
        return bool(sum(game.state.seats[seat].hand) > arg)

    def ask(self, game: Game, task: Task) -> Ask:
        hand = game.state.seats[task.seat].hand
        options, count = game.setting.card_options(hand), sum(hand) - task.arg
        return Ask(options, count, count, game.setting.cheapest(options, count))

    def resolve(self, game: Game, task: Task, keys: list[str]) -> None:
        discard(game, task.seat, game.setting.cards_of(keys))


class DiscardOrPay(Choice):
    """``discard-or-pay = {type = "train", money = n}``: discard a card of the type from hand, or
    let the active player have n money.  Everybody sees which."""

    kind = "discard-or-pay"

    def check(self, arg: Any) -> None:
        if not isinstance(arg, dict) or {*arg} != {"type", "money"}:
            raise ValueError(f"wants type and money, not {arg!r}")
        if arg["type"] != "train":
            raise ValueError(f"type is {arg['type']!r}; allowed is train")
        super().check(arg["money"])

    def may_choose(self, game: Game, task: Task) -> bool:
        return any(game.state.seats[task.seat].hand)

    def ask(self, game: Game, task: Task) -> Ask:
        hand = game.state.seats[task.seat].hand
        trains = game.setting.named(
            card for card in sorted(game.setting.of_type[task.arg["type"]]) if hand[card]
        )
        return Ask((*trains, MONEY), 1, 1, ("money",))

    def resolve(self, game: Game, task: Task, keys: list[str]) -> None:
        if keys[0] == "money":
            game.facts.append(("conceded", task.seat, task.arg["money"]))
            earn(game, game.state.active, task.arg["money"])
            return
        (card,) = game.setting.cards_of(keys)
        me = game.state.seats[task.seat]
        me.hand[card] -= 1
        me.discard[card] += 1
        game.facts.append(("gave-up", task.seat, card))
