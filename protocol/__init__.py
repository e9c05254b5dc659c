"""The language on the wire, without any input or output: frames, messages, connection state.

This is its face.  The messages themselves are in :mod:`protocol.messages`, harmless text in
:mod:`protocol.names`, patches in :mod:`protocol.patch`; ``docs/protocol.md`` is the specification.
"""

from __future__ import annotations

from protocol import errors, messages, names, patch
from protocol.codec import MAX_DEPTH, MAX_ID, Message, encode_frame
from protocol.connection import MAGIC, VERSIONS, ClientConnection, ServerConnection
from protocol.errors import CODES, Fault, LocalError, ProtocolError, error
from protocol.frames import HEADER, TO_CLIENT_LIMIT, TO_SERVER_LIMIT
from protocol.names import TextError, clean_name, clean_text, name_key, shorten
from protocol.state import State

__all__ = [
    "MAGIC",
    "VERSIONS",
    "HEADER",
    "TO_SERVER_LIMIT",
    "TO_CLIENT_LIMIT",
    "MAX_DEPTH",
    "MAX_ID",
    "ServerConnection",
    "ClientConnection",
    "State",
    "Fault",
    "Message",
    "encode_frame",
    "CODES",
    "error",
    "ProtocolError",
    "LocalError",
    "TextError",
    "clean_name",
    "clean_text",
    "name_key",
    "shorten",
    "errors",
    "messages",
    "names",
    "patch",
]
