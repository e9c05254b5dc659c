"""The line that tells an event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from engine.text.catalogue import N_, Translator, nN_
from engine.types import Event

if TYPE_CHECKING:
    from engine.setting import Setting

LINES = {
    "begun": N_("The game begins for {count} players."),
    "start-rail": N_("{who} starts at {hex}."),
    "turn": N_("Turn {count}: {who}."),
    "earned": N_("{who} gets {money} money."),
    "station": N_("{who} builds a station in {hex}, its number {count}."),
    "named": N_("{who} names {card}."),
    "copied": N_("{who} copies {card}."),
    "took": N_("{who} takes {card} into hand."),
    "paid": N_("{who} pays {money} money."),
    "attacked": N_("{who} attacks with {card}."),
    "spared": N_("The attack passes {who} by."),
    "gave-up": N_("{who} discards {card} from hand."),
    "conceded": N_("{who} lets the attacker have {money} money."),
    "bonus-used": N_("{who} uses the route bonus {bonus}."),
}

COUNTED = {
    "shuffled": nN_("{who} shuffles a deck of 1 card.", "{who} shuffles a deck of {count} cards."),
    "drew": nN_("{who} draws 1 card.", "{who} draws {count} cards."),
    "rail-points": nN_("{who} gets 1 rail point.", "{who} gets {count} rail points."),
    "scored": nN_("{who} scores 1 VP.", "{who} scores {count} VP."),
    "looked": nN_(
        "{who} looks at the top card of the deck.",
        "{who} looks at the top {count} cards of the deck.",
    ),
    "put-back": nN_(
        "{who} puts 1 card back on the deck.", "{who} puts {count} cards back on the deck."
    ),
    "ordered": nN_(
        "{who} leaves the top card of the deck there.",
        "{who} puts the top {count} cards of the deck in order.",
    ),
    "put-down": nN_(
        "{who} puts 1 card from hand on the deck.",
        "{who} puts {count} cards from hand on the deck.",
    ),
    "bonus": nN_(
        "{who} completes the route bonus {bonus} and scores 1 VP.",
        "{who} completes the route bonus {bonus} and scores {count} VP.",
    ),
    "cleaned-up": nN_(
        "{who} cleans up with 1 card left in hand.",
        "{who} cleans up with {count} cards left in hand.",
    ),
}

TO = {
    "bought": {"gained": N_("{who} buys {card} for {money}.")},
    "gained": {
        "gained": N_("{who} gains {card}."),
        "hand": N_("{who} gains {card} to hand."),
    },
    "revealed": {
        "hand": N_("{who} reveals {card} from hand."),
        "deck": N_("{who} reveals {card} from the deck."),
    },
    "trashed": {
        "hand": N_("{who} trashes {card} from hand."),
        "play": N_("{who} trashes {card} from play."),
        "aside": N_("{who} trashes the revealed {card}."),
    },
    "put-on-deck": {
        "play": N_("{who} puts {card} from play on the deck."),
        "gained": N_("{who} puts {card} on the deck."),
    },
}
"""The lines that name the place where a card came from or went to."""

COUNTED_TO = {
    "returned": {
        "hand": nN_(
            "{who} returns 1 Waste from hand to its pile.",
            "{who} returns {count} Waste from hand to its pile.",
        ),
        "discard": nN_(
            "{who} returns 1 Waste from the discard pile to its pile.",
            "{who} returns {count} Waste from the discard pile to its pile.",
        ),
    },
    "fetched": {
        "discard": nN_(
            "{who} takes 1 card into hand from the discard pile.",
            "{who} takes {count} cards into hand from the discard pile.",
        ),
        "deck": nN_(
            "{who} takes 1 card into hand from the top of the deck.",
            "{who} takes {count} cards into hand from the top of the deck.",
        ),
    },
    "discarded": {
        "hand": nN_("{who} discards 1 card from hand.", "{who} discards {count} cards from hand."),
        "deck": nN_(
            "{who} discards 1 card from the top of the deck.",
            "{who} discards {count} cards from the top of the deck.",
        ),
        "aside": nN_("{who} discards 1 revealed card.", "{who} discards {count} revealed cards."),
    },
}
"""The same, where a number is told."""

NONE = {
    "discarded": N_("{who} discards nothing."),
    "returned": N_("{who} returns no Waste."),
    "cleaned-up": N_("{who} cleans up with no card left in hand."),
}
"""What is said instead when the number is 0."""

WITH_CARDS = N_("{line} ({cards})")
WITH_ORDER = N_("{line}, top first: {cards}")

PLAYED = {
    "": N_("{who} plays {card} for {value} money."),
    "used": N_("{who} plays {card} for {value} money and its effect."),
    "unused": N_("{who} plays {card} for {value} money, without its effect."),
    "refused": N_("{who} plays {card} for {value} money, without its effect."),
    "impossible": N_("{who} plays {card} for {value} money; its effect cannot be carried out."),
}
PLAYED_FREE = {
    "": N_("{who} plays {card}."),
    "used": N_("{who} plays {card}."),
    "unused": N_("{who} plays {card} without its effect."),
    "refused": N_("{who} plays {card} without its effect."),
    "impossible": N_("{who} plays {card}; its effect cannot be carried out."),
}
LAID = N_("{who} lays a rail on {hex} and pays {money}.")
LAID_FREE = N_("{who} lays a rail on {hex}.")

THIS_TURN = {
    "waive-river": N_("{who} pays no surcharge for rivers this turn."),
    "waive-mountain": N_("{who} pays no surcharge for mountains this turn."),
    "waive-city": N_("{who} pays no surcharge for cities and their stations this turn."),
    "waive-opponents": N_(
        "{who} pays no surcharge for other players' rails this turn, and gains no Waste there."
    ),
    "waive-money": N_("{who} pays no surcharge in money for rails this turn."),
    "no-waste": N_("{who} gains no Waste this turn."),
    "buy-to-deck": N_("{who} may put purchases on the deck this turn."),
    "rail-card-money": N_("{who} gets 2 money for each Rail card this turn."),
    "rail-card-point": N_("{who} gets 1 rail point more for each Rail card this turn."),
    "remote-discount": N_("Remote locations are 1 cheaper for {who} this turn."),
    "draw-at-station": N_("{who} draws a card for each rail in a city with a station this turn."),
    "next-buy-to-deck": N_("The next card that {who} buys this turn goes on the deck."),
    "next-buy-discount": N_("The next card that {who} buys this turn costs 2 less."),
}

OVER = {
    "piles": N_("The game is over: four supply piles are empty."),
    "rails": N_("The game is over: a player has laid every rail."),
    "stations": N_("The game is over: every station is built."),
}


def event_text(translator: Translator, setting: Setting, event: Event, names: list[str]) -> str:
    """One sentence about an event; ``names`` are the players' names by seat."""
    values = _values(setting, event, names)
    kind = event.type
    if kind == "played":
        return translator.one((PLAYED if event.value else PLAYED_FREE)[str(event.what)], **values)
    if kind == "laid":
        return translator.one(LAID if event.money else LAID_FREE, **values)
    if kind == "this-turn":
        return translator.one(THIS_TURN[str(event.what)], **values)
    if kind == "over":
        return translator.one(OVER[str(event.what)], **values)
    if kind in TO:
        return translator.one(TO[kind][str(event.to)], **values)
    if kind in LINES:
        return translator.one(LINES[kind], **values)
    if not event.count and kind in NONE:
        return translator.one(NONE[kind], **values)
    plural = COUNTED_TO[kind][str(event.to)] if kind in COUNTED_TO else COUNTED[kind]
    line = translator.many(plural, values.pop("count"), **values)
    if isinstance(event.cards, dict) and event.cards:
        cards = ", ".join([_some(count, card_name(setting, c)) for c, count in event.cards.items()])
        return translator.one(WITH_CARDS, line=line.rstrip("."), cards=cards) + "."
    if (
        kind in ("put-back", "put-down", "looked", "ordered")
        and isinstance(event.order, list)
        and event.order
    ):
        if len(event.order) == 1:
            (card,) = event.order
            name = card_name(setting, card)
            return translator.one(WITH_CARDS, line=line.rstrip("."), cards=name) + "."
        cards = ", ".join(card_name(setting, card) for card in event.order)
        return translator.one(WITH_ORDER, line=line.rstrip("."), cards=cards) + "."
    return line


def _some(count: int, name: str) -> str:
    return f"{count} {name}" if count > 1 else name


def _values(setting: Setting, event: Event, names: list[str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    if isinstance(event.seat, int):
        values["who"] = names[event.seat]
    if isinstance(event.card, str):
        values["card"] = card_name(setting, event.card)
    if event.type in ("bonus", "bonus-used"):
        values["bonus"] = bonus_name(setting, str(event.what))
    if isinstance(event.hex, str):
        values["hex"] = hex_name(setting, event.hex)
    for name in ("count", "money", "value"):
        value = getattr(event, name)
        if value is not UNSET:
            values[name] = value
    return values


def card_name(setting: Setting, card: str) -> str:
    """A card's name."""
    return setting.cards[setting.index[card]].spec.name


def bonus_name(setting: Setting, bonus: str) -> str:
    """A route bonus's name."""
    return setting.bonuses[setting.actions[f"bonus:{bonus}"][1]].spec.name


def hex_name(setting: Setting, name: str) -> str:
    """``Kichijoji (C5)`` for a named place, ``C4, a plain`` otherwise."""
    info = setting.board.infos[setting.board.index[name]]
    return f"{info.title} ({name})" if info.title else f"{name} ({info.terrain})"
