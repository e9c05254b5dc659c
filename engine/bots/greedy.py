"""A sensible player that thinks one step ahead.

It buys trains and rails early, lays towards cities and remote locations, clears Waste when its hand
is full of it, and ends the game when it is ahead.
"""

from __future__ import annotations

from engine.bots.answers import ANSWERS, LATE, Answers
from engine.bots.random import random_answer
from engine.bots.valuation import WASTE_COST, Valuation
from engine.chance import Stream
from engine.running import MONEY_PER_RAIL_CARD
from engine.types import Catalogue, Decision, Observation, Option, OwnView


class GreedyBot:
    """Answers every decision by what looks best at the moment."""

    def __init__(self, stream: Stream, seat: int, catalogue: Catalogue) -> None:
        self._stream = stream
        self._seat = seat
        self._value = Valuation(seat, catalogue)
        self._answers = Answers(self._value)

    def choose(self, observation: Observation, decision: Decision) -> tuple[str, ...]:
        if decision.kind == "turn":
            return self._turn(observation, decision)
        answer = ANSWERS.get(decision.kind)
        if answer is None:
            return random_answer(self._stream, decision)
        return answer(self._answers, observation, decision)

    def _turn(self, view: Observation, decision: Decision) -> tuple[str, ...]:
        """The first of these that is worth something: clear Waste, play what costs nothing, lay,
        play rails and stations, buy, each with a route bonus before it that helps; else end the
        turn."""
        own = view.own
        assert isinstance(own, OwnView)
        options = {option.key: option for option in decision.options}
        waste = own.hand.get("waste", 0)
        if "clear-waste" in options and waste >= 3:
            return ("clear-waste",)
        abilities = {
            self._value.abilities[key[6:]]: key for key in options if key.startswith("bonus:")
        }
        if abilities and (at_once := self._helpful_now(view) & {*abilities}):
            return (abilities[min(at_once)],)
        for act, helpers in (
            (self._free_play, ()),
            (self._best_lay, HELPS_LAYING),
            (self._costly_play, HELPS_LAYING),
            (self._paid_play, ()),
            (self._best_buy, HELPS_BUYING),
        ):
            best = act(view, options)
            if best:
                helped = (abilities[name] for name in helpers if name in abilities)
                return (next(helped, best),)
        return ("end-turn",)

    def _helpful_now(self, view: Observation) -> set[str]:
        """The abilities of route bonuses that bring something as things stand."""
        own = view.own
        assert isinstance(own, OwnView)
        helpful = {"draw-two", "three-money", "fetch-train"}
        if own.hand.get("waste", 0) >= 2:
            helpful.add("clear-waste")
        if self._station_wanted(view) > 0:
            helpful.add("clean-station")
        if not self._must_not_end(view, rails=1):
            helpful.add("free-rail")
        return helpful

    def _free_play(self, view: Observation, options: dict[str, Option]) -> str | None:
        """A card that brings something and no Waste, the first in the order of ``FREE_PLAYS``;
        without its effect where that is not wanted now."""
        found = []
        for key, option in options.items():
            verb, _, card = key.partition(":")
            if verb not in ("play", "play-plain"):
                continue
            if self._value.cards[card].type in ("rail", "station"):
                continue
            wanted = self._effect_wanted(view, card)
            if option.effect == "used":
                worth_it = wanted
            else:
                worth_it = bool(option.gain) and not (option.effect == "refused" and wanted)
            if worth_it:
                found.append((FREE_PLAYS.get(card, BETWEEN), key))
        return min(found)[1] if found else None

    def _effect_wanted(self, view: Observation, card: str) -> bool:
        """Whether the effect of a card that costs no more than Waste, money or a card in hand
        brings more than that now."""
        own = view.own
        assert isinstance(own, OwnView)
        if card == "landfill":
            return own.hand.get("waste", 0) > 0
        if card == "outdated-train":
            return "no-waste" in view.turn.effects
        if card == "charitable-support":
            return self._value.progress(view) > LATE
        if card == "extra-laborers":
            return any(self._value.cards[c].type == "rail" for c in own.hand)
        if card == "upgrade":
            return sum(n for c, n in own.hand.items() if self._value.in_hand(c) < 1) >= 2
        return True

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
        """The rail or station card that is worth most, if that outweighs its Waste."""
        waste = 0.0 if "no-waste" in view.turn.effects else WASTE_COST
        found = []
        for key, option in options.items():
            verb, _, card = key.partition(":")
            kind = self._value.cards[card].type if verb == "play" else ""
            if option.effect != "used":
                continue
            if kind == "rail":
                found.append((self._rail_wanted(view, card), key))
            elif kind == "station":
                found.append((self._station_wanted(view), key))
        worth, key = max(found, default=(0.0, ""))
        return key if worth > waste else None

    def _paid_play(self, view: Observation, options: dict[str, Option]) -> str | None:
        """A rail card for its money alone, where money comes for playing one."""
        if "rail-card-money" not in view.turn.effects:
            return None
        for key, option in options.items():
            verb, _, card = key.partition(":")
            alone = option.effect in ("refused", "impossible")
            if alone and verb.startswith("play") and self._value.cards[card].type == "rail":
                return key
        return None

    def _rail_wanted(self, view: Observation, card: str) -> float:
        """What one more rail by this card is worth: the best place next to an own rail, at the
        price that it will have then."""
        me = self._seat
        if view.turn.rail_points or not view.seats[str(me)].rails_left:
            return 0.0
        if self._must_not_end(view, rails=1):
            return 0.0
        effects = {*view.turn.effects, WAIVERS.get(card, "")}
        money = view.turn.money
        money += MONEY_PER_RAIL_CARD * view.turn.effects.get("rail-card-money", 0)
        best = 0.0
        for name, there in view.hexes.items():
            if me not in there.rails:
                continue
            for target in self._value.geography.near[name]:
                if target in view.hexes and me in view.hexes[target].rails:
                    continue
                price, waste = self._price(view, target, effects)
                if price <= money:
                    best = max(best, self._value.rail(view, target, price, waste))
        return best

    def _price(self, view: Observation, name: str, effects: set[str]) -> tuple[int, int]:
        """Money and Waste for a rail on a hex without an own one, under these running effects."""
        info, there = self._value.board.hexes[name], view.hexes.get(name)
        stations, others = (there.stations, len(there.rails)) if there else (0, 0)
        if "waive-opponents" in effects:
            others = 0
        ground = {"river": 1, "mountain": 2, "city": 1 + stations, "remote": info.value}
        price = ground.get(info.terrain, 0) if f"waive-{info.terrain}" not in effects else 0
        waste = 1 if others and "no-waste" not in effects else 0
        return (0 if "waive-money" in effects else price + others), waste

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


