"""A board, compiled: hexes as indices in board order, hex sets as bit masks, neighbours known.

Bit ``i`` of a mask stands for hex ``i``, counted row by row from the top left.  Even rows (A, C,
E, ...) start at the left edge, odd rows are shifted half a hex to the right.  Masks stay inside the
engine; outside, a hex is its name.  It knows nothing of who has laid what: see :mod:`engine.masks`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from msgspec import Struct

from engine.errors import BoxError
from engine.types import BoardInfo, HexInfo

TERRAIN = {".": "plain", "~": "river", "^": "mountain", "=": "sea"}
SURCHARGE = {"plain": 0, "river": 1, "mountain": 2, "city": 1, "remote": 0, "sea": 0}
"""Money for laying a rail, by terrain; a remote location adds its number (rules, section 5)."""


class BoardSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """A board as its file draws it.

    ``rows`` are lines of symbols parted by spaces: ``.`` plain, ``~`` river, ``^`` mountain,
    ``=`` sea, ``1`` to ``3`` a city with that many slots, ``*n`` a remote location of value n.
    ``players`` is the lowest and highest number, ``rails`` the tokens of each player,
    ``pile_size`` what every pile but Waste is cut to.
    """

    id: str
    name: str
    players: tuple[int, int]
    stations: int
    rails: int
    source: str
    rows: list[str]
    barriers: list[tuple[str, str]]
    cities: dict[str, str]
    remotes: dict[str, str]
    pile_size: int = 0
    starts: list[str] = []
    house: bool = False


class Board:
    """A compiled board.  All lists are indexed by hex."""

    def __init__(self, spec: BoardSpec) -> None:
        self.spec = spec
        self.names, self.symbols, places = _read_rows(spec)
        self.index = {name: i for i, name in enumerate(self.names)}
        self.size = len(self.names)
        self.infos = [self._info(i) for i in range(self.size)]
        self.terrain = [info.terrain for info in self.infos]
        self.slots = [info.slots for info in self.infos]
        self.value = [info.value for info in self.infos]
        self.surcharge = [SURCHARGE[t] + v for t, v in zip(self.terrain, self.value, strict=True)]
        self.land = mask(i for i, t in enumerate(self.terrain) if t != "sea")
        self.cities = mask(i for i, t in enumerate(self.terrain) if t == "city")
        self.remotes = mask(i for i, t in enumerate(self.terrain) if t == "remote")
        self.neighbours = self._neighbours(places)
        self.starts = mask(self._hex(name, "starts") for name in spec.starts)
        self._check_names()

    def _info(self, i: int) -> HexInfo:
        name, symbol = self.names[i], self.symbols[i]
        if symbol in TERRAIN:
            return HexInfo(TERRAIN[symbol])
        if symbol.startswith("*"):
            return HexInfo("remote", title=self.spec.remotes.get(name, ""), value=int(symbol[1:]))
        return HexInfo("city", title=self.spec.cities.get(name, ""), slots=int(symbol))

    def _hex(self, name: str, field: str) -> int:
        if name not in self.index:
            raise BoxError(f"board {self.spec.id}: {field} names {name!r}, which is no hex of it")
        return self.index[name]

    def _neighbours(self, places: dict[tuple[int, int], int]) -> list[int]:
        cut = {
            frozenset((self._hex(a, "barriers"), self._hex(b, "barriers")))
            for a, b in self.spec.barriers
        }
        places_of = {i: place for place, i in places.items()}
        result = [0] * self.size
        for (row, column), i in places.items():
            near = [places[place] for place in _around(row, column) if place in places]
            result[i] = mask(j for j in near if frozenset((i, j)) not in cut) & self.land
        for pair in self.spec.barriers:
            a, b = (places_of[self.index[name]] for name in pair)
            if b not in _around(*a):
                raise BoxError(
                    f"board {self.spec.id}: the barrier {pair[0]}-{pair[1]} "
                    "stands between hexes that do not touch"
                )
        return result

    def _check_names(self) -> None:
        for field, names, terrain in (
            ("cities", self.spec.cities, "city"),
            ("remotes", self.spec.remotes, "remote"),
        ):
            for name in names:
                if self.terrain[self._hex(name, field)] != terrain:
                    raise BoxError(
                        f"board {self.spec.id}: {field} names {name}, which is no {terrain}"
                    )
        for i, info in enumerate(self.infos):
            if info.terrain in ("city", "remote") and not info.title:
                raise BoxError(f"board {self.spec.id}: {self.names[i]} has no name")

    def info(self) -> BoardInfo:
        """The board as shown to players."""
        return BoardInfo(
            id=self.spec.id,
            name=self.spec.name,
            stations=self.spec.stations,
            rails=self.spec.rails,
            hexes=dict(zip(self.names, self.infos, strict=True)),
            barriers=[list(pair) for pair in self.spec.barriers],
            source=self.spec.source,
            house=self.spec.house,
            starts=list(self.spec.starts),
        )


def _read_rows(spec: BoardSpec) -> tuple[list[str], list[str], dict[tuple[int, int], int]]:
    """Names and symbols in board order, and the index at each (row, column)."""
    names: list[str] = []
    symbols: list[str] = []
    places: dict[tuple[int, int], int] = {}
    for row, line in enumerate(spec.rows):
        letter = chr(ord("A") + row)
        for column, symbol in enumerate(line.split()):
            name = f"{letter}{column + 1}"
            remote = symbol[0] == "*" and symbol[1:] in set("123456789")
            if symbol not in TERRAIN and symbol not in ("1", "2", "3") and not remote:
                raise BoxError(
                    f"board {spec.id}: {name} is drawn {symbol!r}; allowed are "
                    ". ~ ^ = 1 2 3 and * with a number from 1 to 9"
                )
            places[row, column] = len(names)
            names.append(name)
            symbols.append(symbol)
    return names, symbols, places


def _around(row: int, column: int) -> list[tuple[int, int]]:
    """The six places that touch a place, some of them off the board."""
    left = column - 1 if row % 2 == 0 else column
    above_and_below = [(row + step, left + side) for step in (-1, 1) for side in (0, 1)]
    return [(row, column - 1), (row, column + 1), *above_and_below]


def mask(hexes: Iterable[int]) -> int:
    """The bit mask of some hex indices."""
    result = 0
    for i in hexes:
        result |= 1 << i
    return result


@lru_cache(maxsize=1 << 16)
def bits(hexes: int) -> tuple[int, ...]:
    """The hex indices in a mask, in board order."""
    found = []
    while hexes:
        lowest = hexes & -hexes
        found.append(lowest.bit_length() - 1)
        hexes ^= lowest
    return tuple(found)
