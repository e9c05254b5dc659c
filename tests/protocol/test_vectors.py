from __future__ import annotations

import json
from typing import Any, get_args

import msgpack
import pytest

from protocol import MAGIC, ClientConnection, Fault, ServerConnection, State, messages, patch
from protocol.codec import encode, to_client_message, to_server_message, unpack
from protocol.frames import HEADER
from tests.protocol.make_vectors import FOLDER, HELLO, HELLO_FRAME, WELCOME, build, text


def load(file: str) -> list[dict[str, Any]]:
    vectors: list[dict[str, Any]] = json.loads((FOLDER / file).read_text(encoding="utf-8"))
    return vectors


def named(file: str) -> Any:
    return [pytest.param(vector, id=vector["name"]) for vector in load(file)]


def test_the_files_are_what_the_code_makes() -> None:
    for file, content in build().items():
        assert (FOLDER / file).read_text(encoding="utf-8") == text(content), file
    assert {path.name for path in FOLDER.glob("*.json")} >= set(build())


def test_every_message_type_has_a_vector() -> None:
    types = {vector["message"]["type"] for vector in load("messages.json")}
    assert types == {
        message.__struct_config__.tag
        for message in get_args(messages.ClientMessage | messages.ServerMessage)
    }


@pytest.mark.parametrize("vector", named("messages.json"))
def test_messages_are_these_bytes(vector: dict[str, Any]) -> None:
    data = bytes.fromhex(vector["hex"])
    body = data[HEADER:]
    assert int.from_bytes(data[:HEADER], "big") == len(body)
    plain = unpack(body)
    assert plain == vector["message"]
    assert msgpack.packb(vector["message"]) == body
    read = to_client_message if vector["from"] == "client" else to_server_message
    message = read(plain)
    assert message is not None
    assert encode(message) == body


@pytest.mark.parametrize("vector", named("refused.json"))
def test_these_bytes_are_refused(vector: dict[str, Any]) -> None:
    server = ServerConnection()
    if vector["after_hello"]:
        assert server.receive(MAGIC + HELLO_FRAME) == [HELLO]
        server.send(WELCOME)
    (fault,) = server.receive(bytes.fromhex(vector["hex"]))
    assert isinstance(fault, Fault)
    assert (fault.error.code, fault.fatal) == (vector["code"], vector["fatal"])


def test_a_whole_session_is_these_bytes() -> None:
    client, server = ClientConnection(), ServerConnection()
    for step in load("session.json"):
        data = bytes.fromhex(step["hex"])
        if step["from"] == "client":
            (message,) = server.receive(data)
            assert client.send(message) == data  # type: ignore[arg-type]
        else:
            (answer,) = client.receive(data)
            assert server.send(answer) == data  # type: ignore[arg-type]
    assert client.state is server.state is State.CLOSING


@pytest.mark.parametrize("vector", named("patches.json"))
def test_patches_have_these_results(vector: dict[str, Any]) -> None:
    assert patch.apply(vector["old"], vector["patch"]) == vector["new"]
