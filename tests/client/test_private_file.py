"""A private file is written whole, for its owner alone, or stays as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from client.private_file import write_privately


def test_it_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "state" / "kept"
    for data in (b"one", b"other"):
        write_privately(path, data)
        assert path.read_bytes() == data
    assert path.stat().st_mode & 0o077 == 0
    assert path.parent.stat().st_mode & 0o077 == 0


def test_a_failure_leaves_the_old_one_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "kept"
    write_privately(path, b"old")

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space"):
        write_privately(path, b"new")
    assert path.read_bytes() == b"old"
    assert [*tmp_path.iterdir()] == [path]
