"""Why a server cannot be reached."""

from __future__ import annotations

import errno
import socket
import ssl

import pytest

from client.network_errors import REASONS, in_words

MANY = (
    "Multiple exceptions: [Errno 111] Connect call failed ('::1', 1, 0, 0), "
    "[Errno 111] Connect call failed ('127.0.0.1', 1)"
)


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (ConnectionRefusedError(errno.ECONNREFUSED, "Connect call failed ('127.0.0.1', 1)"), "nob"),
        (OSError(MANY.replace("111", str(errno.ECONNREFUSED))), "nobody listens there"),
        (OSError(errno.ENETUNREACH, "Network is unreachable"), "there is no way to it from here"),
        (socket.gaierror(-2, "Name or service not known"), "no machine of that name is known"),
        (OSError(errno.EMFILE, "x"), "too many open files"),
        (OSError("what"), "it cannot be reached"),
        (ValueError("embedded null"), "this cannot be looked up"),
        (UnicodeError("label too long"), "this cannot be looked up"),
        (ssl.SSLError(1, "[SSL: WRONG_VERSION_NUMBER] wrong version number"), "[SSL: WRONG"),
        (ssl.SSLError(), "TLS does not work with it"),
    ],
)
def test_the_reason_is_told_in_words_without_python(error: OSError, says: str) -> None:
    told = in_words(error)
    assert told.startswith(says)
    assert not any(sign in told for sign in ("Errno", "(", "'", "call failed"))
    assert not told.endswith(".")


def test_every_reason_is_a_clause() -> None:
    for reason in REASONS.values():
        assert reason[0].islower()
        assert reason.isprintable()
