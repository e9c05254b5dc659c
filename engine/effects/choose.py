"""The operation that picks one card of a kind out of a zone and does something with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.effects.base import Ask, Choice, Forecast
from engine.effects.money import earn
from engine.movement import gain

if TYPE_CHECKING:
    from engine.game import Game
    from engine.state import Task, Zone

ZONES = ("hand", "play")
TYPES = ("train", "rail", "station", "action")


class ChooseCard(Choice):
    """``choose = {from = zone, type = card type, then = what}``.

    ``then`` is ``earn-value`` (money as much as the printed value) or ``reveal-and-gain-same``
    (show it, and gain a card of that name if the supply has one).  Without such a card in the zone
    the effect cannot be carried out.
    """

    kind = "choose"

    def check(self, arg: Any) -> None:
        if not isinstance(arg, dict) or {*arg} != {"from", "type", "then"}:
            raise ValueError(f"wants from, type and then, not {arg!r}")
        for field, allowed in (("from", ZONES), ("type", TYPES), ("then", tuple(THEN))):
            if arg[field] not in allowed:
                raise ValueError(f"{field} is {arg[field]!r}; allowed are {', '.join(allowed)}")
        if (arg["from"], arg["then"]) == ("play", "reveal-and-gain-same"):
            raise ValueError("what lies in play is open already; reveal from hand")

    def forecast(self, game: Game, seat: int, forecast: Forecast, arg: Any) -> bool:
        zone = forecast.hand if arg["from"] == "hand" else forecast.play
        return any(zone[card] for card in game.setting.of_type[arg["type"]])

    def ask(self, game: Game, task: Task) -> Ask:
        me = game.state.seats[task.seat]
        zone = me.hand if task.arg["from"] == "hand" else me.play
        options = game.setting.card_options(_only(game, zone, task.arg["type"]), single=True)
        return Ask(options, 1, 1, game.setting.cheapest(options, 1))

    def resolve(self, game: Game, task: Task, keys: list[str]) -> None:
        (card,) = game.setting.cards_of(keys)
        THEN[task.arg["then"]](game, task.seat, card)


def _only(game: Game, zone: Zone, kind: str) -> Zone:
    wanted = game.setting.of_type[kind]
    return [count if card in wanted else 0 for card, count in enumerate(zone)]


def _earn_value(game: Game, seat: int, card: int) -> None:
    earn(game, seat, game.setting.cards[card].value)


def _reveal_and_gain_same(game: Game, seat: int, card: int) -> None:
    game.facts.append(("revealed", seat, card, "hand"))
    if game.state.supply[card]:
        gain(game, seat, card)


THEN = {"earn-value": _earn_value, "reveal-and-gain-same": _reveal_and_gain_same}
