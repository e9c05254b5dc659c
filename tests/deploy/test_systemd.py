"""The unit for systemd: read as such, and by systemd's own tools where there are any."""

from __future__ import annotations

import configparser
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from server.config import ALL
from server.settings import Settings

UNIT = Path(__file__).parents[2] / "deploy" / "senro.service"
MOST_EXPOSED = 20
"""Tenths of systemd's exposure level, of 100, that the unit may have."""


class Unit(configparser.RawConfigParser):
    """Names may be given several times; the values are lines of one."""

    def __init__(self) -> None:
        super().__init__(strict=False, delimiters=("=",), comment_prefixes=("#",))
        self.optionxform = str  # type: ignore[assignment,method-assign]


@pytest.fixture(scope="module")
def service() -> configparser.SectionProxy:
    unit = Unit()
    unit.read_string(UNIT.read_text())
    assert unit.sections() == ["Unit", "Service", "Install"]
    return unit["Service"]


def test_its_variables_are_settings(service: configparser.SectionProxy) -> None:
    given = dict(part.split("=", 1) for part in shlex.split(service["Environment"]))
    ours = {name for name in given if name.startswith("SENRO_")}
    assert ours <= {setting.variable for setting in ALL.values()}
    assert given["SENRO_STATE"] == f"%S/{service['StateDirectory']}"
    assert given["XDG_CONFIG_HOME"] == "%E"


def test_it_is_given_the_time_to_drain(service: configparser.SectionProxy) -> None:
    settings = Settings()
    assert int(service["TimeoutStopSec"]) > settings.drain + settings.farewell
    assert service["Type"] == "notify"
    assert int(service["WatchdogSec"]) >= 10


def test_it_has_no_rights_that_it_does_not_need(service: configparser.SectionProxy) -> None:
    assert service["DynamicUser"] == "yes"
    assert service["ProtectSystem"] == "strict"
    assert service["StateDirectoryMode"] == "0700"
    assert service["CapabilityBoundingSet"] == ""
    assert "AF_UNIX" in service["RestrictAddressFamilies"]


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The unit with a program that is there."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not on this machine")
    unit = tmp_path / UNIT.name
    program = f"ExecStart={sys.executable} -m server"
    unit.write_text(UNIT.read_text().replace("ExecStart=/opt/senro/bin/senro-server", program))
    return unit


def test_systemd_finds_nothing_wrong(installed: Path) -> None:
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(installed)],
        capture_output=True,
        text=True,
        check=False,
    )
    ours = [line for line in done.stderr.splitlines() if UNIT.name in line]
    assert not ours
    assert done.returncode == 0, done.stderr


def test_systemd_calls_it_well_protected(installed: Path) -> None:
    done = subprocess.run(
        [
            *("systemd-analyze", "security", "--offline=yes", "--no-pager"),
            *(f"--threshold={MOST_EXPOSED}", str(installed)),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    if "unrecognized option" in done.stderr:
        pytest.skip("this systemd-analyze judges no units that are not loaded")
    assert done.returncode == 0, done.stdout[-300:]
