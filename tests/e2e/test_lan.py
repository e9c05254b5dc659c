"""Two machines on a network of their own: one hosts, the other finds it.

The machines are network namespaces of Linux that a cable joins; where they cannot be made (they
need root and the command ip) the tests are skipped, and say so.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from client.address import Address
from client.discovery import Found, find_servers
from protocol.discovery import Record
from server.announce import AnnounceError, start_responder

pytestmark = pytest.mark.slow

FAR_AWAY = "10.77.77."


class Lan:
    """Two namespaces, ``host`` and ``guest``."""

    def __init__(self) -> None:
        self.host, self.guest = (f"senro-{os.getpid()}-{which}" for which in "hg")

    def set_up(self) -> None:
        cables = [f"sv{os.getpid() % 100_000}{which}" for which in "hg"]
        for name in (self.host, self.guest):
            ip("netns", "add", name)
        ip("link", "add", cables[0], "type", "veth", "peer", "name", cables[1])
        for number, (name, cable) in enumerate(
            zip((self.host, self.guest), cables, strict=True), 1
        ):
            ip("link", "set", cable, "netns", name)
            ip("-n", name, "addr", "add", f"{FAR_AWAY}{number}/24", "dev", cable)
            ip("-n", name, "link", "set", cable, "up")
            ip("-n", name, "link", "set", "lo", "up")

    def tear_down(self) -> None:
        for name in (self.host, self.guest):
            subprocess.run(["ip", "netns", "del", name], capture_output=True, check=False)


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], capture_output=True, check=True, timeout=20)


@pytest.fixture(scope="module")
def lan() -> Iterator[Lan]:
    if shutil.which("ip") is None:
        pytest.skip("no network namespaces: there is no command ip")
    made = Lan()
    try:
        made.set_up()
    except subprocess.CalledProcessError as error:
        made.tear_down()
        pytest.skip(f"no network namespaces: {error.stderr.decode(errors='replace').strip()}")
    yield made
    made.tear_down()


@contextmanager
def hosting(lan: Lan, state: Path, *flags: str) -> Iterator[subprocess.Popen[str]]:
    """A server on the host's side, once the network has been told of it."""
    command = [sys.executable, "-m", "server", "--lan", "--port", "0", "--state", str(state)]
    with subprocess.Popen(
        ["ip", "netns", "exec", lan.host, *command, *flags],
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stderr is not None
            for line in process.stderr:
                if "the network is told" in line:
                    break
            yield process
        finally:
            process.terminate()
            process.communicate(timeout=30)


def senro(namespace: str, home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["ip", "netns", "exec", namespace, sys.executable, "-m", "client", *arguments],
        input="quit\n",
        capture_output=True,
        text=True,
        env=os.environ | {"XDG_STATE_HOME": str(home)},
        timeout=60,
        check=False,
    )


def test_a_server_on_the_network_is_found_and_joined(lan: Lan, tmp_path: Path) -> None:
    home = tmp_path / "home"
    with hosting(lan, tmp_path / "state", "--name", "Ann's house", "--tls", "auto"):
        browsed = senro(lan.guest, home, "browse")
        assert browsed.returncode == 0, browsed.stderr
        first, second = browsed.stdout.splitlines()
        name, place, remarks = first.split("  ")
        assert (name, remarks[:6]) == ("Ann's house", "(TLS, ")
        assert place.startswith(f"{FAR_AWAY}1:")
        assert second.strip() == "no tables yet"
        joined = senro(lan.guest, home, "join", place, "--name", "Ben")
        assert joined.returncode == 0, joined.stderr
        assert "Welcome to Ann's house" in joined.stdout
        assert remarks[6:14] in joined.stderr  # the fingerprint begins as announced
    gone = senro(lan.guest, home, "browse")
    assert gone.stdout.startswith("No server was found.")


def test_on_one_machine_a_server_is_found_too() -> None:
    """The two halves without namespaces, over multicast on the loopback interface."""
    record = Record("Ann's house", tls=True, fingerprint="ab" * 8, password=True)
    try:
        responder = start_responder(record, ["127.0.0.1"], 9)
    except AnnounceError as error:
        pytest.skip(f"no multicast on the loopback interface: {error}")
    try:
        found = asyncio.run(find_servers(interface="127.0.0.1"))
    finally:
        responder.close()
    if not found:
        pytest.skip("the loopback interface carries no multicast here")
    assert Found(record, Address("127.0.0.1", 9, True)) in found


def test_without_lan_nobody_finds_it_nor_gets_in(lan: Lan, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "server", "--child", "--port", "0", "--state", str(tmp_path)]
    with subprocess.Popen(
        ["ip", "netns", "exec", lan.host, *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            _, host, port = process.stdout.readline().split()
            assert host == "127.0.0.1"
            assert "No server" in senro(lan.guest, tmp_path / "home", "browse").stdout
            refused = senro(lan.guest, tmp_path / "home", "join", f"{FAR_AWAY}1:{port}")
            assert refused.returncode == 1
            assert "Cannot connect" in refused.stderr
        finally:
            process.kill()


def test_a_machine_without_a_network_says_so(lan: Lan, tmp_path: Path) -> None:
    lonely = f"{lan.guest}-lonely"
    ip("netns", "add", lonely)
    try:
        browsed = senro(lonely, tmp_path / "home", "browse")
    finally:
        ip("netns", "del", lonely)
    assert browsed.returncode == 1
    assert "cannot ask its network for servers" in browsed.stderr
