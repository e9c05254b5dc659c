"""Operations that pick: a card out of a zone, or one of several effects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.effects.base import OPERATIONS, Ask, Choice, Forecast, feasible, forecast_now
from engine.effects.money import earn
from engine.movement import gain, put_on_deck
from engine.types import Option

if TYPE_CHECKING:
    from engine.game import Game
    from engine.state import Task, Zone

TYPES = ("train", "rail", "station", "action")


class ChooseCard(Choice):
    """``choose = {from = zone, type = card type, then = what}``.

    ``then`` is ``earn-value`` (money as much as the printed value), ``reveal-and-gain-same``
    (show it, and gain a card of that name if the supply has one), ``to-deck`` or ``to-hand``.
    Without such a card in the zone the effect cannot be carried out.
    """

    kind = "choose"

    def check(self, arg: Any) -> None:
        if not isinstance(arg, dict) or {*arg} != {"from", "type", "then"}:
            raise ValueError(f"wants from, type and then, not {arg!r}")
        for field, allowed in (("from", tuple(THEN)), ("type", TYPES)):
            if arg[field] not in allowed:
                raise ValueError(f"{field} is {arg[field]!r}; allowed are {', '.join(allowed)}")
        then = tuple(THEN[arg["from"]])  # a tuple, as what is looked for may be a list
        if arg["then"] not in then:
            raise ValueError(
                f"then is {arg['then']!r}; allowed with {arg['from']} are {', '.join(then)}"
            )

    def forecast(self, game: Game, seat: int, forecast: Forecast, arg: Any) -> bool:
        zones = {"hand": forecast.hand, "play": forecast.play}
        zone = zones.get(arg["from"], game.state.seats[seat].discard)
        return any(zone[card] for card in game.setting.of_type[arg["type"]])

    def ask(self, game: Game, task: Task) -> Ask:
        zone: Zone = getattr(game.state.seats[task.seat], task.arg["from"])
        options = game.setting.named(
            card for card in sorted(game.setting.of_type[task.arg["type"]]) if zone[card]
        )
        return Ask(options, 1, 1, game.setting.cheapest(options, 1))

    def resolve(self, game: Game, task: Task, keys: list[str]) -> None:
        (card,) = game.setting.cards_of(keys)
        THEN[task.arg["from"]][task.arg["then"]](game, task.seat, card)


def _earn_value(game: Game, seat: int, card: int) -> None:
    earn(game, seat, game.setting.cards[card].value)


def _reveal_and_gain_same(game: Game, seat: int, card: int) -> None:
    game.facts.append(("revealed", seat, card, "hand"))
    if game.state.supply[card]:
        gain(game, seat, card)


def _to_deck(game: Game, seat: int, card: int) -> None:
    put_on_deck(game, seat, card, game.state.seats[seat].play, "play")


def _to_hand(game: Game, seat: int, card: int) -> None:
    me = game.state.seats[seat]
    me.discard[card] -= 1
    me.hand[card] += 1
    game.facts.append(("fetched", seat, 1, (card,), "discard"))


THEN = {
    "hand": {"earn-value": _earn_value, "reveal-and-gain-same": _reveal_and_gain_same},
    "play": {"earn-value": _earn_value, "to-deck": _to_deck},
    "discard": {"to-hand": _to_hand},
}
"""What can be done with a card of each zone."""


class ChooseOne(Choice):
    """``choose-one = [effect, ...]``: one of these effects, out of those that can be carried out;
    at least one must."""

    kind = "choose-one"

    def check(self, arg: Any) -> None:
        if not isinstance(arg, list) or len(arg) < 2:
            raise ValueError(f"wants a list of two effects or more, not {arg!r}")
        for entry in arg:
            if not isinstance(entry, dict) or len(entry) != 1 or not {*entry} <= {*KEYS}:
                raise ValueError(f"can choose between {', '.join(KEYS)}, not {entry!r}")
            ((op, inner),) = entry.items()
            OPERATIONS[op].check(inner)
        if len({op for entry in arg for op in entry}) < len(arg):
            raise ValueError(f"offers one effect twice, under one key: {arg!r}")

    def forecast(self, game: Game, seat: int, forecast: Forecast, arg: Any) -> bool:
        return any(_can(game, seat, forecast, entry) for entry in arg)

    def ask(self, game: Game, task: Task) -> Ask:
        now = forecast_now(game, task.seat)
        options = tuple(
            Option(KEYS[op])
            for entry in task.arg
            for op in entry
            if _can(game, task.seat, now, entry)
        )
        return Ask(options, 1, 1, (options[0].key,))

    def resolve(self, game: Game, task: Task, keys: list[str]) -> None:
        for entry in task.arg:
            ((op, arg),) = entry.items()
            if KEYS[op] == keys[0]:
                game.state.stack.append(task.then(op, arg))


KEYS = {"draw": "draw", "earn": "money", "return-waste": "return-waste"}
"""The key under which each effect can be chosen."""


def _can(game: Game, seat: int, forecast: Forecast, entry: dict[str, Any]) -> bool:
    ((op, arg),) = entry.items()
    return feasible(game, seat, forecast.copy(), [(OPERATIONS[op], arg)])
