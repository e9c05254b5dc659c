"""How many files and sockets the process may have open, and whether that is enough."""

from __future__ import annotations

from server.settings import Settings

OTHERS = 50
"""What the server needs besides connections and journals."""


def needed(settings: Settings) -> int:
    """How many descriptors a full house takes: one for each connection and each journal."""
    return settings.connections + settings.tables + OTHERS


def allow(wanted: int) -> int | None:
    """Ask the system to allow so many, as far as it lets us; returns how many it allows, None if
    that is unknown (Windows) or unlimited."""
    try:
        import resource
    except ImportError:
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return None
    if soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        except (OSError, ValueError):  # macOS has a limit of its own
            return soft
        soft = most
    return soft
