"""The certificate of a server that speaks TLS: its host's own, or one that is made once.

One that is made here is signed by itself, so nobody vouches for it: players compare its
fingerprint with the one that the server shows when it starts, and their clients remember it.
"""

from __future__ import annotations

import datetime
import os
import secrets
import ssl
from pathlib import Path
from typing import NamedTuple

from protocol.fingerprint import fingerprint
from server.settings import Site

FILE = "certificate.pem"
"""In the state folder; the key and the certificate."""

YEARS = 20
"""How long a certificate lasts that is made here: it is as good as its key, however old."""

NAME = "senro"
_DAY = datetime.timedelta(days=1)


class CertificateError(Exception):
    """A certificate cannot be used; the sentence says why, and what to do."""


class Identity(NamedTuple):
    """What a server shows of itself: the context of its connections, the fingerprint of its
    certificate, and whether the certificate was made here."""

    context: ssl.SSLContext
    fingerprint: str
    own: bool


def identity(site: Site, folder: Path) -> Identity | None:
    """What the settings ask for; None if they ask for no TLS.  ``folder`` is the state folder.

    Raises CertificateError, also for settings that contradict each other.
    """
    if site.tls_key and not site.tls_cert:
        raise CertificateError("tls-key says nothing without tls-cert")
    if site.tls_cert:
        if site.tls == "auto":
            raise CertificateError("tls auto makes a certificate, and tls-cert names one: not both")
        return _load(Path(site.tls_cert), Path(site.tls_key or site.tls_cert), own=False)
    if site.tls == "off":
        return None
    file = folder / FILE
    if not file.exists():
        _write(file, make_certificate())
    return _load(file, file, own=True)


def make_certificate() -> bytes:
    """A key and a certificate that it signs itself, both in PEM."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, NAME)])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _DAY)  # clocks differ
        .not_valid_after(now + YEARS * 365 * _DAY)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return private + certificate.public_bytes(Encoding.PEM)


def _write(file: Path, data: bytes) -> None:
    """Write the file at once and whole, for its owner only; one that is there stays."""
    part = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        fd = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(fd, "wb") as out:
                out.write(data)
                out.flush()
                os.fsync(out.fileno())
            if not file.exists():
                part.replace(file)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise CertificateError(
            f"cannot keep a certificate in {file.parent}: {error.strerror or error}"
        ) from None


class _LockedError(Exception):
    """The key has a passphrase."""


def _no_passphrase() -> bytes:
    raise _LockedError


def _load(certificate: Path, key: Path, *, own: bool) -> Identity:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_RENEGOTIATION
    again = f"; without the file {certificate} a new one is made" if own else ""
    try:
        # The first certificate of the file is the server's.
        first = ssl.PEM_cert_to_DER_cert(_first(certificate.read_text("ascii", "replace")))
        key.read_bytes()  # so that what cannot be read is named
        context.load_cert_chain(certificate, key, _no_passphrase)
    except _LockedError:
        raise CertificateError(
            f"{key}: the key has a passphrase; only one without can be used"
        ) from None
    except ssl.SSLError as error:
        raise CertificateError(
            f"{certificate}: no certificate with its key in PEM: {_reason(error)}{again}"
        ) from None
    except OSError as error:
        raise CertificateError(
            f"{error.filename}: it cannot be read: {error.strerror or error}"
        ) from None
    except ValueError:
        raise CertificateError(f"{certificate}: there is no certificate in PEM{again}") from None
    return Identity(context, fingerprint(first), own)


def _first(pem: str) -> str:
    """The first certificate in it."""
    start = pem.index(ssl.PEM_HEADER)
    return pem[start : pem.index(ssl.PEM_FOOTER, start) + len(ssl.PEM_FOOTER)]


def _reason(error: ssl.SSLError) -> str:
    return (error.reason or "unknown").lower().replace("_", " ")
