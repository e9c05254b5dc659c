from __future__ import annotations

import math
from typing import Any

import msgpack
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import codec
from protocol.codec import BadMessageError, to_client_message, to_server_message, unpack
from protocol.errors import LocalError, RemoteError
from protocol.messages import ClientMessage, Lobby, Ok, Ping, ServerMessage, Update
from tests.protocol.strategies import FROM_CLIENT, FROM_SERVER, PLAIN


@given(FROM_CLIENT)
def test_every_client_message_survives_the_wire(message: ClientMessage) -> None:
    assert to_client_message(unpack(codec.encode(message))) == message


@given(FROM_SERVER)
def test_every_server_message_survives_the_wire(message: ServerMessage) -> None:
    assert to_server_message(unpack(codec.encode(message))) == message


@given(st.one_of(FROM_CLIENT, FROM_SERVER))
def test_bytes_are_those_of_msgpack(message: codec.Message) -> None:
    assert codec.encode(message) == msgpack.packb(msgspec.to_builtins(message))


def spoilt(value: Any) -> st.SearchStrategy[Any]:
    """Another value that looks much the same on the wire."""
    others = [None, True, [], {}, math.nan, [value], {"a": value}, msgpack.ExtType(1, b"")]
    if type(value) is int:
        others += [float(value), str(value)]
    elif type(value) is str:
        data = value.encode("utf-8", "surrogatepass")
        others += [data, msgpack.ExtType(5, data), value + "\ud800"]
    elif type(value) is list:
        others += [[*value, b"a"], [*value, 1], dict.fromkeys(value, "")]
    return st.sampled_from(others)


@st.composite
def frames(draw: st.DrawFn) -> bytes:
    """A client's message, well formed or with a few faults."""
    pairs = list(msgspec.to_builtins(draw(FROM_CLIENT)).items())
    for fault in draw(st.lists(st.sampled_from(["value", "key", "twice", "less"]), max_size=2)):
        if not pairs:
            break
        place = draw(st.integers(0, len(pairs) - 1))
        key, value = pairs[place]
        if fault == "value":
            pairs[place] = key, draw(spoilt(value))
        elif fault == "key":
            pairs[place] = draw(st.sampled_from([(b"id", 1), ("a", value), (1, value), pairs[0]]))
        elif fault == "twice":
            pairs.insert(draw(st.integers(0, len(pairs))), (key, draw(spoilt(value))))
        else:
            del pairs[place]
    packer = msgpack.Packer(unicode_errors="surrogatepass")
    small = draw(st.booleans())
    body = bytes([0x80 | len(pairs)]) if small else b"\xde" + len(pairs).to_bytes(2, "big")
    body += b"".join(packer.pack(part) for pair in pairs for part in pair)
    return body + draw(st.sampled_from([b"", b"", b"", b"\xc0"]))


@given(frames())
def test_what_is_decoded_at_once_is_what_a_close_look_finds(body: bytes) -> None:
    quick = codec.plain_request(body)
    if quick is not None:
        assert to_client_message(unpack(body)) == quick


@given(FROM_CLIENT)
def test_messages_without_optional_fields_are_decoded_at_once(message: ClientMessage) -> None:
    body = codec.encode(message)
    plain = all(field.required for field in msgspec.structs.fields(message))
    assert codec.plain_request(body) == (message if plain else None)


@given(PLAIN)
def test_plain_data_comes_out_as_it_went_in(data: dict[str, Any]) -> None:
    assert unpack(msgpack.packb(data)) == data


@given(st.binary(max_size=200))
def test_arbitrary_bytes_give_a_map_or_a_typed_error(body: bytes) -> None:
    try:
        data = unpack(body)
    except RemoteError as wrong:
        assert wrong.code == "bad-frame"
        assert wrong.text.isprintable()
    else:
        assert type(data) is dict


def nested(depth: int) -> bytes:
    return b"\x81\xa1a" * (depth - 1) + b"\x80"


