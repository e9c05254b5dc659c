"""Writes all settings as a TOML file that can be kept, changed and read again."""

from __future__ import annotations

import textwrap

import msgspec
from msgspec import Struct

from server.config.names import ALL, LIMITS, SECTIONS, SITE, TABLE
from server.config.sources import Config

WIDTH = 98


def to_toml(config: Config) -> str:
    """The settings with what they mean and may be; what is not set stands there as a comment."""
    import tomlkit  # a server that begins has no need of it

    records: dict[str, Struct] = {
        SITE: config.site,
        LIMITS: config.limits,
        TABLE: config.limits.defaults,
    }
    document = tomlkit.document()
    for section in SECTIONS:
        table = tomlkit.table()
        for setting in ALL.values():
            if setting.section != section:
                continue
            about = "; ".join(filter(None, (setting.about, setting.allowed)))
            for line in textwrap.wrap(about, WIDTH):
                table.add(tomlkit.comment(line))
            value = msgspec.to_builtins(getattr(records[section], setting.field))
            if value is None:
                table.add(tomlkit.comment(f"{setting.name} ="))
            else:
                table.add(setting.name, value)
        document.add(section, table)
    return tomlkit.dumps(document)
