"""docs/operations.md tells what there is, and nothing that there is not."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

from server.config import ALL
from server.control import words

DOC = (Path(__file__).parents[3] / "docs" / "operations.md").read_text(encoding="utf-8")


def test_every_command_is_described_and_no_other() -> None:
    section = DOC.split("## Administration")[1].split("\n## ")[0]
    rows = "\n".join(re.findall(r"^\| (`.*?) \|", section, flags=re.MULTILINE))
    described = {found.split()[0] for found in re.findall(r"`([^`]+)`", rows)}
    assert described == {kind.__struct_config__.tag for kind in get_args(words.AnyCommand)}


def test_settings_and_flags_that_are_named_are_there() -> None:
    names = set(ALL)
    for name in re.findall(r"`SENRO_([A-Z_]+)=", DOC):
        assert name.lower().replace("_", "-") in names
    for name in re.findall(r"--set ([a-z-]+)=", DOC):
        assert name in names
    assert f"`drain` seconds ({ALL['drain'].default:.0f})" in DOC
