"""The plain data types that leave the engine: options, decisions, events, observations, catalogues.

Everything here is a frozen or plain record of text, small ints, lists and maps, so that it can go
over a wire, into a journal or to a bot as it is.  It knows nothing of how the game is played.
Cards are named by id (``lay-rails``), hexes by row letter and column number (``A1``), seats by
number; where seats are keys of a map they are text (``"0"``).  No integer here exceeds 64 bits and
nothing is ever null: what does not apply is left out.
"""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, Struct, UnsetType

SPECTATOR = -1
"""The audience that holds no seat: it is shown what everybody may know."""


class Option(Struct, frozen=True, gc=False, omit_defaults=True):
    """One thing that may be picked in a decision.

    ``key`` is its stable name everywhere; ``count`` how often it may be picked.
    ``money`` and ``waste`` are what picking it costs now, ``gain`` the money it brings at once.
    ``effect`` says of a ``play:`` option what becomes of the card's effect: ``used``, or
    ``impossible`` (it cannot be carried out in full, so the card brings its value alone);
    ``refused`` marks ``play-plain:``; it is empty for a card without an effect.
    ``text`` is a sentence in the reader's language; the engine leaves it empty.
    """

    key: str
    count: int = 1
    money: int = 0
    waste: int = 0
    gain: int = 0
    effect: str = ""
    text: str = ""


class Decision(Struct, frozen=True, gc=False, omit_defaults=True):
    """A question put to one seat: pick from ``min`` to ``max`` of the options.

    ``default`` is the least committal legal answer, taken when time runs out.  ``ordered`` says
    that the order of the picks counts (top first).  ``cause`` is the id of the card whose effect
    asks, and ``copied_by`` that of the card that was played, where it copies that effect.
    ``cards`` are the ids of cards that the question is about.  ``operation`` is the effect itself
    as cards have it: its name and its argument, or nothing where the rules ask.
    """

    id: str
    seat: int
    kind: str
    min: int
    max: int
    options: tuple[Option, ...]
    default: tuple[str, ...] = ()
    ordered: bool = False
    cause: str = ""
    cards: tuple[str, ...] = ()
    text: str = ""
    copied_by: str = ""
    operation: dict[str, Any] = {}


class Event(Struct, frozen=True, omit_defaults=True):
    """Something that happened, as far as its audience may know it.

    ``type`` is one of the kinds listed in :mod:`engine.events`; which other fields are set
    depends on it.  ``cards`` maps card ids to numbers; ``order`` lists card ids, top first.
    """

    type: str
    seat: int | UnsetType = UNSET
    card: str | UnsetType = UNSET
    cards: dict[str, int] | UnsetType = UNSET
    count: int | UnsetType = UNSET
    hex: str | UnsetType = UNSET
    money: int | UnsetType = UNSET
    value: int | UnsetType = UNSET
    to: str | UnsetType = UNSET
    what: str | UnsetType = UNSET
    order: list[str] | UnsetType = UNSET
    text: str | UnsetType = UNSET


class SeatView(Struct, omit_defaults=True):
    """What everybody may know of a seat.

    ``hand``, ``deck`` and ``discard`` are numbers of cards.  ``score`` is the score track,
    ``rails_vp`` what the seat's rails are worth on the board as it stands (rules, section 10).
    ``revealed`` are the cards that an effect has revealed and that still lie aside.
    """

    hand: int
    deck: int
    discard: int
    play: dict[str, int]
    gained: dict[str, int]
    rails_left: int
    score: int
    rails_vp: int
    revealed: dict[str, int] = {}


class TurnView(Struct):
    """The running turn: ``number`` counts from 1; ``effects`` maps each *this turn* effect to how
    often it runs (names in :data:`engine.running.RUNNING`)."""

    number: int
    seat: int
    money: int
    rail_points: int
    effects: dict[str, int]


class HexView(Struct, omit_defaults=True):
    """What lies on a hex: ``rails`` lists the seats with a rail there, in seat order."""

    rails: list[int]
    stations: int = 0


