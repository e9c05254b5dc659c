"""``senro-server ctl`` and a real server, each a process of its own."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from protocol import ClientConnection
from protocol.messages import AddBot, Create, Error, Hello, Loaded, Notice, Ok, Start, TableOptions
from server.control import command, desk

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Unix sockets are POSIX")


class Running:
    """A server with a state folder of its own."""

    def __init__(self, process: subprocess.Popen[str], port: int, state: Path) -> None:
        self.process = process
        self.port = port
        self.state = state
        self.guests: list[Guest] = []

    def guest(self, name: str) -> Guest:
        """Somebody who says hello."""
        guest = Guest(self.port, name)
        self.guests.append(guest)
        return guest

    def ctl(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "server", "ctl", "--state", str(self.state), *words],
            capture_output=True,
            text=True,
            check=False,
        )

    def said(self, *words: str) -> str:
        """What a command that has to be carried out prints."""
        done = self.ctl(*words)
        assert done.returncode == 0, done.stderr
        return done.stdout


class Guest:
    """A player with a blocking socket."""

    def __init__(self, port: int, name: str) -> None:
        self.wire = ClientConnection()
        self.sock = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.sock.sendall(self.wire.send(Hello((1, 1), name)))
        self.heard: list[object] = []

    def send(self, *messages: object) -> None:
        for message in messages:
            self.sock.sendall(self.wire.send(message))  # type: ignore[arg-type]

    def until(self, kind: type) -> object:
        """Read until a message of this kind comes."""
        while True:
            for message in self.heard:
                if isinstance(message, kind):
                    self.heard.remove(message)
                    return message
            data = self.sock.recv(65_536)
            assert data, self.heard
            self.heard += self.wire.receive(data)

    def play(self) -> None:
        """Begin a game against a bot, and let it wait for an answer."""
        options = TableOptions(order="seats", reactions="fast", loaded_ms=60_000)
        self.send(Create(1, options=options))
        ok = self.until(Ok)
        assert isinstance(ok, Ok)
        table = ok.result["table"]
        self.send(AddBot(2, table=table), Start(3, table=table), Loaded(4, table=table))
        while getattr(self.until(object), "re", 0) != 4:
            pass


@contextmanager
def running(state: Path, *flags: str) -> Iterator[Running]:
    """A server as its child, with a desk because it is given a folder."""
    args = ["--child", "--port", "0", "--state", str(state), *flags]
    with subprocess.Popen(
        [sys.executable, "-m", "server", *args],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            ready = process.stdout.readline().split()
            assert ready, process.stderr and process.stderr.read()
            server = Running(process, int(ready[2]), state)
            try:
                yield server
            finally:
                for guest in server.guests:
                    guest.sock.close()
        finally:
            process.kill()


@pytest.fixture
def state() -> Iterator[Path]:
    """A folder with a short name: the path of a socket has some 100 characters."""
    with tempfile.TemporaryDirectory(prefix="senro") as name:
        yield Path(name) / "state"


def test_a_session_of_administration(state: Path) -> None:
    with running(state, "--per-address", "50") as server:
        assert state.stat().st_mode & 0o777 == 0o700
        assert "0 sessions, 0 connections, tables: none, 0 bans" in server.said("status")
        ann, ben = server.guest("Ann"), server.guest("Ben\u0301")
        for guest in (ann, ben):
            guest.until(object)
        ann.play()
        assert "1 playing" in server.said("status")
        assert "Greedy 1" in server.said("tables")
        lines = server.said("sessions").splitlines()
        assert [line.split()[0] for line in lines] == ["NAME", "Ann", "Be\u0144"]
        plain = json.loads(server.said("--json", "status"))
        assert (plain["sessions"], plain["tables"]) == (2, {"playing": 1})
        assert server.said("announce", "tea", "is", "ready") == "told 2 players\n"
        notice = ann.until(Notice)
        assert isinstance(notice, Notice)
        assert notice.text == "tea is ready"
        assert server.said("mute", "Ann", "--minutes", "5") == "Ann cannot chat for 5 minutes\n"
        assert server.said("unmute", "Ann") == "Ann can chat again\n"
        assert server.said("ban", "--name", "ann", "--reason", "rude").splitlines() == [
            "banned: ann",
            "put out: Ann",
        ]
        error = ann.until(Error)
        assert isinstance(error, Error)
        assert error.code == "banned"
        no = server.ctl("kick", "Ann")
        assert (no.returncode, no.stdout) == (1, "")
        assert no.stderr == "senro-server ctl: nobody of this name is here\n"
        server.said("ban", "--address", "198.51.100.0/24", "--minutes", "9")
        assert server.said("stop") == "the server ends\n"
        assert server.process.wait(60) == 0
        assert not (state / "control.sock").exists()
    with running(state) as server:
        assert "198.51.100.0/24" in server.said("bans")
        assert "rude" in server.said("bans")
        guest = server.guest("ANN")
        error = guest.until(Error)
        assert isinstance(error, Error)
        assert error.code == "banned"
        assert server.said("unban", "--name", "Ann") == "not banned any more: ann\n"
        server.guest("ANN").until(object)


def test_a_banned_address_is_turned_away(state: Path) -> None:
    with running(state) as server:
        guest = server.guest("Ann")
        guest.until(object)
        out = server.said("ban", "--address", "127.0.0.0/8")
        assert out.splitlines() == ["banned: 127.0.0.0/8", "put out: Ann"]
        for late in (guest, server.guest("Ben")):
            error = late.until(Error)
            assert isinstance(error, Error)
            assert error.code == "banned"


@pytest.mark.parametrize("how", ["ctl", "signal"])
def test_draining_waits_for_a_game_and_is_cut_short_by_a_second_word(state: Path, how: str) -> None:
    with running(state) as server:
        ann = server.guest("Ann")
        ann.play()
        if how == "ctl":
            assert "ends in 5 minutes at the latest" in server.said("drain")
        else:
            server.process.send_signal(signal.SIGTERM)
        notice = ann.until(Notice)
        assert isinstance(notice, Notice)
        assert "about to end" in notice.text
        assert "draining" in server.said("status")
        if how == "ctl":
            server.said("stop")
        else:
            server.process.send_signal(signal.SIGTERM)
        error = ann.until(Error)
        assert isinstance(error, Error)
        assert error.code == "shutting-down"
        assert server.process.wait(60) == 0


def test_without_a_server_it_says_so(state: Path) -> None:
    done = Running(None, 0, state).ctl("status")  # type: ignore[arg-type]
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.count("\n") == 1
    assert f"no server is running that has its socket at {state / 'control.sock'}" in done.stderr


def test_after_a_server_was_killed_it_says_so_and_another_can_begin(state: Path) -> None:
    with running(state) as server:
        server.process.kill()
        server.process.wait(60)
        assert (state / "control.sock").exists()
        assert server.ctl("status").returncode == 3
    with running(state) as server:
        server.said("status")


def test_two_servers_cannot_share_a_state_folder(state: Path) -> None:
    with running(state):
        args = ["--child", "--port", "0", "--state", str(state)]
        done = subprocess.run(
            [sys.executable, "-m", "server", *args],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 1
        assert done.stderr.count("\n") == 1
        assert "another server keeps its state in" in done.stderr


def test_a_broken_list_of_bans_is_no_empty_list(state: Path) -> None:
    state.mkdir()
    (state / "bans.json").write_text("{")
    done = subprocess.run(
        [sys.executable, "-m", "server", "--port", "0", "--state", str(state)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "bans.json: this is no list of bans" in done.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "COMMAND"),
        (["cheat"], "cheat"),
        (["kick"], "NAME"),
        (["ban", "--minutes", "0"], "from 1 to"),
        (["announce", "x" * 2_000], "length"),
        (["--config", "/nowhere", "status"], "cannot be read"),
    ],
)
def test_wrong_use_is_one_line(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        command.main(words)
    assert stop.value.code == 2
    err = capsys.readouterr().err
    assert says in err
    assert err.count("\n") == 1


def test_a_system_without_unix_sockets_says_so(
    state: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "supported", lambda: False)
    assert command.main(["--state", str(state), "status"]) == 3
    assert "this system has no Unix sockets" in capsys.readouterr().err
    monkeypatch.setattr(desk, "supported", lambda: False)
    with pytest.raises(desk.DeskError, match="no Unix sockets"):
        desk.Desk.open(state, None)  # type: ignore[arg-type]


def test_something_else_at_the_socket_is_not_believed(
    state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state.mkdir()
    path = state / "control.sock"
    code = (
        "import socket, sys; s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen()\n"
        "print(flush=True); c, _ = s.accept(); c.recv(9); c.sendall(b'\\x1b[31m\\n'); c.close()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert command.main(["--state", str(state), "status"]) == 3
    assert "does not answer like a Senro server" in capsys.readouterr().err
