"""TLS of the client: which server it may be that answers.

A certificate that an authority vouches for, for the name of the host, is as good as on the web.
Any other is known by its fingerprint, which is remembered at the first visit; a server that shows
another one later gets not a word.  Nobody is asked anything here: what needs a person's consent is
an exception with all that has to be said.
"""

from __future__ import annotations

import asyncio
import ssl

from client.address import Address
from client.errors import ClientError
from client.known_servers import VOUCHED, KnownServers
from protocol.fingerprint import fingerprint, grouped
from protocol.names import shorten

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]

CLOSING_SECONDS = 1.0


class CertificateError(ClientError):
    """The server may not be the one it should be."""


class NewCertificateError(CertificateError):
    """A server is met for the first time: somebody has to compare its fingerprint.  ``reason`` is
    why no authority's word counts."""

    def __init__(self, address: Address, digits: str, reason: str) -> None:
        self.address = address
        self.fingerprint = digits
        self.reason = reason
        super().__init__(
            f"{address.place} is not known yet.  The fingerprint (SHA-256) of its certificate is\n"
            f"{grouped(digits)}\n"
            f"and no authority vouches for it ({reason})."
        )


class Trust:
    """Opens TLS streams to servers that are known, or that show the ``demanded`` fingerprint."""

    def __init__(self, known: KnownServers | None = None, demanded: str = "") -> None:
        self.known = known or KnownServers()
        self.demanded = demanded

    async def open(self, address: Address) -> Streams:
        """Streams through TLS.  Raises CertificateError, other ClientErrors, and OSError."""
        expected = self.demanded or self.known.find(address.place)
        try:
            if expected and expected != VOUCHED:
                return await self._open_pinned(address, expected)
            return await self._open_vouched(address, expected)
        except ssl.SSLError as error:
            raise ClientError(_no_tls(address, error, before=bool(expected))) from None

    async def _open_vouched(self, address: Address, expected: str) -> Streams:
        try:
            streams = await _open(address, vouched_context())
        except ssl.SSLCertVerificationError as error:
            reason = shorten(error.verify_message, 100)
        else:
            if not expected:
                self.known.keep(address.place, VOUCHED)
            return streams
        shown = await self._look(address)
        if expected:
            raise self._changed(address, "one that an authority vouched for", shown, reason)
        raise NewCertificateError(address, shown, reason)

    async def _open_pinned(self, address: Address, expected: str) -> Streams:
        streams = await _open(address, any_context())
        shown = _fingerprint(streams)
        if shown != expected:
            await _close(streams)
            if self.demanded:
                raise CertificateError(
                    f"{address.place} does not show the certificate that --fingerprint asks for, "
                    f"and got not a word.  It shows\n{grouped(shown)}"
                )
            raise self._changed(address, grouped(expected), shown, "")
        if self.demanded:
            self.known.keep(address.place, shown)
        return streams

    def _changed(self, address: Address, before: str, shown: str, reason: str) -> CertificateError:
        because = f" ({reason})" if reason else ""
        return CertificateError(
            f"THE CERTIFICATE OF {address.place} HAS CHANGED.  Either its host has made a new one, "
            "or somebody sits in between and wants to listen.  Nothing was told to it.\n"
            f"known:     {before}\n"
            f"shown now: {grouped(shown)}{because}\n"
            "Ask the host, not over this connection, which fingerprint the server shows when it "
            "starts.  If it is the one shown now, accept it with\n"
            f"senro join {address._replace(tls=True).url} --fingerprint {grouped(shown)}\n"
            f"(which servers are known is kept in {shorten(str(self.known.path), 300)})."
        )

    @staticmethod
    async def _look(address: Address) -> str:
        """The fingerprint that is shown now."""
        streams = await _open(address, any_context())
        shown = _fingerprint(streams)
        await _close(streams)
        return shown


def vouched_context() -> ssl.SSLContext:
    """Wants a certificate that an authority vouches for."""
    context = ssl.create_default_context()
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


def any_context() -> ssl.SSLContext:
    """Takes every certificate: it is looked at afterwards, and before anything is said."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


async def _open(address: Address, context: ssl.SSLContext) -> Streams:
    return await asyncio.open_connection(
        address.host,
        address.port,
        ssl=context,
        server_hostname=address.host.partition("%")[0],
        ssl_shutdown_timeout=CLOSING_SECONDS,
    )


PLAIN_WORDS = frozenset({"WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "PACKET_LENGTH_TOO_LONG"})
"""What OpenSSL calls the answer of a server that speaks no TLS."""


def _no_tls(address: Address, error: ssl.SSLError, *, before: bool) -> str:
    reason = error.reason or str(error)
    if reason not in PLAIN_WORDS:
        words = shorten(reason.lower().replace("_", " "), 100)
        return f"No TLS with {address.place}: {words}."
    if before:
        return (
            f"{address.place} speaks no TLS, and should: it has spoken TLS before.  Either its "
            "host has changed that, or somebody sits in between.  Ask the host to start it with "
            "--tls auto."
        )
    return (
        f"{address.place} speaks no TLS.  Ask its host to start it with --tls auto; or join "
        f"{address._replace(tls=False).url}, and everybody on the way can listen."
    )


def _fingerprint(streams: Streams) -> str:
    certificate = streams[1].get_extra_info("ssl_object").getpeercert(binary_form=True)
    return fingerprint(certificate)


async def _close(streams: Streams) -> None:
    streams[1].transport.abort()
    await asyncio.sleep(0)
