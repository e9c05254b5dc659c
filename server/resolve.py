"""What a host means by the options of a table: names in full, and nothing left open.

Names may be short (``tun`` for Tunnel), and the board, the number of players and the boxes may be
left to go with the rest.  A refusal begins with the option that it is about (``players: ...``), so
that whoever asked can be told in the words of their own flags.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import NoReturn, TypeVar

import msgspec

from engine.board import BoardSpec
from engine.boxes import Box, known_boxes, load_boxes
from engine.cards import CardSpec
from engine.setup import KINGDOM_SIZE, TIERS
from protocol.matching import meant, words_of
from protocol.messages import ShownOptions, TableOptions
from protocol.names import shorten
from server.refusal import Refusal

USUAL = ShownOptions()
"""How a table is played that nobody has said anything about."""

FEWEST, MOST = 2, 4

T = TypeVar("T", BoardSpec, CardSpec)


def resolve(
    options: TableOptions, defaults: ShownOptions = USUAL, own: tuple[Box, ...] = ()
) -> TableOptions:
    """The options with every name in full and nothing left open.

    Boxes that are not said are those of ``defaults`` if they have all that is named, else those
    that it comes from; a board that is not said is the one of ``defaults`` if it is in the boxes
    and for as many players, else another one of theirs; and the number of players follows the
    board.  ``own`` are the host's own boxes, which are there unless boxes are said.  Raises
    Refusal.
    """
    every = _all_boxes(own)
    box_names = {box.id: (box.id, box.name) for box in every}
    there = f"there are {_list(box_names)}"
    boxes = tuple(dict.fromkeys(_one("boxes", b, box_names, "box", there) for b in options.boxes))
    named = _Named(options, boxes, every)
    boxes = boxes or tuple(dict.fromkeys([*named.boxes(defaults), *(box.id for box in own)]))
    board = named.board or _board(options, load_boxes(boxes, own), defaults)
    low, high = board.players
    players = options.players or min(max(low, defaults.players), high)
    if not FEWEST <= players <= MOST:
        _refuse("players", f"it is {FEWEST} to {MOST}, not {players}")
    if not low <= players <= high:
        wanted = str(low) if low == high else f"{low} to {high}"
        _refuse("players", f"{board.name} is for {wanted} players, not {players}")
    if options.starts == "marked":
        _check_starts(board, players, every)
    if options.bonuses:
        _check_bonuses(board, boxes, every)
    return msgspec.structs.replace(
        options,
        boxes=boxes,
        board=board.id,
        players=players,
        kingdom=named.kingdom,
        victory=named.victory,
    )


def _refuse(option: str, why: str) -> NoReturn:
    raise Refusal("bad-options", f"{option}: {shorten(why, 600)}")


def _list(names: Iterable[str]) -> str:
    return ", ".join(names)


def _one(option: str, typed: str, things: Mapping[str, Sequence[str]], what: str, more: str) -> str:
    """The thing that is meant.  Raises Refusal with what is like it, or else ``more``."""
    found = meant(typed, things)
    if len(found) == 1:
        return found[0]
    shown = f"“{shorten(typed, 40)}”"
    if found:
        names = _list(things[one][-1] for one in found[:6]) + (", ..." if len(found) > 6 else "")
        _refuse(option, f"{shown} may be {names}")
    names_of = {name.casefold(): names[-1] for names in things.values() for name in names}
    close = get_close_matches(typed.casefold(), names_of, 3)
    like = dict.fromkeys(names_of[name] for name in close)
    hint = f"is it {' or '.join(like)}?" if like else more
    _refuse(option, f"there is no {what} {shown}; {hint}")


def _all_boxes(own: tuple[Box, ...]) -> tuple[Box, ...]:
    return load_boxes(tuple(known_boxes(own)), own)[1:]  # the first is what all games use


class _Named:
    """What is named of board and cards, in full, and the boxes that it comes from."""

    def __init__(
        self, options: TableOptions, chosen: tuple[str, ...], every: tuple[Box, ...]
    ) -> None:
        self._chosen = chosen
        self._from: set[str] = set()
        self._all = every
        self._box = {b.id: b.id for b in self._all}
        self._box |= {k: box.id for box in self._all for k in (*box.kingdoms, *box.boards)}
        self._box |= {card.id: box.id for box in self._all for card in box.cards}
        self.board = self._board(options.board)
        self.kingdom = self._kingdom(options.kingdom)
        self.victory = self._victory(options.victory)

    def boxes(self, defaults: ShownOptions) -> tuple[str, ...]:
        """The boxes that go with what is named."""
        if self._from <= set(defaults.boxes):
            return defaults.boxes
        return tuple(box.id for box in self._all if box.id in self._from)

    def _pick(
        self, option: str, typed: str, things: Mapping[str, Sequence[str]], what: str, more: str
    ) -> str:
        name = _one(option, typed, things, what, more)
        box = self._box[name]
        if self._chosen and box not in self._chosen:
            title = things[name][-1]
            _refuse(option, f"{title} is in the box {box}, and the boxes are {_list(self._chosen)}")
        self._from.add(box)
        return name

    def _cards(self, role: str) -> dict[str, CardSpec]:
        return {card.id: card for box in self._all for card in box.cards if card.role == role}

    def _board(self, typed: str) -> BoardSpec | None:
        if not typed:
            return None
        boards = {spec.id: spec for box in self._all for spec in box.boards.values()}
        return boards[
            self._pick("board", typed, _names(boards), "board", f"there are {_list(boards)}")
        ]

    def _kingdom(self, typed: Sequence[str]) -> tuple[str, ...]:
        sets = {k.id: (k.id, k.name) for box in self._all for k in box.kingdoms.values()}
        cards = self._cards("randomizer")
        wanted = f"name {KINGDOM_SIZE} cards or one set: {_list(sets)}"
        if _drawn(typed):
            return ()
        if len(typed) == 1:
            if not meant(typed[0], sets) and meant(typed[0], _names(cards)):
                _refuse("kingdom", f"1 card is not enough; {wanted}")
            return (self._pick("kingdom", typed[0], sets, "set", wanted),)
        more = "`senro-server cards` lists them"
        found = [
            self._pick("kingdom", one, _names(cards), "card to draw from", more) for one in typed
        ]
        _check_once("kingdom", found, cards)
        if found and len(found) != KINGDOM_SIZE:
            _refuse("kingdom", f"{len(found)} cards are not {KINGDOM_SIZE}; {wanted}")
        return tuple(found)

    def _victory(self, typed: Sequence[str]) -> tuple[str, ...]:
        boxes = {box.id: (box.id, box.name) for box in self._all}
        if _drawn(typed):
            return ()
        if len(typed) == 1:
            there = f"name one of the boxes {_list(boxes)}, or {TIERS} victory cards"
            return (self._pick("victory", typed[0], boxes, "box", there),)
        cards = self._cards("victory")
        there = f"there are {_list(card.name for card in cards.values())}"
        found = [self._pick("victory", v, _names(cards), "victory card", there) for v in typed]
        _check_once("victory", found, cards)
        trios = [[c.id for c in box.cards if c.role == "victory"] for box in self._all]
        tiers = {name: tier for trio in trios for tier, name in enumerate(trio)}
        if found and sorted(tiers[name] for name in found) != list(range(TIERS)):
            _refuse("victory", f"name one card of each of the {TIERS} tiers; {there}")
        return tuple(sorted(found, key=lambda name: tiers[name]))


def _drawn(typed: Sequence[str]) -> bool:
    """Whether what is named is ``random``, which every door of the server and all clients may say
    for nothing named."""
    return [words_of(name) for name in typed] == [["random"]]


def _names(things: Mapping[str, T]) -> dict[str, tuple[str, str]]:
    return {name: (name, thing.name) for name, thing in things.items()}


def _check_once(option: str, found: Sequence[str], cards: Mapping[str, CardSpec]) -> None:
    for name in found:
        if found.count(name) > 1:
            _refuse(option, f"{cards[name].name} is named twice")


def _board(options: TableOptions, boxes: Sequence[Box], defaults: ShownOptions) -> BoardSpec:
    """The board of a table whose host names none."""
    boards = {spec.id: spec for box in boxes for spec in box.boards.values()}
    if not boards:
        _refuse("boxes", f"there is no board in {_list(box.id for box in boxes[1:])}")
    usual = [boards[defaults.board]] if defaults.board in boards else []
    players = options.players or defaults.players
    for spec in (*usual, *boards.values()):
        if spec.players[0] <= players <= spec.players[1]:
            return spec
    return [*usual, *boards.values()][0]


def _check_starts(board: BoardSpec, players: int, every: Sequence[Box]) -> None:
    if len(board.starts) < players:
        marked = _list(s.name for box in every for s in box.boards.values() if s.starts)
        _refuse("starts", f"{board.name} has no marked cities to start from; {marked} has")


def _check_bonuses(board: BoardSpec, boxes: tuple[str, ...], every: Sequence[Box]) -> None:
    having = [b.id for b in every if any(one.board == board.id for one in b.bonuses)]
    if not set(having) & set(boxes):
        _refuse(
            "bonuses",
            f"there are no route bonuses for {board.name} in the boxes {_list(boxes)}; "
            f"these have some: {_list(having) or 'none'}",
        )
