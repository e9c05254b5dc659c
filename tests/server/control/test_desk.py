"""The socket of a running server: whose it is, and what it makes of what it hears."""

from __future__ import annotations

import io
import json
import os
import socket
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import trio

from server.app import Server
from server.control import words
from server.control.desk import MOST, Desk, DeskError, InUseError
from server.control.office import Office
from server.oplog import operational_log

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Unix sockets are POSIX")


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a short name: the path of a socket has some 100 characters."""
    with tempfile.TemporaryDirectory(prefix="senro") as name:
        yield Path(name)


@pytest.fixture
async def desk(house: Any, folder: Path, nursery: trio.Nursery) -> Desk:
    desk = Desk.open(folder / "control.sock", house.hall.log)
    server = Server(house.hall, [], operational_log(io.StringIO()))
    nursery.start_soon(desk.serve, Office(server, "1"))
    return desk


async def guest(desk: Desk) -> trio.SocketStream:
    return await trio.open_unix_socket(str(desk.path))


async def ask(stream: trio.SocketStream, data: bytes) -> dict[str, Any]:
    await stream.send_all(data)
    heard = b""
    while not heard.endswith(b"\n"):
        more = await stream.receive_some()
        assert more, heard
        heard += more
    answer: dict[str, Any] = json.loads(heard)
    return answer


async def test_the_socket_is_its_owners_alone(desk: Desk) -> None:
    mode = desk.path.stat().st_mode
    assert stat.S_ISSOCK(mode)
    assert stat.S_IMODE(mode) == 0o600


async def test_several_things_can_be_asked_one_after_another(desk: Desk) -> None:
    async with await guest(desk) as stream:
        assert (await ask(stream, b'{"command": "status"}\n'))["result"]["version"] == "1"
        await stream.send_all(b'{"command": ')
        assert (await ask(stream, b'"tables"}\n'))["result"] == {"tables": []}


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"", "not understood"),
        (b"status", "not understood"),
        (b"\xff\xfe", "not understood"),
        (b"[" * 10_000, "not understood"),
        (b'{"command": "cheat"}', "cheat"),
        (b'{"command": "kick"}', "name"),
        (b'{"command": "kick", "name": 3}', "name"),
        (b'{"command": "kick", "name": "Dan"}', "nobody of this name is here"),
        (b'{"command": "ban", "name": "Dan", "seconds": -1}', "seconds"),
        (b'{"command": "status", "colour": "red"}', "colour"),
        (b'{"command": "announce", "text": "\\u001b"}', "announcement"),
    ],
)
async def test_what_it_does_not_understand_is_an_error_and_no_end(
    desk: Desk, line: bytes, says: str
) -> None:
    async with await guest(desk) as stream:
        answer = await ask(stream, line + b"\n")
        assert answer["ok"] is False
        assert says in answer["error"]
        assert answer["error"].isprintable()
        assert (await ask(stream, b'{"command": "bans"}\n'))["ok"]


async def test_an_endless_line_ends_the_conversation(desk: Desk) -> None:
    async with await guest(desk) as stream:
        answer = await ask(stream, b"x" * (words.LINE_LIMIT + 1))
        assert answer == {"ok": False, "error": "a request is too long"}
        assert await stream.receive_some() == b""


async def test_more_than_a_few_at_once_are_sent_away(desk: Desk) -> None:
    guests = [await guest(desk) for _ in range(MOST)]
    for stream in guests:
        await ask(stream, b'{"command": "bans"}\n')
    async with await guest(desk) as one_more:
        assert await one_more.receive_some() == b""
    for stream in guests:
        await stream.aclose()


async def test_who_says_nothing_is_sent_away(desk: Desk, autojump_clock: Any) -> None:
    async with await guest(desk) as stream:
        assert await stream.receive_some() == b""


async def test_it_is_taken_away_at_the_end(house: Any, folder: Path) -> None:
    desk = Desk.open(folder / "control.sock", house.hall.log)
    desk.close()
    assert not desk.path.exists()


async def test_a_socket_that_nobody_listens_at_is_replaced(house: Any, folder: Path) -> None:
    path = folder / "control.sock"
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    desk = Desk.open(path, house.hall.log)
    desk.close()


async def test_two_servers_cannot_share_a_folder(house: Any, desk: Desk) -> None:
    with pytest.raises(InUseError, match="another server keeps its state in"):
        Desk.open(desk.path, house.hall.log)
    async with await guest(desk) as stream:
        assert (await ask(stream, b'{"command": "bans"}\n'))["ok"]


async def test_what_is_no_socket_is_left_alone(house: Any, folder: Path) -> None:
    path = folder / "control.sock"
    path.write_text("mine")
    with pytest.raises(DeskError, match="something else is there"):
        Desk.open(path, house.hall.log)
    assert path.read_text() == "mine"
    with pytest.raises(DeskError, match="no socket at"):
        Desk.open(folder / ("x" * 200), house.hall.log)
