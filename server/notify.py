"""Tells systemd, where it has started the server, how it stands; anywhere else it does nothing.

The protocol is one datagram of ``NAME=value`` lines to the socket named in ``NOTIFY_SOCKET``
(sd_notify(3)).  What cannot be told is no reason to stop.
"""

from __future__ import annotations

import socket
from collections.abc import Mapping
from contextlib import suppress

import trio


class Notifier:
    """Says ``READY=1`` and the like, and that the server lives as often as it has to."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        address = environment.get("NOTIFY_SOCKET", "")
        supported = hasattr(socket, "AF_UNIX") and address[:1] in ("/", "@")
        self._address = address.replace("@", "\0", 1) if address[:1] == "@" else address
        self._socket = (
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | getattr(socket, "SOCK_CLOEXEC", 0))
            if supported
            else None
        )
        microseconds = environment.get("WATCHDOG_USEC", "")
        self.pace = (
            int(microseconds) / 2e6 if microseconds.isascii() and microseconds.isdigit() else 0
        )
        """Seconds between two signs of life; 0: nobody waits for them."""

    def say(self, **words: str | int) -> None:
        """Send ``NAME=value`` for each of the words, in capitals."""
        if self._socket is not None:
            data = "\n".join(f"{name.upper()}={value}" for name, value in words.items())
            with suppress(OSError):
                self._socket.setblocking(False)
                self._socket.sendto(data.encode(), self._address)

    async def live(self) -> None:
        """Give signs of life until cancelled; they come from the loop that serves, so that a server
        that hangs gives none."""
        if not self.pace or self._socket is None:
            return
        while True:
            self.say(watchdog=1)
            await trio.sleep(self.pace)

    def close(self) -> None:
        """Say nothing more."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None
