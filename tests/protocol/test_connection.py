from __future__ import annotations

from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

import protocol
from protocol import MAGIC, ClientConnection, Fault, LocalError, ServerConnection, State, error
from protocol.frames import HEADER, frame
from protocol.messages import (
    Bye,
    ClientMessage,
    Hello,
    ListTables,
    Ok,
    Ping,
    ServerMessage,
    Welcome,
)
from tests.protocol.strategies import REQUESTS, TIDINGS, cut

HELLO = Hello(versions=(1, 1), name="ann")
WELCOME = Welcome(
    version=1, name="ann", server="senro", frame_limit=8192, bots=["greedy"], boards=["tokyo"]
)
PLACES = st.lists(st.integers(0, 600), max_size=12)


def raw(data: Any) -> bytes:
    return frame(msgpack.packb(data), 2**20)


def greeted() -> ServerConnection:
    server = ServerConnection()
    assert server.receive(MAGIC + protocol.encode_frame(HELLO)) == [HELLO]
    return server


def opened() -> tuple[ClientConnection, ServerConnection]:
    client, server = ClientConnection(), ServerConnection()
    assert server.receive(client.opening() + client.send(HELLO)) == [HELLO]
    assert client.receive(server.send(WELCOME)) == [WELCOME]
    assert (client.state, server.state) == (State.OPEN, State.OPEN)
    return client, server


def only_fault(got: list[Any], code: str, *, fatal: bool = True) -> str:
    (fault,) = got
    assert isinstance(fault, Fault)
    assert (fault.error.code, fault.fatal) == (code, fatal)
    return fault.error.text


# ------------------------------------------------------------------------- how it should go


def test_a_connection_from_the_first_byte_to_the_last() -> None:
    client, server = ClientConnection(), ServerConnection()
    assert (client.state, server.state) == (State.START, State.START)
    data = client.opening()
    assert data == MAGIC
    assert server.receive(data) == []
    assert (client.state, server.state) == (State.GREETING, State.GREETING)
    assert server.receive(client.send(HELLO)) == [HELLO]
    assert (client.state, server.state) == (State.ANSWERING, State.ANSWERING)
    data = server.send(WELCOME)
    assert data.startswith(MAGIC)
    assert client.receive(data) == [WELCOME]
    assert client.version == server.version == 1
    assert server.receive(client.send(Ping(id=3))) == [Ping(id=3)]
    assert client.receive(server.send(Ok(re=3))) == [Ok(re=3)]
    assert server.receive(client.send(Bye())) == [Bye()]
    assert (client.state, server.state) == (State.CLOSING, State.CLOSING)
    assert server.receive(b"more") == []


def test_the_magic_comes_by_itself_and_only_once() -> None:
    client = ClientConnection()
    assert client.send(HELLO) == MAGIC + protocol.encode_frame(HELLO)
    assert client.opening() == b""
    _, server = opened()
    assert server.send(Ok(re=1)) == protocol.encode_frame(Ok(re=1))


def test_a_ready_made_frame_goes_to_many() -> None:
    shared = protocol.encode_frame(Ok(re=1))
    for _ in range(2):
        client, server = opened()
        assert client.receive(server.send(shared)) == [Ok(re=1)]


def test_a_client_need_not_wait_for_welcome() -> None:
    client, server = ClientConnection(), ServerConnection()
    data = client.send(HELLO) + client.send(ListTables(id=1)) + client.send(Bye())
    assert server.receive(data) == [HELLO, ListTables(id=1), Bye()]
    got = client_side(server.send(WELCOME) + server.send(Ok(re=1)))
    assert got == [WELCOME, Ok(re=1)]


def client_side(data: bytes) -> list[ServerMessage | Fault]:
    client = ClientConnection()
    client.send(HELLO)
    return client.receive(data)


@given(st.lists(REQUESTS, max_size=5), PLACES)
def test_a_server_hears_the_same_however_the_stream_is_cut(
    requests: list[ClientMessage], places: list[int]
) -> None:
    said = [HELLO, *requests, Bye()]
    client = ClientConnection()
    server = ServerConnection()
    stream = b"".join([client.send(message) for message in said])
    assert [got for piece in cut(stream, places) for got in server.receive(piece)] == said


@given(st.lists(REQUESTS, max_size=5), PLACES)
def test_a_server_can_hear_one_message_at_a_time(
    requests: list[ClientMessage], places: list[int]
) -> None:
    said = [HELLO, *requests, Bye()]
    client = ClientConnection()
    server = ServerConnection()
    stream = b"".join([client.send(message) for message in said])
    heard: list[Any] = []
    for piece in cut(stream, places):
        server.feed(piece)
        heard += iter(server.next, None)
    assert heard == said
    server.feed(stream)
    assert server.next() is None


