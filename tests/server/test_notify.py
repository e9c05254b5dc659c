"""What systemd is told, over a socket as its own."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio

from server.notify import Notifier

pytestmark = pytest.mark.skipif(os.name != "posix", reason="systemd is on Linux")


@pytest.fixture
def systemd() -> Iterator[tuple[socket.socket, str]]:
    """A socket that hears what is said, and its address."""
    with (
        tempfile.TemporaryDirectory(prefix="senro") as folder,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sock,
    ):
        address = str(Path(folder) / "notify")
        sock.bind(address)
        sock.settimeout(60)
        yield sock, address


def test_words_are_lines_of_one_datagram(systemd: tuple[socket.socket, str]) -> None:
    sock, address = systemd
    notifier = Notifier({"NOTIFY_SOCKET": address})
    notifier.say(ready=1, status="all is well")
    assert sock.recv(1_000) == b"READY=1\nSTATUS=all is well"
    notifier.close()
    notifier.say(ready=1)


@pytest.mark.skipif(sys.platform != "linux", reason="abstract sockets are of Linux")
def test_an_abstract_socket_is_understood() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sock:
        sock.bind(b"\0senro-test-%d" % os.getpid())
        notifier = Notifier({"NOTIFY_SOCKET": f"@senro-test-{os.getpid()}"})
        notifier.say(stopping=1)
        assert sock.recv(1_000) == b"STOPPING=1"
        notifier.close()


@pytest.mark.parametrize("address", ["", "relative", "/nowhere/notify", "vsock:1:2"])
def test_where_nobody_listens_nothing_happens(address: str) -> None:
    notifier = Notifier({"NOTIFY_SOCKET": address} if address else {})
    notifier.say(ready=1)
    notifier.close()


async def test_signs_of_life_come_twice_as_often_as_they_are_waited_for(
    systemd: tuple[socket.socket, str], autojump_clock: trio.testing.MockClock
) -> None:
    sock, address = systemd
    notifier = Notifier({"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "30000000"})
    with trio.move_on_after(61):
        await notifier.live()
    notifier.close()
    sock.setblocking(False)
    assert [sock.recv(1_000) for _ in range(5)] == [b"WATCHDOG=1"] * 5
    with pytest.raises(BlockingIOError):
        sock.recv(1_000)


@pytest.mark.parametrize("pace", ["", "0", "soon", "-1"])
async def test_without_a_watchdog_there_are_no_signs_of_life(
    systemd: tuple[socket.socket, str], pace: str
) -> None:
    notifier = Notifier({"NOTIFY_SOCKET": systemd[1], "WATCHDOG_USEC": pace})
    await notifier.live()
    notifier.close()


def test_a_server_says_that_it_is_ready_and_that_it_ends(
    systemd: tuple[socket.socket, str], tmp_path: Path
) -> None:
    sock, address = systemd
    environment = os.environ | {
        "NOTIFY_SOCKET": address,
        "SENRO_STATE": str(tmp_path),
        "SENRO_CONTROL": str(Path(address).with_name("control")),
        "SENRO_PORT": "0",
    }
    with subprocess.Popen(
        [sys.executable, "-m", "server"], env=environment, stderr=subprocess.DEVNULL
    ) as process:
        try:
            assert sock.recv(1_000).startswith(b"READY=1\n")
            process.send_signal(signal.SIGTERM)
            heard = b""
            while b"STOPPING=1" not in heard:
                heard = sock.recv(1_000)
            assert process.wait(60) == 0
        finally:
            process.kill()
