"""Where the settings come from: a file, the environment, flags; what comes later counts more.

:mod:`server.settings` says what there is to set.  Every setting has one name, the same everywhere:
``per-address`` is ``per-address`` in its section of the TOML file, ``SENRO_PER_ADDRESS`` in the
environment, and ``--set per-address=...`` among the flags.  Whatever is wrong is one sentence that
says where it stands, and what is allowed there.
"""

from __future__ import annotations

from server.config.names import ALL, Setting, SettingsError, find, misspelt
from server.config.sources import Config, default_file, load
from server.config.toml import to_toml

__all__ = [
    "Config",
    "load",
    "default_file",
    "to_toml",
    "SettingsError",
    "Setting",
    "ALL",
    "find",
    "misspelt",
]