@given(st.lists(TIDINGS, max_size=5), PLACES)
def test_a_client_hears_the_same_however_the_stream_is_cut(
    tidings: list[ServerMessage], places: list[int]
) -> None:
    said = [WELCOME, *tidings, error("shutting-down")]
    server = greeted()
    client = ClientConnection()
    client.send(HELLO)
    stream = b"".join([server.send(message) for message in said])
    assert [got for piece in cut(stream, places) for got in client.receive(piece)] == said
    assert (client.state, server.state) == (State.CLOSED, State.CLOSED)


@pytest.mark.parametrize("at", range(1, 8))
def test_a_frame_that_has_begun_is_known(at: int) -> None:
    client, server = opened()
    data = client.send(Ping(id=1))
    assert not server.frame_begun
    server.receive(data[:at])
    assert server.frame_begun
    server.receive(data[at:])
    assert not server.frame_begun


def test_a_magic_that_has_begun_is_known() -> None:
    server = ServerConnection()
    assert not server.frame_begun
    server.receive(MAGIC[:3])
    assert server.frame_begun
    server.receive(MAGIC[3:])
    assert not server.frame_begun


# ------------------------------------------------------------------------------- strangers


STRANGERS = {
    "a browser": b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    "a form": b"POST / HTTP/1.1\r\n\r\n" + MAGIC,
    "SSH": b"SSH-2.0-x\r\n",
    "one byte": b"\x00",
    "line ends changed": MAGIC.replace(b"\r\n", b"\n") + b"\x00\x00",
    "the eighth bit lost": bytes(byte & 0x7F for byte in MAGIC),
    "nearly": MAGIC[:-1] + b"\x00",
}


@pytest.mark.parametrize("data", STRANGERS.values(), ids=STRANGERS.keys())
def test_a_stranger_gets_no_word(data: bytes) -> None:
    server = ServerConnection()
    only_fault(server.receive(data), "not-senro")
    assert server.state is State.CLOSED
    assert server.receive(MAGIC) == []
    with pytest.raises(LocalError, match="while the connection is closed"):
        server.send(error("not-senro"))


CLIENT_HELLO = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"


@pytest.mark.parametrize("size", [1, 2, len(CLIENT_HELLO)])
def test_tls_where_none_is_spoken_is_recognised_and_answered(size: int) -> None:
    server = ServerConnection()
    chunks = [CLIENT_HELLO[at : at + size] for at in range(0, len(CLIENT_HELLO), size)]
    got = [message for chunk in chunks for message in server.receive(chunk)]
    text = only_fault(got, "no-tls")
    assert "senro://" in text
    assert server.receive(MAGIC) == []
    assert client_side(server.send(error("no-tls", text))) == [error("no-tls", text)]


@pytest.mark.parametrize("size", [1, 7])
def test_a_client_recognises_a_server_that_speaks_only_tls(size: int) -> None:
    alert = b"\x15\x03\x03\x00\x02\x02\x46"
    client = ClientConnection()
    client.send(HELLO)
    got = [one for at in range(0, len(alert), size) for one in client.receive(alert[at:][:size])]
    assert "--tls" in only_fault(got, "tls-needed")


def test_a_hello_that_is_shown_shows_no_password() -> None:
    assert "open sesame" not in repr(Hello((1, 1), "Ann", password="open sesame"))


def test_a_client_knows_what_is_no_server() -> None:
    text = only_fault(client_side(b"220 smtp.example.org ESMTP\r\n"), "not-senro")
    assert text == "the other end is no Senro server"


# -------------------------------------------------------------------------- the first words


@pytest.mark.parametrize("offered", [(2, 3), (0, 0), (-5, -1), (2**60, 2**61)])
def test_a_client_of_another_age_reads_which_versions_there_are(offered: tuple[int, int]) -> None:
    server = ServerConnection()
    # Even with fields from the future.
    hello = {"type": "hello", "versions": list(offered), "name": "ann", "mood": "curious"}
    text = only_fault(server.receive(MAGIC + raw(hello)), "version")
    assert text == "this server speaks versions 1 to 1 of the protocol"
    assert client_side(server.send(error("version", text))) == [error("version", text)]


