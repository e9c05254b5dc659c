"""The command ``senro``: which part of it is meant, its exit codes, and nothing of what it does."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from client.address import Address, parse_address
from client.errors import FAILURE, USAGE, ClientError, full_stop
from client.flags import NOT_FLAGS, default_journals, own_name, parser, state_folder
from client.table_words import OPTIONS
from protocol.signs import PLAIN


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=PLAIN)
    try:
        _run(arguments)
    except ClientError as error:
        print(f"senro: {_in_lines(full_stop(str(error)))}", file=sys.stderr)
        return error.code
    except KeyboardInterrupt:
        print("senro: interrupted", file=sys.stderr)
        return 130
    except OSError as error:
        _give_up_output()
        if not isinstance(error, BrokenPipeError):  # else whoever read our output has had enough
            print(f"senro: {error.strerror or error}", file=sys.stderr)
        return FAILURE
    return 0


def _in_lines(text: str) -> str:
    """The text, whatever it quotes, without anything that a terminal would obey."""
    return "".join(char if char.isprintable() or char == "\n" else "?" for char in text)


def _give_up_output() -> None:
    """Let what is still to be printed vanish, so that its failing is not reported once more."""
    if sys.stdout is not None:
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(arguments: Sequence[str] | None) -> None:
    flags = parser().parse_args(arguments)
    if flags.command is None:
        flags = parser().parse_args(["join"])
    if flags.command == "join":
        address = parse_address(flags.address, tls=flags.tls) if flags.address else _chosen()
        if address is None:
            return
        if isinstance(address, Address):
            _join(flags, address)
            return
        flags = parser().parse_args(["play", *(["--name", flags.name] if flags.name else [])])
    if flags.command == "browse":
        from client.browse import browse
        from client.known_servers import KnownServers

        asyncio.run(browse(KnownServers(_known_servers()), flags.seconds, flags.interface))
        return
    _play(flags)


def _chosen() -> Address | str | None:
    """The server that somebody at the terminal chooses, ``play``, or None to leave."""
    from client import start
    from client.plain.console import is_terminal

    if not is_terminal():
        raise ClientError(
            "say where to: join HOST[:PORT]; browse lists the servers of your network, play begins "
            "a game right here (senro --help lists what is allowed)",
            USAGE,
        )
    chosen = start.choose()
    return None if chosen == start.QUIT else chosen


def _play(flags: argparse.Namespace) -> None:
    from client.play import PlayFlags, play

    asyncio.run(
        play(
            PlayFlags(
                name=own_name(flags.name),
                bots=flags.bots,
                journals=flags.journals or default_journals(),
                watch=flags.watch,
                pace=flags.pace,
                table={
                    name: "yes" if value is True else value
                    for name in OPTIONS
                    if name not in NOT_FLAGS and (value := getattr(flags, name))
                },
            )
        )
    )


def _join(flags: argparse.Namespace, address: Address) -> None:
    from client.entrance import Visit, read_password
    from client.join import join
    from client.known_servers import KnownServers
    from client.plain.person import whoever_is_there
    from client.tokens import Tokens

    visit = Visit(
        address=address,
        name=own_name(flags.name),
        known=KnownServers(_known_servers()),
        tokens=Tokens(state_folder() / "sessions"),
        fingerprint=flags.fingerprint or "",
        password=read_password(flags.password_file) if flags.password_file else "",
    )
    join(visit, whoever_is_there())


def _known_servers() -> Path:
    return state_folder() / "known_servers"


if __name__ == "__main__":
    sys.exit(main())
