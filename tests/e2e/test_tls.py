"""The real commands over TLS: a first visit, a second one, and a server that is another one."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FINGERPRINT = re.compile(r"(?:[0-9a-f]{8}:){7}[0-9a-f]{8}")


@contextmanager
def server(state: Path, *flags: str, port: int = 0) -> Iterator[tuple[int, str]]:
    """A server's port, and the fingerprint that it shows when it starts."""
    log = state.with_suffix(".log")
    command = [sys.executable, "-m", "server", "--child", "--port", str(port)]
    with (
        log.open("wb") as stderr,
        subprocess.Popen(
            [*command, "--state", str(state), *flags],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
        ) as process,
    ):
        try:
            assert process.stdout is not None
            _, _, port_text = process.stdout.readline().split()
            shown = FINGERPRINT.search(log.read_text())
            yield int(port_text), shown[0] if shown else ""
        finally:
            process.kill()


def join(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "client", "join", *arguments, "--name", "Ann"],
        input="help\nquit\n",
        capture_output=True,
        text=True,
        env=os.environ | {"XDG_STATE_HOME": str(home)},
        timeout=60,
        check=False,
    )


def test_a_server_is_remembered_and_another_one_in_its_place_refused(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with server(tmp_path / "state", "--tls", "auto") as (port, shown):
        place = f"127.0.0.1:{port}"
        plain = join(home, f"senro://{place}")
        assert plain.returncode == 1
        assert "speaks only TLS" in plain.stderr
        first = join(home, place)
        assert first.returncode == 0, first.stderr
        assert shown in first.stderr
        assert "Welcome" in first.stdout
        assert (home / "senro" / "known_servers").read_text().count(place) == 1
        second = join(home, "--tls", place)
        assert (second.returncode, second.stderr) == (0, "")
    with server(tmp_path / "other", "--tls", "auto", port=port) as (_, other):
        assert other != shown
        refused = join(home, place)
        assert refused.returncode == 1
        assert "HAS CHANGED" in refused.stderr
        assert f"known:     {shown}" in refused.stderr
        assert f"shown now: {other}" in refused.stderr
        accepted = join(home, place, "--fingerprint", other)
        assert accepted.returncode == 0, accepted.stderr
        assert join(home, place).returncode == 0


def test_tls_at_a_plain_port(tmp_path: Path) -> None:
    with server(tmp_path / "state") as (port, shown):
        assert shown == ""
        refused = join(tmp_path / "home", f"senros://127.0.0.1:{port}")
        assert refused.returncode == 1
        assert f"senro://127.0.0.1:{port}" in refused.stderr
        assert "Welcome" not in refused.stdout


def test_the_password_of_a_server_goes_through_tls_only(tmp_path: Path) -> None:
    (tmp_path / "right").write_text("open sesame\n")
    (tmp_path / "wrong").write_text("open barley\n")
    home = tmp_path / "home"
    flags = ("--tls", "auto", "--password-file", str(tmp_path / "right"))
    with server(tmp_path / "state", *flags) as (port, _):
        place = f"127.0.0.1:{port}"
        for given, code, says in (
            ((), 1, "has a password: give it with --password-file"),
            (("--password-file", str(tmp_path / "wrong")), 1, "not the server's password"),
            (("--password-file", str(tmp_path / "right")), 0, ""),
        ):
            went = join(home, place, *given)
            assert went.returncode == code, went.stderr
            assert says in went.stderr
        assert "Welcome" in went.stdout