@pytest.mark.parametrize(
    ("server_range", "client_range", "version"),
    [((1, 3), (1, 1), 1), ((1, 3), (2, 9), 3), ((2, 3), (1, 2), 2), ((1, 1), (0, 5), 1)],
)
def test_the_highest_common_version_is_spoken(
    server_range: tuple[int, int], client_range: tuple[int, int], version: int
) -> None:
    server = ServerConnection(versions=server_range)
    hello = Hello(versions=client_range, name="ann")
    assert server.receive(MAGIC + protocol.encode_frame(hello)) == [hello]
    assert server.version == version


def test_a_client_refuses_a_version_that_it_did_not_offer() -> None:
    welcome = Welcome(version=2, name="a", server="s", frame_limit=1, bots=[], boards=[])
    text = only_fault(client_side(greeted().send(welcome)), "version")
    assert text == "the server speaks version 2; this client offered 1 to 1"


BAD_HELLOS: dict[str, Any] = {
    "versions upside down": {"type": "hello", "versions": [3, 1], "name": "a"},
    "versions missing": {"type": "hello", "name": "a"},
    "versions of the wrong kind": {"type": "hello", "versions": [1, True], "name": "a"},
    "three versions": {"type": "hello", "versions": [1, 1, 1], "name": "a"},
    "an unknown field": {"type": "hello", "versions": [1, 1], "name": "a", "mood": "fine"},
    "an unknown type": {"type": "hallo", "id": 7},
    "no type": {},
}


@pytest.mark.parametrize("data", BAD_HELLOS.values(), ids=BAD_HELLOS.keys())
def test_before_hello_whatever_is_wrong_ends_the_connection(data: Any) -> None:
    server = ServerConnection()
    only_fault(server.receive(MAGIC + raw(data) + raw({"type": "ping", "id": 1})), "bad-message")
    assert server.state is State.CLOSING
    assert client_side(server.send(error("bad-message"))) == [error("bad-message")]


def test_the_first_message_is_hello() -> None:
    server = ServerConnection()
    got = server.receive(MAGIC + raw({"type": "ping", "id": 1}))
    assert only_fault(got, "unexpected-message") == "the first message has to be hello"


def test_hello_and_welcome_are_said_only_once() -> None:
    client, server = opened()
    again = protocol.encode_frame(HELLO) + protocol.encode_frame(Ping(id=1))
    text = only_fault(server.receive(again), "unexpected-message")
    assert text == "hello and welcome are said only once"
    only_fault(greeted().receive(again), "unexpected-message")
    only_fault(client.receive(protocol.encode_frame(WELCOME)), "unexpected-message")
    client, server = opened()
    with pytest.raises(LocalError, match="cannot send a hello while the connection is open"):
        client.send(HELLO)
    with pytest.raises(LocalError, match="cannot send a welcome while the connection is open"):
        server.send(WELCOME)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (raw({"type": "ok", "re": 1}), "unexpected-message"),
        (raw({"type": "weather"}), "unexpected-message"),
        (raw({"type": "error", "code": "busy", "text": "", "re": 1}), "unexpected-message"),
        (raw({"type": "welcome"}), "bad-message"),
        (raw([]), "bad-frame"),
    ],
)
def test_a_client_wants_welcome_first(data: bytes, code: str) -> None:
    only_fault(client_side(MAGIC + data), code)


def test_a_server_says_nothing_before_hello() -> None:
    client = ClientConnection()
    client.opening()
    got = client.receive(MAGIC + protocol.encode_frame(WELCOME))
    assert only_fault(got, "unexpected-message") == "the first message has to be hello"
    got = ClientConnection().receive(MAGIC + protocol.encode_frame(WELCOME))
    assert only_fault(got, "unexpected-message") == "a server speaks only after hello"
    with pytest.raises(LocalError, match="cannot send a reply while the connection is start"):
        ServerConnection().send(Ok(re=1))
    with pytest.raises(LocalError, match="cannot send a reply while the connection is answering"):
        greeted().send(protocol.encode_frame(Ok(re=1)))


def test_a_client_says_hello_first_and_can_still_do_so_after_a_mistake() -> None:
    client = ClientConnection()
    with pytest.raises(LocalError, match="cannot send a request while the connection is greeting"):
        client.send(Ping(id=1))
    with pytest.raises(LocalError, match="lone surrogate"):
        client.send(Hello(versions=(1, 1), name="\ud800"))
    assert client.state is State.START
    assert client.send(HELLO).startswith(MAGIC)


# ------------------------------------------------------------------------ in the open state