NASTY = {
    "nothing": b"",
    "nil": b"\xc0",
    "a list": b"\x90",
    "a number": b"\x01",
    "the byte that msgpack never uses": b"\xc1",
    "half a map": b"\x82\xa1a\x01",
    "something after the map": b"\x80\x80",
    "a huge list": b"\xdd\xff\xff\xff\xff",
    "a huge map": b"\xdf\xff\xff\xff\xff",
    "a huge text": b"\x81\xa1a\xdb\xff\xff\xff\xff",
    "a huge binary": b"\x81\xa1a\xc6\xff\xff\xff\xff",
    "equal keys": b"\x82\xa1a\x01\xa1a\x02",
    "equal keys far inside": b"\x81\xa1x\x91\x82\xa1a\x01\xa1a\x01",
    "a number as key": b"\x81\x01\x01",
    "a list as key": b"\x81\x90\x01",
    "nil as key": b"\x81\xc0\x01",
    "a binary key": b"\x81\xc4\x01a\x01",
    "an empty binary key": b"\x81\xc4\x00\x01",
    "binary": b"\x81\xa1a\xc4\x01x",
    "empty binary": b"\x81\xa1a\xc4\x00",
    "an extension": b"\x81\xa1a\xd4\x05x",
    "an empty extension": b"\x81\xa1a\xc7\x00\x05",
    "a timestamp": b"\x81\xa1a\xd6\xff\x00\x00\x00\x00",
    "no number": b"\x81\xa1a\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00",
    "no number, short": b"\x81\xa1a\xca\x7f\xc0\x00\x00",
    "infinity": b"\x81\xa1a\xcb\x7f\xf0\x00\x00\x00\x00\x00\x00",
    "minus infinity in a list": b"\x81\xa1a\x91\xcb\xff\xf0\x00\x00\x00\x00\x00\x00",
    "not UTF-8": b"\x81\xa1a\xa1\xff",
    "a lone surrogate": b"\x81\xa1a\xa3\xed\xa0\x80",
    "a key that is not UTF-8": b"\x81\xa1\xff\x01",
    "too deep": nested(codec.MAX_DEPTH + 1),
    "deeper than Python's stack": nested(2_000),
    "deeper than msgpack's stack": b"\x91" * 8_000,
    "lists deep in a map": b"\x81\xa1a" + b"\x91" * 500 + b"\xc0",
    "an HTTP request": b"POST / HTTP/1.1\r\nHost: x\r\n\r\n",
}


@pytest.mark.parametrize("body", NASTY.values(), ids=NASTY.keys())
def test_what_is_not_one_plain_map_is_refused(body: bytes) -> None:
    with pytest.raises(RemoteError) as caught:
        unpack(body)
    assert caught.value.code == "bad-frame"
    assert caught.value.text.isprintable()
    assert len(caught.value.text) < 100


def test_the_deepest_map_allowed_is_taken() -> None:
    assert unpack(nested(codec.MAX_DEPTH))


def test_finite_floats_pass_the_frame_but_no_integer_field() -> None:
    data = unpack(msgpack.packb({"type": "ping", "id": 1.0}))
    assert math.isclose(data["id"], 1.0)
    with pytest.raises(BadMessageError, match=r"ping: Expected `int`, got `float` - at `\$\.id`"):
        to_client_message(data)


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no type": ({}, "needs its name in the text field 'type'"),
    "a type that is no text": ({"type": [1]}, "needs its name in the text field 'type'"),
    "a type of the other side": ({"type": "welcome"}, "unknown message type 'welcome'"),
    "an unknown type": ({"type": "nope\x1b[2J"}, r"unknown message type 'nope\[2J'"),
    "an unknown field": ({"type": "ping", "id": 1, "x": 1}, "ping: .*unknown field `x`"),
    "an unknown option": (
        {"type": "create", "id": 1, "options": {"bored": "tokyo"}},
        "create: .*unknown field `bored`.*options",
    ),
    "a missing field": ({"type": "ping"}, "ping: .*missing required field `id`"),
    "an id below zero": ({"type": "ping", "id": -1}, "ping: .*>= 0"),
    "an id past 2**53": ({"type": "ping", "id": 2**53}, "ping: .*<= 9007199254740991"),
    "an id past 63 bits": ({"type": "ping", "id": 2**64 - 1}, "ping: .*<= 9007199254740991"),
    "a boolean for a number": ({"type": "ping", "id": True}, "ping: .*got `bool`"),
    "a text for a number": ({"type": "ping", "id": "1"}, "ping: .*got `str`"),
    "nil for a text": ({"type": "join", "id": 1, "table": None}, "join: .*got `null`"),
    "too many keys": (
        {"type": "answer", "id": 1, "table": "a", "decision": "d", "keys": ["k"] * 301},
        "answer: .*length <= 300",
    ),
    "too many players": (
        {"type": "create", "id": 1, "options": {"players": 5}},
        "create: .*<= 4.*players",
    ),
}


