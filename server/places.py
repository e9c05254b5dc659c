"""Where the files of a server are, if its settings do not say so."""

from __future__ import annotations

from pathlib import Path

import platformdirs

from server.settings import Site


def state_folder(site: Site) -> Path:
    """The folder for what outlives the server: the user's own if nobody says otherwise."""
    return Path(site.state or platformdirs.user_state_dir("senro", appauthor=False))


def control_socket(site: Site) -> Path:
    """The socket at which ``senro-server ctl`` finds the server."""
    return Path(site.control) if site.control else state_folder(site) / "control.sock"
