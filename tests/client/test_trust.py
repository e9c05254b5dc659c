"""Which server answers: over real sockets of this machine, with certificates of all kinds."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trustme

import protocol
from client.connection import Connection, LineNews
from client.errors import ClientError
from client.known_servers import VOUCHED, KnownServers
from client.trust import CertificateError, NewCertificateError, Trust
from client.wire import ConnectionLostError, TurnedAwayError
from protocol.fingerprint import fingerprint, grouped
from protocol.messages import Error, Hello
from tests.client.test_connection import Script, greet

CA = trustme.CA()
VOUCHED_FOR = CA.issue_cert("127.0.0.1")
OWN = trustme.CA().issue_cert("senro")  # signed by nobody that anybody knows
OTHER = trustme.CA().issue_cert("senro")


def digits(leaf: trustme.LeafCert) -> str:
    return fingerprint(ssl.PEM_cert_to_DER_cert(leaf.cert_chain_pems[0].bytes().decode()))


def context_of(leaf: trustme.LeafCert) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    leaf.configure_cert(context)
    return context


@pytest.fixture(autouse=True)
def _authority(monkeypatch: pytest.MonkeyPatch) -> None:
    def vouched_context() -> ssl.SSLContext:
        context = ssl.create_default_context()
        CA.configure_trust(context)
        return context

    monkeypatch.setattr("client.trust.vouched_context", vouched_context)


class TlsServer:
    """Says what a peer says, with a certificate that can be changed; ``heard`` is how many bytes
    came in clear inside TLS."""

    def __init__(self, leaf: trustme.LeafCert | None) -> None:
        self.leaf = leaf
        self.port = 0
        self.heard = 0
        self.visits = 0

    @asynccontextmanager
    async def serving(self, peer: Callable[[Script], Awaitable[None]]) -> AsyncIterator[int]:
        async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self.visits += 1
            read = reader.read

            async def counted(n: int = -1) -> bytes:
                data = await read(n)
                self.heard += len(data)
                return data

            reader.read = counted  # type: ignore[method-assign]
            try:
                await peer(Script(reader, writer))
            except (ConnectionError, ssl.SSLError, asyncio.CancelledError):
                pass
            finally:
                writer.transport.abort()

        context = context_of(self.leaf) if self.leaf else None
        server = await asyncio.start_server(accept, "127.0.0.1", self.port, ssl=context)
        self.port = server.sockets[0].getsockname()[1]
        async with server:
            yield self.port


async def welcome(script: Script) -> None:
    await greet(script)
    while await script.get() is not None:
        pass


def visit(
    server: TlsServer,
    trust: Trust | None,
    peer: Callable[[Script], Awaitable[None]] = welcome,
    password: str = "",
) -> None:
    async def main() -> None:
        async with asyncio.timeout(30), server.serving(peer) as port:
            connection = await Connection.open(
                "127.0.0.1", port, "Anna", trust=trust, password=password
            )
            await connection.close()

    asyncio.run(main())


@pytest.fixture
def known(tmp_path: Path) -> KnownServers:
    return KnownServers(tmp_path / "known_servers")


def test_a_server_that_an_authority_vouches_for_is_let_pass(known: KnownServers) -> None:
    server = TlsServer(VOUCHED_FOR)
    visit(server, Trust(known))
    assert known.find(f"127.0.0.1:{server.port}") == VOUCHED
    server.leaf = CA.issue_cert("127.0.0.1")  # renewed
    visit(server, Trust(known))


def test_a_new_server_is_shown_and_told_nothing(known: KnownServers) -> None:
    server = TlsServer(OWN)
    with pytest.raises(NewCertificateError) as new:
        visit(server, Trust(known), password="open sesame")
    assert new.value.fingerprint == digits(OWN)
    assert grouped(digits(OWN)) in str(new.value)
    assert "no authority vouches for it" in str(new.value)
    assert server.heard == 0
    assert known.find(f"127.0.0.1:{server.port}") == ""


def test_the_name_of_the_host_counts_for_authorities(known: KnownServers) -> None:
    server = TlsServer(CA.issue_cert("elsewhere.example.org"))
    with pytest.raises(NewCertificateError, match="127.0.0.1"):
        visit(server, Trust(known))
    assert server.heard == 0


def test_a_known_server_is_let_pass_as_long_as_it_is_the_same(known: KnownServers) -> None:
    server = TlsServer(OWN)
    with pytest.raises(NewCertificateError) as new:
        visit(server, Trust(known))
    known.keep(new.value.address.place, new.value.fingerprint)
    visit(server, Trust(known))
    heard = server.heard
    assert heard > 0
    for leaf in (OTHER, VOUCHED_FOR):  # an authority's word does not undo what was pinned
        server.leaf = leaf
        with pytest.raises(CertificateError, match="HAS CHANGED") as changed:
            visit(server, Trust(known), password="open sesame")
        text = str(changed.value)
        for said in (grouped(digits(OWN)), grouped(digits(leaf)), str(known.path)):
            assert said in text
        command = f"senro join senros://127.0.0.1:{server.port} --fingerprint "
        assert command + grouped(digits(leaf)) in text
    assert server.heard == heard
    assert known.find(f"127.0.0.1:{server.port}") == digits(OWN)


def test_a_server_that_authorities_vouch_for_no_more_is_refused(known: KnownServers) -> None:
    server = TlsServer(VOUCHED_FOR)
    visit(server, Trust(known))
    heard = server.heard
    server.leaf = OWN
    with pytest.raises(CertificateError, match="one that an authority vouched for"):
        visit(server, Trust(known))
    assert server.heard == heard


def test_a_fingerprint_that_is_demanded_is_what_counts_and_is_kept(known: KnownServers) -> None:
    server = TlsServer(OWN)
    with pytest.raises(CertificateError, match="does not show the certificate that --fingerprint"):
        visit(server, Trust(known, digits(OTHER)))
    assert server.heard == 0
    visit(server, Trust(known, digits(OWN)))
    visit(server, Trust(known))
    server.leaf = OTHER
    visit(server, Trust(known, digits(OTHER)))  # this is how a change is accepted
    visit(server, Trust(known))
    assert known.find(f"127.0.0.1:{server.port}") == digits(OTHER)


# -------------------------------------------------------------- TLS at the wrong port


async def plain_server_hears_tls(script: Script) -> None:
    """As a real server does: magic and an error in plain words."""
    data = await script.reader.read(65536)
    (fault,) = script.wire.receive(data)
    assert isinstance(fault, protocol.Fault)
    await script.say(fault.error)
    while await script.reader.read(65536):
        pass


def test_tls_at_a_plain_port_is_told_what_to_do(known: KnownServers) -> None:
    server = TlsServer(None)
    with pytest.raises(ClientError, match=r"speaks no TLS.*senro://127\.0\.0\.1:\d+, and every"):
        visit(server, Trust(known), plain_server_hears_tls)


def test_a_plain_server_where_tls_was_spoken_is_not_simply_advised(known: KnownServers) -> None:
    server = TlsServer(OWN)
    visit(server, Trust(known, digits(OWN)))
    server.leaf = None
    with pytest.raises(ClientError, match="spoken TLS before.*somebody sits in between"):
        visit(server, Trust(known), plain_server_hears_tls)


@pytest.mark.parametrize(
    "said",
    [
        protocol.MAGIC + protocol.encode_frame(Error("tls-needed", "speak TLS")),
        b"\x15\x03\x03\x00\x02\x02\x46",  # the alert of a TLS server that is not ours
    ],
)
def test_plain_words_at_a_tls_port_are_told_what_to_do(said: bytes) -> None:
    async def peer(script: Script) -> None:
        await script.reader.read(65536)
        script.writer.write(said)

    with pytest.raises(TurnedAwayError) as no:
        visit(TlsServer(None), None, peer)
    assert no.value.reason == "tls-needed"


@pytest.mark.parametrize(
    "said", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\x15\x03\x03\x00\x02\x02\x28"]
)
def test_what_speaks_no_tls_at_all_is_one_sentence(known: KnownServers, said: bytes) -> None:
    async def peer(script: Script) -> None:
        await script.reader.read(65536)
        script.writer.write(said)

    with pytest.raises(ClientError, match=r"127\.0\.0\.1") as no:
        visit(TlsServer(None), Trust(known), peer)
    assert "\n" not in str(no.value)


def test_a_server_that_never_finishes_the_handshake_is_given_up(known: KnownServers) -> None:
    async def peer(script: Script) -> None:
        while await script.reader.read(65536):
            pass

    async def main() -> None:
        async with TlsServer(None).serving(peer) as port:
            with pytest.raises(ClientError, match="did not answer"):
                await Connection.open("127.0.0.1", port, "Anna", 0.2, trust=Trust(known))

    asyncio.run(main())


def test_a_host_that_no_name_can_be_is_one_sentence(known: KnownServers) -> None:
    with pytest.raises(ClientError, match=r"Cannot connect to a\.\.b:72"):
        asyncio.run(Connection.open("a..b", 72, "Anna", trust=Trust(known)))


# -------------------------------------------------------------- passwords and coming back


def test_a_password_goes_in_clear_to_this_machine_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[object] = []

    async def peer(script: Script) -> None:
        hello = await script.get()
        if isinstance(hello, Hello):
            heard.append(hello.password)
            await script.say(Error("wrong-password", "no"))

    with pytest.raises(TurnedAwayError):
        visit(TlsServer(None), None, peer, password="open sesame")
    assert heard == ["open sesame"]
    monkeypatch.setattr("client.wire._is_here", lambda _: False)
    with pytest.raises(ClientError, match="so it was not sent"):
        visit(TlsServer(None), None, peer, password="open sesame")
    assert heard == ["open sesame"]


def test_who_comes_back_to_another_certificate_stays_away(
    known: KnownServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("client.connection.FIRST_PAUSE", 0.001)
    server = TlsServer(OWN)

    async def main() -> None:
        async with asyncio.timeout(30):
            async with server.serving(greet) as port:
                connection = await Connection.open(
                    "127.0.0.1", port, "Anna", lasting=True, trust=Trust(known, digits(OWN))
                )
            heard = server.heard
            server.leaf = OTHER
            async with connection, server.serving(welcome):
                assert isinstance(await connection.next(), LineNews)  # the line is lost
                with pytest.raises(ConnectionLostError, match="does not show"):
                    await connection.next()
            assert server.heard == heard

    asyncio.run(main())
