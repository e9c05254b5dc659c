"""The command: flags, the ready line, and its ends; each test is a process of its own."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from protocol import MAGIC, ClientConnection
from protocol.messages import Error, Hello, Welcome
from server.__main__ import main


@contextmanager
def child(journals: Path, *flags: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    command = [sys.executable, "-m", "server", "--child", "--port", "0"]
    with subprocess.Popen(
        [*command, "--journals", str(journals), *flags],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            word, host, port = process.stdout.readline().split()
            assert (word, host) == ("ready", "127.0.0.1")
            yield process, int(port)
        finally:
            process.kill()


def test_a_child_says_that_it_is_ready_and_ends_with_its_parent(tmp_path: Path) -> None:
    with child(tmp_path / "journals") as (process, port):
        with socket.create_connection(("127.0.0.1", port)) as sock:
            wire = ClientConnection()
            sock.sendall(wire.send(Hello((1, 1), "Ann")))
            assert process.stdin is not None
            (welcome,) = wire.receive(sock.recv(65536))
            assert isinstance(welcome, Welcome)
            process.stdin.close()
            process.stdin = None
            rest = b""
            while data := sock.recv(65536):
                rest += data
            (error,) = wire.receive(rest)
            assert isinstance(error, Error)
            assert error.code == "shutting-down"
        out, err = process.communicate()
    assert process.returncode == 0
    assert out == ""
    entries = [json.loads(line) for line in err.splitlines()]
    assert entries[0]["message"] == "starting"
    assert entries[0]["queue"] == 64
    assert entries[-1]["message"] == "ended"
    assert (tmp_path / "journals").is_dir()


@pytest.mark.skipif(os.name != "posix", reason="signals of processes are POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_end_it_cleanly(tmp_path: Path, number: int) -> None:
    with child(tmp_path) as (process, _):
        process.send_signal(number)
        out, err = process.communicate()
    assert process.returncode == 0
    assert out == ""
    assert json.loads(err.splitlines()[-1])["message"] == "ended"


def test_a_stranger_at_the_real_port_gets_not_a_byte(tmp_path: Path) -> None:
    with child(tmp_path) as (_, port), socket.create_connection(("127.0.0.1", port)) as sock:
        sock.sendall(b"POST / HTTP/1.1\r\nHost: x\r\n\r\n" + MAGIC)
        with suppress(ConnectionResetError):
            assert sock.recv(100) == b""


def test_a_port_in_use_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        flags = ["--port", str(port), "--journals", str(tmp_path), "--log-level", "error"]
        assert main(flags) == 1
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert f"cannot listen at 127.0.0.1 port {port}" in err


@pytest.mark.parametrize(
    ("flags", "says"),
    [
        (["--port", "70000"], "'70000' is no whole number from 0 to 65535"),
        (["--port", "x"], "'x' is no whole number"),
        (["--port", "\u0661"], "no whole number"),
        (["--tables", "0"], "from 1 to"),
        (["--colour"], "--colour"),
        (["--log-level", "loud"], "loud"),
    ],
)
def test_bad_flags_are_one_line(
    flags: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(flags)
    assert stop.value.code == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert says in err


def test_a_folder_that_cannot_be_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert main(["--journals", str(tmp_path / "file" / "journals")]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_an_unknown_host_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flags = ["--host", "256.256.256.256", "--journals", str(tmp_path), "--log-level", "error"]
    assert main(flags) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["--version"])
    assert stop.value.code == 0
    assert capsys.readouterr().out.startswith("senro-server ")
