"""The flags that set settings: ``--set NAME=VALUE`` for all, and short forms for some."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from server.config import ALL, Config, Setting, SettingsError, default_file, load
from server.config.names import LIMITS, SITE, TABLE

SHORT_LIMITS = ("per-address", "tables", "creates", "frame-rate", "durability")
"""Limits with a flag of their own; the other sections have one for each setting."""


class _Set(argparse.Action):
    """Notes settings in the order in which they are given: the last one counts."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        alone = self.nargs == "?" and values == self.const
        text, flag = "true" if alone else str(values), option_string or ""
        if self.const is None:
            name, sign, text = text.partition("=")
            if not sign:
                parser.error(f"argument {flag}: write NAME=VALUE, as in --set per-address=32")
            given = (name, text, f"{flag} {name}")
        else:
            given = (self.const, text, flag)
        namespace.given = [*(getattr(namespace, "given", None) or ()), given]


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add ``--config``, ``--set`` and the short forms."""
    _add_config(parser)
    parser.add_argument(
        "--set",
        action=_Set,
        metavar="NAME=VALUE",
        help="any setting by its name; --print-config lists all.  Flags count more than the "
        "environment (SENRO_PER_ADDRESS for per-address), and that more than the file",
    )
    groups = {
        SITE: parser.add_argument_group("where"),
        LIMITS: parser.add_argument_group("limits"),
        TABLE: parser.add_argument_group("tables whose creators say nothing else"),
    }
    for setting in ALL.values():
        if setting.section != LIMITS or setting.name in SHORT_LIMITS:
            _add(groups[setting.section], setting)


def add_place_flags(parser: argparse.ArgumentParser) -> None:
    """Add those that say where a running server is."""
    _add_config(parser)
    for name in ("state", "control"):
        _add(parser, ALL[name])


def _add_config(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help=f"TOML file of settings (default: {default_file()}, if it is there)",
    )


def _add(group: argparse._ActionsContainer, setting: Setting) -> None:
    default = setting.default
    if isinstance(default, tuple):
        default = ",".join(default)
    about = setting.about or setting.allowed
    choices = setting.allowed.removeprefix("one of ")
    metavar = "X,..." if setting.is_list else "X"
    group.add_argument(
        f"--{setting.name}",
        action=_Set,
        const=setting.name,
        nargs="?" if setting.is_switch else None,  # alone it means yes
        metavar=choices.replace(", ", "|") if choices != setting.allowed else metavar,
        help=about.replace("%", "%%") + (f" (default: {default})" if default else ""),
    )


def read(flags: argparse.Namespace, *, alone: bool = False) -> Config:
    """The settings that flags, environment and file say.  ``alone``: without environment, and
    without a file unless one is named.  Raises SettingsError."""
    given = getattr(flags, "given", None) or []
    if flags.config is None and not alone and default_file().is_file():
        return load(default_file(), os.environ, given)
    return load(flags.config, {} if alone else os.environ, given)


__all__ = ["add_flags", "read", "SettingsError"]
