"""Journals of an earlier run: what is taken up again, from where, and what is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.journal import Journals
from server.log.reading import read_journal
from server.log.verify import verify
from server.recovery import RecoveryError, is_stillborn, unfinished
from tests.server.log.journals import rewrite, write_game


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The journal of a whole game."""
    path = tmp_path_factory.mktemp("recovery") / "game.jsonl"
    write_game(path)
    return path.read_bytes()


def killed(tmp_path: Path, content: bytes) -> Path:
    path = tmp_path / "20261201T000000Z-kq7m4.jsonl"
    path.write_bytes(content)
    return path


def test_a_game_that_is_over_is_not_taken_up(tmp_path: Path, whole: bytes) -> None:
    assert unfinished(killed(tmp_path, whole)) is None


@settings(max_examples=30)
@given(data=st.data())
def test_killed_at_any_byte_it_goes_on_from_its_last_whole_line(
    data: st.DataObject, whole: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    first, last = whole.index(b"\n") + 1, whole.rstrip(b"\n").rindex(b"\n") + 1
    cut = data.draw(st.integers(first, last))
    path = killed(tmp_path_factory.mktemp("cut"), whole[:cut])
    found = unfinished(path)
    assert found is not None
    kept = whole[: whole[:cut].rindex(b"\n") + 1]
    assert (found.kept.size, found.kept.lines) == (len(kept), kept.count(b"\n"))
    assert found.torn is (cut != len(kept))
    assert path.read_bytes() == whole[:cut]  # nothing is cut before the table is taken up
    lines = [json.loads(line) for line in kept.splitlines()]
    if "digest" in lines[-1]:
        assert found.story.game is not None
        assert found.story.game.digest() == lines[-1]["digest"]
    journal = Journals(path.parent).go_on(path, found.kept)
    assert path.read_bytes() == kept
    journal.line("abandoned", reason="test")
    journal.close()
    assert verify(read_journal(path)).state == "abandoned"
    assert unfinished(path) is None


def damaged(lines: list[dict[str, Any]]) -> None:
    lines[5]["seat"] = 1 - lines[5]["seat"]


def other_rules(lines: list[dict[str, Any]]) -> None:
    lines[0]["rules"] = 0


def other_cards(lines: list[dict[str, Any]]) -> None:
    lines[0]["boxes"]["hash"] = "0" * 32


def other_schema(lines: list[dict[str, Any]]) -> None:
    lines[0]["schema"] = 99


FOREIGN = {
    "damaged": (damaged, "is damaged: line 6"),
    "other rules": (other_rules, "rules version 0"),
    "other cards": (other_cards, "other card data"),
    "another schema": (other_schema, "schema 99"),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_what_cannot_be_gone_on_with_says_why(name: str, tmp_path: Path, whole: bytes) -> None:
    change, words = FOREIGN[name]
    lines = [json.loads(line) for line in whole.splitlines()][:9]
    change(lines)
    path = tmp_path / "game.jsonl"
    rewrite(path, lines)
    with pytest.raises(RecoveryError, match=words):
        unfinished(path)


@pytest.mark.parametrize("content", [b"", b"{", b"no journal\n", b"\x00" * 100, b'{"type":"x"}\n'])
def test_what_is_no_journal_says_so(content: bytes, tmp_path: Path) -> None:
    with pytest.raises(RecoveryError, match="is no journal"):
        unfinished(killed(tmp_path, content))


@pytest.mark.parametrize("end", [0, 1, 9, 60])
def test_a_table_that_nobody_was_told_of_has_never_been(
    end: int, tmp_path: Path, whole: bytes
) -> None:
    assert is_stillborn(killed(tmp_path, whole[:end]))


@pytest.mark.parametrize("content", [b"no journal", b"{}", b'{"seq":1,', b"\x00" * 100])
def test_what_is_something_else_is_left_alone(content: bytes, tmp_path: Path) -> None:
    assert not is_stillborn(killed(tmp_path, content))
    assert not is_stillborn(tmp_path / "nothing.jsonl")


def test_what_has_a_whole_line_has_been(tmp_path: Path, whole: bytes) -> None:
    assert not is_stillborn(killed(tmp_path, whole[: whole.index(b"\n") + 1]))


def test_what_is_set_aside_is_not_found_again(tmp_path: Path) -> None:
    journals = Journals(tmp_path)
    for _ in range(2):
        path = killed(tmp_path, b"{")
        assert journals.found() == [path]
        assert journals.set_aside(path).read_bytes() == b"{"
        assert journals.found() == []
    assert len(list(tmp_path.iterdir())) == 2


async def test_syncing_is_left_to_whoever_asks_for_it(tmp_path: Path) -> None:
    order: list[str] = []

    async def sync(fd: int) -> None:
        order.append(f"sync {fd > 0}")

    def write(fd: int, data: bytes) -> int:
        order.append("write")
        return len(data)

    journal = Journals(tmp_path, write=write, sync=sync).begin("kq7m4")
    journal.line("table")
    await journal.sync()
    journal.close()
    assert order == ["write", "sync True"]
