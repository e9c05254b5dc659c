"""Operations that let a player give cards up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.effects.base import Ask, Choice, Forecast
from engine.effects.each import carry_out_each, check_each
from engine.effects.money import earn
from engine.movement import discard, hand_to_deck, trash
from engine.types import Option

if TYPE_CHECKING:
    from engine.game import Game
    from engine.state import Task

YES = Option("yes")
NO = Option("no")


class DiscardAny(Choice):
    """``discard-any = {each = {draw = n}}`` (or ``earn``): discard any number of cards from hand,
    then draw n cards (or get n money) for each of them."""

    kind = "discard-any"
    always = True

    def check(self, arg: Any) -> None:
        if not isinstance(arg, dict) or {*arg} != {"each"}:
            raise ValueError(f"wants each, not {arg!r}")
        check_each(arg["each"])

    def ask(self, game: Game, task: Task) -> Ask:
        hand = game.state.seats[task.seat].hand
        return Ask(game.setting.card_options(hand), 0, sum(hand), ())

    def resolve(self, game: Game, task: Task, keys: list[str]) -> None:
        discard(game, task.seat, game.setting.cards_of(keys))
        carry_out_each(game, task.seat, task.arg["each"], len(keys))


class Discard(Choice):
    """``discard = n``: discard exactly n cards from hand; with fewer it cannot be carried out."""

    kind = "discard"

    def forecast(self, game: Game, seat: int, forecast: Forecast, arg: Any) -> bool:
        forecast.size -= arg
        return forecast.size >= 0

    def ask(self, game: Game, task: Task) -> Ask:
        options = game.setting.card_options(game.state.seats[task.seat].hand)
        return Ask(options, task.arg, task.arg, game.setting.cheapest(options, task.arg))

    def resolve(self, game: Game, task: Task, keys: list[str]) -> None:
        discard(game, task.seat, game.setting.cards_of(keys))


class HandToDeck(Choice):
    """``hand-to-deck = {count = n, least = m}``: put n cards from hand on top of the deck, as far
    as there are any; with fewer than ``least`` in hand (1 if left out) nothing happens."""

    kind = "hand-to-deck"
    always = True

    def check(self, arg: Any) -> None:
        if not isinstance(arg, dict) or not {"count"} <= {*arg} <= {"count", "least"}:
            raise ValueError(f"wants count and perhaps least, not {arg!r}")
        for number in arg.values():
            super().check(number)
        if arg.get("least", arg["count"]) < arg["count"]:
            raise ValueError(f"least is {arg['least']}, below count")

    def hits(self, game: Game, seat: int, arg: Any) -> bool:
        return bool(sum(game.state.seats[seat].hand) >= arg.get("least", 1))

    def run(self, game: Game, task: Task) -> None:
        if self.hits(game, task.seat, task.arg):
            game.ask([task])

    def ask(self, game: Game, task: Task) -> Ask:
        hand = game.state.seats[task.seat].hand
        options, count = game.setting.card_options(hand), min(sum(hand), task.arg["count"])
        return Ask(options, count, count, game.setting.cheapest(options, count), ordered=count > 1)

    def resolve(self, game: Game, task: Task, keys: list[str]) -> None:
        hand_to_deck(game, task.seat, game.setting.cards_of(keys))


class MayTrashThis(Choice):
    """``may-trash-this = {then = {earn = n}}``: the card that is being played may be trashed for
    n money."""

    kind = "may-trash-this"
    always = True

    def check(self, arg: Any) -> None:
        then = arg.get("then") if isinstance(arg, dict) and len(arg) == 1 else None
        if not (isinstance(then, dict) and [*then] == ["earn"]):
            raise ValueError(f"wants {{then = {{earn = n}}}}, not {arg!r}")
        super().check(then["earn"])

    def ask(self, game: Game, task: Task) -> Ask:
        return Ask((YES, NO), 1, 1, ("no",))

    def resolve(self, game: Game, task: Task, keys: list[str]) -> None:
        if keys[0] == "yes":
            trash(game, task.seat, task.card, game.state.seats[task.seat].play, "play")
            earn(game, task.seat, task.arg["then"]["earn"])
