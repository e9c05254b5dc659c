"""What the game is worth to whom, and when it ends (rules, sections 9 and 10)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.types import Result

if TYPE_CHECKING:
    from engine.game import Game

CITY_VP = (0, 2, 4, 8)
"""What a rail in a city is worth, by the stations there."""

EMPTY_PILES = 4


def rails_vp(game: Game, seat: int) -> int:
    """What the seat's rails are worth on the board as it stands."""
    stations, value = game.state.stations, game.setting.board.value
    return sum(CITY_VP[stations[i]] + value[i] for i in game.state.seats[seat].laid)


def cards_vp(game: Game, seat: int) -> int:
    """What the seat's victory cards are worth, wherever they are."""
    me = game.state.seats[seat]
    zones = (me.hand, me.discard, me.play, me.gained)
    return sum(
        card.vp * (sum(zone[card.index] for zone in zones) + me.deck.count(card.index))
        for card in game.setting.victory_cards
    )


def ended_by(game: Game) -> str:
    """Why the game is over after a clean-up: ``piles``, ``rails`` or ``stations``; else empty."""
    state, setting = game.state, game.setting
    if (setting.ending_piles & ~game.masks.piles).bit_count() >= EMPTY_PILES:
        return "piles"
    if any(len(seat.laid) >= setting.board.spec.rails for seat in state.seats):
        return "rails"
    return "" if state.stations_left else "stations"


def results(game: Game) -> list[Result]:
    """The final account by seat.  Ties go to more rails on the board; what is still tied shares
    its rank."""
    rows = []
    for seat, me in enumerate(game.state.seats):
        rails, cards = rails_vp(game, seat), cards_vp(game, seat)
        rows.append((seat, me.score, rails, cards, me.score + rails + cards, len(me.laid)))
    keys = sorted(((row[4], row[5]) for row in rows), reverse=True)
    return [Result(*row, rank=keys.index((row[4], row[5])) + 1) for row in rows]
