"""What a newcomer has to be told: the table in a few lines, how to play, what scores, the cards.

Only words; whoever shows them decides when.  The rules themselves are kept by the server.
"""

from __future__ import annotations

from msgspec import UNSET

from client.model import TableModel
from client.plain.board import letter_of
from client.plain.bonuses import revealed
from client.plain.lines import NARROWEST, WIDTH, Line, columns_of, pad, safe, text, wrap
from client.plain.table import NOT_YET, cards_text, kind
from engine.types import CardInfo

BASIC = frozenset(
    {"normal-train", "express-train", "limited-express-train", "lay-rails", "station-expansion"}
)
"""The cards that every game has, besides the victory cards and Waste."""

HOUSE = "some of its facts are Senro's own design; card NAME says which."
PROSE = 100
"""Longer lines of prose are hard to read."""

RULES = """\
The most points at the end win. They come from your rails in cities with stations, from your
rails on remote locations, and from victory cards (help scoring).

A turn starts with five cards in hand. Play, buy and lay in any order, as often as you can.

Play: Train cards bring money (+1, +2, +3). Other cards do what their text says.

Buy: with the money of this turn. A new card comes into your hand in a later turn, when your
deck has been shuffled again. Victory cards bring a Waste along.

Lay: a rail card gives a rail point; with it a rail goes on a hex next to your own rails.

A rail costs: plain 0, river 1, mountain 2, a city 1 and 1 more for each station there, a
remote location its number; everywhere 1 more for each other player's rail there.

Where others have rails, and by most rail and station cards, you gain a Waste: a card that is
of no use in your hand.

A turn spent on nothing else gets rid of all Waste in your hand: clear-waste.

end ends your turn: money and rail points left are lost, all cards go to your discard pile, and
you draw five. An empty deck is shuffled anew from the discard pile.

The game ends when four piles are empty, all stations are built, or somebody has laid all rails.
"""

ATTACKS = """\
A card that says ATTACK hits all other players. Who holds one that says REACTION is asked whether to
reveal it: then the attack passes them by, and they keep it."""

BONUSES = """\
A route bonus goes to whose rails first join all its cities: its points at once, and its ability for
once, in a turn of theirs. bonuses lists them."""

SCORING = """\
A rail in a city is worth 0, 2, 4 or 8 points with 0, 1, 2 or 3 stations there, whoever has built
them; everybody with a rail there gets them.

A rail on a remote location is worth its number.

Victory cards count what they say (VP), wherever you have them.

A few cards, and route bonuses, score at once, on the score track.

The most points win; among equals, more rails on the board.
"""


def rules(width: int = WIDTH, model: TableModel | None = None) -> list[Line]:
    """How to play, with what only some games have if this one has it."""
    told = RULES.rstrip()
    if model is not None and any(card.reaction for card in model.cards.values()):
        told += f"\n\n{ATTACKS}"
    if model is not None and revealed(model):
        told += f"\n\n{BONUSES}"
    return _listed("How to play", told, width)


def scoring(width: int = WIDTH) -> list[Line]:
    return _listed("What scores", SCORING, width)


def _listed(title: str, paragraphs: str, width: int) -> list[Line]:
    lines: list[Line] = [[("class:heading", title)]]
    for number, sentence in enumerate(paragraphs.split("\n\n"), 1):
        lines += wrap(f"{number:>2} {sentence}", min(width, PROSE), "   ")
    return lines


def introduction(model: TableModel, *, newcomer: bool = True, width: int = WIDTH) -> list[Line]:
    """Board, players with their letters, the cards in play, and where to read on."""
    if model.catalogue is None:
        return []
    names = ", ".join(
        f"{letter_of(seat, model.seat)} {safe(name, 20)}{' (you)' if seat == model.seat else ''}"
        for seat, name in enumerate(model.names)
    )
    kingdom = ", ".join(safe(card.name, 40) for card in kingdom_cards(model))
    board = safe(model.catalogue.board.name, 40)
    house = " (a board of Senro's own)" if model.catalogue.board.house else ""
    lines = wrap(f"{board}{house}, in turn order: {names}.", width, "  ")
    lines += wrap(f"Cards: {kingdom}.", width, "  ")
    lines += wrap(f"Victory cards: {', '.join(_victory(model))}.", width, "  ")
    if model.view is not None and model.view.bonuses:
        bonuses = ", ".join(f"{safe(b.name, 40)} ({b.vp} VP)" for b in revealed(model))
        lines += wrap(f"Route bonuses: {bonuses}; bonuses tells more.", width, "  ")
    if newcomer:
        words = "New here? help rules: how to play; help scoring; cards: what they do."
        lines += wrap(words, width, "  ")
    return lines


def kingdom_cards(model: TableModel) -> list[CardInfo]:
    """The randomizer cards of this table."""
    return [card for card in _in_supply(model) if not _basic(card)]


def _victory(model: TableModel) -> list[str]:
    return [f"{safe(card.name, 40)} {card.vp} VP" for card in _in_supply(model) if card.vp]


def _in_supply(model: TableModel) -> list[CardInfo]:
    if model.catalogue is None:
        return []
    piles = frozenset(model.catalogue.supply)
    return [card for card in model.catalogue.cards if card.id in piles]


def _basic(card: CardInfo) -> bool:
    return card.id in BASIC or card.type in {"victory", "waste"}


def cards(model: TableModel, width: int = WIDTH) -> list[Line]:
    """The cards of this table with cost, value and text: what is peculiar to it first."""
    if model.catalogue is None:
        return [text(NOT_YET)]
    piles = _in_supply(model)
    ordered = [*kingdom_cards(model), *(card for card in piles if _basic(card))]
    lines: list[Line] = []
    room = max((columns_of(safe(card.name, 40)) for card in ordered), default=0)
    for card in ordered:
        price = "-" if card.type == "waste" else f"${card.cost}"
        worth = f"{card.vp}VP" if card.vp else f"+{card.value}" if card.value else ""
        told = f"{kind(card)}. {safe(card.text, 400)}" + (" (house)" if card.house else "")
        first, *more = wrap(told.strip(), max(NARROWEST, width - room - 11))
        name = pad(safe(card.name, 40), room)
        lines.append([("class:price", f"{price:>3} "), ("", f"{name} {worth:>3}  "), *first])
        lines += [[("", " " * (room + 10)), *line] for line in more]
    if any(card.house for card in ordered):
        lines += wrap(f"(house): {HOUSE}", width, "  ")
    return lines


def own_victory(model: TableModel, width: int = WIDTH) -> list[Line]:
    """What the reader's victory cards are worth; nothing for a watcher."""
    view = model.view
    if view is None or view.own is UNSET or str(model.seat) not in view.seats:
        return []
    seat = view.seats[str(model.seat)]
    held: dict[str, int] = {}
    for zone in (view.own.hand, view.own.deck, view.own.discard, seat.play, seat.gained):
        for name, count in zone.items():
            card = model.cards.get(name)
            if card is not None and card.vp and count:
                held[name] = held.get(name, 0) + count
    worth = sum(model.cards[name].vp * count for name, count in held.items())
    what = cards_text(model, held) if held else "none yet"
    words = f"Your victory cards: {what}{f', worth {worth}' if held else ''}."
    if view.phase != "over":
        words += " Those of others stay unknown until the end."
    return wrap("  " + words, width, "  ")
