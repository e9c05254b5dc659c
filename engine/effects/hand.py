"""Operations that let a player give cards up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.effects.base import Ask, Choice, Forecast
from engine.effects.money import earn
from engine.movement import discard, draw, trash_from_play
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
        each = arg.get("each") if isinstance(arg, dict) and len(arg) == 1 else None
        if not (isinstance(each, dict) and len(each) == 1 and {*each} <= {"draw", "earn"}):
            raise ValueError(
                f"wants {{each = {{draw = n}}}} or {{each = {{earn = n}}}}, not {arg!r}"
            )
        super().check(*each.values())

    def forecast(self, game: Game, seat: int, forecast: Forecast, arg: Any) -> bool:
        # What will be in hand afterwards is the player's to choose; nothing is certain but that
        # it can be all that is there now, since discarding none is allowed.
        return True

    def ask(self, game: Game, task: Task) -> Ask:
        hand = game.state.seats[task.seat].hand
        return Ask(game.setting.card_options(hand), 0, sum(hand), ())

    def resolve(self, game: Game, task: Task, keys: list[str]) -> None:
        cards = game.setting.cards_of(keys)
        discard(game, task.seat, cards)
        if not cards:
            return
        ((what, per_card),) = task.arg["each"].items()
        if what == "draw":
            draw(game, task.seat, per_card * len(cards))
        else:
            earn(game, task.seat, per_card * len(cards))


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
            trash_from_play(game, task.seat, task.card)
            earn(game, task.seat, task.arg["then"]["earn"])
