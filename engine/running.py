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
)
"""In the order in which the state counts them.  ``waive-...`` lifts a part of the surcharge of a
rail (rules, section 5); ``waive-opponents`` the Waste for it too; ``no-waste`` stops all Waste;
``buy-to-deck`` lets purchases go on the deck; ``rail-card-money`` pays for each rail card played.
"""

MONEY_PER_RAIL_CARD = 2

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
) = range(len(RUNNING))
