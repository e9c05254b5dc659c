"""The way into a server: what has to be settled with a person before, and then everything else.

Certificates that are not known yet and passwords need somebody's word.  They are asked for between
two attempts, while there is no connection and no loop of events, so that asking may take its time.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from client.address import Address
from client.connection import Connection
from client.errors import USAGE, ClientError
from client.known_servers import KnownServers
from client.tokens import Tokens
from client.trust import NewCertificateError, Trust
from client.wire import TurnedAwayError
from protocol.names import shorten

PASSWORD_LENGTH = 256
"""Characters of the longest password."""

PASSWORD_TRIES = 3
"""So often is a person asked."""


class Person(Protocol):
    """Whoever can be asked."""

    def trusts(self, new: NewCertificateError) -> bool:
        """Whether this is the certificate that the server should have."""

    def password(self, place: str) -> str:
        """The server's password, or nothing.  Raises ClientError if nobody knows it."""

    def tell(self, text: str) -> None:
        """Say something."""


@dataclass(frozen=True)
class Visit:
    """Who wants to go where, and what they have to show."""

    address: Address
    name: str
    known: KnownServers = field(default_factory=KnownServers)
    tokens: Tokens = field(default_factory=Tokens)
    fingerprint: str = ""
    password: str = ""

    async def connect(self, *, lasting: bool) -> Connection:
        """Connect and say hello.  Raises ClientError."""
        trust = Trust(self.known, self.fingerprint) if self.address.tls else None
        return await Connection.open(
            self.address.host,
            self.address.port,
            self.name,
            lasting=lasting,
            tokens=self.tokens,
            trust=trust,
            password=self.password,
        )


def enter(visit: Visit, person: Person, go: Callable[[Visit], None]) -> None:
    """``go``, again and again with what was settled meanwhile, until it comes to an end.

    Raises ClientError, that of ``go`` or another.
    """
    place = visit.address.place
    visit = _with_tls_if_it_is_known(visit, person)
    asked = 0
    while True:
        try:
            go(visit)
        except NewCertificateError as new:
            if not person.trusts(new):
                raise ClientError(f"{place} was not joined, and is still not known.") from None
            if not visit.known.keep(place, new.fingerprint):
                person.tell("This cannot be remembered: you will be asked again.")
                visit = replace(visit, fingerprint=new.fingerprint)
        except TurnedAwayError as no:
            if no.reason == "tls-needed" and visit.address.tls is None:
                person.tell(f"{place} speaks only TLS, so TLS it is.")
                visit = replace(visit, address=visit.address._replace(tls=True))
            elif no.reason in ("password-needed", "wrong-password") and asked < PASSWORD_TRIES:
                if no.reason == "wrong-password":
                    if not asked:  # it came from a file
                        raise
                    person.tell("That is not the password.")
                asked += 1
                visit = replace(visit, password=_asked_for_password(person, place))
            else:
                raise
        else:
            return


def _with_tls_if_it_is_known(visit: Visit, person: Person) -> Visit:
    """Whoever has spoken TLS before has to speak it again, unless somebody says otherwise."""
    address = visit.address
    if address.tls is None and (visit.fingerprint or visit.known.find(address.place)):
        return replace(visit, address=address._replace(tls=True))
    if address.tls is False:
        if visit.fingerprint:
            raise ClientError("--fingerprint is about TLS, and senro:// wants none.", USAGE)
        if visit.known.find(address.place):
            person.tell(f"{address.place} has spoken TLS before; now everybody can listen.")
    return visit


def _asked_for_password(person: Person, place: str) -> str:
    password = _normal(person.password(place))
    if not password:
        raise ClientError(f"{place} was not joined: it has a password.")
    return password


def read_password(path: str) -> str:
    """The password in the first line of a file.  Raises ClientError (wrong use)."""
    shown = shorten(path, 200)
    try:
        with Path(path).expanduser().open(encoding="utf-8", errors="strict") as file:
            line = file.readline(4 * PASSWORD_LENGTH)
    except UnicodeDecodeError:
        raise ClientError(f"--password-file: {shown} is not UTF-8.", USAGE) from None
    except (OSError, RuntimeError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise ClientError(
            f"--password-file: cannot read {shown}: {shorten(reason, 100)}.", USAGE
        ) from None
    password = _normal(line.rstrip("\r\n"))
    if not password:
        raise ClientError(f"--password-file: the first line of {shown} is empty.", USAGE)
    return password


def _normal(password: str) -> str:
    """In the form in which passwords are compared.  Raises ClientError."""
    password = unicodedata.normalize("NFC", password)
    if len(password) > PASSWORD_LENGTH or any("\ud800" <= char <= "\udfff" for char in password):
        raise ClientError(f"A password has at most {PASSWORD_LENGTH} characters of Unicode.")
    return password
