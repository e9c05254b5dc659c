"""The lines of a journal as typed records, and the one place where they are read.

``docs/journal.md`` says the same in prose.  A line is read strictly: no field is missing, unknown
or of another type, and its bytes are those that :mod:`server.journal` writes.  Whether the lines
fit together is :mod:`server.log.verify`'s business.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Final, Literal, NamedTuple

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from engine.boxes import Box
from engine.types import Event, Result
from protocol.messages import TableOptions
from protocol.names import shorten

Count = Annotated[int, Meta(ge=0, le=2**53 - 1)]
Filled = Annotated[str, Meta(min_length=1)]
Time = Annotated[
    str, Meta(pattern=r"\A[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z\Z")
]
Prev = Annotated[str, Meta(pattern=r"\A([0-9a-f]{32})?\Z")]
Digest = Annotated[str, Meta(pattern=r"\A[0-9a-f]{16}\Z")]
Hash = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
HashOrNone = Annotated[str, Meta(pattern=r"\A([0-9a-f]{64})?\Z")]
Color = Literal["blue", "yellow", "red", "green"]
SeatNumber = Annotated[int, Meta(ge=0, le=3)]


class JournalLine(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """What every line has."""

    seq: Count
    time: Time
    prev: Prev


class OpenSeat(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="open"):
    """A seat that nobody holds."""


class HumanSeat(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="human"):
    """A player's seat; ``token`` is the hash of what takes it up again."""

    name: Filled
    color: Color | UnsetType = UNSET
    token: Hash | UnsetType = UNSET


class BotSeat(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="bot"):
    """A bot's seat."""

    name: Filled
    level: Filled
    color: Color | UnsetType = UNSET


