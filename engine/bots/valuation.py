"""What things are worth to the greedy bot, in victory points.

All of it is rule of thumb; the numbers were settled by letting the bots play each other.
"""

from __future__ import annotations

from engine.bots.geography import Geography
from engine.types import Catalogue, Observation, OwnView

CITY_VP = (0, 2, 4, 8)
WASTE_COST = 0.5
MONEY_COST = 0.3
FAR = 4
"""So many rails ahead it looks for places worth going to."""


class Valuation:
    """Judges a position for one seat, from its observation alone."""

    def __init__(self, seat: int, catalogue: Catalogue) -> None:
        self.seat = seat
        self.cards = {card.id: card for card in catalogue.cards}
        self.board = catalogue.board
        self.geography = Geography(catalogue.board)
        self.rails = catalogue.board.rails
        self.stations = catalogue.board.stations
        self.abilities = {bonus.id: bonus.ability for bonus in catalogue.bonuses}

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
        """What each rail of the best way on from a hex brings, the one on the hex itself
        included: a far place is worth its points divided by the rails it takes."""
        own = {there for there, seen in view.hexes.items() if self.seat in seen.rails}
        here = self.place(view, name)
        return max(
            (here + self.place(view, target)) / (1 + steps)
            for target, steps in self.geography.distances[name].items()
            if steps == 0 or (steps <= FAR and target not in own)
        )

    def rail(self, view: Observation, name: str, money: int, waste: int) -> float:
        """What laying a rail on a hex is worth, its price counted in."""
        best = max(self.place(view, name), self.reach(view, name))
        return best - MONEY_COST * money - WASTE_COST * waste

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
        """What buying a card is worth now, before its price.

        A deck does well with a fair share of rails and stations among good trains; every further
        card thins it out, so what it has enough of is not bought at all.
        """
        card, progress = self.cards[card_id], self.progress(view)
        if card.type == "victory":
            return card.vp * 2.5 * pow(progress, 4) - WASTE_COST * (1 - progress)
        use = 1 - progress
        if card.type == "train":
            return (1.9 * (card.value + TRAINS.get(card_id, 0.0)) - 0.5) * use
        if card.type in SHARES:
            share = self.share(view, card.type)
            worth = 2.6 + RAILS.get(card_id, 0.0)
            return worth * use if share < SHARES[card.type] else 0.0
        if card_id == "landfill":
            return (0.6 + 0.15 * self.owned(view, "waste")) * use / (1 + self.owned(view, card_id))
        return ACTIONS.get(card_id, 0.3) * use / (1 + 2 * self.owned(view, card_id))

    def in_hand(self, card_id: str) -> float:
        """What holding a card is worth, in money: a Normal Train is 1, what is only in the way is
        below 0, Waste more so than a victory card."""
        card = self.cards[card_id]
        if card.type == "waste":
            return -0.5
        if card.type == "victory":
            return -0.25
        return card.value + self.effect(card_id)

    def effect(self, card_id: str) -> float:
        """What carrying out a card's effect is worth, in money, its printed value left aside."""
        card = self.cards[card_id]
        if card.type == "train":
            return TRAINS.get(card_id, 0.0)
        if card.type in SHARES:
            return 1.5 + RAILS.get(card_id, 0.0)
        return 2.0 * ACTIONS.get(card_id, 0.3)

    def share(self, view: Observation, kind: str) -> float:
        """How much of this seat's deck, Waste and victory cards aside, is of a type."""
        of_kind = useful = 0
        for card in self.cards.values():
            if card.type not in ("waste", "victory"):
                owned = self.owned(view, card.id)
                useful += owned
                of_kind += owned if card.type == kind else 0
        return of_kind / max(1, useful)


SHARES = {"rail": 0.3, "station": 0.2}
"""How much of a deck should be rails and stations."""

TRAINS = {
    "bullet-train": 0.6,
    "freight-train": 0.5,
    "tourist-train": 1.6,
    "mail-train": 0.6,
    "early-train": 0.4,
    "monorail": 0.4,
    "outdated-train": 0.4,
    "commuter-train": 0.7,
    "biofuel-train": 0.7,
    "experimental-train": 0.8,
    "mining-train": 0.7,
}
"""What the effect of a Train is worth, in money."""

RAILS = {
    "steel-bridge": 0.1,
    "tunnel": 0.2,
    "viaduct": 0.3,
    "collaboration": 0.3,
    "subway-excavation": 0.6,
    "distant-partners": 0.1,
    "government-subsidy": 0.8,
    "interchange": 0.3,
    "trail-blazer": 0.9,
}
"""What a rail card is worth more than Lay Rails."""

ACTIONS = {
    "landfill": 0.5,
    "dump-site": 0.8,
    "conductor-area": 0.5,
    "passing-station": 0.7,
    "amusement-park": 0.9,
    "maintenance-factory": 0.7,
    "holiday-timetable": 0.4,
    "signals": 0.5,
    "station-crew": 0.6,
    "command-central": 0.6,
    "garage": 0.6,
    "pulling": 0.6,
    "switchback": 0.7,
    "information-central": 0.9,
    "ironworks": 0.7,
    "stationmaster-office": 0.4,
    "signaling-area": 1.0,
    "temporary-timetable": 1.1,
    "wagon-factory": 0.8,
    "control-room": 1.3,
    "legal-counsel": 0.4,
    "strategy-meeting": 0.6,
    "surveyor": 0.5,
    "reclamation-depot": 0.5,
    "dispatcher": 0.6,
    "engineer": 0.6,
    "extra-laborers": 0.4,
    "regulations": 0.6,
    "unhappy-passengers": 0.7,
    "upgrade": 0.3,
    "charitable-support": 0.6,
    "incinerator": 0.7,
    "politician": 0.8,
    "protesters": 0.7,
    "roundhouse": 1.0,
    "yardmaster": 0.9,
    "limited-partnership": 1.0,
    "junk-yard": 0.9,
    "recycling-center": 1.2,
}
"""What the first copy of an action card is worth at the start of a game."""
