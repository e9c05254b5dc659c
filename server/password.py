"""The password of a whole server: kept as a scrypt hash (RFC 7914), never as it is.

A hash is one line, ``scrypt$N$r$p$SALT$HASH`` with salt and hash in Base64; ``senro-server
hash-password`` makes one.  Passwords are compared in Unicode's form NFC.
"""

from __future__ import annotations

import base64
import getpass
import secrets
import sys
import unicodedata
from collections.abc import Mapping, Sequence
from hashlib import scrypt
from hmac import compare_digest
from pathlib import Path
from typing import NamedTuple

from server.flags import Parser, until_nobody_reads

VARIABLE = "SENRO_PASSWORD"
"""The variable of the environment that may hold a password, or its hash.  It is no setting, since
settings are shown."""

LONGEST = 256
"""Characters of a password; the wire takes no longer one."""

COST = (2**15, 8, 1)
"""N, r and p of new hashes: 32 MiB and less than a tenth of a second."""

_MEMORY = 256 * 2**20
_KIND = "scrypt"
_BYTES = 32


class PasswordError(Exception):
    """A password cannot be used; the sentence says why."""


class Hash(NamedTuple):
    """What is kept of a password."""

    cost: tuple[int, int, int]
    salt: bytes
    digest: bytes

    @classmethod
    def of(cls, password: str, cost: tuple[int, int, int] = COST) -> Hash:
        """The hash of a password, with a salt of its own.  Raises PasswordError."""
        if not password or len(password) > LONGEST:
            raise PasswordError(f"a password has 1 to {LONGEST} characters")
        salt = secrets.token_bytes(16)
        return cls(cost, salt, _scrypt(password, salt, cost))

    @classmethod
    def parse(cls, line: str) -> Hash:
        """The hash in a line.  Raises PasswordError."""
        try:
            kind, n, r, p, salt, digest = line.split("$")
            cost = (int(n), int(r), int(p))
            found = cls(
                cost, base64.b64decode(salt, validate=True), base64.b64decode(digest, validate=True)
            )
            if kind != _KIND or len(found.digest) != _BYTES or len(found.salt) < 8:
                raise ValueError
            _scrypt("", found.salt, cost)  # whether these costs can be paid
        except (ValueError, OverflowError, MemoryError):
            raise PasswordError(
                "this is no hash that senro-server hash-password makes, and a password may not "
                f"begin with {_KIND}$"
            ) from None
        return found

    def __str__(self) -> str:
        salt, digest = (base64.b64encode(data).decode() for data in (self.salt, self.digest))
        return "$".join([_KIND, *map(str, self.cost), salt, digest])

    def fits(self, password: str) -> bool:
        """Whether this is the password.  Takes as long as it takes, whatever the password is."""
        return compare_digest(_scrypt(password, self.salt, self.cost), self.digest)


def _scrypt(password: str, salt: bytes, cost: tuple[int, int, int]) -> bytes:
    n, r, p = cost
    data = unicodedata.normalize("NFC", password).encode("utf-8", "replace")
    return scrypt(data, salt=salt, n=n, r=r, p=p, maxmem=_MEMORY, dklen=_BYTES)


def given_password(file: str, environment: Mapping[str, str]) -> Hash | None:
    """The password that a file or the environment holds, as it is or as a hash; None if there is
    none.  Raises PasswordError."""
    said = environment.get(VARIABLE)
    if said is not None and file:
        raise PasswordError(f"there is one in {VARIABLE} and one in password-file: take one away")
    if said is not None:
        return _hash(said, VARIABLE)
    if not file:
        return None
    try:
        with Path(file).open(encoding="utf-8") as opened:
            line = opened.readline(4 * LONGEST).rstrip("\r\n")
    except UnicodeDecodeError:
        raise PasswordError(f"{file}: it is not UTF-8") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise PasswordError(f"{file}: it cannot be read: {reason}") from None
    return _hash(line, file)


def _hash(line: str, where: str) -> Hash:
    try:
        return Hash.parse(line) if line.startswith(f"{_KIND}$") else Hash.of(line)
    except PasswordError as wrong:
        raise PasswordError(f"{where}: {wrong}") from None


# ---------------------------------------------------------------------- the command


def wants_hash(argv: Sequence[str]) -> bool:
    """Whether these arguments ask for this command and not for a server."""
    return list(argv[:1]) == ["hash-password"]


def main(argv: Sequence[str]) -> int:
    """Run ``hash-password``; returns its exit code."""
    program = "senro-server hash-password"
    parser = Parser(
        prog=program,
        description="Ask for a password and print the line to keep in the file that "
        "--password-file names.  Without a terminal, the password is the first line of the input.",
    )
    parser.parse_args(argv[1:])
    try:
        hashed = Hash.of(_asked())
    except PasswordError as wrong:
        parser.error(str(wrong))
    return until_nobody_reads(program, lambda: print(hashed))


def _asked() -> str:
    """Raises PasswordError."""
    if not sys.stdin.isatty():
        return sys.stdin.readline(4 * LONGEST).rstrip("\r\n")
    try:
        password = getpass.getpass("Password: ")
        again = getpass.getpass("Once more: ")
    except EOFError:
        raise PasswordError("there was none") from None
    if password != again:
        raise PasswordError("the two were not the same")
    return password
