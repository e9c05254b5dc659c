"""What whoever runs the server has said: who may not come in, who may not chat, and whether new
games may begin.  It knows names and addresses, and refuses; it puts nobody out."""

from __future__ import annotations

from math import inf

import trio

from protocol.names import name_key
from server.bans import Ban, Bans
from server.refusal import Refusal


class Order:
    """The order of one server.  Bans outlive it; mutes, by name, last no longer than it does."""

    def __init__(self, bans: Bans | None = None) -> None:
        self.bans = bans or Bans()
        self.draining = False
        self._muted: dict[str, float] = {}

    # ------------------------------------------------------------------ coming in

    def check_address(self, address: str) -> None:
        """Raises Refusal if nobody may come in from there."""
        ban = self.bans.of_address(address)
        if ban is not None:
            raise _banned(ban, "this address is not let in")

    def check_name(self, key: str) -> None:
        """Raises Refusal if nobody may come in under a name with this key."""
        ban = self.bans.of_name(key)
        if ban is not None:
            raise _banned(ban, "this name is not let in")

    # ------------------------------------------------------------------ chatting

    def mute(self, name: str, seconds: float) -> None:
        """Let nobody of this name chat for so long (0: until the server ends)."""
        self._muted[name_key(name)] = trio.current_time() + seconds if seconds else inf

    def unmute(self, name: str) -> bool:
        """Let them chat again; says whether they could not."""
        return self._muted.pop(name_key(name), -inf) > trio.current_time()

    def muted(self, key: str) -> bool:
        """Whether a name with this key may not chat."""
        return self._muted.get(key, -inf) > trio.current_time()

    def check_chat(self, key: str) -> None:
        """Raises Refusal if a name with this key may not chat."""
        if self.muted(key):
            raise Refusal("muted", "you cannot chat for now; whoever runs the server says so")

    # ------------------------------------------------------------------ new games

    def check_begin(self) -> None:
        """Raises Refusal if no tables may be opened and no games begun."""
        if self.draining:
            raise Refusal("shutting-down", "the server is about to end: no new games begin")


def _banned(ban: Ban, what: str) -> Refusal:
    return Refusal("banned", f"{what}: {ban.reason}" if ban.reason else what)
