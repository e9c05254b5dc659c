"""``senro`` without anything else, at a terminal: which server, or a game against bots?

It lists the servers of the local network, so that nobody has to type an address; typing one works
too.  Plain prints and reads, between the attempts to find servers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from client.address import Address, parse_address
from client.browse import NOTHING
from client.discovery import Found, find_servers
from client.errors import ClientError
from protocol.names import shorten

Find = Callable[[], Sequence[Found]]

PLAY = "play"
"""Chosen instead of a server: a game against bots."""

QUIT = "quit"

_WORDS = {"p": PLAY, "play": PLAY, "q": QUIT, "quit": QUIT, "exit": QUIT}


def look_around() -> Sequence[Found]:
    """The servers of the local network.  Raises ClientError."""
    return asyncio.run(find_servers())


def choose(find: Find | None = None) -> Address | str:
    """Let somebody choose: a server's address, :data:`PLAY` or :data:`QUIT`."""
    while True:
        found = _shown(find or look_around)
        while True:
            try:
                typed = input("Number, address, play or quit; Enter looks again > ").strip()
            except EOFError:
                return QUIT
            if not typed:
                break
            try:
                return _chosen(typed, found)
            except ClientError as error:
                print(f"! {error}")


def _shown(find: Find) -> Sequence[Found]:
    print("Looking for servers on your network ...")
    try:
        found = find()
    except ClientError as error:
        print(error)
        return []
    for number, one in enumerate(found, 1):
        print(f"{number:>3}  {one.record.name}  {one.address.place}  ({one.in_words()})")
    if not found:
        print(NOTHING)
    return found


def _chosen(typed: str, found: Sequence[Found]) -> Address | str:
    """Raises ClientError."""
    word = typed.lower()
    if word in _WORDS:
        return _WORDS[word]
    if not typed.isdecimal():
        return parse_address(typed)
    if not 1 <= int(typed[:6]) <= len(found):
        there = f"1 to {len(found)}" if found else "none"
        raise ClientError(f"there is no server {shorten(typed, 10)} in the list: {there}")
    one = found[int(typed[:6]) - 1]
    if not one.record.understood:
        raise ClientError(f"{one.record.name} speaks other versions of the protocol")
    return one.address
