"""Turns the inside of a frame into a typed message, and messages into frames.

Incoming, in two steps: msgpack makes plain data of the bytes under strict limits (one map; nothing
but text, integers, finite floats, booleans, nil, lists and maps with unique text keys; nested at
most :data:`MAX_DEPTH` deep), then msgspec makes a message of the plain data.  Each frame is
unpacked in one go, with nothing kept in between: an unpacker is not to be trusted after an error.
Requests that are said all the time take a shorter way to the same end (:func:`plain_request`).

Outgoing, msgspec writes msgpack straight from the message.  It makes the same bytes as
msgpack of the plain data would (a test holds them together) about five times as fast.

No sentence made here repeats what the peer sent unless it is cleaned and cut.
"""

from __future__ import annotations

import math
from typing import Any, Final, TypeAlias, get_args

import msgpack
import msgspec

from protocol.errors import LocalError, RemoteError
from protocol.frames import TO_CLIENT_LIMIT, frame
from protocol.messages import ClientMessage, ServerMessage
from protocol.names import shorten

MAX_DEPTH: Final = 16
"""How deep maps and lists may be nested; the outermost map is level 1."""

_SMALL_MAP: Final = 0x80
"""The first byte of a map with few entries, less their number."""

MAX_ID: Final = 2**53 - 1
"""The largest request id."""

Message: TypeAlias = ClientMessage | ServerMessage
Plain: TypeAlias = dict[str, Any]

_encode = msgspec.msgpack.Encoder().encode


def _by_tag(union: object) -> dict[str, type[Any]]:
    return {str(message.__struct_config__.tag): message for message in get_args(union)}


# Messages are converted to their own type, not to the union of all: msgspec keeps what it knows of
# a struct, and would work out a union again for every message, which takes ten times as long.
_FROM_CLIENT: Final = _by_tag(ClientMessage)
_FROM_SERVER: Final = _by_tag(ServerMessage)


# The messages without optional or nested fields, with their numbers of entries.
_PLAIN: Final = {
    message: 1 + len(fields)
    for message, fields in ((m, msgspec.structs.fields(m)) for m in get_args(ClientMessage))
    if all(field.required for field in fields)
}
_decode_client = msgspec.msgpack.Decoder(ClientMessage).decode


class BadMessageError(ValueError):
    """A map that is no valid message: the sentence is safe to print."""


def unpack(body: bytes) -> Plain:
    """The plain data in a frame.

    Raises RemoteError (``bad-frame``), and nothing else, for whatever is not one map of the
    allowed subset.
    """
    try:
        data = msgpack.unpackb(
            body,
            raw=False,
            strict_map_key=True,
            object_pairs_hook=_unique,
            ext_hook=_no_extension,
            max_bin_len=0,
            max_ext_len=0,
        )
    except RemoteError:
        raise
    except UnicodeDecodeError:
        raise RemoteError("bad-frame", "text in a frame has to be UTF-8") from None
    except msgpack.ExtraData:
        raise RemoteError("bad-frame", "a frame has to end with its map") from None
    except msgpack.StackError:
        raise _too_deep() from None
    except (ValueError, TypeError, OverflowError, RecursionError) as wrong:
        raise RemoteError("bad-frame", _what_is_wrong(body, wrong)) from None
    if type(data) is not dict:
        raise RemoteError("bad-frame", "a frame has to be a map")
    _check(data)
    return data


_REASONS: Final = (
    ("incomplete input", "a frame has to hold its whole map; this one ends in the middle"),
    ("exceeds max_bin_len", "binary is not allowed, only text"),
    ("exceeds max_ext_len", "extension types are not allowed"),
    ("map key", "the keys of a map have to be text"),
    ("unhashable", "the keys of a map have to be text"),
    ("exceeds max_", "a list or map announces more than the frame holds"),
)
"""Pieces of msgpack's sentences, and ours."""


def _what_is_wrong(body: bytes, wrong: Exception) -> str:
    if not body:
        return "a frame may not be empty: it has to hold a map"
    theirs = str(wrong)
    for piece, ours in _REASONS:
        if piece in theirs:
            return ours
    return "a frame has to be msgpack; this one is not"


