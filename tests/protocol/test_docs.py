"""docs/protocol.md says what the code does: types, fields, codes, events, numbers, the example."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

import protocol
from engine import types
from engine.events import FIELDS, NOBODY
from protocol import discovery, messages
from tests.protocol.make_vectors import FOLDER

DOC = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
SECTIONS = {
    part.split("\n", 1)[0].strip("` "): part.split("\n", 1)[1]
    for part in re.split(r"^#{2,3} ", DOC, flags=re.MULTILINE)[1:]
}
MESSAGES = get_args(messages.ClientMessage | messages.ServerMessage)
RECORDS = [
    messages.TableOptions,
    messages.TableInfo,
    messages.SeatInfo,
    *(
        kind
        for kind in vars(types).values()
        if isinstance(kind, type)
        and issubclass(kind, msgspec.Struct)
        and kind is not msgspec.Struct
    ),
]


def fields(kind: Any) -> list[Any]:
    info = msgspec.inspect.type_info(kind)
    assert isinstance(info, msgspec.inspect.StructType)
    return list(info.fields)


def title(kind: Any) -> str:
    tag = kind.__struct_config__.tag
    return str(tag) if tag else str(kind.__name__)


@pytest.mark.parametrize("kind", [*MESSAGES, *RECORDS], ids=title)
def test_every_field_of_every_type_is_described(kind: Any) -> None:
    section = SECTIONS[title(kind)]
    for field in fields(kind):
        assert f"`{field.name}`" in section, field.name


@pytest.mark.parametrize("kind", [*MESSAGES, messages.TableOptions], ids=title)
def test_nothing_is_described_that_is_not_there(kind: Any) -> None:
    names = {field.name for field in fields(kind)}
    rows = re.findall(r"^\| `([a-z_]+)` \|", SECTIONS[title(kind)], flags=re.MULTILINE)
    assert set(rows) <= names


@pytest.mark.parametrize("kind", [*MESSAGES, messages.TableOptions], ids=title)
def test_bounds_and_defaults_are_those_of_the_code(kind: Any) -> None:
    section = SECTIONS[title(kind)]
    for field in fields(kind):
        found = re.search(rf"^\| `{field.name}` \| ([^|]*)\|", section, flags=re.MULTILINE)
        if found is None or field.name in ("id", "table"):
            continue
        row = found[1].replace(",", "")
        assert ("r" in row.split()) == field.required, (field.name, row)
        default = field.default
        if isinstance(default, (str, int, tuple)):
            shown = json.dumps(list(default) if isinstance(default, tuple) else default)
            assert f"`{shown}`" in row, (field.name, row)
        bounds = field.type
        for name in ("le", "max_length"):
            bound = getattr(bounds, name, None)
            if bound is not None and field.name != "seed":
                shown = "2^53 − 1" if bound == 2**53 - 1 else str(bound)
                assert shown in row, (field.name, row)


def test_every_error_code_is_listed_with_its_meaning() -> None:
    listed = dict(
        re.findall(r"^\| `([a-z-]+)` \| (.*) \|$", SECTIONS["12. Error codes"], flags=re.MULTILINE)
    )
    assert listed == dict(protocol.CODES)


def test_every_event_is_listed_with_its_fields() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| ([^|]*) \|", SECTIONS["11. Events"], flags=re.MULTILINE)
    listed = {kind: set(re.findall(r"`(\w+)`", names)) for kind, names in rows}
    assert listed == {
        kind: {name for name, _, who in parts if who != NOBODY} for kind, parts in FIELDS.items()
    }


def test_the_magic_and_the_limits_are_those_of_the_code() -> None:
    section = SECTIONS["1. The connection"]
    assert f"`{protocol.MAGIC.hex(' ')}`" in section
    assert f"{protocol.TO_SERVER_LIMIT:,} bytes" in section
    assert f"{protocol.TO_CLIENT_LIMIT:,}" in section
    assert f"at most {protocol.MAX_DEPTH} deep" in SECTIONS["2. Encoding"]
    assert DOC.startswith(f"# The Senro protocol, version {protocol.VERSIONS[1]}\n")


def test_the_announcement_is_that_of_the_code() -> None:
    section = SECTIONS["1. The connection"]
    assert f"`{discovery.SERVICE}`" in section
    record = discovery.Record("x", tls=True, fingerprint="ab" * 32)
    assert re.findall(r"^\| `([a-z]+)` \|", section, flags=re.MULTILINE)[:5] == [
        "name",
        "versions",
        "tls",
        "fingerprint",
        "password",
    ]
    assert set(record.to_txt()) == {"name", "versions", "tls", "fingerprint", "password"}
    assert f"at most {discovery.NAME_COLUMNS} columns and {discovery.NAME_BYTES} bytes" in section
    assert f"first {discovery.PREFIX_LENGTH} hexadecimal digits" in section


def test_the_example_session_is_the_one_in_the_vectors() -> None:
    block = SECTIONS["14. An example session"].split("```")[1]
    lines = [line.split(";")[0] for line in block.splitlines() if line.startswith("  ")]
    shown = "".join("".join(lines).split())
    session = json.loads((FOLDER / "session.json").read_text(encoding="utf-8"))
    assert shown == "".join(step["hex"] for step in session)


def test_links_inside_the_document_lead_somewhere() -> None:
    headings = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in SECTIONS}
    for target in re.findall(r"\]\(#([^)]+)\)", DOC):
        assert target in headings
