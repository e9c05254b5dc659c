"""What lies on the table, as lines: hands, the supply, everybody's score, a card, the places.

Presenters: each takes the model and returns lines; none changes anything or prints.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import UNSET

from client.model import TableModel
from client.plain.board import letter_of, rails_text, terrain_text
from client.plain.lines import (
    WIDTH,
    Glyphs,
    Line,
    clip,
    columns_of,
    fold,
    grid,
    listing,
    pad,
    safe,
    text,
    wrap,
)
from engine.types import CardInfo
from protocol.matching import meant

NOT_YET = "The game has not begun."
START_MARK = "S: marked to start from"
EFFECTS = {
    "waive-river": "no surcharge for rivers",
    "waive-mountain": "no surcharge for mountains",
    "waive-city": "no surcharge for cities and their stations",
    "waive-opponents": "no surcharge and no Waste for other players' rails",
    "waive-money": "no surcharge in money for rails",
    "no-waste": "you gain no Waste",
    "buy-to-deck": "what you buy may go on your deck",
    "rail-card-money": "2 money for each Rail card",
    "rail-card-point": "1 rail point more for each Rail card",
    "remote-discount": "remote locations are 1 cheaper",
    "draw-at-station": "a card for each rail in a city with a station",
    "next-buy-to-deck": "what you buy next goes on your deck",
    "next-buy-discount": "what you buy next is 2 cheaper",
}
"""What runs until the end of a turn, in a few words."""
ICON = "A"
"""What stands beside a card with the action icon."""
SUPPLY_LEGEND = f"{ICON} action icon; card NAME tells what a card does"
COLUMNS = (
    "track: points scored for good; rails: what the rails on the board are worth as it stands; "
    "sum: both, without victory cards; to lay: rails left. help scoring tells more."
)


def hand(model: TableModel, width: int = WIDTH) -> list[Line]:
    """The reader's own cards: hand, in play, gained, what is in deck and discard pile, what is
    revealed, and what is known to lie on top of the deck."""
    view = model.view
    if view is None:
        return [text(NOT_YET)]
    if view.own is UNSET or str(model.seat) not in view.seats:
        return [text("You watch: you hold no cards.")]
    seat = view.seats[str(model.seat)]
    zones = [("Hand", view.own.hand), ("In play", seat.play), ("Gained", seat.gained)]
    zones += [("Deck, in some order", view.own.deck), ("Discard pile", view.own.discard)]
    if seat.revealed:
        zones.append(("Revealed", seat.revealed))
    lines: list[Line] = []
    for title, cards in zones:
        amount = sum(cards.values())
        names = cards_text(model, cards) if cards else "empty"
        label = f"{title} ({amount}): " if amount else f"{title}: "
        lines += wrap(label + names, width, "  ")
    if view.own.top:
        known = ", ".join(safe(model.card_name(card), 40) for card in view.own.top)
        lines += wrap(f"On top of the deck, next first: {known}", width, "  ")
    return lines


def cards_text(model: TableModel, cards: Mapping[str, int]) -> str:
    """``2 Normal Train, Waste``, in catalogue order."""
    order = {card: n for n, card in enumerate(model.cards)}
    known = sorted(cards.items(), key=lambda item: order.get(item[0], len(order)))
    return listing((safe(model.card_name(card), 40), count) for card, count in known)


def supply(model: TableModel, width: int = WIDTH) -> list[Line]:
    """Every pile with its price, what it is worth and how much is left."""
    if model.view is None or model.catalogue is None:
        return [text(NOT_YET)]
    entries: list[Line] = []
    names = {pile: safe(model.card_name(pile), 40) for pile in model.catalogue.supply}
    room = max(map(columns_of, names.values()), default=0)
    for pile, name in names.items():
        card = model.cards.get(pile)
        left = model.view.supply.get(pile, 0)
        amount = f"{left:>2} left" if left else "  none"
        price = f"${card.cost}" if card and card.type != "waste" else " -"
        mark = ICON if card and card.action else " "
        entries.append(
            [
                ("class:price", price.rjust(3)),
                ("" if left else "class:hint", f" {pad(name, room)} {mark}{worth(card):>4} "),
                ("class:hint" if left else "class:warning", amount),
            ]
        )
    return [*grid(entries, width=width), [("class:hint", SUPPLY_LEGEND)]]


def worth(card: CardInfo | None) -> str:
    """``+2`` for money, ``3 VP`` for victory points."""
    if card is None:
        return ""
    if card.vp:
        return f"{card.vp} VP"
    return f"+{card.value}" if card.value else ""


def scores(model: TableModel, width: int = WIDTH) -> list[Line]:
    """All seats: score so far, rails, cards; and what runs this turn."""
    view = model.view
    if view is None:
        return [text(NOT_YET)]
    names = [columns_of(safe(model.name(int(seat)), 40)) for seat in view.seats]
    room = max(4, min(20, max(names, default=0), width - 42))
    head = f"   {'':{room}} {'track':>5} {'rails':>5} {'sum':>4} "
    heads = ("to lay", "hand", "deck", "discard")
    if width < room + 48:
        heads = ("lay", "hand", "deck", "dis")
    sizes = [max(4, len(word)) for word in heads]
    head += " ".join(word.rjust(size) for word, size in zip(heads, sizes, strict=True))
    lines: list[Line] = [[("class:label", head)]]
    for number in sorted(int(seat) for seat in view.seats):
        seat = view.seats[str(number)]
        moves = ">" if view.phase != "over" and number == view.turn.seat else " "
        name = pad(clip(safe(model.name(number), 40), room), room)
        line = f"{moves}{letter_of(number, model.seat)} {name} {seat.score:>5} {seat.rails_vp:>5}"
        line += f" {seat.score + seat.rails_vp:>4} "
        counts = (seat.rails_left, seat.hand, seat.deck, seat.discard)
        line += " ".join(f"{n:>{size}}" for n, size in zip(counts, sizes, strict=True))
        lines.append([("class:own" if number == model.seat else "", line)])
    lines += wrap("; ".join(_shared(model)) + ".", width, "  ")
    lines += wrap(f"  {COLUMNS}", width, "  ")
    if view.phase != "over":
        lines += status(model, width)
    return lines


def _shared(model: TableModel) -> Iterable[str]:
    view = model.view
    assert view is not None
    yield f"Stations left: {view.stations_left}"
    empty = [p for p, left in view.supply.items() if not left]
    piles = ", ".join(safe(model.card_name(pile), 40) for pile in empty) or "none"
    yield f"empty piles: {piles}"
    trashed = sum(view.trash.values())
    if trashed:
        yield f"trashed: {cards_text(model, view.trash)}"
    for seat in sorted(view.seats, key=int):
        if view.seats[seat].revealed:
            revealed = cards_text(model, view.seats[seat].revealed)
            yield f"revealed by {safe(model.name(int(seat)), 20)}: {revealed}"


def status(model: TableModel, width: int = WIDTH) -> list[Line]:
    """The running turn in a sentence or two."""
    view = model.view
    if view is None or view.phase == "over":
        return []
    turn = view.turn
    mine = turn.seat == model.seat
    who = "You have" if mine else f"Turn {turn.number}, {safe(model.name(turn.seat), 20)} has"
    words = f"{who} {turn.money} money and {points(turn.rail_points)}"
    if turn.effects:
        running = (
            EFFECTS.get(name, safe(name, 40).replace("-", " ")) + (f" (×{n})" if n > 1 else "")
            for name, n in turn.effects.items()
        )
        words += "; this turn: " + "; ".join(running)
    return wrap(words + ".", width, "  ")


def points(number: int) -> str:
    return "1 rail point" if number == 1 else f"{number} rail points"


def card(model: TableModel, name: str, width: int = WIDTH) -> list[Line]:
    """One card in full; ``name`` is the start of its name or id."""
    if not model.cards:
        return [text(NOT_YET)]
    found = find_card(model, name)
    if not found:
        return wrap(_no_card(model, name), width, "  ")
    if len(found) > 1:
        names = ", ".join(safe(one.name, 40) for one in found)
        return wrap(f"Which one? {names}.", width, "  ")
    info = found[0]
    facts = [info.type, *["action icon"] * info.action, f"costs {info.cost}"]
    if info.value:
        facts.append(f"+{info.value} money")
    if info.vp:
        facts.append(f"{info.vp} VP")
    if info.reaction:
        facts.append("reaction")
    facts.append(f"box {safe(info.box, 20)}")
    heading: Line = [("class:heading", safe(info.name, 60)), ("", f" - {', '.join(facts)}")]
    lines = fold(heading, width)
    for sentence in (info.text, info.rulings):
        if sentence:
            lines += wrap("  " + safe(sentence, 2000), width, "  ")
    return lines + provenance(info.source, width, house=info.house)


def kind(info: CardInfo) -> str:
    """``Train, action icon``: the type, and the icon where the type does not say it."""
    name = safe(info.type, 20).capitalize()
    told = info.type == "action"
    icon = "" if info.action == told else ", action icon" if info.action else ", no action icon"
    return name + icon


def _no_card(model: TableModel, name: str) -> str:
    """Why there is no such card here; some are known to be in boxes, but not in this game."""
    absent = model.catalogue.absent if model.catalogue is not None else {}
    found = meant(name, {card: (card,) for card in absent})
    if found:
        names = ", ".join(f"{safe(one, 40)} (box {safe(absent[one], 20)})" for one in found[:4])
        return f"Not in this game: {names}. supply lists the cards of this game."
    return f"No card is called “{clip(safe(name), 40)}”; supply lists those of this game."


def provenance(source: str, width: int, *, house: bool) -> list[Line]:
    """Where facts come from; said only where some are this project's own."""
    if not house:
        return []
    told = f" ({safe(source, 300)})" if source else ""
    lines = wrap(f"  Some of this is Senro's own design{told}.", width, "  ")
    return [[("class:hint", line[0][1])] for line in lines]


