"""How cards move, each move with its fact for the history.  It asks nobody anything.

Every function takes the game first.  What becomes known to whom by a move is said in
:mod:`engine.events`, not here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.chance import Stream
from engine.running import NO_WASTE

if TYPE_CHECKING:
    from engine.game import Game
    from engine.state import Zone


def draw(game: Game, seat: int, count: int) -> None:
    """From deck to hand, shuffling as needed; stops when both piles are used up."""
    me = game.state.seats[seat]
    hand, drawn = me.hand, []
    for _ in range(count):
        if not me.deck and not shuffle(game, seat):
            break
        card = me.deck.pop()
        hand[card] += 1
        drawn.append(card)
    if drawn:
        me.known = max(0, me.known - len(drawn))
        game.facts.append(("drew", seat, len(drawn), tuple(drawn)))


def shuffle(game: Game, seat: int) -> bool:
    """Make the discard pile a new deck below what is left of the old one, which must be empty.
    False if there is nothing to shuffle."""
    me = game.state.seats[seat]
    deck = cards_in(me.discard)
    if not deck:
        return False
    Stream(game.setup.seed, f"shuffle/{seat}/{me.shuffles}").shuffle(deck)
    me.shuffles += 1
    me.deck = deck
    me.known = 0
    me.discard = [0] * len(me.discard)
    game.facts.append(("shuffled", seat, len(deck), tuple(reversed(deck))))
    return True


def cards_in(zone: Zone) -> list[int]:
    """The cards of a zone one by one, in catalogue order."""
    return [card for card, count in enumerate(zone) if count for _ in range(count)]


def take_from_supply(game: Game, card: int) -> None:
    """One card off its pile, which must not be empty."""
    supply = game.state.supply
    supply[card] -= 1
    if not supply[card]:
        game.masks.piles &= ~(1 << card)


def gain(game: Game, seat: int, card: int, to: str = "gained") -> None:
    """From the supply to the gained area, or to the ``hand``; the pile must not be empty (rules,
    section 4)."""
    take_from_supply(game, card)
    me = game.state.seats[seat]
    (me.hand if to == "hand" else me.gained)[card] += 1
    game.facts.append(("gained", seat, card, to))


def gain_waste(game: Game, seat: int) -> None:
    """Gain one Waste, unless the pile is empty or *no Waste* runs for this seat."""
    if waste_to_come(game, seat):
        gain(game, seat, game.setting.waste)


def waste_to_come(game: Game, seat: int) -> int:
    """How much Waste gaining one would really bring: 1 or 0."""
    state = game.state
    if not state.supply[game.setting.waste]:
        return 0
    return 0 if state.running[NO_WASTE] and seat == state.active else 1


def return_waste(game: Game, seat: int, zone: Zone, name: str, count: int) -> None:
    """``count`` Waste from a zone of the seat (whose name is for the history) to its pile."""
    waste = game.setting.waste
    zone[waste] -= count
    game.state.supply[waste] += count
    if count:
        game.masks.piles |= 1 << waste
    game.facts.append(("returned", seat, count, name))


def discard(game: Game, seat: int, cards: list[int]) -> None:
    """From hand to the discard pile; to others only the number is known."""
    me = game.state.seats[seat]
    for card in cards:
        me.hand[card] -= 1
        me.discard[card] += 1
    game.facts.append(("discarded", seat, len(cards), tuple(cards), "hand"))


def trash(game: Game, seat: int, card: int, zone: Zone, name: str) -> None:
    """From a zone of the seat (whose name is for the history) out of the game."""
    zone[card] -= 1
    game.state.trash[card] += 1
    game.facts.append(("trashed", seat, card, name))


def put_on_deck(game: Game, seat: int, card: int, zone: Zone, name: str) -> None:
    """From an open zone of the seat on top of its deck."""
    me = game.state.seats[seat]
    zone[card] -= 1
    me.deck.append(card)
    me.known += 1
    game.facts.append(("put-on-deck", seat, card, name))


def hand_to_deck(game: Game, seat: int, cards: list[int]) -> None:
    """From hand on top of the deck, in this order, top first; others know only the number."""
    me = game.state.seats[seat]
    for card in reversed(cards):
        me.hand[card] -= 1
        me.deck.append(card)
    me.known += len(cards)
    game.facts.append(("put-down", seat, len(cards), tuple(cards)))


def has_top(game: Game, seat: int) -> bool:
    """Whether the deck has a top card; shuffles if it must for that."""
    return bool(game.state.seats[seat].deck) or shuffle(game, seat)


def look(game: Game, seat: int, count: int) -> int:
    """Let the owner look at the top cards of the deck; how many there are to look at.  What the
    deck lacks comes from the discard pile, shuffled below it."""
    me = game.state.seats[seat]
    if len(me.deck) < count and any(me.discard):
        top, known = me.deck, me.known
        shuffle(game, seat)
        me.deck += top
        me.known = known
    seen = min(count, len(me.deck))
    if seen:
        me.known = max(me.known, seen)
        game.facts.append(("looked", seat, seen, tuple(me.deck[: -seen - 1 : -1])))
    return seen


def reveal_top(game: Game, seat: int) -> int:
    """Reveal the top card of the deck and lay it aside; returns it, or -1 if there is none."""
    if not has_top(game, seat):
        return -1
    me = game.state.seats[seat]
    card = me.deck.pop()
    me.known = max(0, me.known - 1)
    me.aside[card] += 1
    game.facts.append(("revealed", seat, card, "deck"))
    return card


def take_aside(game: Game, seat: int, card: int) -> None:
    """A revealed card into the hand."""
    me = game.state.seats[seat]
    me.aside[card] -= 1
    me.hand[card] += 1
    game.facts.append(("took", seat, card))


def discard_aside(game: Game, seat: int) -> None:
    """All that lies aside to the discard pile."""
    me = game.state.seats[seat]
    cards = cards_in(me.aside)
    me.discard = [a + b for a, b in zip(me.discard, me.aside, strict=True)]
    me.aside = [0] * len(me.aside)
    if cards:
        game.facts.append(("discarded", seat, len(cards), tuple(cards), "aside"))


def put_aside_back(game: Game, seat: int, cards: list[int]) -> None:
    """All that lies aside back on the deck, in this order, top first."""
    me = game.state.seats[seat]
    me.deck += reversed(cards)
    me.known += len(cards)
    me.aside = [0] * len(me.aside)
    if cards:
        game.facts.append(("put-back", seat, len(cards), tuple(cards)))


def clean_up(game: Game, seat: int) -> None:
    """Play area, gained area and hand to the discard pile (rules, section 3)."""
    me = game.state.seats[seat]
    left = cards_in(me.hand)
    me.discard = [
        a + b + c + d for a, b, c, d in zip(me.discard, me.play, me.gained, me.hand, strict=True)
    ]
    kinds = len(me.hand)
    me.hand, me.play, me.gained = [0] * kinds, [0] * kinds, [0] * kinds
    game.facts.append(("cleaned-up", seat, len(left), tuple(left)))
