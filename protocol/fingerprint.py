"""How the certificate of a server is told from others, by programs and by people.

A fingerprint is the SHA-256 of a certificate in DER, as 64 hexadecimal digits in lower case.  This
module knows no certificates and no TLS.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Final

LENGTH: Final = 64
"""Hexadecimal digits of a fingerprint."""

_GROUP = 8
_HEX = frozenset("0123456789abcdef")


def fingerprint(certificate: bytes) -> str:
    """The fingerprint of a certificate in DER."""
    return sha256(certificate).hexdigest()


def grouped(digits: str) -> str:
    """A fingerprint, or the beginning of one, as people compare it: groups with colons between."""
    return ":".join(digits[at : at + _GROUP] for at in range(0, len(digits), _GROUP))


def parse(text: str) -> str:
    """The fingerprint that somebody typed or pasted, whatever groups it is in.

    Raises ValueError, with a sentence, unless it is a whole one.
    """
    digits = "".join(text.replace(":", " ").split()).lower()
    digits = digits.removeprefix("sha256").removeprefix("=")
    if len(digits) != LENGTH or not _HEX.issuperset(digits):
        raise ValueError(f"a fingerprint has {LENGTH} hexadecimal digits")
    return digits