@pytest.mark.parametrize(("data", "sentence"), REFUSED.values(), ids=REFUSED.keys())
def test_a_server_refuses_what_is_no_message_in_one_clear_line(
    data: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(BadMessageError, match=sentence) as caught:
        to_client_message(data)
    assert str(caught.value).isprintable()


def test_what_the_peer_sent_is_never_repeated_as_it_is() -> None:
    for hostile in ("\x1b]0;x\x07", "\u202eabc", "\n\n", "x" * 5_000):
        for data in ({"type": hostile}, {"type": "ping", "id": 1, hostile: 1}):
            with pytest.raises(BadMessageError) as caught:
                to_client_message(data)
            assert str(caught.value).isprintable()
            assert "\u202e" not in str(caught.value)
            assert len(str(caught.value)) < 250


def test_a_client_ignores_what_it_does_not_know() -> None:
    assert to_server_message({"type": "weather", "rain": 1}) is None
    assert to_server_message({"type": "ok", "re": 1, "mood": "fine"}) == Ok(re=1)
    update = to_server_message(
        {"type": "update", "table": "a", "seq": 2, "events": [{"type": "eclipse", "sun": 1}]}
    )
    assert isinstance(update, Update)
    assert update.events[0].type == "eclipse"
    lobby = to_server_message(
        {
            "type": "lobby",
            "info": {
                "table": "a",
                "title": "",
                "state": "lobby",
                "host": "ann",
                "options": {"board": "tokyo", "weather": "rain"},
                "seats": [{"kind": "open", "cushion": True}],
            },
        }
    )
    assert isinstance(lobby, Lobby)
    assert lobby.info.options.board == "tokyo"


def test_a_client_refuses_known_fields_that_are_wrong() -> None:
    with pytest.raises(BadMessageError, match="ok: .*got `str`"):
        to_server_message({"type": "ok", "re": "1"})
    with pytest.raises(BadMessageError, match="needs its name"):
        to_server_message({"type": 3})


UNSENDABLE: dict[str, Any] = {
    "a lone surrogate": "\ud800",
    "an integer past 64 bits": 2**64,
    "an object": object(),
}


@pytest.mark.parametrize("value", UNSENDABLE.values(), ids=UNSENDABLE.keys())
def test_what_the_wire_cannot_carry_is_an_error_on_this_side(value: Any) -> None:
    with pytest.raises(LocalError, match="cannot be sent"):
        codec.encode(Ok(re=1, result={"a": value}))


def test_endless_nesting_is_an_error_on_this_side() -> None:
    data: dict[str, Any] = {}
    data["itself"] = data
    with pytest.raises(LocalError, match="cannot be sent"):
        codec.encode(Ok(re=1, result=data))


def test_a_frame_over_the_limit_is_an_error_on_this_side() -> None:
    assert codec.encode_frame(Ping(id=1), 20) == b"\x00\x00\x00\x0f" + codec.encode(Ping(id=1))
    with pytest.raises(LocalError, match="over the limit of 10"):
        codec.encode_frame(Ping(id=1), 10)


@pytest.mark.parametrize("bad", [None, True, -1, 2**53, 1.0, "1", [1]])
def test_only_a_valid_id_is_referred_to(bad: Any) -> None:
    assert codec.request_id({"id": 7}) == 7
    assert codec.request_id({"id": bad}) is None
    assert codec.request_id({}) is None


REASONS: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "may not be empty"),
    "no map": (b"\x90", "has to be a map"),
    "a reserved byte": (b"\xc1", "has to be msgpack"),
    "a map cut short": (b"\x82\xa1a\x01", "ends in the middle"),
    "a text cut short": (b"\x81\xa1a\xa5x", "ends in the middle"),
    "an enormous map": (b"\xdf\xff\xff\xff\xff", "announces more than the frame holds"),
    "a number for a key": (b"\x81\x01\x01", "keys of a map have to be text"),
    "nil for a key": (b"\x81\xc0\x01", "keys of a map have to be text"),
    "a list for a key": (b"\x81\x90\x01", "keys of a map have to be text"),
    "a map for a key": (b"\x81\x80\x01", "keys of a map have to be text"),
    "binary": (b"\x81\xa1a\xc4\x01a", "binary is not allowed"),
    "an extension": (b"\x81\xa1a\xd4\x05x", "extension types are not allowed"),
    "bytes after the map": (b"\x80\x80", "has to end with its map"),
    "text in another encoding": (b"\x81\xa1a\xa1\xff", "has to be UTF-8"),
}


@pytest.mark.parametrize(("body", "says"), REASONS.values(), ids=REASONS.keys())
def test_a_bad_frame_is_told_what_is_bad_about_it(body: bytes, says: str) -> None:
    with pytest.raises(RemoteError, match=says):
        codec.unpack(body)
