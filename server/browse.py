"""``senro-server cards``, ``boards``, ``sets`` and ``bonuses``: what one can play with.

It reads the boxes that come with the engine and prints them; no server has to run.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches

from engine.board import Board, BoardSpec
from engine.bonuses import BonusSpec
from engine.boxes import Box, Kingdom, known_boxes, load_boxes
from engine.cards import CardSpec
from engine.text import Words
from engine.types import CardInfo
from protocol.matching import meant
from protocol.names import shorten
from server.flags import Parser, one_of, until_nobody_reads, whole

PROGRAM = "senro-server"
WIDTH = 80
TYPES = ("train", "rail", "station", "action", "victory", "waste")
HOUSE = "Senro's own design"


def main(argv: Sequence[str]) -> int:
    """Run one of the commands; returns the exit code.  Exits with 2 for what is not there."""
    boxes = load_boxes(tuple(known_boxes()))
    lines = COMMANDS[argv[0]](boxes, argv[1:])
    return until_nobody_reads(PROGRAM, lambda: print("\n".join(lines)))


def wants_browsing(argv: Sequence[str]) -> bool:
    """Whether these arguments ask for one of these commands and not for a server."""
    return bool(argv) and argv[0] in COMMANDS


def _wrapped(text: str, indent: str = "  ") -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent)


def _head(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, subsequent_indent="    ", break_on_hyphens=False)


def _meant(parser: Parser, typed: str, things: Mapping[str, Sequence[str]], what: str) -> list[str]:
    """The things that may be meant.  Exits with what is like it if there is none."""
    found = meant(typed, things)
    if not found:
        names = {name.casefold(): names[-1] for names in things.values() for name in names}
        close = dict.fromkeys(names[n] for n in get_close_matches(typed.casefold(), names, 4))
        there = f"is it {' or '.join(close)}?" if close else ""
        if not there and len(things) <= 10:
            there = f"there are {', '.join(things)}"
        shown = f"there is no {what} “{shorten(typed, 40)}”"
        parser.error(f"{shown}; {there or f'{parser.prog} alone lists them'}")
    return found


# ------------------------------------------------------------------ cards


def _cards(boxes: Sequence[Box], argv: Sequence[str]) -> Iterable[str]:
    parser = Parser(prog=f"{PROGRAM} cards", description="Look at the cards.")
    parser.add_argument("name", nargs="*", metavar="NAME", help="only cards that are called so")
    of_box = one_of(box.id for box in boxes)
    parser.add_argument("--box", type=of_box, metavar="BOX", help="only cards of this box")
    types = ", ".join(TYPES)
    parser.add_argument("--type", type=one_of(TYPES), metavar="TYPE", help=f"only {types}")
    parser.add_argument("--cost", type=whole(0, 99), metavar="N", help="only cards of this cost")
    flags = parser.parse_args(argv)
    cards = {card.id: card for box in boxes for card in box.cards}
    found = list(cards)
    if flags.name:
        names = {card.id: (card.id, card.name) for card in cards.values()}
        found = _meant(parser, " ".join(flags.name), names, "card")
    shown = [cards[name] for name in found]
    so_far = [f"called {shorten(' '.join(flags.name), 40)}"] if flags.name else []
    for field in ("box", "type", "cost"):
        wanted = getattr(flags, field)
        if wanted is None:
            continue
        left = [card for card in shown if getattr(card, field) == wanted]
        if not left:
            there = ", ".join(map(str, sorted({getattr(card, field) for card in shown})))
            those = "".join(f" {words}" for words in so_far)
            parser.error(f"no card{those} is of {field} {wanted}; there is {there}")
        shown = left
        so_far.append(f"of {field} {wanted}")
    words = Words()
    if len(shown) == 1:
        return _whole_card(words.card(shown[0]))
    return _list(words, shown)


def _list(words: Words, cards: Sequence[CardSpec]) -> Iterable[str]:
    for card in cards:
        info = words.card(card)
        facts = [info.type, f"costs {info.cost}"]
        facts += [f"value {info.value}"] if info.value else []
        facts += [f"{info.vp} VP"] if info.vp else []
        yield from _head(f"{info.name} ({info.id}), {', '.join(facts)} [{_origin(info)}]")
        yield from _wrapped(info.text)


def _origin(info: CardInfo) -> str:
    return f"{info.box}, house" if info.house else info.box


def _whole_card(card: CardInfo) -> Iterable[str]:
    yield f"{card.name} ({card.id})"
    icons = ", action icon" if card.action else ""
    icons += ", reaction" if card.reaction else ""
    yield f"  {card.type}{icons}; box {card.box}"
    yield f"  costs {card.cost}, value {card.value}, {card.vp} VP; {card.copies} copies"
    yield from _wrapped(card.text)
    if card.rulings:
        yield "  Rulings:"
        yield from _wrapped(card.rulings, "    ")
    yield from _wrapped(f"Source: {_source(card.source, card.house)}")


def _source(source: str, house: bool) -> str:
    return f"{source} (at least one fact is {HOUSE})" if house else source


# ------------------------------------------------------------------ sets


def _sets(boxes: Sequence[Box], argv: Sequence[str]) -> Iterable[str]:
    parser = Parser(prog=f"{PROGRAM} sets", description="Look at the suggested sets of cards.")
    parser.add_argument("name", nargs="*", metavar="NAME", help="only the set of this name")
    flags = parser.parse_args(argv)
    sets = {kingdom.id: (kingdom, box) for box in boxes for kingdom in box.kingdoms.values()}
    found = list(sets)
    if flags.name:
        names = {kingdom.id: (kingdom.id, kingdom.name) for kingdom, _ in sets.values()}
        found = _meant(parser, " ".join(flags.name), names, "set")
    cards = {card.id: card.name for box in boxes for card in box.cards}
    return [line for name in found for line in _set(*sets[name], cards)]


def _set(kingdom: Kingdom, box: Box, cards: Mapping[str, str]) -> Iterable[str]:
    yield from _head(f"{kingdom.name} ({kingdom.id}) [{box.id}; {kingdom.source}]")
    yield from _wrapped(", ".join(cards[card] for card in kingdom.cards))


# ------------------------------------------------------------------ boards and bonuses


def _boards_of(boxes: Sequence[Box]) -> dict[str, tuple[BoardSpec, Box]]:
    return {spec.id: (spec, box) for box in boxes for spec in box.boards.values()}


def _board_names(boards: Mapping[str, tuple[BoardSpec, Box]]) -> dict[str, tuple[str, str]]:
    return {name: (name, spec.name) for name, (spec, _) in boards.items()}


def _boards(boxes: Sequence[Box], argv: Sequence[str]) -> Iterable[str]:
    boards = _boards_of(boxes)
    parser = Parser(prog=f"{PROGRAM} boards", description="Look at the boards.")
    parser.add_argument("name", nargs="?", metavar="NAME", help=", ".join(boards))
    flags = parser.parse_args(argv)
    found = list(boards)
    if flags.name is not None:
        found = _meant(parser, flags.name, _board_names(boards), "board")
    about = [_about(*boards[name]) for name in found]
    if flags.name is None or len(found) > 1:
        return about
    spec = boards[found[0]][0]
    source = _wrapped(f"Source: {_source(spec.source, spec.house)}", "")
    starts = _wrapped(f"Marked S, to start from: {', '.join(_marked(spec))}.", "")
    starts = starts if spec.starts else []
    drawn = [part for line in Words().board(Board(spec)) for part in _folded(line)]
    return [*about, "", *drawn, *starts, *source]


def _folded(line: str) -> list[str]:
    """A line in one piece where it fits, since the blanks of a drawing count."""
    return [line] if len(line) <= WIDTH else _wrapped(line, "")


def _marked(spec: BoardSpec) -> list[str]:
    return [f"{spec.cities[name]} ({name})" for name in spec.starts]


def _about(spec: BoardSpec, box: Box) -> str:
    low, high = spec.players
    players = f"{low} to {high}" if low < high else str(low)
    house = "; house" if spec.house else ""
    return (
        f"{spec.name} ({spec.id}): {players} players, {spec.stations} stations, "
        f"{spec.rails} rails each [{box.id}{house}]"
    )


def _bonuses(boxes: Sequence[Box], argv: Sequence[str]) -> Iterable[str]:
    boards = _boards_of(boxes)
    parser = Parser(prog=f"{PROGRAM} bonuses", description="Look at the route bonuses.")
    parser.add_argument("--board", metavar="NAME", help="only those of this board")
    flags = parser.parse_args(argv)
    found = list(boards)
    if flags.board is not None:
        found = _meant(parser, flags.board, _board_names(boards), "board")
    words = Words()
    lines: list[str] = []
    for name in found:
        spec, _ = boards[name]
        bonuses = [(bonus, box) for box in boxes for bonus in box.bonuses if bonus.board == name]
        lines += [f"{spec.name} ({spec.id})"] + ([] if bonuses else ["  no route bonuses"])
        for bonus, box in bonuses:
            lines += _bonus(words, bonus, box)
    return lines


def _bonus(words: Words, bonus: BonusSpec, box: Box) -> Iterable[str]:
    house = ", house" if bonus.house else ""
    yield from _head(f"  {bonus.name} ({bonus.id}), {bonus.vp} VP [{box.id}{house}]")
    yield from _wrapped(f"{' - '.join(bonus.cities)}. {words.effects(bonus.effects)}", "    ")


COMMANDS: dict[str, Callable[[Sequence[Box], Sequence[str]], Iterable[str]]] = {
    "cards": _cards,
    "boards": _boards,
    "sets": _sets,
    "bonuses": _bonuses,
}
