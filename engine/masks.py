"""What follows from a state at every moment and is asked for all the time: hex masks and the like.

Nothing here is saved; :func:`masks_of` works it all out from a state, and whoever changes the
state keeps it up to date (rails: :mod:`engine.rails`, stations: :mod:`engine.effects.stations`,
piles: :mod:`engine.supply`).
"""

from __future__ import annotations

from msgspec import Struct

from engine.board import Board
from engine.state import State


class Masks(Struct):
    """``own`` and ``frontier`` are hex masks per seat: its rails, and what is adjacent to them
    (own rails included).  ``crowd`` counts all rails on each hex; ``open_cities`` are the cities
    with a free slot; ``piles`` has a bit for each supply pile that is not empty."""

    own: list[int]
    frontier: list[int]
    crowd: list[int]
    open_cities: int
    piles: int

    def copy(self) -> Masks:
        return Masks(
            self.own.copy(),
            self.frontier.copy(),
            self.crowd.copy(),
            self.open_cities,
            self.piles,
        )


def masks_of(state: State, board: Board) -> Masks:
    """The masks of a state."""
    crowd = [0] * board.size
    own, frontier = [], []
    for seat in state.seats:
        mine = near = 0
        for i in seat.laid:
            mine |= 1 << i
            near |= board.neighbours[i]
            crowd[i] += 1
        own.append(mine)
        frontier.append(near)
    open_cities = 0
    for i, slots in enumerate(board.slots):
        if state.stations[i] < slots:
            open_cities |= 1 << i
    piles = 0
    for card, left in enumerate(state.supply):
        if left:
            piles |= 1 << card
    return Masks(own, frontier, crowd, open_cities, piles)
