"""What things are worth to the greedy bot, in victory points.

All of it is rule of thumb; the numbers were settled by letting the bots play each other.
"""

from __future__ import annotations

from engine.bots.geography import Geography
from engine.types import Catalogue, Observation, OwnView

CITY_VP = (0, 2, 4, 8)
WASTE_COST = 0.4
REACH = 0.55
"""What a step of distance leaves of a place's worth."""


class Valuation:
    """Judges a position for one seat, from its observation alone."""

    def __init__(self, seat: int, catalogue: Catalogue) -> None:
        self.seat = seat
        self.cards = {card.id: card for card in catalogue.cards}
        self.board = catalogue.board
        self.geography = Geography(catalogue.board)
        self.rails = catalogue.board.rails
        self.stations = catalogue.board.stations

    # ------------------------------------------------------------------ the game as a whole

    def progress(self, view: Observation) -> float:
        """How far the game has come, from 0 to 1."""
        rails = max(1 - seat.rails_left / self.rails for seat in view.seats.values())
        stations = 1 - view.stations_left / self.stations
        return max(rails, stations, self.empty_piles(view) / 4)

    def empty_piles(self, view: Observation) -> int:
        return sum(1 for card, left in view.supply.items() if not left and card != "waste")

    def ahead(self, view: Observation) -> bool:
        """Whether this seat would win if the game ended now, as far as it can be seen: of the
        others' victory cards only those that have left the supply are known."""
        mine = 0
        others = 0
        for card in self.cards.values():
            if card.vp:
                have = self.owned(view, card.id)
                mine += card.vp * have
                others += card.vp * (card.copies - view.supply.get(card.id, 0) - have)
        board = {int(s): v.score + v.rails_vp for s, v in view.seats.items()}
        mine += board.pop(self.seat)
        return mine > max(board.values()) + others / max(1, len(board))

    def owned(self, view: Observation, card: str) -> int:
        """How many of a card this seat owns, wherever they are."""
        own, seat = view.own, view.seats[str(self.seat)]
        assert isinstance(own, OwnView)
        zones = (own.hand, own.deck, own.discard, seat.play, seat.gained)
        return sum(zone.get(card, 0) for zone in zones)

    # ------------------------------------------------------------------ places

    def place(self, view: Observation, name: str) -> float:
        """What a rail of this seat on a hex is worth, soon or in the end."""
        info = self.board.hexes[name]
        if info.terrain == "remote":
            return float(info.value)
        if info.terrain != "city":
            return 0.0
        there = view.hexes.get(name)
        stations = there.stations if there else 0
        hope = 0.5 * (CITY_VP[info.slots] - CITY_VP[stations]) * (1 - self.progress(view))
        return CITY_VP[stations] + hope

    def reach(self, view: Observation, name: str) -> float:
        """What a hex is worth for where one can get from it."""
        distances = self.geography.distances[name]
        own = {hex_name for hex_name, there in view.hexes.items() if self.seat in there.rails}
        return max(
            (
                self.place(view, target) * REACH**steps
                for target, steps in distances.items()
                if steps and target not in own
            ),
            default=0.0,
        )

    def rail(self, view: Observation, name: str, money: int, waste: int) -> float:
        """What laying a rail on a hex is worth, its price counted in."""
        return (
            self.place(view, name) + 0.5 * self.reach(view, name) - 0.3 * money - WASTE_COST * waste
        )

    def station(self, view: Observation, name: str) -> float:
        """What one more station in a city brings this seat, compared with the others there."""
        there = view.hexes.get(name)
        rails = there.rails if there else []
        stations = there.stations if there else 0
        more = CITY_VP[stations + 1] - CITY_VP[stations]
        others = sum(1 for seat in rails if seat != self.seat)
        worth = float(more) if self.seat in rails else 0.0
        worth -= more * others / max(1, len(view.seats) - 1)
        if self.seat not in rails and not others:
            seat_near = any(
                self.seat in view.hexes[n].rails
                for n in self.geography.near[name]
                if n in view.hexes
            )
            worth += 0.5 if seat_near else 0.0
        return worth

    # ------------------------------------------------------------------ cards

    def purchase(self, view: Observation, card_id: str) -> float:
        """What buying a card is worth now, before its price."""
        card, progress = self.cards[card_id], self.progress(view)
        have = self.owned(view, card_id)
        if card.type == "victory":
            return card.vp * progress**2 * 1.3 - WASTE_COST * (1 - progress)
        use = 1 - progress
        if card.type == "train":
            return (0.9 * card.value - 0.4) * use + 0.05 * card.cost
        if card.type == "rail":
            wanted = 5 if progress < 0.6 else 0
            rails = sum(self.owned(view, c.id) for c in self.cards.values() if c.type == "rail")
            return 1.9 * use if rails < wanted else 0.0
        if card.type == "station":
            return 1.6 * use if have < 3 else 0.0
        return ACTIONS.get(card_id, 0.8) * use / (1 + 1.2 * have)


ACTIONS = {
    "landfill": 1.2,
    "dump-site": 1.4,
    "conductor-area": 0.9,
    "passing-station": 1.2,
    "amusement-park": 1.5,
    "maintenance-factory": 1.1,
    "holiday-timetable": 0.6,
}
"""What the first copy of an action card is worth at the start of a game."""
