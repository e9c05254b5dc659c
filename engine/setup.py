"""Setting a game up: what the host chooses, and the state it leads to (rules, section 2)."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from engine.boxes import Box, check_given_box, load_boxes
from engine.chance import SEED_BYTES, Stream
from engine.errors import SetupError
from engine.naming import meant
from engine.running import RUNNING
from engine.setting import Setting, compile_setting
from engine.state import BonusState, SeatState, State

KINGDOM_SIZE = 8
REACTIONS = ("sealed", "fast")
STARTS = ("any", "marked")
TIERS = 3
"""Victory piles in a game: one of each tier."""


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    """All that determines a game before its first answer.

    ``kingdom`` names the eight randomizer piles, or one suggested set of eight (rules, section
    13); empty means that eight are drawn from the seed.
    ``victory`` names the three victory piles, one of each tier, or one box whose trio it is; empty
    means that each tier is drawn between the boxes.  ``bonuses`` says that route bonuses are
    revealed, ``starts`` whether a game starts ``any``-where or on the board's ``marked`` cities.
    ``reactions`` is ``sealed`` or ``fast``.  ``decks`` prepares each seat's first deck, as card
    ids from the top, instead of shuffling it.  ``own`` are boxes of the host's own, whole, which
    ``boxes`` may name.
    """

    seed: bytes
    players: Annotated[int, Meta(ge=0, le=99)] = 2
    boxes: tuple[str, ...] = ("base",)
    board: str = "tokyo"
    kingdom: tuple[str, ...] = ()
    victory: tuple[str, ...] = ()
    bonuses: bool = False
    starts: str = "any"
    reactions: str = "fast"
    decks: tuple[tuple[str, ...], ...] | None = None
    own: tuple[Box, ...] = ()

    def to_plain(self) -> dict[str, Any]:
        """As JSON-able data; the seed in hex."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        plain["seed"] = self.seed.hex()
        if self.decks is None:
            del plain["decks"]
        if not self.own:
            del plain["own"]
        return plain

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> Setup:
        """The inverse of :meth:`to_plain`.  Raises SetupError."""
        try:
            seed = bytes.fromhex(plain.get("seed", ""))
            setup = msgspec.convert({**plain, "seed": seed}, cls)
            for box in setup.own:
                check_given_box(box)
        except (ValueError, TypeError, AttributeError) as error:
            raise SetupError(f"not a setup: {error}") from error
        return setup


def complete(setup: Setup) -> Setup:
    """The setup with its kingdom and victory piles drawn, if it named none.  Raises SetupError for
    what cannot be."""
    setup = _typed(setup)
    if len(setup.seed) != SEED_BYTES:
        raise SetupError(f"a seed has {SEED_BYTES} bytes, not {len(setup.seed)}")
    if setup.reactions not in REACTIONS:
        raise SetupError(f"reactions is {setup.reactions!r}; allowed are {', '.join(REACTIONS)}")
    if setup.starts not in STARTS:
        raise SetupError(f"starts is {setup.starts!r}; allowed are {', '.join(STARTS)}")
    setup = msgspec.structs.replace(setup, kingdom=_kingdom(setup), victory=_victory(setup))
    _check_board(setup)
    return setup


def _typed(setup: Setup) -> Setup:
    """The setup with every field of its type, as nobody has checked one that was made in the code.
    Raises SetupError."""
    try:
        return msgspec.convert(msgspec.structs.asdict(setup), Setup)
    except msgspec.ValidationError as error:
        raise SetupError(f"not a setup: {error}") from error


def _check_board(setup: Setup) -> None:
    """What only some boards have must be there.  Raises SetupError."""
    setting = setting_of(setup)
    board = setting.board
    if setup.starts == "marked" and board.starts.bit_count() < setup.players:
        raise SetupError(f"{board.spec.name} has no marked cities to start from")
    if setup.bonuses and len(setting.bonuses) < setup.players:
        raise SetupError(
            f"the boxes {', '.join(setup.boxes)} have {len(setting.bonuses)} route bonuses for "
            f"{board.spec.name}; {setup.players} players need as many"
        )


