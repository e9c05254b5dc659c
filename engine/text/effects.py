"""What a card says: composed from its effects, so that it cannot drift from what happens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.cards import CardSpec
from engine.effects import parse_effect
from engine.text.catalogue import N_, Translator, nN_

DRAW = nN_("Draw 1 card.", "Draw {count} cards.")
GAIN_WASTE = nN_("Gain 1 Waste.", "Gain {count} Waste.")
RAIL_POINTS = nN_("+1 rail point.", "+{count} rail points.")

RUNNING_TEXT = {
    "waive-river": N_("This turn rails pay no surcharge for rivers."),
    "waive-mountain": N_("This turn rails pay no surcharge for mountains."),
    "waive-city": N_("This turn rails pay no surcharge for cities and their stations."),
    "waive-opponents": N_(
        "This turn other players' rails cost you no surcharge, and laying there brings no Waste."
    ),
    "waive-money": N_("This turn rails pay no surcharge in money at all."),
    "no-waste": N_("For the rest of the turn you gain no Waste."),
}

PER_CARD = {
    "draw": nN_(
        "Discard any number of cards from your hand, then draw as many.",
        "Discard any number of cards from your hand, then draw {count} for each.",
    ),
    "earn": nN_(
        "Discard any number of cards from your hand; +1 money for each.",
        "Discard any number of cards from your hand; +{count} money for each.",
    ),
}

CHOOSE = {
    ("play", "earn-value"): N_(
        "Choose a {type} card in your play area: +money as much as its printed value."
    ),
    ("hand", "earn-value"): N_(
        "Choose a {type} card in your hand: +money as much as its printed value."
    ),
    ("hand", "reveal-and-gain-same"): N_(
        "Reveal a {type} card from your hand and gain a card of the same name, "
        "if the supply has one."
    ),
}

TYPES = {
    "train": N_("Train"),
    "rail": N_("Rail"),
    "station": N_("Station"),
    "action": N_("Action"),
}

TEXTS: dict[str, Callable[[Translator, Any], str]] = {
    "draw": lambda t, n: t.many(DRAW, n),
    "earn": lambda t, n: t.one(N_("+{n} money."), n=n),
    "gain-rail-points": lambda t, n: t.many(RAIL_POINTS, n),
    "gain-waste": lambda t, n: t.many(GAIN_WASTE, n),
    "return-all-waste": lambda t, _: t.one(N_("Return all Waste in your hand to the Waste pile.")),
    "place-station": lambda t, _: t.one(N_("Place 1 station in any city with a free slot.")),
    "this-turn": lambda t, name: t.one(RUNNING_TEXT[name]),
    "discard-any": lambda t, arg: _discard_any(t, **arg["each"]),
    "may-trash-this": lambda t, arg: t.one(
        N_("You may trash this card for +{money} money."), money=arg["then"]["earn"]
    ),
    "choose": lambda t, arg: t.one(
        CHOOSE[arg["from"], arg["then"]], type=t.one(TYPES[arg["type"]])
    ),
}
"""A text for every operation that cards may name."""


def _discard_any(translator: Translator, **each: int) -> str:
    ((what, count),) = each.items()
    return translator.many(PER_CARD[what], count)


def card_text(translator: Translator, card: CardSpec) -> str:
    """The text of a card: its effects in order, or what is special about its type."""
    parts = []
    for entry in card.effects:
        name, arg = parse_effect(entry)
        parts.append(TEXTS[name](translator, arg))
    if card.type == "victory":
        parts.append(translator.one(N_("When you buy this, gain 1 Waste.")))
        parts.append(translator.one(N_("Worth {vp} VP at the end of the game."), vp=card.vp))
    if card.type == "waste":
        parts.append(translator.one(N_("Can be neither bought nor played.")))
    return " ".join(parts) or translator.one(N_("No effect."))
