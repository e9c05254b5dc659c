"""The command: flags, the ready line, and its ends; each test is a process of its own."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from msgspec import UNSET

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
        journals = tmp_path / "journals"
        assert main(["--port", str(port), "--journals", str(journals)]) == 1
    assert not journals.exists()
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert f"cannot listen at 127.0.0.1 port {port}" in err


@pytest.mark.parametrize(
    ("flags", "says"),
    [
        (["--port", "70000"], "a whole number from 0 to 65535, not '70000'"),
        (["--port", "x"], "a whole number from 0 to 65535, not 'x'"),
        (["--port", "\u0661"], "it has to be a whole number"),
        (["--tables", "0"], "from 1 to"),
        (["--colour"], "--colour"),
        (["--log-level", "loud"], "loud"),
        (["--\x1b[31m\nred"], "\\x1b[31m\\nred"),
        (["\u202e"], "\\u202e"),
        (["x" * 100_000], "xxx..."),
        (["cards", "\x1b]0;x\x07", "\n"], "there is no card “]0;x”"),
        (["boards", "\x1b\n"], "there is no board “”"),
    ],
)
def test_bad_flags_are_one_line(
    flags: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(flags)
    assert stop.value.code == 2
    err = capsys.readouterr().err
    assert err[:-1].isprintable()
    assert len(err) < 3_000
    assert says in err


def test_a_folder_that_cannot_be_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert main(["--journals", str(tmp_path / "file" / "journals")]) == 1
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    ("host", "code"),
    [
        ("256.256.256.256", 1),
        ("a..b", 1),
        ("x" * 300, 1),
        ("[::1]", 1),
        ("\x1b[31m\n.invalid", 1),
        ("\udcff", 1),
        ("", 2),
        (" ", 1),
    ],
)
def test_a_host_that_cannot_be_is_one_printable_line_and_leaves_nothing_behind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], host: str, code: int
) -> None:
    journals = tmp_path / "journals"
    try:
        ended = main(["--host", host, "--port", "0", "--journals", str(journals)])
    except SystemExit as stop:
        ended = int(stop.code or 0)
    assert ended == code
    err = capsys.readouterr().err
    assert err.endswith("\n")
    assert err[:-1].isprintable()
    assert not journals.exists()


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
@pytest.mark.parametrize(("mode", "warned"), [(0o755, True), (0o700, False)])
def test_a_folder_that_others_can_read_is_warned_of(
    tmp_path: Path, mode: int, warned: bool
) -> None:
    tmp_path.chmod(mode)
    with child(tmp_path) as (process, _):
        assert process.stdin is not None
        process.stdin.close()
        process.stdin = None
        _, err = process.communicate()
    warnings = [e for e in map(json.loads, err.splitlines()) if e["level"] == "warning"]
    assert [w["folder"] for w in warnings] == [str(tmp_path)] * warned


def test_metrics_are_served_at_a_loopback_port_if_one_is_named(tmp_path: Path) -> None:
    with child(tmp_path, "--metrics-port", "0") as (process, _):
        assert process.stderr is not None
        entries = map(json.loads, iter(process.stderr.readline, ""))
        found = next(entry for entry in entries if entry["message"] == "metrics")
        assert found["host"] == "127.0.0.1"
        with urllib.request.urlopen(f"http://127.0.0.1:{found['port']}/healthz") as answer:
            assert answer.read() == b"ok\n"


def test_a_metrics_port_in_use_is_one_line_and_leaves_nothing_behind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        state = tmp_path / "state"
        assert main(["--port", "0", "--metrics-port", port, "--state", str(state)]) == 1
    assert not state.exists()
    assert capsys.readouterr().err.count("\n") == 1


def test_output_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("no such device here")
    with full.open("w") as out:
        command = [sys.executable, "-m", "server", "cards"]
        done = subprocess.run(command, stdout=out, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "senro-server: cannot write the output" in done.stderr


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["--version"])
    assert stop.value.code == 0
    assert capsys.readouterr().out.startswith("senro-server ")


@pytest.mark.parametrize(
    ("flags", "says"),
    [
        (["--tls-cert", "nowhere.pem"], "no TLS: nowhere.pem: it cannot be read"),
        (["--tls-key", "key.pem"], "no TLS: tls-key says nothing without tls-cert"),
        (["--password-file", "nowhere"], "no password: nowhere: it cannot be read"),
        (["--password-file", "password", "--host", "0.0.0.0"], "add --tls auto"),  # noqa: S104
    ],
)
def test_what_would_not_be_safe_or_cannot_be_is_one_line(
    flags: list[str],
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("password").write_text("open sesame\n")
    journals = tmp_path / "journals"
    folders = ["--state", str(tmp_path / "state"), "--journals", str(journals)]
    assert main(["--port", "0", *folders, *flags]) == 1
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert says in err
    assert "open sesame" not in err
    assert not journals.exists()


def test_a_password_is_nowhere_to_be_seen(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text("open sesame\n")
    with child(tmp_path / "journals", "--password-file", str(file)) as (process, port):
        for password, code in ((UNSET, "password-needed"), ("open barley", "wrong-password")):
            with socket.create_connection(("127.0.0.1", port)) as sock:
                wire = ClientConnection()
                sock.sendall(wire.send(Hello((1, 1), "Ann", password=password)))
                (error,) = wire.receive(sock.recv(65536))
                assert isinstance(error, Error)
                assert error.code == code
        with socket.create_connection(("127.0.0.1", port)) as sock:
            wire = ClientConnection()
            sock.sendall(wire.send(Hello((1, 1), "Ann", password="open sesame")))
            (welcome,) = wire.receive(sock.recv(65536))
            assert isinstance(welcome, Welcome)
        process.terminate()
        _, err = process.communicate()
    assert "open sesame" not in err
    assert "open barley" not in err