class Kicked(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody whom the host has put out."""

    name: Filled
    token: Hash


AnySeat = OpenSeat | HumanSeat | BotSeat
TakenSeat = HumanSeat | BotSeat


class Boxes(Struct, frozen=True, forbid_unknown_fields=True):
    """Where the cards come from, and the hash of their data; a host's own boxes whole."""

    names: tuple[str, ...]
    hash: str
    own: tuple[Box, ...] | UnsetType = UNSET


class TableLine(JournalLine, frozen=True, tag="table"):
    """The first line."""

    schema: int
    rules: int
    boxes: Boxes
    table: Filled
    title: str
    options: TableOptions
    seeded: bool
    creator: Filled
    seed: Hash | UnsetType = UNSET


class SeatsLine(JournalLine, frozen=True, tag="seats"):
    """Who sits where in the lobby."""

    seats: tuple[AnySeat, ...]
    host: str
    host_token: HashOrNone | UnsetType = UNSET
    password: str | UnsetType = UNSET
    kicked: tuple[Kicked, ...] | UnsetType = UNSET


class StartLine(JournalLine, frozen=True, tag="start"):
    """The game begins."""

    setup: dict[str, Any]
    seats: Annotated[tuple[TakenSeat, ...], Meta(min_length=2, max_length=4)]
    commitment: Hash
    events: list[Event]
    digest: Digest


class PreferLine(JournalLine, frozen=True, tag="prefer"):
    """A player says what is to happen when others attack."""

    seat: SeatNumber
    reactions: Literal["ask", "always", "never"]


class AutopilotLine(JournalLine, frozen=True, tag="autopilot"):
    """A bot plays for a seat from now on, or not any more."""

    seat: SeatNumber
    on: bool
    why: Literal["left", "absence", "timeouts", "back"]


class WindowLine(JournalLine, frozen=True, tag="window"):
    """Several seats, or one out of its turn, are asked; in the order in which it is carried out."""

    window: Filled
    card: str
    seats: Annotated[tuple[SeatNumber, ...], Meta(min_length=1, max_length=4)]
    window_ms: Count
    least_ms: Count


class ReplyLine(JournalLine, frozen=True, tag="reply"):
    """A player answers in a window that stays open."""

    decision: Filled
    seat: SeatNumber
    keys: tuple[str, ...]
    latency_ms: Count


class AnswerLine(JournalLine, frozen=True, tag="answer"):
    """A decision is answered; ``turn_ms`` and ``reserve_ms`` are what the one whose turn it is has
    left then."""

    decision: Filled
    seat: SeatNumber
    keys: tuple[str, ...]
    by: Literal["player", "clock", "preference", "bot", "autopilot"]
    latency_ms: Count
    events: list[Event]
    digest: Digest
    turn_ms: Count | UnsetType = UNSET
    reserve_ms: Count | UnsetType = UNSET


class OverLine(JournalLine, frozen=True, tag="over"):
    """The game is over."""

    results: list[Result]
    seed: Hash


class AbandonedLine(JournalLine, frozen=True, tag="abandoned"):
    """Nobody is there any more."""

    reason: Filled


class BrokenLine(JournalLine, frozen=True, tag="broken"):
    """A mistake in the server ended the table."""

    reason: Filled


_KINDS: Final[dict[str, type[JournalLine]]] = {
    str(kind.__struct_config__.tag): kind
    for kind in (
        TableLine,
        SeatsLine,
        StartLine,
        PreferLine,
        AutopilotLine,
        WindowLine,
        ReplyLine,
        AnswerLine,
        OverLine,
        AbandonedLine,
        BrokenLine,
    )
}


class Line(NamedTuple):
    """A whole line of a file.

    ``number`` counts from 1; ``raw`` are its bytes without the line end; ``data`` is the JSON
    object in them, ``said`` what that says, both if they can be read; ``problem`` is what is wrong
    with the line by itself, as a sentence without an end, or empty.
    """

    number: int
    raw: bytes
    data: dict[str, Any] | None
    said: JournalLine | None
    problem: str


def read_line(number: int, raw: bytes) -> Line:
    """Read one line.  Never raises, whatever the bytes are."""
    try:
        data = msgspec.json.decode(raw)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        return Line(number, raw, None, None, "it is no JSON object")
    kind = data.get("type")
    wanted = _KINDS.get(kind) if isinstance(kind, str) else None
    if wanted is None:
        return Line(number, raw, data, None, f"there are no lines of type {shown(kind)}")
    try:
        said = msgspec.convert(data, wanted)
    except (msgspec.MsgspecError, ValueError, RecursionError) as wrong:
        return Line(number, raw, data, None, f"it cannot be read: {shorten(str(wrong), 160)}")
    return Line(number, raw, data, said, _oddity(raw, data, said))


def _oddity(raw: bytes, data: dict[str, Any], said: JournalLine) -> str:
    """What is odd about a line that can be read."""
    try:
        datetime.strptime(said.time, "%Y-%m-%dT%H:%M:%S.%fZ")  # noqa: DTZ007 - only whether it is one
    except ValueError:
        return f"its time {said.time} is none"
    if not same(data, said):
        return "it has fields that are unknown, or numbers and values in another form"
    if msgspec.json.encode(data) != raw:
        return "its bytes are not those a journal has: spaces, escapes or keys twice"
    return ""


def same(one: object, other: object) -> bool:
    """Whether two values are the same JSON, but for the order of keys.  ``True`` is not 1 here."""
    try:
        first = msgspec.json.encode(one, order="sorted")
        return first == msgspec.json.encode(other, order="sorted")
    except (msgspec.MsgspecError, ValueError, TypeError, RecursionError):
        return False  # what cannot be written was not written by a journal


def shown(value: object, limit: int = 40) -> str:
    """A value of a file, for a sentence: one line, and not long."""
    if isinstance(value, str):
        return repr(shorten(value, limit))
    if value is None or isinstance(value, bool | int | float):
        return shorten(str(value), limit)
    return "a list" if isinstance(value, list) else "an object"
