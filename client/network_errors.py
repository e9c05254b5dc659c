"""Why a server cannot be reached, in words for people."""

from __future__ import annotations

import errno
import os
import re
import socket
import ssl

from protocol.names import shorten

REASONS = {
    errno.ECONNREFUSED: "nobody listens there",
    errno.EHOSTUNREACH: "there is no way to it from here",
    errno.ENETUNREACH: "there is no way to it from here",
    errno.ENETDOWN: "the network is down",
    errno.ETIMEDOUT: "it does not answer",
    errno.ECONNRESET: "it closed the connection",
    errno.EPIPE: "it closed the connection",
    errno.EADDRNOTAVAIL: "this is no address that can be reached from here",
    errno.EACCES: "this machine does not allow it",
    errno.EPERM: "this machine does not allow it",
}
_NUMBER = re.compile(r"\[Errno (-?\d+)\]")


def in_words(error: OSError | ValueError) -> str:
    """A clause without a full stop; nothing of how the program is written shows through."""
    if isinstance(error, socket.gaierror):
        return "no machine of that name is known"
    if isinstance(error, ssl.SSLError):
        reason = error.strerror or getattr(error, "reason", "")
        return shorten(reason or "TLS does not work with it", 200)
    number = getattr(error, "errno", None)
    if number is None:  # asyncio quotes the errors of all addresses in one
        found = _NUMBER.search(str(error))
        number = int(found[1]) if found else None
    if number in REASONS:
        return REASONS[number]
    if isinstance(number, int) and number > 0:
        return os.strerror(number).lower()
    return "this cannot be looked up" if isinstance(error, ValueError) else "it cannot be reached"