def card_offers(model: TableModel | None) -> Iterable[tuple[str, str]]:
    """The names of the cards, each with a few facts."""
    for info in model.cards.values() if model is not None else ():
        yield safe(info.name, 40), f"{info.type}, costs {info.cost}"


def find_card(model: TableModel, name: str) -> list[CardInfo]:
    """The cards that this may mean (see :mod:`protocol.matching`)."""
    names = {card: (info.name, card) for card, info in model.cards.items()}
    return [model.cards[card] for card in meant(name, names)]


def places(model: TableModel, glyphs: Glyphs, width: int = WIDTH) -> list[Line]:
    """Cities and remote locations: where, what they are called, stations, whose rails."""
    if model.catalogue is None:
        return [text(NOT_YET)]
    entries: list[Line] = []
    titles = [safe(info.title, 40) for info in model.catalogue.board.hexes.values()]
    room = max(map(columns_of, titles), default=0)
    for name, info in model.catalogue.board.hexes.items():
        if not info.title:
            continue
        lies = model.view.hexes.get(name) if model.view else None
        sign = terrain_text(info, lies.stations if lies else 0, glyphs)
        rails = rails_text(lies.rails, model.seat) if lies else ""
        mark = " S" if name in model.starts else ""
        entries.append(
            [
                ("class:label", f"{name:<4}"),
                ("", f"{pad(safe(info.title, 40), room)} {sign:<3} {rails:<3}{mark}"),
            ]
        )
    barriers = ", ".join(f"{one}|{other}" for one, other in model.catalogue.board.barriers)
    tail = wrap(f"Barriers: {barriers}", width, "  ") if barriers else []
    if model.starts:
        tail += wrap(START_MARK, width, "  ")
    return [*grid(entries, width=width), *tail]