def _unique(pairs: list[tuple[object, object]]) -> dict[object, object]:
    # msgpack lets the last of several equal keys win; two readers could then read two messages.
    data = dict(pairs)
    if len(data) != len(pairs):
        raise RemoteError("bad-frame", "the keys of a map have to differ")
    if b"" in data:  # longer ones were refused as binary
        raise RemoteError("bad-frame", "the keys of a map have to be text")
    return data


def _no_extension(_code: int, _data: bytes) -> None:
    raise RemoteError("bad-frame", "extension types are not allowed")


def _too_deep() -> RemoteError:
    return RemoteError("bad-frame", f"maps and lists may be nested {MAX_DEPTH} deep at most")


def _check(top: Plain) -> None:
    """Refuse what msgpack lets through, level by level, so that no nesting can exhaust a stack."""
    level: list[Any] = [top]
    depth = 0
    while level:
        depth += 1
        if depth > MAX_DEPTH:
            raise _too_deep()
        below: list[Any] = []
        for container in level:
            for value in container.values() if type(container) is dict else container:
                kind = type(value)
                if kind is dict or kind is list:
                    below.append(value)
                elif kind is float:
                    if not math.isfinite(value):
                        raise RemoteError("bad-frame", "numbers have to be finite")
                elif kind is bytes:
                    raise RemoteError("bad-frame", "binary is not allowed, only text")
        level = below


def plain_request(body: bytes) -> ClientMessage | None:
    """What a frame says, if it is one of the messages that are said all the time: decoded straight
    into its type.  None: it may be anything, :func:`unpack` and :func:`to_client_message` tell.

    The strict limits hold here as well: such a message has nothing but text, numbers and lists of
    text, none of its fields can be missing, so one with as many entries as fields has no key twice.
    """
    try:
        message: ClientMessage = _decode_client(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    return message if body[0] == _SMALL_MAP | _PLAIN.get(type(message), 0) else None


def to_client_message(data: Plain) -> ClientMessage:
    """The message of a client.  Unknown types and fields are refused: raises BadMessageError."""
    message: ClientMessage = _convert(data, _FROM_CLIENT)
    return message


def to_server_message(data: Plain) -> ServerMessage | None:
    """The message of a server; unknown fields are ignored, and None stands for an unknown type.

    Raises BadMessageError if a known field is missing or wrong.
    """
    kind = data.get("type")
    if type(kind) is str and kind not in _FROM_SERVER:
        return None
    message: ServerMessage = _convert(data, _FROM_SERVER)
    return message


def _convert(data: Plain, types: dict[str, type[Any]]) -> Any:
    kind = data.get("type")
    if type(kind) is not str:
        raise BadMessageError("a message needs its name in the text field 'type'")
    message = types.get(kind)
    if message is None:
        raise BadMessageError(f"unknown message type '{shorten(kind, 32)}'")
    try:
        return msgspec.convert(data, message, strict=True)
    except msgspec.ValidationError as wrong:
        raise BadMessageError(f"{kind}: {shorten(str(wrong), 160)}") from None


def request_id(data: Plain) -> int | None:
    """The id a refusal can refer to, if the map has a valid one."""
    number = data.get("id")
    return number if type(number) is int and 0 <= number <= MAX_ID else None


def encode(message: Message) -> bytes:
    """The inside of a frame.  Raises LocalError if the message holds something the wire cannot
    carry, such as a lone surrogate or an integer past 64 bits."""
    try:
        return _encode(message)
    except UnicodeEncodeError:
        raise LocalError("text with a lone surrogate cannot be sent") from None
    except (TypeError, ValueError, OverflowError, RecursionError) as wrong:
        raise LocalError(f"a message cannot be sent: {shorten(str(wrong), 160)}") from None


def encode_frame(message: Message, limit: int = TO_CLIENT_LIMIT) -> bytes:
    """A whole frame; the same bytes may go to any number of connections.

    Raises LocalError as :func:`encode` does, or if the frame is longer than ``limit``.
    """
    return frame(encode(message), limit)