def test_a_map_that_is_no_message_is_refused_and_the_connection_goes_on() -> None:
    _, server = opened()
    ping = {"type": "ping", "id": 9}
    got = server.receive(raw({**ping, "x": 1}) + raw({"type": "dance", "id": -1}) + raw(ping))
    assert [type(item) for item in got] == [Fault, Fault, Ping]
    first, second, _ = got
    assert isinstance(first, Fault)
    assert isinstance(second, Fault)
    assert first == Fault(error("bad-message", first.error.text, re=9), fatal=False)
    assert second == Fault(error("bad-message", second.error.text), fatal=False)
    assert server.state is State.OPEN


def test_a_refusal_without_an_id_leaves_the_client_open() -> None:
    client, server = opened()
    refusal = error("bad-message", "unknown message type 'dance'")
    assert client.receive(server.send(refusal)) == [refusal]
    assert (client.state, server.state) == (State.OPEN, State.OPEN)


def test_a_client_goes_on_after_a_message_it_does_not_understand() -> None:
    client, server = opened()
    got = client.receive(raw({"type": "weather"}) + raw({"type": "ok"}) + server.send(Ok(re=1)))
    only_fault(got[:1], "bad-message", fatal=False)
    assert got[1:] == [Ok(re=1)]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\x00\x00\x00\x00", "bad-frame"),
        (b"\x00\x00\x00\x01\xc1", "bad-frame"),
        (raw([1]), "bad-frame"),
        (raw({"type": "ping", "id": float("nan")}), "bad-frame"),
        (b"\x00\x00\x20\x01", "frame-too-long"),
        (b"\xff\xff\xff\xff", "frame-too-long"),
    ],
)
def test_a_broken_frame_ends_the_connection(data: bytes, code: str) -> None:
    _, server = opened()
    ping = protocol.encode_frame(Ping(id=1))
    first, *rest = server.receive(ping + data + ping)
    assert first == Ping(id=1)
    only_fault(rest, code)
    assert server.state is State.CLOSING
    assert not server.frame_begun
    assert server.receive(ping) == []
    server.send(Ok(re=1))  # what was under way may still be said
    server.send(error(code))
    with pytest.raises(LocalError, match="cannot send a reply while the connection is closed"):
        server.send(Ok(re=1))


def test_a_client_keeps_to_the_frame_limit_of_its_server() -> None:
    client = ClientConnection()
    client.send(HELLO)
    small = Welcome(version=1, name="a", server="s", frame_limit=12, bots=[], boards=[])
    client.receive(greeted().send(small))
    with pytest.raises(LocalError, match="over the limit of 12"):
        client.send(Ping(id=1))


def test_nothing_changes_when_a_message_cannot_be_sent() -> None:
    server = greeted()
    with pytest.raises(LocalError, match="lone surrogate"):
        server.send(Welcome(version=1, name="\ud800", server="", frame_limit=1, bots=[], boards=[]))
    assert server.send(WELCOME).startswith(MAGIC)


# ------------------------------------------------------------------------- arbitrary bytes


PIECES = st.one_of(
    st.binary(max_size=30),
    st.binary(max_size=30).map(lambda body: frame(body, 30)),
    st.dictionaries(st.sampled_from(["type", "id", "x"]), st.integers(-2, 2)).map(raw),
    st.just(raw({"type": "ping", "id": 1})),
    st.just(raw({"type": "ok", "re": 1})),
    st.just(b"\x00\x00\x1f\xff"),
)


@given(st.booleans(), st.lists(PIECES, max_size=12), PLACES)
def test_arbitrary_bytes_give_messages_and_faults_and_bounded_memory(
    greeted_first: bool, pieces: list[bytes], places: list[int]
) -> None:
    for end in (greeted() if greeted_first else ServerConnection(), opened()[0]):
        got: list[object] = []
        for piece in cut(b"".join(pieces), places):
            got += end.receive(piece)
            assert len(end._buffer) < 262_144 + HEADER
        faults = [item for item in got if isinstance(item, Fault)]
        for fault in faults:
            assert fault.error.text.isprintable()
            assert fault.error.code in protocol.CODES
        if any(fault.fatal for fault in faults):
            assert got[-1] is faults[-1]
            assert end.state in (State.CLOSING, State.CLOSED)
            assert len(end._buffer) == 0
        repr(got)


@given(st.lists(PIECES, max_size=12), PLACES)
def test_arbitrary_bytes_mean_the_same_however_they_are_cut(
    pieces: list[bytes], places: list[int]
) -> None:
    stream = b"".join(pieces)
    at_once = greeted().receive(stream)
    server = greeted()
    assert [got for piece in cut(stream, places) for got in server.receive(piece)] == at_once
