"""Route bonuses: who connects all cities of one first takes it (rules, section 8).

A bonus is data, as a card is: its cities, its VP and the effects of its ability.  What it needs to
know of a game is the board, the rails and who holds which bonus.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from engine.board import Board, bits
from engine.errors import BoxError
from engine.state import Task
from engine.types import BonusInfo, Option

if TYPE_CHECKING:
    from engine.effects.base import Operation
    from engine.game import Game


class BonusSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """A route bonus as its box's ``bonuses.toml`` has it.

    ``cities`` are names of cities of the ``board``; ``ability`` names its ability and ``effects``
    says what that does, in the vocabulary of the cards.
    """

    id: str
    name: str
    board: str
    cities: list[str]
    vp: int
    ability: str
    effects: list[dict[str, Any]]
    source: str
    house: bool = False


class Bonus:
    """A route bonus, compiled for a board.

    ``hexes`` are its cities in the order of its file; ``cities`` the mask of them; ``tasks`` its
    ability for each seat, last effect first, and ``operations`` the same, first effect first.
    """

    __slots__ = ("cities", "hexes", "id", "operations", "option", "spec", "tasks")

    def __init__(
        self,
        spec: BonusSpec,
        board: Board,
        operations: list[tuple[Operation, Any]],
        tasks: list[tuple[Task, ...]],
    ) -> None:
        self.spec = spec
        self.id = spec.id
        self.hexes = cities_of(spec, board)
        self.cities = 0
        for i in self.hexes:
            self.cities |= 1 << i
        self.operations = operations
        self.tasks = tasks
        self.option = Option(f"bonus:{spec.id}", effect="used")


def cities_of(spec: BonusSpec, board: Board) -> list[int]:
    """The hexes of a bonus's cities.  Raises BoxError for one that the board has not."""
    places = {info.title: i for i, info in enumerate(board.infos) if info.slots}
    for city in spec.cities:
        if city not in places:
            raise BoxError(
                f"bonus {spec.id}: cities names {city!r}, which is no city of {board.spec.name}"
            )
    return [places[city] for city in spec.cities]


def award(game: Game, seat: int) -> None:
    """Give the seat, which has just laid a rail, every bonus that its rails complete now."""
    own = game.masks.own[seat]
    for held in game.state.bonuses:
        bonus = game.setting.bonuses[held.bonus]
        if held.holder < 0 and not bonus.cities & ~own and _connected(game, own, bonus):
            held.holder = seat
            game.state.seats[seat].score += bonus.spec.vp
            game.facts.append(("bonus", seat, bonus.id, bonus.spec.vp))


def _connected(game: Game, own: int, bonus: Bonus) -> bool:
    """Whether a chain of adjacent own rails joins all its cities (barriers break it)."""
    neighbours = game.setting.board.neighbours
    reached = edge = 1 << bonus.hexes[0]
    while edge:
        near = 0
        for i in bits(edge):
            near |= neighbours[i]
        edge = near & own & ~reached
        reached |= edge
    return not bonus.cities & ~reached


def bonus_info(bonus: Bonus, board: Board, text: str) -> BonusInfo:
    """The bonus as shown to players; ``text`` says what its ability does."""
    spec = bonus.spec
    return BonusInfo(
        id=spec.id,
        name=spec.name,
        cities=[board.names[i] for i in bonus.hexes],
        vp=spec.vp,
        ability=spec.ability,
        text=text,
        source=spec.source,
        house=spec.house,
    )
