"""What an operation is: the small vocabulary that cards and rules are written in.

An operation acts on a game for the seat of its task.  :class:`Step` acts at once; :class:`Choice`
first puts a decision to its seat and acts on the answer.  An operation of a card says beforehand
whether it can be carried out (``forecast``): a card's effects are asked top to bottom, each for the
situation that those before it will leave, and if one cannot be carried out none is (rules,
section 3).  Operations hold no state of their own; what lasts is in :class:`engine.state.State`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar

from msgspec import Struct

from engine.types import Option

if TYPE_CHECKING:
    from engine.game import Game
    from engine.state import Task


class Forecast(Struct):
    """What will be so when the next effect of a card is carried out, as far as it can be told.

    ``hand`` and ``play`` count each card with the played card already moved; ``size`` is the
    number of cards in hand, of which some may be unknown draws; ``drawable`` what deck and
    discard pile still hold; ``money`` the money of the turn; ``station_tokens`` those left.
    """

    hand: list[int]
    play: list[int]
    size: int
    drawable: int
    money: int
    station_tokens: int

    def copy(self) -> Forecast:
        return Forecast(
            self.hand.copy(),
            self.play.copy(),
            self.size,
            self.drawable,
            self.money,
            self.station_tokens,
        )


def forecast_now(game: Game, seat: int) -> Forecast:
    """The situation as it is, with nothing still to be moved."""
    state = game.state
    me = state.seats[seat]
    return Forecast(
        hand=me.hand.copy(),
        play=me.play.copy(),
        size=sum(me.hand),
        drawable=len(me.deck) + sum(me.discard),
        money=state.money,
        station_tokens=state.stations_left,
    )


class Ask(Struct, frozen=True, gc=False):
    """What a choice asks: the decision without its id, seat and cause."""

    options: tuple[Option, ...]
    min: int
    max: int
    default: tuple[str, ...]
    ordered: bool = False
    cards: tuple[str, ...] = ()


class Operation:
    """One word of the vocabulary."""

    always: ClassVar[bool] = False
    """It can be carried out in every situation, and changes no forecast that others look at."""

    def check(self, arg: Any) -> None:
        """Raise ValueError if this argument makes no sense."""
        if not isinstance(arg, int) or isinstance(arg, bool) or arg < 1:
            raise ValueError(f"wants a number of at least 1, not {arg!r}")

    @staticmethod
    def check_one(arg: Any) -> None:
        """Raise ValueError unless this is the number 1, where only that makes sense."""
        if arg != 1 or type(arg) is not int:
            raise ValueError(f"wants 1, not {arg!r}")

    def forecast(self, game: Game, seat: int, forecast: Forecast, arg: Any) -> bool:
        """Whether it can be carried out; brings the forecast up to date if so."""
        return True

    def hits(self, game: Game, seat: int, arg: Any) -> bool:
        """Whether an attack that does this to the seat does anything, from what everybody knows."""
        return True

    def run(self, game: Game, task: Task) -> None:
        """Carry it out, or begin to."""
        raise NotImplementedError


class Step(Operation):
    """An operation that needs no answer."""


class Choice(Operation):
    """An operation that needs an answer of its seat."""

    kind: ClassVar[str]
    """The kind of the decision, for those who write sentences about it."""

    of_rules: ClassVar[bool] = False
    """The rules ask, and its argument, if any, is of no use outside."""

    def run(self, game: Game, task: Task) -> None:
        game.ask([task])

    def may_choose(self, game: Game, task: Task) -> bool:
        """Whether its seat may have more than one legal answer, from what everybody knows."""
        return True

    def ask(self, game: Game, task: Task) -> Ask:
        """The question as things stand."""
        raise NotImplementedError

    def resolve(self, game: Game, task: Task, keys: list[str]) -> None:
        """Carry out a legal answer."""
        raise NotImplementedError


OPERATIONS: dict[str, Operation] = {}
"""Every operation by its name; filled by :mod:`engine.effects`."""


def feasible(
    game: Game, seat: int, forecast: Forecast, effects: Iterable[tuple[Operation, Any]]
) -> bool:
    """Whether all of these can be carried out one after the other (rules, section 3)."""
    return all(operation.forecast(game, seat, forecast, arg) for operation, arg in effects)