class BonusView(Struct, omit_defaults=True):
    """A revealed route bonus: the seat that holds it (-1: nobody yet), and whether its ability has
    been used."""

    holder: int = -1
    used: bool = False


class OwnView(Struct, omit_defaults=True):
    """What only the owner of a seat may know of it: the contents of its hand, deck (not its
    order) and discard pile, and the cards on ``top`` of the deck that it has looked at or put
    there, top first."""

    hand: dict[str, int]
    deck: dict[str, int]
    discard: dict[str, int]
    top: list[str] = []


class Result(Struct, frozen=True):
    """The final account of one seat: ``total`` = ``track`` + ``rails_vp`` + ``cards_vp``;
    ``rails`` on the board break ties; ``rank`` counts from 1 and is shared when still tied."""

    seat: int
    track: int
    rails_vp: int
    cards_vp: int
    total: int
    rails: int
    rank: int


class Observation(Struct, omit_defaults=True):
    """All that one audience may know of a game (rules, section 12).

    ``phase`` is ``start``, ``turn`` or ``over``.  ``asked`` lists the seats that everybody may
    know to be deciding.  ``hexes`` holds only hexes with something on them; ``bonuses`` the
    revealed route bonuses by id.  ``own`` is there for the holder of a seat and stays unset for
    spectators; ``results`` once the game is over.
    """

    phase: str
    turn: TurnView
    asked: list[int]
    seats: dict[str, SeatView]
    hexes: dict[str, HexView]
    supply: dict[str, int]
    trash: dict[str, int]
    stations_left: int
    bonuses: dict[str, BonusView] = {}
    own: OwnView | UnsetType = UNSET
    results: list[Result] | UnsetType = UNSET
    ended_by: str | UnsetType = UNSET


class CardInfo(Struct, frozen=True, omit_defaults=True):
    """A card's facts as shown to players.  ``type`` is one of train, rail, station, action,
    victory, waste; ``reaction`` says that it can be revealed when an opponent attacks; ``text`` and
    ``rulings`` are sentences; ``source`` says where the facts come from and ``house`` that at least
    one of them is this project's own design."""

    id: str
    name: str
    box: str
    type: str
    cost: int
    value: int = 0
    vp: int = 0
    action: bool = False
    reaction: bool = False
    copies: int = 0
    text: str = ""
    rulings: str = ""
    source: str = ""
    house: bool = False


class HexInfo(Struct, frozen=True, omit_defaults=True):
    """A printed hex: ``terrain`` is one of plain, river, mountain, sea, city, remote; ``title``
    names a city or remote location; ``slots`` are a city's stations, ``value`` a remote
    location's number."""

    terrain: str
    title: str = ""
    slots: int = 0
    value: int = 0


class BoardInfo(Struct, frozen=True):
    """A board as shown to players: ``hexes`` by name, in board order (row by row from the top
    left); ``barriers`` are pairs of hex names that are not adjacent; ``starts`` the cities marked
    S, where a game that says so has to start."""

    id: str
    name: str
    stations: int
    rails: int
    hexes: dict[str, HexInfo]
    barriers: list[list[str]]
    source: str = ""
    house: bool = False
    starts: list[str] = []


class BonusInfo(Struct, frozen=True, omit_defaults=True):
    """A route bonus as shown to players: ``cities`` are the hexes to connect; ``ability`` names its
    ability, and ``text`` says what that does."""

    id: str
    name: str
    cities: list[str]
    vp: int
    ability: str
    text: str
    source: str = ""
    house: bool = False


class Catalogue(Struct, frozen=True):
    """What stays the same for a whole game: its cards in catalogue order, its board, its seats, and
    the board's route bonuses, revealed or not.  ``absent`` maps the names of the cards of the
    engine's boxes that are not in this game to the ids of those boxes."""

    boxes: list[str]
    players: int
    cards: list[CardInfo]
    supply: list[str]
    board: BoardInfo
    reactions: str
    bonuses: list[BonusInfo] = []
    absent: dict[str, str] = {}
