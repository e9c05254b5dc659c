"""Every setting by its name and what it may be, made from the records in :mod:`server.settings`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any, NamedTuple, get_type_hints

from msgspec import Struct, inspect

from protocol.messages import TableOptions
from protocol.names import shorten
from server.settings import ABOUT_TABLES, Settings, Site

PREFIX = "SENRO_"

SITE, LIMITS, TABLE = "server", "limits", "table"
SECTIONS: dict[str, type[Struct]] = {SITE: Site, LIMITS: Settings, TABLE: TableOptions}
"""The sections of the file and their records."""

_NOT_BY_NAME = {(LIMITS, "defaults"), (TABLE, "seed")}
"""The first is the table section; with the second one could foretell all games of a server."""


class SettingsError(Exception):
    """A setting cannot be used; the sentence says which, where it stands, and what is allowed."""


class Setting(NamedTuple):
    """One setting: its section and name as people write them, and its type."""

    section: str
    name: str
    field: str
    type: Any
    inspected: inspect.Type
    default: Any
    about: str

    @property
    def variable(self) -> str:
        """Its name in the environment."""
        return PREFIX + self.field.upper()

    @property
    def is_list(self) -> bool:
        """Whether it is a list of names."""
        return isinstance(_bare(self.inspected), inspect.VarTupleType)

    @property
    def is_switch(self) -> bool:
        """Whether it is true or false."""
        return isinstance(_bare(self.inspected), inspect.BoolType)

    @property
    def allowed(self) -> str:
        """What it has to be, for people: ``a whole number from 1 to 9``."""
        return _allowed(_bare(self.inspected))


def _bare(kind: inspect.Type) -> inspect.Type:
    """The type without what is said about it, and what it is when it is set."""
    while isinstance(kind, inspect.Metadata):
        kind = kind.type
    if isinstance(kind, inspect.UnionType):
        (kind,) = (k for k in kind.types if not isinstance(k, inspect.NoneType))
    return kind


def _allowed(kind: inspect.Type) -> str:
    if isinstance(kind, inspect.IntType):
        return f"a whole number from {kind.ge} to {kind.le}"
    if isinstance(kind, inspect.FloatType):
        return f"a number from {kind.ge:.9g} to {kind.le:.9g}"
    if isinstance(kind, inspect.BoolType):
        return "true or false"
    if isinstance(kind, inspect.LiteralType):
        return f"one of {', '.join(map(str, kind.values))}"
    if isinstance(kind, inspect.VarTupleType):
        return f"a list of {kind.min_length or 0} to {kind.max_length} names"
    assert isinstance(kind, inspect.StrType), kind
    if kind.pattern:
        return f"one of {', '.join(kind.pattern.strip('^()$').split('|'))}"
    return f"text of {kind.min_length or 0} to {kind.max_length} characters"


def _settings_of(section: str, record: type[Struct]) -> Iterator[Setting]:
    info = inspect.type_info(record)
    assert isinstance(info, inspect.StructType)
    types = get_type_hints(record, include_extras=True)
    for field in info.fields:
        if (section, field.name) in _NOT_BY_NAME:
            continue
        about = ABOUT_TABLES.get(field.name, "") if section == TABLE else ""
        if isinstance(field.type, inspect.Metadata):
            about = (field.type.extra_json_schema or {}).get("description", "")
        name = field.name.replace("_", "-")
        kind = types[field.name]
        yield Setting(section, name, field.name, kind, field.type, field.default, about)


ALL: dict[str, Setting] = {
    setting.name: setting
    for section, record in SECTIONS.items()
    for setting in _settings_of(section, record)
}
"""Every setting by its name, section by section."""


def find(name: str, where: str) -> Setting:
    """The setting of that name.  Raises SettingsError."""
    if name not in ALL:
        close = get_close_matches(name.replace("_", "-").lower(), ALL, 1)
        more = f"; do you mean {close[0]}?" if close else "; --print-config lists all"
        raise SettingsError(f"{where}: there is no setting {shorten(name, 60)!r}{more}")
    return ALL[name]


def misspelt(environment: Mapping[str, str]) -> dict[str, str]:
    """Variables that are none of ours but nearly so, and what they were probably to be."""
    ours = [setting.variable for setting in ALL.values()]
    return {
        variable: close
        for variable in environment
        if variable.startswith(PREFIX) and variable not in ours
        for close in _close(variable, ours)
    }


def _close(variable: str, ours: Iterable[str]) -> list[str]:
    return get_close_matches(variable, ours, 1, 0.85)
