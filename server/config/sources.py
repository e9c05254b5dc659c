"""Reads settings out of the file, the environment and the flags, and checks them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import platformdirs
from msgspec import Struct

from engine.boxes import Box, load_own_box
from engine.errors import BoxError
from protocol.messages import TableOptions
from protocol.names import shorten
from server.config.names import ALL, LIMITS, SECTIONS, SITE, TABLE, Setting, SettingsError, find
from server.options import check_playable
from server.refusal import Refusal
from server.settings import Settings, Site

FILE = "server.toml"


class Config(Struct, frozen=True, kw_only=True):
    """All settings of a server, and the host's own boxes that they name."""

    site: Site = Site()
    limits: Settings = Settings()
    own: tuple[Box, ...] = ()


def default_file() -> Path:
    """The file that is read if it is there and no other is named."""
    return Path(platformdirs.user_config_dir("senro", appauthor=False)) / FILE


def load(
    file: Path | None = None,
    environment: Mapping[str, str] | None = None,
    flags: Iterable[tuple[str, str, str]] = (),
) -> Config:
    """The settings of a file, over them those of the environment, and over those the flags'.

    ``flags`` are the name of a setting, its text, and what a complaint calls the flag.
    Raises SettingsError.
    """
    given: dict[str, object] = {}
    said: dict[str, str] = {}  # where each of them is
    if file is not None:
        given |= _from_file(file)
        said |= {name: f"{file}: [{ALL[name].section}] {name}" for name in given}
    for setting in ALL.values():
        text = (environment or {}).get(setting.variable)
        if text is not None:
            said[setting.name] = where = f"environment: {setting.variable}"
            given[setting.name] = _from_text(setting, text, where)
    for name, text, where in flags:
        said[name] = where
        given[name] = _from_text(find(name, where), text, where)
    return _made_of(given, said)


def _made_of(given: Mapping[str, object], said: Mapping[str, str]) -> Config:
    parts: dict[str, dict[str, Any]] = {section: {} for section in SECTIONS}
    for name, value in given.items():
        parts[ALL[name].section][ALL[name].field] = value
    site, options = Site(**parts[SITE]), TableOptions(**parts[TABLE])
    own = _own_boxes(site.box)
    if parts[TABLE]:
        try:
            check_playable(options, own)
        except Refusal as no:
            option, _, why = no.text.partition(": ")
            if option in said:
                raise SettingsError(f"{said[option]}: {why}") from None
            raise SettingsError(f"tables cannot be played as [{TABLE}] says: {no.text}") from None
    limits = Settings(defaults=options, **parts[LIMITS])
    return Config(site=site, limits=limits, own=own)


def _own_boxes(folders: Sequence[str]) -> tuple[Box, ...]:
    """The host's own boxes.  Raises SettingsError with what is wrong in which file."""
    try:
        own = tuple(load_own_box(Path(folder)) for folder in folders)
    except BoxError as wrong:
        raise SettingsError(f"box: {wrong}") from None
    for number, box in enumerate(own):
        if box.id in {other.id for other in own[:number]}:
            raise SettingsError(f"box: two folders hold a box called {box.id!r}")
    return own


def _from_file(path: Path) -> dict[str, object]:
    given: dict[str, object] = {}
    for section, entries in _sections(path).items():
        if section in ALL:
            raise SettingsError(
                f"{path}: {section} belongs into the section [{ALL[section].section}]"
            )
        if section not in SECTIONS:
            known = ", ".join(f"[{name}]" for name in SECTIONS)
            raise SettingsError(
                f"{path}: there is no section {shorten(section, 60)!r}; sections are {known}"
            )
        if not isinstance(entries, dict):
            raise SettingsError(f"{path}: {section} is a section: write [{section}]")
        for name, value in entries.items():
            where = f"{path}: [{section}]"
            setting = find(name, where)
            if setting.section != section:
                raise SettingsError(f"{where}: {name} belongs into [{setting.section}]")
            given[name] = _checked(setting, value, f"{where} {name}")
    return given


def _sections(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"{path}: it cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise SettingsError(f"{path}: a file of settings has to be UTF-8") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise SettingsError(f"{path}: this is no TOML: {error}") from None


def _from_text(setting: Setting, text: str, where: str) -> object:
    if setting.section == TABLE and not text.strip(" ,"):
        raise SettingsError(f"{where}: it says nothing; leave it out, or give {setting.allowed}")
    if setting.is_list:
        parts = [part.strip() for part in text.split(",")]
        return _checked(setting, [part for part in parts if part], where)
    return _checked(setting, text, where, strict=False)


def _checked(setting: Setting, value: object, where: str, *, strict: bool = True) -> object:
    try:
        checked: object = msgspec.convert(value, setting.type, strict=strict)
    except msgspec.ValidationError:
        shown = shorten(value if isinstance(value, str) else repr(value), 60)
        raise SettingsError(f"{where}: it has to be {setting.allowed}, not {shown!r}") from None
    return checked
