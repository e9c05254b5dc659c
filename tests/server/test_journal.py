"""The journal: numbers without a gap, a chain without a break, and writes that fail."""

from __future__ import annotations

import os
import stat
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.journal import Journal, JournalError, Journals, line_digest, utc_text


def lines_of(path: Path) -> list[dict[str, Any]]:
    content = path.read_bytes()
    assert content.endswith(b"\n") or not content
    raw = content.splitlines()
    lines = [msgspec.json.decode(line) for line in raw]
    prev = ""
    for number, line in enumerate(lines):
        assert line["seq"] == number
        assert line["prev"] == prev
        prev = sha256(raw[number]).hexdigest()[:32]
    return lines


def test_lines_are_numbered_dated_and_chained(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "a.jsonl", now=lambda: 1_767_225_600.25)
    journal.line("table", schema=1)
    journal.line("answer", keys=("end-turn",))
    journal.close()
    first, second = lines_of(journal.path)
    assert list(first) == ["seq", "type", "time", "schema", "prev"]
    assert first["time"] == "2026-01-01T00:00:00.250Z"
    assert second["keys"] == ["end-turn"]


def test_each_line_is_one_write(tmp_path: Path) -> None:
    writes: list[bytes] = []

    def write(fd: int, data: bytes) -> int:
        writes.append(data)
        return os.write(fd, data)

    journal = Journal(tmp_path / "a.jsonl", write=write)
    journal.line("table")
    journal.line("seats", seats=["line\nend", "\u2028"])
    journal.close()
    assert [data.count(b"\n") for data in writes] == [1, 1]


@pytest.mark.parametrize("raises", [False, True])
@pytest.mark.parametrize("part", [0, 1, 20])
def test_a_failed_write_is_cut_back_and_the_same_line_can_be_tried_again(
    tmp_path: Path, disk: Any, part: int, raises: bool
) -> None:
    journal = Journal(tmp_path / "a.jsonl", write=disk)
    journal.line("table")
    whole = journal.path.read_bytes()
    disk.full, disk.part, disk.raises = True, part, raises
    for _ in range(2):
        with pytest.raises(JournalError):
            journal.line("answer", keys=["a"])
        assert journal.path.read_bytes() == whole
    disk.full = False
    journal.line("answer", keys=["a"])
    journal.close()
    assert [line["type"] for line in lines_of(journal.path)] == ["table", "answer"]


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 30)), max_size=30))
def test_whatever_fails_the_file_is_a_whole_chain_of_what_was_written(
    tmp_path_factory: pytest.TempPathFactory, attempts: list[tuple[bool, int]]
) -> None:
    part = -1

    def write(fd: int, data: bytes) -> int:
        return os.write(fd, data if part < 0 else data[:part])

    journal = Journal(tmp_path_factory.mktemp("j") / "a.jsonl", write=write)
    expected = []
    for number, (fails, size) in enumerate(attempts):
        part = size if fails else -1
        try:
            journal.line("answer", number=number)
        except JournalError:
            assert fails
        else:
            expected.append(number)
    journal.close()
    assert [line["number"] for line in lines_of(journal.path)] == expected


def test_a_closed_journal_takes_no_lines(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "a.jsonl")
    journal.close()
    journal.close()
    with pytest.raises(JournalError):
        journal.line("table")


def test_the_folder_and_its_files_are_private(tmp_path: Path) -> None:
    journals = Journals(tmp_path / "state" / "journals", now=lambda: 0.0)
    journal = journals.begin("k7m2q")
    journal.close()
    assert journal.path.name == "19700101T000000Z-k7m2q.jsonl"
    if os.name == "posix":
        assert stat.S_IMODE(journals.folder.stat().st_mode) == 0o700
        assert stat.S_IMODE(journal.path.stat().st_mode) == 0o600


def test_two_tables_never_share_a_file(tmp_path: Path) -> None:
    journals = Journals(tmp_path, now=lambda: 0.0)
    first, second = journals.begin("k7m2q"), journals.begin("k7m2q")
    first.line("table")
    second.line("table")
    first.close()
    second.close()
    assert first.path != second.path
    assert len(lines_of(first.path)) == 1


def test_times_are_utc_with_milliseconds() -> None:
    assert utc_text(0.0) == "1970-01-01T00:00:00.000Z"
    assert utc_text(1.9999) == "1970-01-01T00:00:01.999Z"


def test_a_digest_is_half_a_sha256() -> None:
    assert line_digest(b"") == "e3b0c44298fc1c149afbf4c8996fb924"
