"""``senro-server cards`` and ``senro-server boards``: what there is to play with, offline.

It reads the boxes that come with the engine and prints them; no server has to run.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from engine.board import Board, BoardSpec
from engine.boxes import Box, known_boxes, load_boxes
from engine.cards import CardSpec
from engine.text import Words
from engine.types import CardInfo
from server.flags import Parser, until_nobody_reads, whole

PROGRAM = "senro-server"
WIDTH = 80
TYPES = ("train", "rail", "station", "action", "victory", "waste")


def main(argv: Sequence[str]) -> int:
    """Run ``cards`` or ``boards``; returns the exit code.  Exits with 2 for what is not there."""
    boxes = load_boxes(tuple(known_boxes()))
    lines = _cards(boxes, argv[1:]) if argv[0] == "cards" else _boards(boxes, argv[1:])
    return until_nobody_reads(PROGRAM, lambda: print("\n".join(lines)))


def _cards(boxes: Sequence[Box], argv: Sequence[str]) -> Iterable[str]:
    parser = Parser(prog=f"{PROGRAM} cards", description="Look at the cards.")
    parser.add_argument("name", nargs="*", metavar="NAME", help="only the card of this name")
    parser.add_argument("--box", choices=[box.id for box in boxes], help="only cards of this box")
    parser.add_argument("--type", choices=TYPES, help="only cards of this type")
    parser.add_argument("--cost", type=whole(0, 99), metavar="N", help="only cards of this cost")
    flags = parser.parse_args(argv)
    wanted = _key(" ".join(flags.name))
    cards = [
        card
        for box in boxes
        for card in box.cards
        if flags.box in (None, box.id)
        and flags.type in (None, card.type)
        and flags.cost in (None, card.cost)
        and wanted in _key(card.name)
    ]
    exact = [card for card in cards if wanted == _key(card.name)]
    if not cards:
        parser.error(f"no card is like that; there are {', '.join(_names(boxes))}")
    words = Words()
    if len(exact or cards) == 1:
        return _whole_card(words.card((exact or cards)[0]))
    return _list(words, cards)


def _names(boxes: Sequence[Box]) -> list[str]:
    return [card.name for box in boxes for card in box.cards]


def _key(name: str) -> str:
    return name.casefold().replace("-", " ").strip()


def _list(words: Words, cards: Sequence[CardSpec]) -> Iterable[str]:
    for card in cards:
        info = words.card(card)
        head = f"{info.name}, {info.type}, costs {info.cost}"
        head += f", value {info.value}" if info.value else ""
        yield f"{head} [{info.box}{', house' if info.house else ''}]"
        yield from _wrapped(info.text)


def _whole_card(card: CardInfo) -> Iterable[str]:
    yield card.name
    yield f"  {card.type}{', action icon' if card.action else ''}; box {card.box}"
    yield f"  costs {card.cost}, value {card.value}, {card.vp} VP; {card.copies} copies"
    yield from _wrapped(card.text)
    if card.rulings:
        yield "  Rulings:"
        yield from _wrapped(card.rulings, "    ")
    house = " (at least one fact is Senro's own design)" if card.house else ""
    yield f"  Source: {card.source}{house}"


def _wrapped(text: str, indent: str = "  ") -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent)


def _boards(boxes: Sequence[Box], argv: Sequence[str]) -> Iterable[str]:
    boards = {spec.id: spec for box in boxes for spec in box.boards.values()}
    parser = Parser(prog=f"{PROGRAM} boards", description="Look at the boards.")
    known = ", ".join(boards)
    parser.add_argument("name", nargs="?", choices=[*boards], metavar="NAME", help=known)
    flags = parser.parse_args(argv)
    if flags.name is None:
        return [_about(spec) for spec in boards.values()]
    board = Board(boards[flags.name])
    return [_about(board.spec), "", *Words().board(board)]


def _about(spec: BoardSpec) -> str:
    low, high = spec.players
    players = f"{low} to {high}" if low < high else str(low)
    house = "; Senro's own design" if spec.house else ""
    return (
        f"{spec.name} ({spec.id}): {players} players, {spec.stations} stations, "
        f"{spec.rails} rails each{house}"
    )


def wants_browsing(argv: Sequence[str]) -> bool:
    """Whether these arguments ask for this command and not for a server."""
    return bool(argv) and argv[0] in ("cards", "boards")
