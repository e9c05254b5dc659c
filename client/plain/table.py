"""What lies on the table, as lines: hands, the supply, everybody's score, a card, the places.

Presenters: each takes the model and returns lines; none changes anything or prints.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import UNSET

from client.model import TableModel
from client.plain.board import letter_of, rails_text, terrain_text
from client.plain.lines import WIDTH, Glyphs, Line, clip, grid, listing, pad, safe, text, wrap
from engine.types import CardInfo

NOT_YET = "The game has not begun."
COLUMNS = (
    "track: points scored for good; rails: what the rails on the board are worth as it stands; "
    "sum: both, without victory cards. help scoring tells more."
)


def hand(model: TableModel) -> list[Line]:
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
        lines += wrap(label + names, indent="  ")
    if view.own.top:
        known = ", ".join(safe(model.card_name(card), 40) for card in view.own.top)
        lines += wrap(f"On top of the deck, next first: {known}", indent="  ")
    return lines


def cards_text(model: TableModel, cards: Mapping[str, int]) -> str:
    """``2 Normal Train, Waste``, in catalogue order."""
    order = {card: n for n, card in enumerate(model.cards)}
    known = sorted(cards.items(), key=lambda item: order.get(item[0], len(order)))
    return listing((safe(model.card_name(card), 40), count) for card, count in known)


def supply(model: TableModel) -> list[Line]:
    """Every pile with its price, what it is worth and how much is left."""
    if model.view is None or model.catalogue is None:
        return [text(NOT_YET)]
    entries: list[Line] = []
    for pile in model.catalogue.supply:
        card = model.cards.get(pile)
        left = model.view.supply.get(pile, 0)
        amount = f"{left:>2} left" if left else "  none"
        price = f"${card.cost}" if card and card.type != "waste" else " -"
        name = clip(safe(card.name if card else pile, 40), 21)
        entries.append(
            [
                ("class:price", price.rjust(3)),
                ("" if left else "class:hint", f" {pad(name, 21)} {worth(card):>5} "),
                ("class:hint" if left else "class:warning", amount),
            ]
        )
    return [*grid(entries), [("class:hint", "card NAME tells what a card does")]]


def worth(card: CardInfo | None) -> str:
    """``+2`` for money, ``3 VP`` for victory points."""
    if card is None:
        return ""
    if card.vp:
        return f"{card.vp} VP"
    return f"+{card.value}" if card.value else ""


def scores(model: TableModel) -> list[Line]:
    """All seats: score so far, rails, cards; and what runs this turn."""
    view = model.view
    if view is None:
        return [text(NOT_YET)]
    head = f"   {'':20} {'track':>5} {'rails':>5} {'sum':>4}   {'rails left':>10} "
    lines: list[Line] = [[("class:label", f"{head}{'hand':>5} {'deck':>5} {'discard':>8}")]]
    for number in sorted(int(seat) for seat in view.seats):
        seat = view.seats[str(number)]
        moves = ">" if view.phase != "over" and number == view.turn.seat else " "
        name = pad(clip(safe(model.name(number), 40), 20), 20)
        line = f"{moves}{letter_of(number, model.seat)} {name} {seat.score:>5} {seat.rails_vp:>5}"
        line += f" {seat.score + seat.rails_vp:>4}   {seat.rails_left:>10} "
        line += f"{seat.hand:>5} {seat.deck:>5} {seat.discard:>8}"
        lines.append([("class:own" if number == model.seat else "", line)])
    lines += wrap("; ".join(_shared(model)) + ".", indent="  ")
    lines += wrap(f"  {COLUMNS}", indent="  ")
    if view.phase != "over":
        lines += status(model)
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


def status(model: TableModel) -> list[Line]:
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
            safe(name, 40).replace("-", " ") + (f" ×{times}" if times > 1 else "")
            for name, times in turn.effects.items()
        )
        words += "; this turn: " + ", ".join(running)
    return wrap(words + ".", indent="  ")


def points(number: int) -> str:
    return "1 rail point" if number == 1 else f"{number} rail points"


def card(model: TableModel, name: str) -> list[Line]:
    """One card in full; ``name`` is the start of its name or id."""
    if not model.cards:
        return [text(NOT_YET)]
    found = find_card(model, name)
    if not found:
        return [text(f"No card is called “{clip(safe(name), 40)}”; supply lists them.")]
    if len(found) > 1:
        names = ", ".join(safe(one.name, 40) for one in found)
        return wrap(f"Which one? {names}.", indent="  ")
    info = found[0]
    facts = [info.type, f"costs {info.cost}"]
    if info.value:
        facts.append(f"+{info.value} money")
    if info.vp:
        facts.append(f"{info.vp} VP")
    lines = [[("class:heading", safe(info.name, 60)), ("", f" - {', '.join(facts)}")]]
    for sentence in (info.text, info.rulings):
        if sentence:
            lines += wrap("  " + safe(sentence, 2000), indent="  ")
    if info.house:
        lines += [text("  (Some of its facts are this project's own design.)")]
    return lines


def find_card(model: TableModel, name: str) -> list[CardInfo]:
    """The cards whose name or id is, or else begins with, or else contains this text."""
    wanted = " ".join(name.lower().replace("-", " ").split())
    if not wanted:
        return []
    named = [
        (info, (info.name.lower(), info.id.replace("-", " "))) for info in model.cards.values()
    ]
    for fits in (str.__eq__, str.startswith, str.__contains__):
        found = [info for info, names in named if any(fits(one, wanted) for one in names)]
        if found:
            return found
    return []


def places(model: TableModel, glyphs: Glyphs, width: int = WIDTH) -> list[Line]:
    """Cities and remote locations: where, what they are called, stations, whose rails."""
    if model.catalogue is None:
        return [text(NOT_YET)]
    entries: list[Line] = []
    for name, info in model.catalogue.board.hexes.items():
        if not info.title:
            continue
        lies = model.view.hexes.get(name) if model.view else None
        sign = terrain_text(info, lies.stations if lies else 0, glyphs)
        rails = rails_text(lies.rails, model.seat) if lies else ""
        title = clip(safe(info.title, 40), 15)
        entries.append(
            [("class:label", f"{name:<3} "), ("", f"{pad(title, 15)} {sign:<3} {rails:<3}")]
        )
    barriers = ", ".join(f"{one}|{other}" for one, other in model.catalogue.board.barriers)
    tail = wrap(f"Barriers: {barriers}", width, "  ") if barriers else []
    return [*grid(entries, width=width), *tail]
