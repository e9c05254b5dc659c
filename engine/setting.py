"""A setting: everything about a game that never changes, compiled once and shared by its copies.

It gives the game's cards and hexes their indices (catalogue and board order), translates between
indices and the keys of options, and holds every option that can be made beforehand: an option is an
immutable value, so one object serves all games of a setting.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from engine.board import Board, BoardSpec, bits, mask
from engine.bonuses import Bonus, BonusSpec, bonus_info
from engine.boxes import Box, known_boxes, load_boxes
from engine.cards import CardSpec
from engine.effects import CARD_OPERATIONS, Operation, parse_effect
from engine.errors import SetupError
from engine.naming import meant, repeated
from engine.state import Task
from engine.types import Catalogue, Option

if TYPE_CHECKING:
    from engine.state import Zone
    from engine.text import Words

K = TypeVar("K")
V = TypeVar("V")

WORDS = (
    "end-turn",
    "clear-waste",
    "yes",
    "no",
    "keep",
    "discard",
    "deck",
    "gained",
    "draw",
    "money",
    "return-waste",
    "pass",
)
"""The keys that name no card and no hex."""

MEMO_LIMIT = 50_000
"""How many ready-made option lists a setting keeps before it starts afresh."""


class Card:
    """A card of the game, compiled.

    ``operations`` are its effects with their arguments, top to bottom; ``tasks`` the same as tasks
    for each seat, last effect first (as they go on the stack);
    ``always`` says that they can be carried out whatever the situation.  ``dealt`` says that the
    card is in the game (scenarios know of others too).  ``usable`` and
    ``unusable`` are the options of playing it when the effect can and cannot be used.
    """

    __slots__ = (
        "always",
        "cost",
        "dealt",
        "id",
        "index",
        "operations",
        "playable",
        "reaction",
        "spec",
        "tasks",
        "type",
        "unusable",
        "usable",
        "value",
        "vp",
    )

    def __init__(self, spec: CardSpec, index: int, players: int, *, dealt: bool) -> None:
        self.spec = spec
        self.dealt = dealt
        self.index = index
        self.id = spec.id
        self.type = spec.type
        self.cost = spec.cost
        self.value = spec.value
        self.vp = spec.vp
        self.playable = spec.playable
        self.reaction = spec.reaction
        self.operations, self.tasks = compile_effects(spec.effects, index, players)
        self.always = all(operation.always for operation, _ in self.operations)
        play, plain = f"play:{spec.id}", f"play-plain:{spec.id}"
        self.usable: tuple[Option, ...]
        self.unusable: tuple[Option, ...]
        if not self.operations:
            self.usable = self.unusable = (Option(play, gain=spec.value),)
        else:
            self.usable = (
                Option(play, gain=spec.value, effect="used"),
                Option(plain, gain=spec.value, effect="refused"),
            )
            self.unusable = (Option(play, gain=spec.value, effect="impossible"),)


def compile_effects(
    entries: list[dict[str, Any]], card: int, players: int
) -> tuple[list[tuple[Operation, Any]], list[tuple[Task, ...]]]:
    """The operations of some effects with their arguments, top to bottom, and the same as tasks of
    a card (-1: none) for each seat, last effect first (as they go on the stack)."""
    effects = [parse_effect(entry) for entry in entries]
    operations = [(CARD_OPERATIONS[op], arg) for op, arg in effects]
    tasks = [
        tuple(Task(op, seat, card, arg) for op, arg in reversed(effects)) for seat in range(players)
    ]
    return operations, tasks


class Setting:
    """See the module.  ``cards`` are in catalogue order; ``supply`` are the indices of the cards
    with a pile; ``of_type`` maps a card type to indices."""

    def __init__(
        self,
        cards: list[CardSpec],
        in_game: frozenset[str],
        board: BoardSpec,
        players: int,
        bonuses: Sequence[BonusSpec] = (),
    ) -> None:
        self.board = Board(board)
        self.bonuses = [
            Bonus(spec, self.board, *compile_effects(spec.effects, -1, players)) for spec in bonuses
        ]
        self.players = players
        self.in_game = in_game
        self.cards = [
            Card(spec, i, players, dealt=spec.id in in_game) for i, spec in enumerate(cards)
        ]
        self.index = {card.id: card.index for card in self.cards}
        self.waste = self.index["waste"]
        self.playable = [card for card in self.cards if card.playable]
        self.reactions = [card.index for card in self.cards if card.reaction]
        self.victory_cards = [card for card in self.cards if card.vp]
        self.supply = [c.index for c in self.cards if c.spec.in_supply and c.id in in_game]
        self.ending_piles = mask(i for i in self.supply if i != self.waste)
        types = {card.type for card in self.cards} | {"train", "rail", "station", "action"}
        self.of_type = {
            kind: frozenset(c.index for c in self.cards if c.type == kind) for kind in types
        }
        self.actions = self._actions()
        self._buy: dict[tuple[int, int, int, int], list[Option]] = {}
        self._lay: dict[tuple[int, int, int], Option] = {}
        self._cards: dict[tuple[int, int], Option] = {}
        self._hexes: dict[int, tuple[Option, ...]] = {}
        self._surcharge: dict[tuple[frozenset[str], int], tuple[int, ...]] = {}

    def _actions(self) -> dict[str, tuple[str, int]]:
        """Every key that may occur, as a verb and an index (-1 where there is none)."""
        actions = {word: (word, -1) for word in WORDS}
        for card in self.cards:
            for verb in ("play", "play-plain", "buy", "card", "reveal"):
                actions[f"{verb}:{card.id}"] = (verb, card.index)
        for i, name in enumerate(self.board.names):
            for verb in ("lay", "hex"):
                actions[f"{verb}:{name}"] = (verb, i)
        for i, bonus in enumerate(self.bonuses):
            actions[f"bonus:{bonus.id}"] = ("bonus", i)
        return actions

    def hex_of(self, key: str) -> int:
        """The hex that a key names."""
        return self.actions[key][1]

    def cards_of(self, keys: list[str]) -> list[int]:
        """The cards that keys name, one by one."""
        return [self.actions[key][1] for key in keys]

    # ------------------------------------------------------------------ ready-made options

    def buy_options(self, money: int, piles: int, waste: int, discount: int) -> list[Option]:
        """What can be bought for this money from the piles in the mask, in catalogue order;
        ``waste`` is what a victory card brings with it now, ``discount`` what is taken off the
        cost."""
        options = self._buy.get((money, piles, waste, discount))
        if options is None:
            cards = [self.cards[i] for i in bits(piles & self.ending_piles)]
            options = [
                Option(
                    f"buy:{c.id}",
                    money=max(0, c.cost - discount),
                    waste=waste if c.type == "victory" else 0,
                )
                for c in cards
                if c.cost - discount <= money
            ]
            _remember(self._buy, (money, piles, waste, discount), options)
        return options

    def lay_option(self, i: int, price: int, waste: int) -> Option:
        """Laying a rail on hex ``i`` for this price in money and Waste."""
        option = self._lay.get((i, price, waste))
        if option is None:
            option = Option(f"lay:{self.board.names[i]}", money=price, waste=waste)
            self._lay[i, price, waste] = option
        return option

    def hex_options(self, hexes: int) -> tuple[Option, ...]:
        """The hexes of a mask, in board order."""
        options = self._hexes.get(hexes)
        if options is None:
            options = tuple(Option(f"hex:{self.board.names[i]}") for i in bits(hexes))
            _remember(self._hexes, hexes, options)
        return options

    def card_options(self, zone: Zone) -> tuple[Option, ...]:
        """The cards of a zone, each as often as it is there."""
        return tuple(self._card_option(card, count) for card, count in enumerate(zone) if count)

    def _card_option(self, card: int, count: int) -> Option:
        option = self._cards.get((card, count))
        if option is None:
            option = self._cards[card, count] = Option(f"card:{self.cards[card].id}", count=count)
        return option

    def some_of(self, card: int, count: int) -> tuple[Option, ...]:
        """One card, so many times."""
        return (self._card_option(card, count),)

    def named(self, cards: Iterable[int]) -> tuple[Option, ...]:
        """Each of these cards once."""
        return tuple(self._card_option(card, 1) for card in cards)

    def cheapest(self, options: tuple[Option, ...], count: int) -> tuple[str, ...]:
        """The default of a forced pick: Waste first, then the lowest printed cost, then catalogue
        order."""

        def rank(option: Option) -> tuple[bool, int, int]:
            card = self.cards[self.actions[option.key][1]]
            return card.type != "waste", card.cost, card.index

        picks = [o.key for o in sorted(options, key=rank) for _ in range(o.count)]
        return tuple(picks[:count])

    def surcharge(self, charged: frozenset[str], remote_discount: int) -> tuple[int, ...]:
        """The fixed surcharge of each hex when only these terrains are charged for, and remote
        locations are so much cheaper."""
        fixed = self._surcharge.get((charged, remote_discount))
        if fixed is None:
            board = self.board
            off = {"remote": remote_discount}
            fixed = tuple(
                max(0, money - off.get(terrain, 0)) if terrain in charged else 0
                for terrain, money in zip(board.terrain, board.surcharge, strict=True)
            )
            self._surcharge[charged, remote_discount] = fixed
        return fixed

    def catalogue(self, words: Words, boxes: tuple[str, ...], reactions: str) -> Catalogue:
        """What the players of this game are shown of its cards and board."""
        return Catalogue(
            boxes=list(boxes),
            players=self.players,
            cards=[words.card(c.spec) for c in self.cards if c.id in self.in_game],
            supply=[self.cards[i].id for i in self.supply],
            board=self.board.info(),
            reactions=reactions,
            bonuses=[
                bonus_info(bonus, self.board, words.effects(bonus.spec.effects))
                for bonus in self.bonuses
            ],
            absent={
                card.name: box.id
                for box in load_boxes(tuple(known_boxes()))
                for card in box.cards
                if card.id not in self.in_game
            },
        )


def _remember(memo: dict[K, V], key: K, value: V) -> None:
    if len(memo) >= MEMO_LIMIT:
        memo.clear()
    memo[key] = value


@lru_cache(maxsize=64)
def compile_setting(
    boxes: tuple[str, ...],
    board: str,
    players: int,
    kingdom: tuple[str, ...],
    *,
    victory: tuple[str, ...] = (),
    own: tuple[Box, ...] = (),
    all_cards: bool = False,
) -> Setting:
    """The setting of a game.  ``victory`` names its victory piles; if empty, all of the boxes are
    there.  ``own`` are the host's own boxes.  With ``all_cards`` every card of the boxes has an
    index, in the game or not (scenarios put any card into a zone).  Raises SetupError."""
    loaded = load_boxes(boxes, own)
    boards = {spec.id: spec for box in loaded for spec in box.boards.values()}
    if board not in boards:
        raise SetupError(f"there is no board {board!r} in these boxes; known: {', '.join(boards)}")
    low, high = boards[board].players
    if not low <= players <= high:
        raise SetupError(f"{boards[board].name} is for {low} to {high} players, not {players}")
    specs = [card for box in loaded for card in box.cards]
    randomizers = [card.id for card in specs if card.role == "randomizer"]
    named = ", ".join(boxes)
    for card in kingdom:
        if card not in randomizers:
            close = meant(card, randomizers) or f"; allowed are {', '.join(randomizers)}"
            raise SetupError(f"{card!r} is no randomizer pile of the boxes {named}{close}")
    if again := repeated(kingdom):
        raise SetupError(f"a randomizer pile is named twice: {', '.join(again)}")
    out = {c.id for c in specs if c.role == "randomizer" and c.id not in kingdom}
    out |= {c.id for c in specs if victory and c.role == "victory" and c.id not in victory}
    in_game = frozenset(c.id for c in specs if c.id not in out)
    chosen = specs if all_cards else [c for c in specs if c.id in in_game]
    bonuses = [bonus for box in loaded for bonus in box.bonuses if bonus.board == board]
    return Setting(chosen, in_game, boards[board], players, bonuses)
