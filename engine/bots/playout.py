"""A quick player for imagined games: it sees the whole game, and knows only rules of thumb.

It is what the planner plays games to their end with, so it has to be fast first: no observation, no
look ahead, one pass over the options, and of the board only what can be worked out beforehand.
"""

from __future__ import annotations

from engine.bots.geography import Geography
from engine.bots.valuation import FAR, MONEY_COST, SHARES, WASTE_COST
from engine.game import Game
from engine.scoring import CITY_VP
from engine.setting import Setting
from engine.types import Decision


class Playout:
    """Answers decisions of imagined games of one setting."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        board = setting.board
        self._hope = [
            float(board.value[i]) or 0.5 * CITY_VP[board.slots[i]] for i in range(board.size)
        ]
        self._reach = _reach(setting, self._hope)
        self._kinds = {
            kind: frozenset(card.index for card in setting.cards if card.type == kind)
            for kind in SHARES
        }

    def finish(self, game: Game, budget: int) -> int:
        """Play on to the end of the game, or until so many answers were given; returns how many."""
        given = 0
        while given < budget and not game.over:
            decision = game.decisions[0]
            game.answer(decision.id, self.choose(game, decision))
            given += 1
        return given

    def choose(self, game: Game, decision: Decision) -> tuple[str, ...]:
        """A quick answer."""
        if decision.kind == "turn":
            return (self._turn(game, decision),)
        if decision.kind == "place-station":
            return (self._station(game, decision),)
        if decision.kind in ("discard-any", "return-any-waste"):
            return self._useless(decision)
        if decision.kind == "react":
            return (decision.options[0].key,)
        if decision.min == decision.max == 1 and decision.kind in DEAREST:
            return (max(decision.options, key=lambda option: self._cost(option.key)).key,)
        return decision.default

    def _cost(self, key: str) -> int:
        return self._setting.cards[self._setting.actions[key][1]].cost

    def _useless(self, decision: Decision) -> tuple[str, ...]:
        cards, actions = self._setting.cards, self._setting.actions
        return tuple(
            option.key
            for option in decision.options
            if cards[actions[option.key][1]].type in ("waste", "victory")
            for _ in range(option.count)
        )[: decision.max]

    def _station(self, game: Game, decision: Decision) -> str:
        actions = self._setting.actions
        worth = {
            option.key: self._station_worth(game, decision.seat, actions[option.key][1])
            for option in decision.options
        }
        return max(worth, key=lambda key: worth[key])

    def _station_worth(self, game: Game, seat: int, i: int) -> float:
        """What one more station on hex ``i`` brings the seat against the others there."""
        stations = game.state.stations[i]
        mine = game.masks.own[seat] >> i & 1
        others = (game.masks.crowd[i] - mine) / max(1, len(game.state.seats) - 1)
        return (mine - others) * (CITY_VP[stations + 1] - CITY_VP[stations])

    def _rail_worth(self, game: Game, i: int, money: int, waste: int) -> float:
        """What a rail on hex ``i`` is worth, now or as a step to somewhere."""
        here = CITY_VP[game.state.stations[i]] + self._setting.board.value[i]
        return max(here, self._reach[i]) - MONEY_COST * money - WASTE_COST * waste

    def _turn(self, game: Game, decision: Decision) -> str:
        """One pass: the most worthwhile option.  What is free goes first, then rails, then
        purchases."""
        cards, actions, state = self._setting.cards, self._setting.actions, game.state
        seat, best, best_key = decision.seat, 0.0, "end-turn"
        progress = _progress(game)
        for option in decision.options:
            key = option.key
            verb, i = actions[key]
            worth = 0.0
            if verb == "play":
                card = cards[i]
                if card.type == "rail":
                    if option.effect == "used" and not state.rail_points:
                        worth = self._best_rail(game, seat)
                        worth = 30.0 + worth if worth > WASTE_COST else 0.0
                elif card.type == "station":
                    worth = self._best_station(game, seat) if option.effect == "used" else 0.0
                    worth = 25.0 if worth > WASTE_COST else 0.0
                elif option.gain or option.effect == "used":
                    worth = 60.0 - card.cost
            elif verb == "lay":
                worth = self._rail_worth(game, i, option.money, option.waste)
                worth = 40.0 + worth if worth > 0.0 else 0.0
            elif verb == "buy":
                worth = self._buy(game, seat, i, progress) - 0.15
            elif verb == "bonus":
                worth = 50.0
            elif verb == "clear-waste" and state.seats[seat].hand[self._setting.waste] >= 3:
                worth = 99.0
            if worth > best:
                best, best_key = worth, key
        return best_key

    def _best_rail(self, game: Game, seat: int) -> float:
        """What one more rail would be worth now, at its plain price."""
        masks, state, board = game.masks, game.state, self._setting.board
        best = 0.0
        candidates = masks.frontier[seat] & ~masks.own[seat]
        while candidates:
            lowest = candidates & -candidates
            candidates ^= lowest
            i = lowest.bit_length() - 1
            price = board.surcharge[i] + state.stations[i] + masks.crowd[i]
            if price <= state.money:
                worth = self._rail_worth(game, i, price, 0)
                best = max(best, worth)
        return best

    def _best_station(self, game: Game, seat: int) -> float:
        """What the best station would be worth now."""
        best = 0.0
        cities = game.masks.open_cities & game.masks.own[seat]
        while cities:
            lowest = cities & -cities
            cities ^= lowest
            best = max(best, self._station_worth(game, seat, lowest.bit_length() - 1))
        return best

    def _buy(self, game: Game, seat: int, i: int, progress: float) -> float:
        """As the greedy bot judges it, more or less."""
        card, use = self._setting.cards[i], 1 - progress
        if card.type == "victory":
            return card.vp * 2.5 * pow(progress, 4) - WASTE_COST * use
        if card.type == "train":
            return (1.9 * card.value - 0.5) * use
        if card.type in SHARES:
            share = self._share(game, seat, card.type)
            return 2.6 * use if share < SHARES[card.type] else 0.0
        me = game.state.seats[seat]
        own = me.discard[i] + me.play[i] + me.gained[i] + me.deck.count(i)
        return 0.15 * card.cost * use / (1 + 2 * own)

    def _share(self, game: Game, seat: int, kind: str) -> float:
        """How much of a seat's useful cards is of a type."""
        me, wanted = game.state.seats[seat], self._kinds[kind]
        useless = self._setting.waste
        of_kind = sum(1 for card in me.deck if card in wanted)
        useful = len(me.deck) - me.deck.count(useless)
        for zone in (me.hand, me.discard, me.play, me.gained):
            of_kind += sum(zone[card] for card in wanted)
            useful += sum(zone) - zone[useless]
        return of_kind / max(1, useful)


DEAREST = ("choose", "gain-train", "copy-action", "trade-train")
"""Kinds of decisions in which the dearest card is the best."""


def _reach(setting: Setting, hope: list[float]) -> list[float]:
    """For each hex, what each rail of the best way on from it may bring (compare
    :meth:`engine.bots.valuation.Valuation.reach`)."""
    board = setting.board
    distances = Geography(board.info()).distances
    return [
        max(
            (hope[i] + hope[board.index[target]]) / (1 + steps)
            for target, steps in distances[name].items()
            if 0 < steps <= FAR
        )
        if name in distances
        else 0.0
        for i, name in enumerate(board.names)
    ]


def _progress(game: Game) -> float:
    """How far the game has come, from 0 to 1."""
    board, state = game.setting.board.spec, game.state
    empty = (game.setting.ending_piles & ~game.masks.piles).bit_count()
    laid = max(len(seat.laid) for seat in state.seats)
    return max(laid / board.rails, 1 - state.stations_left / board.stations, empty / 4)