def _kingdom(setup: Setup) -> tuple[str, ...]:
    """The randomizer piles that a setup asks for: drawn, of a suggested set, or named."""
    boxes = load_boxes(setup.boxes, setup.own)
    if not setup.kingdom:
        cards = [card for box in boxes for card in box.cards]
        piles = [card.id for card in cards if card.role == "randomizer"]
        return tuple(Stream(setup.seed, "kingdom").pick(piles, KINGDOM_SIZE))
    if len(setup.kingdom) == KINGDOM_SIZE:
        return setup.kingdom
    sets = {name: kingdom for box in boxes for name, kingdom in box.kingdoms.items()}
    if len(setup.kingdom) == 1 and setup.kingdom[0] in sets:
        return tuple(sets[setup.kingdom[0]].cards)
    piles = [card.id for box in boxes for card in box.cards if card.role == "randomizer"]
    wanted = f"name {KINGDOM_SIZE} randomizer piles"
    if len(setup.kingdom) > 1 or setup.kingdom[0] in piles:
        wanted += f", not {len(setup.kingdom)},"
    else:
        name = setup.kingdom[0]
        wanted = f"there is no suggested set {name!r}{meant(name, [*sets])}; {wanted}"
    raise SetupError(f"{wanted} or one suggested set: {', '.join(sets)}")


def _victory(setup: Setup) -> tuple[str, ...]:
    """The victory piles that a setup asks for: drawn, of one box, or named, by tiers."""
    trios = {
        box.id: trio
        for box in load_boxes(setup.boxes, setup.own)
        if (trio := [card.id for card in box.cards if card.role == "victory"])
    }
    if not trios:
        raise SetupError(f"the boxes {', '.join(setup.boxes)} have no victory piles")
    named = setup.victory
    tiers = list(zip(*trios.values(), strict=True))
    if not named:
        stream = Stream(setup.seed, "victory")
        return tuple(tier[stream.below(len(tier))] for tier in tiers)
    if len(named) == 1 and named[0] in trios:
        return tuple(trios[named[0]])
    if len(named) == TIERS and all(n in tier for n, tier in zip(named, tiers, strict=True)):
        return named
    choices = " / ".join(", ".join(tier) for tier in tiers)
    raise SetupError(
        f"victory is {', '.join(named)}; name a box ({', '.join(trios)}) or one pile of each tier "
        f"({choices})"
    )


def reveal_bonuses(setting: Setting, setup: Setup) -> list[BonusState]:
    """As many of the board's route bonuses as there are players (rules, section 2.5)."""
    if not setup.bonuses:
        return []
    drawn = Stream(setup.seed, "bonuses").pick(list(range(len(setting.bonuses))), setup.players)
    return [BonusState(bonus) for bonus in drawn]


def setting_of(setup: Setup) -> Setting:
    """The compiled setting of a complete setup.  Raises SetupError."""
    return compile_setting(
        setup.boxes,
        setup.board,
        setup.players,
        setup.kingdom,
        victory=setup.victory,
        own=setup.own,
    )


def first_state(setting: Setting, players: int) -> State:
    """The pieces on the table before anything is shuffled, drawn or placed; each player's first
    deck lies in the discard pile."""
    cards, board = setting.cards, setting.board
    supply, removed = [0] * len(cards), [0] * len(cards)
    for card in cards:
        if card.id not in setting.in_game:
            continue
        left = card.spec.copies - card.spec.start * players
        (supply if card.spec.in_supply else removed)[card.index] = left
        size = board.spec.pile_size
        if size and card.spec.in_supply and card.type != "waste" and left > size:
            supply[card.index], removed[card.index] = size, left - size
    start = [card.spec.start if card.id in setting.in_game else 0 for card in cards]
    seats = [_seat(start) for _ in range(players)]
    return State(
        seats=seats,
        supply=supply,
        trash=[0] * len(cards),
        removed=removed,
        stations=[0] * board.size,
        stations_left=board.spec.stations,
        running=[0] * len(RUNNING),
        stack=[],
        prompts=[],
    )


def _seat(start: list[int]) -> SeatState:
    zero = [0] * len(start)
    return SeatState(
        hand=zero.copy(),
        deck=[],
        discard=start.copy(),
        play=zero.copy(),
        gained=zero.copy(),
        aside=zero.copy(),
        laid=[],
    )


def check_decks(setting: Setting, setup: Setup) -> list[list[int]]:
    """Prepared decks as indices, top last.  Raises SetupError."""
    decks = setup.decks or ()
    if len(decks) != setup.players:
        raise SetupError(f"prepare a deck for each of {setup.players} seats, not {len(decks)}")
    result = []
    for seat, deck in enumerate(decks):
        for card in deck:
            if card not in setting.index:
                raise SetupError(
                    f"the prepared deck of seat {seat} holds {card!r}, which is no card here"
                )
        wanted = sorted(c.index for c in setting.cards for _ in range(c.spec.start))
        indices = [setting.index[card] for card in reversed(deck)]
        if sorted(indices) != wanted:
            raise SetupError(f"the prepared deck of seat {seat} is not a first deck in some order")
        result.append(indices)
    return result
