"""What can be asked of a running server, and what it answers: JSON lines, one object each.

A request has the name of its ``command``; the answer is ``{"ok": true, "result": {...}}`` or
``{"ok": false, "error": "a sentence"}``.  Plain records, no doing.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

LINE_LIMIT = 65_536
"""Bytes in one request."""

Name = Annotated[str, Meta(min_length=1, max_length=100)]
Text = Annotated[str, Meta(max_length=1_000)]
Seconds = Annotated[float, Meta(ge=0, le=10 * 365 * 86_400)]


class Command(
    Struct,
    frozen=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="command",
    tag=lambda name: name.lower(),
):
    """Base of all that can be asked."""


class Status(Command, frozen=True):
    """How does the server stand?"""


class Tables(Command, frozen=True):
    """Which tables are there?"""


class Sessions(Command, frozen=True):
    """Who is here?"""


class Kick(Command, frozen=True):
    """Put somebody out."""

    name: Name
    reason: Text = ""


class Mute(Command, frozen=True):
    """Let nobody of this name chat, for so many seconds (0: until the server ends)."""

    name: Name
    seconds: Seconds = 0.0


class Unmute(Command, frozen=True):
    """Let them chat again."""

    name: Name


class Ban(Command, frozen=True):
    """Let a name or an address in no more, for so many seconds (0: for good)."""

    name: str = ""
    address: str = ""
    reason: Text = ""
    seconds: Seconds = 0.0


class Unban(Command, frozen=True):
    """Undo bans."""

    name: str = ""
    address: str = ""


class Bans(Command, frozen=True):
    """Which bans are in force?"""


class Announce(Command, frozen=True):
    """Tell everybody something, or all at one table."""

    text: Annotated[str, Meta(min_length=1, max_length=1_000)]
    table: str = ""


class Drain(Command, frozen=True):
    """End once the running games have ended."""


class Stop(Command, frozen=True):
    """End now."""


AnyCommand = (
    Status | Tables | Sessions | Kick | Mute | Unmute | Ban | Unban | Bans | Announce | Drain | Stop
)


class Answer(Struct, frozen=True, omit_defaults=True):
    """The answer to a command."""

    ok: bool
    result: dict[str, Any] = {}
    error: str | UnsetType = UNSET


decode = msgspec.json.Decoder(AnyCommand).decode
decode_answer = msgspec.json.Decoder(Answer).decode
encode = msgspec.json.Encoder().encode
