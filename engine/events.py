"""What happened, and who may know which part of it: the one place that hides things in events.

While it runs the engine notes *facts*: tuples of a kind and plain values, with cards and hexes as
indices.  :data:`FIELDS` says for each kind what the values are and who may know them (rules,
section 12); :func:`events_for` makes the events of an audience out of facts, taking only what the
table allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from engine.types import SPECTATOR, Event

if TYPE_CHECKING:
    from engine.setting import Setting

Fact = tuple[Any, ...]
"""A kind (see :data:`FIELDS`), and as many values as the kind has fields."""

RECORD = -2
"""The audience that may know everything: the journal."""

ALL, OWNER, NOBODY = range(3)
"""Who may know a field: everybody; the seat it happened to; nobody but the record."""


def _card(setting: Setting, value: int) -> str:
    return setting.cards[value].id


def _cards(setting: Setting, value: tuple[int, ...]) -> dict[str, int]:
    counted: dict[str, int] = {}
    for card in sorted(value):
        name = setting.cards[card].id
        counted[name] = counted.get(name, 0) + 1
    return counted


def _order(setting: Setting, value: tuple[int, ...]) -> list[str]:
    return [setting.cards[card].id for card in value]


def _hex(setting: Setting, value: int) -> str:
    return setting.board.names[value]


Form = Callable[["Setting", Any], Any] | None
"""How a value becomes what is told; None: as it is."""

SEAT: tuple[str, Form, int] = ("seat", None, ALL)
COUNT: tuple[str, Form, int] = ("count", None, ALL)
CARD: tuple[str, Form, int] = ("card", _card, ALL)
MONEY: tuple[str, Form, int] = ("money", None, ALL)
HEX: tuple[str, Form, int] = ("hex", _hex, ALL)
TO: tuple[str, Form, int] = ("to", None, ALL)
WHAT: tuple[str, Form, int] = ("what", None, ALL)
OWN_CARDS: tuple[str, Form, int] = ("cards", _cards, OWNER)

FIELDS: dict[str, tuple[tuple[str, Form, int], ...]] = {
    "begun": (COUNT,),  # the game begins, for so many players
    "shuffled": (SEAT, COUNT, ("order", _order, NOBODY)),  # a new deck, top first
    "drew": (SEAT, COUNT, OWN_CARDS),
    "start-rail": (SEAT, HEX),
    "turn": (SEAT, COUNT),  # a turn begins, with its number
    # What became of its effect: used, or unused; its owner knows whether it was refused or
    # impossible.  Empty for a card without an effect.
    "played": (SEAT, CARD, ("value", None, ALL), WHAT, ("what", None, OWNER)),
    "earned": (SEAT, MONEY),  # by an effect
    "rail-points": (SEAT, COUNT),
    "laid": (SEAT, HEX, MONEY),
    "bought": (SEAT, CARD, MONEY, TO),
    "gained": (SEAT, CARD, TO),  # otherwise than by buying
    "station": (SEAT, HEX, COUNT),  # with the number of stations there now
    "returned": (SEAT, COUNT, TO),  # Waste; ``to`` names the zone it came from
    "discarded": (SEAT, COUNT, OWN_CARDS, TO),  # ``to`` names the zone they came from
    "revealed": (SEAT, CARD, TO),  # ``to`` names the zone it was shown from
    "looked": (SEAT, COUNT, ("order", _order, OWNER)),  # at the top of the own deck, top first
    "named": (SEAT, CARD),
    "copied": (SEAT, CARD),  # the card in hand whose effect is carried out
    "took": (SEAT, CARD),  # a revealed card, into the hand
    "fetched": (SEAT, COUNT, OWN_CARDS, TO),  # into the hand; ``to`` names the zone
    "put-back": (SEAT, COUNT, ("order", _order, OWNER)),  # what lay aside, on the deck
    "ordered": (SEAT, COUNT, ("order", _order, OWNER)),  # the top of the own deck, top first
    "put-on-deck": (SEAT, CARD, TO),  # ``to`` names the zone it came from
    "scored": (SEAT, COUNT),  # VP at once
    "paid": (SEAT, MONEY),  # for an effect
    "put-down": (SEAT, COUNT, ("order", _order, OWNER)),  # from hand on the deck, top first
    "attacked": (SEAT, CARD),  # with the card that attacks
    "spared": (SEAT,),  # a revealed reaction: the attack passes it by
    "gave-up": (SEAT, CARD),  # discarded from hand because its type was wanted
    "conceded": (SEAT, MONEY),  # let the attacker have the money instead
    "bonus": (SEAT, WHAT, COUNT),  # a route bonus, by id, with its VP
    "bonus-used": (SEAT, WHAT),  # its ability; it leaves the game
    "trashed": (SEAT, CARD, TO),  # ``to`` names the zone it came from
    "this-turn": (SEAT, WHAT),  # a running effect begins
    "cleaned-up": (SEAT, COUNT, OWN_CARDS),  # with the cards left in hand
    "over": (WHAT,),
}


def events_for(setting: Setting, facts: Iterable[Fact], audience: int) -> list[Event]:
    """The events of an audience: a seat, ``SPECTATOR`` or ``RECORD``.

    Every audience gets an event for every fact, so that neither numbers nor order tell anything;
    what differs is which fields are there.
    """
    return events_for_all(setting, facts, (audience,))[audience]


def events_for_all(
    setting: Setting, facts: Iterable[Fact], audiences: Iterable[int]
) -> dict[int, list[Event]]:
    """The events of several audiences; an event that is the same for some is the same object."""
    told: dict[int, list[Event]] = {audience: [] for audience in audiences}
    for fact in facts:
        made: dict[Fact, Event] = {}
        for audience, events in told.items():
            part = part_for(fact, audience)
            if part not in made:
                made[part] = event_of(setting, part)
            events.append(made[part])
    return told


def part_for(fact: Fact, audience: int) -> Fact:
    """What an audience may know of a fact: the fact itself, with None for what is hidden."""
    kind = fact[0]
    if kind not in PRIVATE or audience == RECORD:
        return fact
    owner = audience == fact[1] and audience != SPECTATOR
    places = HIDDEN[kind][OWNER if owner else ALL]
    if not places:
        return fact
    part = list(fact)
    for place in places:
        part[place] = None
    return tuple(part)


def owner_of(fact: Fact) -> int:
    """The seat that may know more of a fact than others; ``SPECTATOR`` if there is none."""
    return int(fact[1]) if fact[0] in PRIVATE else SPECTATOR


def event_of(setting: Setting, part: Fact) -> Event:
    """The event of a fact, or of a part of it (:func:`part_for`)."""
    kind = part[0]
    seen: dict[str, Any] = {}
    for place, (name, form, _) in enumerate(FIELDS[kind], 1):
        value = part[place]
        if value is not None:
            seen[name] = value if form is None else form(setting, value)
    return Event(kind, **seen)


def seats_in(facts: Iterable[Fact]) -> set[int]:
    """The seats to whom these facts happened: nothing of any other seat has changed, except what
    its rails are worth."""
    return {fact[1] for fact in facts if FIELDS[fact[0]][0] is SEAT}


PRIVATE = frozenset(kind for kind, fields in FIELDS.items() if any(who for *_, who in fields))
"""The kinds of which some audience is told less than another."""

HIDDEN = {
    kind: {
        allowed: [place for place, (*_, who) in enumerate(FIELDS[kind], 1) if who > allowed]
        for allowed in (ALL, OWNER)
    }
    for kind in PRIVATE
}
"""The places of their values that everybody, or their owner, may not know."""
