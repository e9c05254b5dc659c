"""The names of the *this turn* effects, in one place.  The state counts how often each runs."""

from __future__ import annotations

RUNNING = (
    "waive-river",
    "waive-mountain",
    "waive-city",
    "waive-opponents",
    "waive-money",
    "no-waste",
    "buy-to-deck",
    "rail-card-money",
    "rail-card-point",
    "remote-discount",
    "draw-at-station",
    "next-buy-to-deck",
    "next-buy-discount",
)
"""In the order in which the state counts them.  ``waive-...`` lifts a part of the surcharge of a
rail (rules, section 5); ``waive-opponents`` the Waste for it too; ``no-waste`` stops all Waste;
``buy-to-deck`` lets purchases go on the deck; ``rail-card-money`` pays for each rail card played,
``rail-card-point`` adds a rail point to each whose effect is used.  ``remote-discount`` makes
remote locations 1 cheaper; ``draw-at-station`` draws for each rail in a city with a station.
``next-buy-to-deck`` and ``next-buy-discount`` last until the next purchase.
"""

MONEY_PER_RAIL_CARD = 2
DISCOUNT = 2
"""What ``next-buy-discount`` takes off the price, each."""

INDEX = {name: i for i, name in enumerate(RUNNING)}

(
    WAIVE_RIVER,
    WAIVE_MOUNTAIN,
    WAIVE_CITY,
    WAIVE_OPPONENTS,
    WAIVE_MONEY,
    NO_WASTE,
    BUY_TO_DECK,
    RAIL_CARD_MONEY,
    RAIL_CARD_POINT,
    REMOTE_DISCOUNT,
    DRAW_AT_STATION,
    NEXT_BUY_TO_DECK,
    NEXT_BUY_DISCOUNT,
) = range(len(RUNNING))
