"""What laying a rail costs, where it is allowed, and the laying itself (rules, section 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.board import bits
from engine.bonuses import award
from engine.movement import draw, gain_waste, waste_to_come
from engine.running import (
    DRAW_AT_STATION,
    REMOTE_DISCOUNT,
    WAIVE_CITY,
    WAIVE_MONEY,
    WAIVE_MOUNTAIN,
    WAIVE_OPPONENTS,
    WAIVE_RIVER,
)
from engine.types import Option

if TYPE_CHECKING:
    from engine.game import Game
    from engine.state import State


def rails_left(game: Game, seat: int) -> int:
    """The seat's rail tokens that are not on the board."""
    return game.setting.board.spec.rails - len(game.state.seats[seat].laid)


def lay_options(game: Game, seat: int) -> list[Option]:
    """Every hex where the seat can lay a rail now and pay for it, in board order."""
    state, masks, setting = game.state, game.masks, game.setting
    hexes = bits(masks.frontier[seat] & ~masks.own[seat])
    fixed, per_station, per_opponent = _surcharges(game, state)
    stations, crowd, money = state.stations, masks.crowd, state.money
    waste = 0 if state.running[WAIVE_OPPONENTS] else waste_to_come(game, seat)
    options = []
    for i in hexes:
        price = fixed[i] + per_station * stations[i] + per_opponent * crowd[i]
        if price <= money:
            options.append(setting.lay_option(i, price, waste if crowd[i] else 0))
    return options


def price_of(game: Game, i: int) -> int:
    """The surcharge that laying an own rail on hex ``i`` costs now."""
    fixed, per_station, per_opponent = _surcharges(game, game.state)
    return fixed[i] + per_station * game.state.stations[i] + per_opponent * game.masks.crowd[i]


def _surcharges(game: Game, state: State) -> tuple[tuple[int, ...], int, int]:
    """The fixed part for each hex, and the parts for each station and each opponent's rail."""
    running = state.running
    if running[WAIVE_MONEY]:
        return game.setting.surcharge(_NO_TERRAIN, 0), 0, 0
    charged = _ALL_TERRAIN
    for effect, terrain in _WAIVES:
        if running[effect]:
            charged = charged - {terrain}
    per_opponent = 0 if running[WAIVE_OPPONENTS] else 1
    return (
        game.setting.surcharge(charged, running[REMOTE_DISCOUNT]),
        1 if "city" in charged else 0,
        per_opponent,
    )


_NO_TERRAIN: frozenset[str] = frozenset()
_ALL_TERRAIN = frozenset({"river", "mountain", "city", "remote"})
_WAIVES = ((WAIVE_RIVER, "river"), (WAIVE_MOUNTAIN, "mountain"), (WAIVE_CITY, "city"))


def lay(game: Game, seat: int, i: int) -> None:
    """Spend a rail point on hex ``i``: pay, put the token down, gain Waste if others are there."""
    state = game.state
    state.rail_points -= 1
    put_paid_rail(game, seat, i, price_of(game, i))


def free_lay_options(game: Game, seat: int) -> list[Option]:
    """Every hex where the seat can lay a rail now for the opponents' part alone, in board order."""
    state, masks, setting = game.state, game.masks, game.setting
    waste = 0 if state.running[WAIVE_OPPONENTS] else waste_to_come(game, seat)
    options = []
    for i in bits(masks.frontier[seat] & ~masks.own[seat]):
        price = opponents_part(game, i)
        if price <= state.money:
            shared = waste if masks.crowd[i] else 0
            options.append(Option(f"hex:{setting.board.names[i]}", money=price, waste=shared))
    return options


def opponents_part(game: Game, i: int) -> int:
    """What the rails of others on hex ``i`` add to its price."""
    running = game.state.running
    return 0 if running[WAIVE_OPPONENTS] or running[WAIVE_MONEY] else game.masks.crowd[i]


def put_paid_rail(game: Game, seat: int, i: int, price: int) -> None:
    """Pay, put the token on hex ``i``, and carry out all that comes of it."""
    state, masks = game.state, game.masks
    state.money -= price
    shared = masks.crowd[i] > 0
    put_rail(game, seat, i)
    game.facts.append(("laid", seat, i, price))
    if shared and not state.running[WAIVE_OPPONENTS]:
        gain_waste(game, seat)
    if state.running[DRAW_AT_STATION] and state.stations[i]:
        draw(game, seat, state.running[DRAW_AT_STATION])
    if state.bonuses:
        award(game, seat)


def put_rail(game: Game, seat: int, i: int) -> None:
    """Put a token of the seat on hex ``i``."""
    masks = game.masks
    game.state.seats[seat].laid.append(i)
    masks.own[seat] |= 1 << i
    masks.frontier[seat] |= game.setting.board.neighbours[i]
    masks.crowd[i] += 1
