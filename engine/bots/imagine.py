"""Games as they might be: a seat's observation, with what it cannot know filled in at random.

What is known stays as it is.  The cards that no one has seen go to the other players, as many to
each hand, deck and discard pile as there are; the order of decks is random but for what the seat
knows of its own.  So a search over such games uses nothing that its seat may not know.
"""

from __future__ import annotations

import msgspec

from engine.boxes import Box, load_boxes
from engine.chance import SEED_BYTES, Stream
from engine.game import Game
from engine.masks import masks_of
from engine.running import RUNNING
from engine.setting import Setting
from engine.setup import Setup, first_state, setting_of
from engine.state import BonusState, SeatState, State, Task
from engine.types import Catalogue, Observation, OwnView


class Imagination:
    """Imagines games for one seat.  ``seat`` must be the one whose turn it is; ``own`` are the
    host's own boxes, if the game has some."""

    def __init__(self, seat: int, catalogue: Catalogue, own: tuple[Box, ...] = ()) -> None:
        self.seat = seat
        boxes = tuple(catalogue.boxes)
        specs = {card.id: card for box in load_boxes(boxes, own) for card in box.cards}
        piles = {
            role: tuple(c for c in catalogue.supply if specs[c].role == role)
            for role in ("randomizer", "victory")
        }
        self._setup = Setup(
            seed=bytes(SEED_BYTES),
            players=catalogue.players,
            boxes=boxes,
            board=catalogue.board.id,
            kingdom=piles["randomizer"],
            victory=piles["victory"],
            reactions=catalogue.reactions,
            own=own,
        )
        self.setting: Setting = setting_of(self._setup)

    def game(self, view: Observation, stream: Stream, *, acted: bool) -> Game:
        """A game that looks to the seat exactly like this, in the middle of its turn.

        ``acted``: something was done this turn, so Waste cannot be cleared any more.
        """
        setting = self.setting
        state = first_state(setting, self._setup.players)
        everything = _everything(state)
        state.supply = self._zone(view.supply)
        state.trash = self._zone(view.trash)
        state.stations_left = view.stations_left
        for name, there in view.hexes.items():
            i = setting.board.index[name]
            state.stations[i] = there.stations
            for seat in there.rails:
                state.seats[seat].laid.append(i)
        for seat, me in enumerate(state.seats):
            seen = view.seats[str(seat)]
            me.play, me.gained = self._zone(seen.play), self._zone(seen.gained)
            me.score = seen.score
            me.hand = [0] * len(setting.cards)
            me.discard = [0] * len(setting.cards)
        self._fill_own(state.seats[self.seat], view, stream)
        unseen = [
            card
            for card, count in enumerate(everything)
            for _ in range(count - _placed(state, card))
        ]
        stream.shuffle(unseen)
        for seat, me in enumerate(state.seats):
            if seat != self.seat:
                seen = view.seats[str(seat)]
                for zone, size in ((me.hand, seen.hand), (me.discard, seen.discard)):
                    for _ in range(size):
                        zone[unseen.pop()] += 1
                me.deck = [unseen.pop() for _ in range(seen.deck)]
        state.phase, state.turn, state.active = "turn", view.turn.number, self.seat
        state.money, state.rail_points = view.turn.money, view.turn.rail_points
        state.running = [view.turn.effects.get(name, 0) for name in RUNNING]
        state.acted = acted
        for bonus, held in view.bonuses.items():
            index = setting.actions[f"bonus:{bonus}"][1]
            state.bonuses.append(BonusState(index, held.holder, held.used))
        state.stack = [Task("turn", self.seat)]
        seed = bytes(stream.below(256) for _ in range(SEED_BYTES))
        setup = msgspec.structs.replace(self._setup, seed=seed)
        game = Game(setup, setting, state, masks_of(state, setting.board))
        game.resume()
        return game

    def _fill_own(self, me: SeatState, view: Observation, stream: Stream) -> None:
        own = view.own
        assert isinstance(own, OwnView)
        index = self.setting.index
        me.hand, me.discard = self._zone(own.hand), self._zone(own.discard)
        deck = self._zone(own.deck)
        top = [index[card] for card in own.top]
        for card in top:
            deck[card] -= 1
        rest = [card for card, count in enumerate(deck) for _ in range(count)]
        stream.shuffle(rest)
        me.deck = rest + top[::-1]
        me.known = len(top)

    def _zone(self, cards: dict[str, int]) -> list[int]:
        zone = [0] * len(self.setting.cards)
        for card, count in cards.items():
            zone[self.setting.index[card]] = count
        return zone


def _everything(state: State) -> list[int]:
    """All cards that are in the game at its beginning."""
    return [
        left + sum(seat.discard[card] for seat in state.seats)
        for card, left in enumerate(state.supply)
    ]


def _placed(state: State, card: int) -> int:
    """How many of a card have a place already."""
    zones = [state.supply, state.trash]
    for seat in state.seats:
        zones += [seat.hand, seat.discard, seat.play, seat.gained]
    return sum(zone[card] for zone in zones) + sum(seat.deck.count(card) for seat in state.seats)
