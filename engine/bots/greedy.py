"""A sensible player that thinks one step ahead.

It buys trains and rails early, lays towards cities and remote locations, clears Waste when its hand
is full of it, and ends the game when it is ahead.
"""

from __future__ import annotations

from engine.bots.random import random_answer
from engine.bots.valuation import WASTE_COST, Valuation
from engine.chance import Stream
from engine.types import Catalogue, Decision, Observation, Option, OwnView

LATE = 0.75


class GreedyBot:
    """Answers every decision by what looks best at the moment."""

    def __init__(self, stream: Stream, seat: int, catalogue: Catalogue) -> None:
        self._stream = stream
        self._seat = seat
        self._value = Valuation(seat, catalogue)

    def choose(self, observation: Observation, decision: Decision) -> tuple[str, ...]:
        answer = ANSWERS.get(decision.kind)
        if answer is None:
            return random_answer(self._stream, decision)
        return answer(self, observation, decision)

    # ------------------------------------------------------------------ the turn

    def turn(self, view: Observation, decision: Decision) -> tuple[str, ...]:
        """The first of these that is worth something: clear Waste, play what costs nothing, lay,
        play rails and stations, buy; else end the turn."""
        own = view.own
        assert isinstance(own, OwnView)
        options = {option.key: option for option in decision.options}
        waste = own.hand.get("waste", 0)
        if "clear-waste" in options and waste >= 3:
            return ("clear-waste",)
        best = (
            self._free_play(options, own)
            or self._best_lay(view, options)
            or self._costly_play(view, options)
            or self._best_buy(view, options)
        )
        return (best or "end-turn",)

    def _free_play(self, options: dict[str, Option], own: OwnView) -> str | None:
        """A card that brings something and no Waste: what draws first, then what has to be there
        before others, then money, then what needs money or trains to be there."""
        found = []
        for key, option in options.items():
            verb, _, card = key.partition(":")
            if verb != "play" or self._value.cards[card].type in ("rail", "station"):
                continue
            worth_it = option.effect == "used" or option.gain
            if card == "landfill" and not own.hand.get("waste"):
                worth_it = False
            if worth_it:
                found.append((FREE_PLAYS.get(card, 5), key))
        return min(found)[1] if found else None

    def _best_lay(self, view: Observation, options: dict[str, Option]) -> str | None:
        found = [
            (self._value.rail(view, key[4:], option.money, option.waste), key)
            for key, option in options.items()
            if key.startswith("lay:")
        ]
        if not found or self._must_not_end(view, rails=1):
            return None
        worth, key = max(found)
        return key if worth > 0 else None

    def _costly_play(self, view: Observation, options: dict[str, Option]) -> str | None:
        """A rail or station card, if what it will be used for outweighs its Waste."""
        waste = 0.0 if "no-waste" in view.turn.effects else WASTE_COST
        for key, option in options.items():
            verb, _, card = key.partition(":")
            kind = self._value.cards[card].type if verb == "play" else ""
            if option.effect != "used":
                continue
            if kind == "rail" and self._rail_wanted(view) > waste:
                return key
            if kind == "station" and self._station_wanted(view) > waste:
                return key
        return None

    def _rail_wanted(self, view: Observation) -> float:
        """What one more rail is worth: the best place next to an own rail, at its plain price."""
        me = self._seat
        if view.turn.rail_points or not view.seats[str(me)].rails_left:
            return 0.0
        if self._must_not_end(view, rails=1):
            return 0.0
        best = 0.0
        for name, there in view.hexes.items():
            if me not in there.rails:
                continue
            for target in self._value.geography.near[name]:
                price = self._price(view, target)
                if price <= view.turn.money:
                    best = max(best, self._value.rail(view, target, price, 0))
        return best

    def _price(self, view: Observation, name: str) -> int:
        info, there = self._value.board.hexes[name], view.hexes.get(name)
        fixed = {"river": 1, "mountain": 2, "city": 1, "remote": info.value}.get(info.terrain, 0)
        if there is None:
            return fixed
        if self._seat in there.rails:
            return 99
        return fixed + there.stations + len(there.rails)

    def _station_wanted(self, view: Observation) -> float:
        if self._must_not_end(view, stations=1):
            return 0.0
        cities = (n for n, info in self._value.board.hexes.items() if info.slots)
        return max(
            self._value.station(view, name)
            for name in cities
            if name not in view.hexes
            or view.hexes[name].stations < self._value.board.hexes[name].slots
        )

    def _best_buy(self, view: Observation, options: dict[str, Option]) -> str | None:
        ahead = self._value.ahead(view)
        found = []
        for key, option in options.items():
            verb, _, card = key.partition(":")
            if verb != "buy":
                continue
            worth = self._value.purchase(view, card)
            if view.supply[card] == 1 and self._value.empty_piles(view) == 3:
                worth += 5.0 if ahead else -5.0
            found.append((worth, option.money, key))
        if not found:
            return None
        worth, _, key = max(found)
        return key if worth > 0.15 else None

    def _must_not_end(self, view: Observation, *, rails: int = 0, stations: int = 0) -> bool:
        """Whether using these tokens would end a game that this seat is losing."""
        left = view.seats[str(self._seat)].rails_left
        ends = (rails and left <= rails) or (stations and view.stations_left <= stations)
        return bool(ends) and not self._value.ahead(view)

    # ------------------------------------------------------------------ other decisions

    def start(self, view: Observation, decision: Decision) -> tuple[str, ...]:
        worth = {
            o.key: self._value.place(view, o.key[4:]) + self._value.reach(view, o.key[4:])
            for o in decision.options
        }
        return (max(worth, key=lambda key: worth[key]),)

    def station(self, view: Observation, decision: Decision) -> tuple[str, ...]:
        worth = {o.key: self._value.station(view, o.key[4:]) for o in decision.options}
        return (max(worth, key=lambda key: worth[key]),)

    def give_up(self, view: Observation, decision: Decision) -> tuple[str, ...]:
        """Waste and victory cards, as many as are allowed."""
        useless = [
            option.key
            for option in decision.options
            for _ in range(option.count)
            if self._value.cards[option.key[5:]].type in ("waste", "victory")
        ]
        return tuple(useless[: decision.max])

    def trash(self, view: Observation, decision: Decision) -> tuple[str, ...]:
        """Late in the game the money is worth more than the card."""
        return ("yes" if self._value.progress(view) > LATE else "no",)

    def choose_card(self, view: Observation, decision: Decision) -> tuple[str, ...]:
        """The card of the highest value that the supply can still give, else of the highest."""

        def worth(option: Option) -> tuple[int, int]:
            card = option.key[5:]
            return self._value.cards[card].value, view.supply.get(card, 0)

        return (max(decision.options, key=worth).key,)


FREE_PLAYS = {
    "passing-station": 0,
    "dump-site": 1,
    "landfill": 2,
    "maintenance-factory": 3,
    "conductor-area": 4,
    "amusement-park": 6,
    "holiday-timetable": 7,
}
"""In which order cards are played that bring no Waste; all others come in between."""

ANSWERS = {
    "turn": GreedyBot.turn,
    "start-rail": GreedyBot.start,
    "place-station": GreedyBot.station,
    "discard-any": GreedyBot.give_up,
    "may-trash-this": GreedyBot.trash,
    "choose": GreedyBot.choose_card,
}
"""How each kind of decision is answered; what is not here is answered at random."""
