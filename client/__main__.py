"""The command ``senro``: its arguments, its exit codes, and nothing of what it does."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import getpass
import os
import sys
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import platformdirs

from client import __version__
from client.address import DEFAULT_PORT, Address, parse_address
from client.errors import FAILURE, USAGE, ClientError
from client.table_words import NAME_CHARACTERS, OPTIONS, Word
from protocol import fingerprint
from protocol.names import TextError, clean_name, shorten
from protocol.signs import PLAIN

LONGEST_PACE = 60

NOT_FLAGS = frozenset({"title", "watch"})
"""Options of a table that are no flags of ``senro play``, or other ones."""


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        # The message quotes the arguments, and they may hold anything.
        said = shorten(message, 300)
        raise ClientError(f"{said} ({self.prog} --help lists what is allowed)", USAGE)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=PLAIN)
    try:
        _run(arguments)
    except ClientError as error:
        print(f"senro: {_in_lines(str(error))}", file=sys.stderr)
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
                name=_own_name(flags.name),
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
        name=_own_name(flags.name),
        known=KnownServers(_known_servers()),
        tokens=Tokens(_state_folder() / "sessions"),
        fingerprint=flags.fingerprint or "",
        password=read_password(flags.password_file) if flags.password_file else "",
    )
    join(visit, whoever_is_there())


def _known_servers() -> Path:
    return _state_folder() / "known_servers"


def parser() -> argparse.ArgumentParser:
    """What ``senro`` understands."""
    top = _Parser(
        prog="senro",
        description="Join a game of Trains, or play one against bots.",
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"senro {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND")
    join = commands.add_parser("join", help="join a server", allow_abbrev=False)
    join.add_argument(
        "address",
        nargs="?",
        metavar="HOST[:PORT]",
        help=f"default port {DEFAULT_PORT}; senros:// before it asks for TLS, senro:// for none "
        "(default: choose among the servers of your network)",
    )
    join.add_argument("--name", help="how others see you, 2 to 20 columns (default: your login)")
    join.add_argument("--tls", action="store_true", help="speak TLS (default: if the server does)")
    join.add_argument(
        "--fingerprint",
        type=_fingerprint,
        metavar="SHA256",
        help="of the certificate that the server has to show; it is remembered",
    )
    join.add_argument(
        "--password-file",
        type=_text,
        metavar="FILE",
        help="a file with the server's password in its first line (default: you are asked)",
    )
    browse = commands.add_parser(
        "browse", help="list the servers of your network", allow_abbrev=False
    )
    browse.add_argument(
        "--seconds",
        type=_looking,
        default=3.0,
        metavar="N",
        help="how long to look, 0.5 to 60 (default: 3)",
    )
    browse.add_argument(
        "--interface",
        type=_text,
        metavar="ADDRESS",
        help="look only where this machine has this IPv4 address (default: everywhere)",
    )
    play = commands.add_parser("play", help="play against bots, right here", allow_abbrev=False)
    play.add_argument("--name", help="how you are called (default: your login)")
    for name, word in OPTIONS.items():
        if name not in NOT_FLAGS:
            _add_option(play, name, word)
    play.add_argument(
        "--bots",
        type=_text,
        default="greedy",
        metavar="LEVEL,...",
        help="how they play: random, greedy or planner, for all or one by one (default: greedy)",
    )
    play.add_argument(
        "--journals",
        type=_text,
        metavar="DIR",
        help=f"the folder for the game's journal (default: {default_journals()})".replace(
            "%", "%%"
        ),
    )
    play.add_argument(
        "--watch", action="store_true", help="let bots play on all seats and print the game"
    )
    play.add_argument(
        "--pace",
        type=_seconds,
        metavar="SECONDS",
        help="how long a watched turn takes at least (default: 0.5 at a terminal, else 0)",
    )
    return top


def _seconds(value: str) -> float:
    """The type of a flag that takes some seconds."""
    try:
        seconds = float(value)
    except ValueError:
        seconds = -1
    if not 0 <= seconds <= LONGEST_PACE:
        raise argparse.ArgumentTypeError(
            f"“{shorten(value, 20)}” is no number of seconds from 0 to {LONGEST_PACE}"
        )
    return seconds


def _add_option(parser: argparse.ArgumentParser, name: str, word: Word) -> None:
    """The flag for an option of the table."""
    about = word.about.replace("%", "%%")
    if name == "reactions":
        about += " (default: fast)"
    if word.switch:
        parser.add_argument(f"--{name}", action="store_true", help=about)
    else:
        parser.add_argument(f"--{name}", type=_text, metavar=word.value, help=about)


def _text(value: str) -> str:
    """The type of flags that take any text of one line."""
    if not value.strip():
        raise argparse.ArgumentTypeError("an empty text says nothing; leave the flag out")
    if any(unicodedata.category(char)[0] == "C" or char in "\u2028\u2029" for char in value):
        raise argparse.ArgumentTypeError("use printable characters only, in one line of UTF-8")
    return value


def _looking(value: str) -> float:
    try:
        seconds = float(value)
    except ValueError:
        seconds = 0.0
    if not 0.5 <= seconds <= 60:
        raise argparse.ArgumentTypeError("use a number from 0.5 to 60")
    return seconds


def _fingerprint(value: str) -> str:
    try:
        return fingerprint.parse(value)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _state_folder() -> Path:
    return Path(platformdirs.user_state_dir("senro", appauthor=False))


def default_journals() -> str:
    """Where journals go if nobody says otherwise: beside a server's, which it does not look into,
    since it would go on with games that nobody means to end."""
    return str(_state_folder() / "journals" / "play")


def _own_name(flag: str | None) -> str:
    """The name that a flag gives, or else the login."""
    return _login_name() if flag is None else _name(flag)


def _name(text: str) -> str:
    try:
        name = clean_name(text)
    except TextError as error:
        raise ClientError(f"--name: {error}", USAGE) from None
    if len(name) > NAME_CHARACTERS:
        raise ClientError(
            f"--name: a name has at most {NAME_CHARACTERS} characters, accents counted; "
            f"this one has {len(name)}",
            USAGE,
        )
    return name


def _login_name() -> str:
    """The login, if it can be a name."""
    try:
        return clean_name(getpass.getuser())
    except (TextError, OSError, KeyError, ImportError):
        return "Player"


if __name__ == "__main__":
    sys.exit(main())
