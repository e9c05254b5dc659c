"""What a card says: composed from its effects, so that it cannot drift from what happens."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
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
    "buy-to-deck": N_("This turn, each card that you buy may go on top of your deck."),
    "rail-card-money": N_("This turn, +2 money whenever you play a Rail card."),
    "rail-card-point": N_(
        "This turn, +1 rail point whenever you play a Rail card and use its effect."
    ),
    "remote-discount": N_("This turn the surcharge of a remote location is 1 less."),
    "draw-at-station": N_(
        "This turn, draw 1 card whenever you lay a rail in a city that holds a station."
    ),
    "next-buy-to-deck": N_("The next card that you buy this turn goes on top of your deck."),
    "next-buy-discount": N_(
        "The next card that you buy this turn costs 2 less, but never below 0."
    ),
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

RETURN_ANY = {
    "hand": N_("Return any number of Waste from your hand to the Waste pile."),
    "discard": N_("Return any number of Waste from your discard pile to the Waste pile."),
}
RETURN_UP_TO = {
    "hand": N_("Return up to {max} Waste from your hand to the Waste pile."),
    "discard": N_("Return up to {max} Waste from your discard pile to the Waste pile."),
}
FOR_EACH = {
    "draw": nN_("Draw 1 card for each.", "Draw {count} cards for each."),
    "earn": nN_("+1 money for each.", "+{count} money for each."),
}

DISCARD = nN_("Discard 1 card from your hand.", "Discard {count} cards from your hand.")
SCORE = nN_("+1 VP at once.", "+{count} VP at once.")
RETURN = nN_(
    "Return 1 Waste from your hand to the Waste pile.",
    "Return {count} Waste from your hand to the Waste pile.",
)
REVEAL_TAKE = N_(
    "Reveal the top {reveal} cards of your deck; you may take {take} of them into your hand. "
    "Put the rest back on top in any order."
)
REVEAL_UNTIL = {
    ("waste", "trash"): nN_(
        "Reveal cards from your deck until a Waste appears; trash it and discard the others.",
        "Reveal cards from your deck until {count} Waste have appeared; trash those and discard "
        "the others.",
    ),
    ("waste", "hand"): nN_(
        "Reveal cards from your deck until a Waste appears; take it into your hand and discard the "
        "others.",
        "Reveal cards from your deck until {count} Waste have appeared; take those into your hand "
        "and discard the others.",
    ),
    ("train", "trash"): nN_(
        "Reveal cards from your deck until a Train appears; trash it and discard the others.",
        "Reveal cards from your deck until {count} Trains have appeared; trash those and discard "
        "the others.",
    ),
    ("train", "hand"): nN_(
        "Reveal cards from your deck until a Train appears; take it into your hand and discard the "
        "others.",
        "Reveal cards from your deck until {count} Trains have appeared; take those into your hand "
        "and discard the others.",
    ),
}

REVEAL_TOP = N_("Reveal the top card of your deck: a Train {train}, any other card {other}.")
REVEALED_TO = {
    "hand": N_("goes to your hand"),
    "discard": N_("is discarded"),
    "back": N_("goes back"),
}
HAND_TO_DECK = nN_(
    "Put 1 card from your hand on top of your deck.",
    "Put {count} cards from your hand on top of your deck.",
)
EARN_PER = {
    "mountain": nN_(
        "+1 money for each of your rails on a mountain, +{most} at most.",
        "+1 money for every {count} of your rails on a mountain, +{most} at most.",
    ),
    "station": nN_(
        "+1 money for each city that holds both a station and your rail, +{most} at most.",
        "+1 money for every {count} cities that hold both a station and your rail, +{most} at "
        "most.",
    ),
}
LOOK_AND_TAKE = nN_(
    "Look at the top {look} cards of your deck; you may take 1 {types} card among them into your "
    "hand. Put the rest back on top in any order.",
    "Look at the top {look} cards of your deck; you may take up to {count} {types} cards among "
    "them into your hand. Put the rest back on top in any order.",
)
OR = N_("{one} or {other}")
OTHERS_DRAW = nN_("Each other player draws 1 card.", "Each other player draws {count} cards.")

ATTACK = N_("ATTACK: {victims} {suffers}")
VICTIMS = {"others": N_("each other player"), "all": N_("each player")}
THEIR_REVEALED_TO = {
    "hand": N_("goes to their hand"),
    "discard": N_("is discarded"),
    "back": N_("goes back"),
}
SUFFERS: dict[str, Callable[[Translator, Any], str]] = {
    "gain-waste": lambda t, n: t.many(nN_("gains 1 Waste.", "gains {count} Waste."), n),
    "hand-to-deck": lambda t, arg: t.many(
        nN_(
            "with {least} or more cards in hand puts 1 of them on top of their deck.",
            "with {least} or more cards in hand puts {count} of them on top of their deck.",
        ),
        arg["count"],
        least=arg.get("least", 1),
    ),
    "discard-down": lambda t, n: t.many(
        nN_("discards down to 1 card in hand.", "discards down to {count} cards in hand."), n
    ),
    "discard-or-pay": lambda t, arg: t.one(
        N_("either discards a Train from their hand or lets you have +{money} money."),
        money=arg["money"],
    ),
    "reveal-top": lambda t, arg: t.one(
        N_("reveals the top card of their deck: a Train {train}, any other card {other}."),
        train=t.one(THEIR_REVEALED_TO[arg["then"]]),
        other=t.one(THEIR_REVEALED_TO[arg["else"]]),
    ),
}
"""What each operation of an attack means for its victim."""

CHOOSE = {
    ("discard", "to-hand"): N_("Take a {type} card from your discard pile into your hand."),
    ("play", "to-deck"): N_("Put a {type} card from your play area on top of your deck."),
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
    "choose-one": lambda t, arg: t.one(
        N_("Choose one: {choices}"), choices=" / ".join(effect_texts(t, arg))
    ),
    "copy-action": lambda t, _: t.one(
        N_(
            "Choose another card with the action icon in your hand: this card does what that one's "
            "effect says."
        )
    ),
    "discard": lambda t, n: t.many(DISCARD, n),
    "earn-if-in-play": lambda t, arg: t.one(
        N_("+{money} money if a {card} lies in your play area."),
        money=arg["money"],
        card=arg["card"].replace("-", " ").title(),
    ),
    "look-and-may-discard": lambda t, _: t.one(
        N_("Look at the top card of your deck; discard it or put it back.")
    ),
    "name-and-reveal": lambda t, _: t.one(
        N_(
            "Name a card, then reveal the top card of your deck: if it is the one, take it into "
            "your hand, else put it back."
        )
    ),
    "return-any-waste": lambda t, arg: _return_any(t, **arg),
    "return-waste": lambda t, n: t.many(RETURN, n),
    "reveal-and-take": lambda t, arg: t.one(REVEAL_TAKE, **arg),
    "reveal-until": lambda t, arg: t.many(REVEAL_UNTIL[arg["type"], arg["then"]], arg["count"]),
    "reveal-top": lambda t, arg: t.one(
        REVEAL_TOP,
        train=t.one(REVEALED_TO[arg["then"]]),
        other=t.one(REVEALED_TO[arg["else"]]),
    ),
    "reveal-and-take-type": lambda t, arg: t.one(
        N_(
            "Reveal the top {reveal} cards of your deck; take all Trains among them into your "
            "hand. Put the rest back on top in any order."
        ),
        reveal=arg["reveal"],
    ),
    "look-and-take": lambda t, arg: t.many(
        LOOK_AND_TAKE,
        arg["take"],
        look=arg["look"],
        types=types_text(t, arg["types"]),
    ),
    "look-and-discard": lambda t, n: t.one(
        N_(
            "Look at the top {n} cards of your deck; discard any of them and put the rest back on "
            "top in any order."
        ),
        n=n,
    ),
    "hand-to-deck": lambda t, arg: t.many(HAND_TO_DECK, arg["count"]),
    "others-draw": lambda t, n: t.many(OTHERS_DRAW, n),
    "pay": lambda t, n: t.one(N_("Pay {n} money."), n=n),
    "earn-if-only-train": lambda t, n: t.one(
        N_("+{n} money if this is the only Train in your play area."), n=n
    ),
    "earn-per": lambda t, arg: t.many(EARN_PER[arg["what"]], arg["of"], most=arg["most"]),
    "lay-free": lambda t, _: t.one(
        N_(
            "Lay 1 rail at once without the surcharge of river, mountain, city or remote location; "
            "other players' rails there count as usual."
        )
    ),
    "attack": lambda t, arg: _attack(t, **arg),
    "score": lambda t, n: t.many(SCORE, n),
    "trade-train": lambda t, arg: t.one(
        N_(
            "Trash a Train from your hand; gain a Train to your hand that costs up to {up} more "
            "than it."
        ),
        up=arg["up"],
    ),
}
"""A text for every operation that cards may name."""


def types_text(translator: Translator, types: list[str]) -> str:
    """``Rail or Station``."""
    return reduce(
        lambda one, other: translator.one(OR, one=one, other=other),
        (translator.one(TYPES[kind]) for kind in types),
    )


def _discard_any(translator: Translator, **each: int) -> str:
    ((what, count),) = each.items()
    return translator.many(PER_CARD[what], count)


def _return_any(translator: Translator, **arg: Any) -> str:
    message = (RETURN_UP_TO if "max" in arg else RETURN_ANY)[arg["from"]]
    parts = [translator.one(message, max=arg.get("max"))]
    if "each" in arg:
        ((what, count),) = arg["each"].items()
        parts.append(translator.many(FOR_EACH[what], count))
    return " ".join(parts)


def _attack(translator: Translator, hits: str, do: dict[str, Any]) -> str:
    ((op, arg),) = do.items()
    return translator.one(
        ATTACK,
        victims=translator.one(VICTIMS[hits]),
        suffers=SUFFERS[op](translator, arg),
    )


def effects_text(translator: Translator, entries: list[dict[str, Any]]) -> str:
    """The text of some effects, in their order."""
    return " ".join(effect_texts(translator, entries))


def effect_texts(translator: Translator, entries: list[dict[str, Any]]) -> list[str]:
    """The text of each of some effects, in their order."""
    pairs = [parse_effect(entry) for entry in entries]
    return [TEXTS[name](translator, arg) for name, arg in pairs]


REACTION = N_(
    "REACTION: when an opponent makes an ATTACK, you may reveal this card from your hand; that "
    "attack then does not affect you."
)


def card_text(translator: Translator, card: CardSpec) -> str:
    """The text of a card: its effects in order, or what is special about its type; empty for one
    that has nothing but its value."""
    parts = effect_texts(translator, card.effects)
    if card.reaction:
        parts.append(translator.one(REACTION))
    if card.type == "victory":
        parts.append(translator.one(N_("When you buy this, gain 1 Waste.")))
        parts.append(translator.one(N_("Worth {vp} VP at the end of the game."), vp=card.vp))
    if card.type == "waste":
        parts.append(translator.one(N_("Can be neither bought nor played.")))
    return " ".join(parts)
