"""docs/hosting.md and SECURITY.md tell what there is, and nothing that there is not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from client.__main__ import main as senro
from protocol.discovery import Record
from server.__main__ import main as senro_server
from server.certificate import FILE
from server.config import ALL
from server.password import LONGEST, VARIABLE
from server.settings import DEFAULT_PORT, Settings

ROOT = Path(__file__).parents[2]
HOSTING = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
SECURITY = (ROOT / "SECURITY.md").read_text(encoding="utf-8")


def helped(main: object, arguments: list[str], capsys: pytest.CaptureFixture[str]) -> set[str]:
    assert callable(main)
    with pytest.raises(SystemExit):
        main([*arguments, "--help"])
    return set(re.findall(r"--[a-z][a-z-]+", capsys.readouterr().out))


def test_every_flag_is_one_of_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    known = helped(senro_server, [], capsys)
    for command in ("join", "browse"):
        known |= helped(senro, [command], capsys)
    told = set(re.findall(r"--[a-z][a-z-]+", HOSTING + SECURITY))
    assert told <= known
    assert {"--lan", "--tls", "--tls-cert", "--tls-key", "--password-file", "--name"} <= told
    assert {"--fingerprint", "--interface", "--seconds"} <= told


def test_names_and_numbers_are_those_of_the_code() -> None:
    assert f"`{FILE}`" in HOSTING
    assert f"`{VARIABLE}`" in HOSTING
    assert f"({DEFAULT_PORT})" in HOSTING
    assert f"up to {LONGEST} characters" in HOSTING
    assert (Settings().password_tries, Settings().password_every) == (5, 60)
    assert "five wrong\nones within a minute" in HOSTING
    for name in ("password-tries", "password-every"):
        assert name in ALL
        assert name in HOSTING


def test_nothing_more_is_announced_than_is_told() -> None:
    record = Record("x", tls=True, fingerprint="ab" * 32, password=True)
    assert set(record.to_txt()) == {"name", "versions", "tls", "fingerprint", "password"}


def test_links_lead_somewhere() -> None:
    for folder, text in ((ROOT / "docs", HOSTING), (ROOT, SECURITY)):
        for target in re.findall(r"\]\(([^)#]+)\)", text):
            assert (folder / target).exists(), target
