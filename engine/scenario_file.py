"""The form of a scenario file: its records, and how it is read.  What a scenario means is in
:mod:`engine.scenario`; the format is described in ``docs/scenarios.md``."""

from __future__ import annotations

import json
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from engine.errors import EngineError
from engine.naming import repeated

MOST = 999
"""No zone, pile or number of a game is greater."""

Number = Annotated[int, Meta(ge=-MOST, le=MOST)]
Names = Annotated[list[str], Meta(max_length=MOST)]


class ScenarioError(EngineError):
    """A scenario file does not say something that can be run."""


class SeatGiven(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What one seat has; ``deck`` top first, ``rails`` as hex names."""

    hand: Names | None = None
    deck: Names | None = None
    discard: Names | None = None
    play: Names | None = None
    gained: Names | None = None
    rails: Names | None = None
    score: Number | None = None


class TurnGiven(msgspec.Struct, forbid_unknown_fields=True):
    """The money and rail points of the running turn."""

    money: Number | None = None
    rail_points: Number | None = None


class BonusGiven(msgspec.Struct, forbid_unknown_fields=True):
    """Who holds a revealed route bonus (-1: nobody yet), and whether its ability has been used."""

    holder: Number | None = None
    used: bool | None = None


class SeatStep(msgspec.Struct, forbid_unknown_fields=True):
    """An answer of a certain seat."""

    seat: Number
    keys: Names


class Given(msgspec.Struct, forbid_unknown_fields=True):
    """A position.  Seat 0 is to move in its main phase; zones not given are empty, board and supply
    are as after setup."""

    seats: list[SeatGiven] = []
    stations: dict[str, Number] = {}
    turn: TurnGiven = msgspec.field(default_factory=TurnGiven)
    supply: dict[str, Number] = {}
    bonuses: dict[str, BonusGiven] | list[str] = {}


class Expected(Given):
    """What must be so at the end; only what is named is compared."""

    trash: Names | None = None
    running: dict[str, Number] | None = None


class Scenario(msgspec.Struct, forbid_unknown_fields=True):
    """One scenario.  Each step is a list of keys, given to the first open decision that offers them
    (in seat order from the active player on), or the same for one seat."""

    name: str
    board: str
    players: Number
    boxes: list[str] = msgspec.field(default_factory=lambda: ["base"])
    kingdom: list[str] = []
    reactions: str = "fast"
    starts: str = "any"
    victory: list[str] = []
    given: Given = msgspec.field(default_factory=Given)
    steps: list[Names | SeatStep] = []
    refused: list[str] = []
    expect: Expected = msgspec.field(default_factory=Expected)


def load(path: Path) -> list[Scenario | ScenarioError]:
    """The scenarios of a file; one that cannot be read as such stands there as the error that says
    where and why.  Raises ScenarioError if the file is no list of anything."""
    try:
        data = path.read_bytes()
        if data.startswith((BOM_UTF8, BOM_UTF16_LE, BOM_UTF16_BE)):
            raise ScenarioError("begins with a byte order mark; save it as UTF-8 without one")
        entries = msgspec.json.decode(data, type=list[msgspec.Raw])
    except OSError as error:
        raise ScenarioError(f"cannot be read: {error.strerror}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ScenarioError(str(error)) from error
    except RecursionError:
        raise ScenarioError(TOO_DEEP) from None
    return [_parse(number, entry) for number, entry in enumerate(entries, 1)]


TOO_DEEP = "is nested too deeply to be a scenario"


def _parse(number: int, entry: msgspec.Raw) -> Scenario | ScenarioError:
    try:
        scenario = msgspec.json.decode(entry, type=Scenario)
        json.loads(bytes(entry), object_pairs_hook=_check_once)
    except (msgspec.DecodeError, UnicodeDecodeError, ScenarioError) as error:
        return ScenarioError(f"scenario number {number}: {error}")
    except RecursionError:
        return ScenarioError(f"scenario number {number} {TOO_DEEP}")
    return scenario


def _check_once(pairs: list[tuple[str, Any]]) -> None:
    """Raise ScenarioError for an object with a field that is there twice: which one is meant?"""
    if again := repeated(name for name, _ in pairs):
        raise ScenarioError(f"a field is there twice in one object: {', '.join(again)}")