FREE_PLAYS = {
    # what does what another card in hand would do
    "stationmaster-office": 0,
    # what brings cards
    "control-room": 1,
    "signaling-area": 1,
    "passing-station": 1,
    "command-central": 1,
    "signals": 1,
    "information-central": 1,
    "temporary-timetable": 1,
    "pulling": 1,
    "limited-partnership": 1,
    "roundhouse": 1,
    "yardmaster": 1,
    "engineer": 1,
    "surveyor": 1,
    "dispatcher": 1,
    "strategy-meeting": 1,
    "protesters": 1,
    "experimental-train": 1,
    # what needs Waste in hand, the money for it first
    "dump-site": 2,
    "freight-train": 2,
    "recycling-center": 2,
    "junk-yard": 2,
    "biofuel-train": 2,
    "landfill": 3,
    "station-crew": 3,
    # what needs Trains in hand
    "wagon-factory": 4,
    "maintenance-factory": 4,
    # what takes cards out of the hand
    "garage": 5,
    "conductor-area": 5,
    "upgrade": 5,
    # what has to be there before rails are, and the one Train that wants to be alone
    "extra-laborers": 5,
    "monorail": 5,
    # Trains, and all others, come in between as 6; then what needs them in play
    "bullet-train": 7,
    "amusement-park": 8,
    "switchback": 9,
    # what has to be paid
    "legal-counsel": 9,
    "charitable-support": 9,
    # what turns into money what is left
    "mail-train": 10,
    "holiday-timetable": 10,
}
"""In which order cards are played that bring no Waste."""
BETWEEN = 6

HELPS_LAYING = ("no-waste", "shared-track")
HELPS_BUYING = ("buy-on-top", "discount-two")
"""The abilities of route bonuses that are worth using just before a rail or a purchase."""

WAIVERS = {
    "steel-bridge": "waive-river",
    "tunnel": "waive-mountain",
    "viaduct": "waive-city",
    "collaboration": "waive-opponents",
    "subway-excavation": "waive-money",
}
"""What the rails of a turn are spared by playing a card."""
