"""The formats for lnav: against a journal and a log that a server writes, and with lnav itself
where there is one."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest
import trio

from protocol.messages import Leave
from server.log.lines import _KINDS
from tests.server.conftest import House

FILE = Path(__file__).parents[2] / "deploy" / "lnav" / "senro.json"
FORMATS = json.loads(FILE.read_text())
JOURNAL, LOG = FORMATS["senro_journal"], FORMATS["senro_log"]
NO_COLUMNS = {"table", "on", "time", "timestamp", "level"}
"""Columns of the first two names would break lnav's SQL tables; the others are lnav's own."""

LNAV = shutil.which("lnav")
needs_lnav = pytest.mark.skipif(LNAV is None, reason="lnav is not on this machine")


def fields_of_journals() -> set[str]:
    """Every field that a line of a journal can have."""
    names = {"type"}
    for kind in _KINDS.values():
        info = msgspec.inspect.type_info(kind)
        assert isinstance(info, msgspec.inspect.StructType)
        names |= {field.encode_name for field in info.fields}
    return names


def test_every_field_of_a_journal_is_known_to_the_format_and_no_other() -> None:
    assert set(JOURNAL["value"]) == fields_of_journals() - NO_COLUMNS


@pytest.mark.parametrize("kind", [JOURNAL, LOG], ids=["journal", "log"])
def test_what_a_line_is_made_of_is_a_value_of_the_format(kind: dict[str, Any]) -> None:
    shown = [part["field"] for part in kind["line-format"] if isinstance(part, dict)]
    known = {*kind["value"], "__timestamp__", "__level__"}
    assert set(shown) <= known
    named = {kind["timestamp-field"], kind["level-field"], kind["body-field"]}
    assert named <= {*kind["value"], *NO_COLUMNS}
    assert {value["kind"] for value in kind["value"].values()} <= {
        *("string", "integer", "boolean", "json", "float"),
    }


@pytest.fixture
async def house(nursery: trio.Nursery, tmp_path: Path) -> House:
    house = House(nursery, tmp_path / "journals", now=lambda: 1_800_000_000.0)
    await nursery.start(house.hall.run)
    return house


async def play(house: House) -> Path:
    """A game of a few moves that everybody leaves; returns its journal."""
    table, (ann,) = await house.playing("Ann", bots=1)
    for _ in range(3):
        await ann.answer(table)
    await ann.do(Leave, table=table)
    (path,) = house.folder.glob("*.jsonl")
    return path


async def test_a_real_journal_fits_the_format(house: House) -> None:
    path = await play(house)
    assert re.fullmatch(JOURNAL["file-pattern"], path.name)
    for line in path.read_bytes().splitlines():
        entry = msgspec.json.decode(line)
        assert set(entry) <= {*JOURNAL["value"], *NO_COLUMNS}
        assert JOURNAL["timestamp-field"] in entry
        assert JOURNAL["body-field"] in entry


async def test_a_real_log_fits_the_format(house: House) -> None:
    await play(house)
    entries = [json.loads(line) for line in house.log.getvalue().splitlines()]
    assert entries
    for entry in entries:
        assert {LOG["timestamp-field"], LOG["level-field"], LOG["body-field"]} <= set(entry)


def lnav(home: Path, *words: str) -> str:
    """What lnav prints, with our formats installed."""
    folder = home / ".lnav" / "formats" / "senro"
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(FILE, folder)
    environment = {**os.environ, "HOME": str(home), "TERM": "dumb"}
    environment.pop("XDG_CONFIG_HOME", None)
    done = subprocess.run(
        [LNAV or "lnav", *words], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "error" not in done.stderr, done.stderr
    return done.stdout


@needs_lnav
def test_lnav_accepts_the_formats(tmp_path: Path) -> None:
    lnav(tmp_path, "-C")


@needs_lnav
async def test_lnav_reads_a_journal_and_a_log(house: House, tmp_path: Path) -> None:
    path = await play(house)
    log = tmp_path / "senro.log"
    log.write_text(house.log.getvalue())
    lines = len(path.read_bytes().splitlines())
    count = ";SELECT count(*) AS n FROM {} -- :write-csv-to -"
    for name, file, expected in (
        ("senro_journal", path, lines),
        ("senro_log", log, len(house.log.getvalue().splitlines())),
    ):
        query = count.format(name).partition(" -- ")[0]
        out = lnav(tmp_path, "-n", "-c", query, "-c", ":write-csv-to -", str(file))
        assert out.split() == ["n", str(expected)], name
    answers = lnav(tmp_path, "-n", str(path)).splitlines()
    assert any(re.search(r" 0 player \S+ \[", line) for line in answers)
