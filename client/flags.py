"""What the command ``senro`` understands: its flags, what they may be, and what is meant without
them."""

from __future__ import annotations

import argparse
import getpass
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import platformdirs

from client import __version__
from client.address import DEFAULT_PORT
from client.errors import USAGE, ClientError
from client.table_words import NAME_CHARACTERS, OPTIONS, Word
from protocol import fingerprint
from protocol.names import TextError, clean_name, shorten

LONGEST_PACE = 60
LONGEST_LOOK = 60

NOT_FLAGS = frozenset(
    {
        *("title", "watch", "turn", "reserve", "window"),
        *("private", "password", "spectators", "delay_turns"),
    }
)
"""Options of a table that are no flags of ``senro play``, or other ones."""


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        # The message quotes the arguments, and they may hold anything.
        said = shorten(message, 300)
        raise ClientError(f"{said} ({self.prog} --help lists what is allowed)", USAGE)


def parser() -> argparse.ArgumentParser:
    """What ``senro`` understands."""
    top = Parser(
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
        type=_seconds(0.5, LONGEST_LOOK),
        default=3.0,
        metavar="N",
        help="how long to look (default: 3)",
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
        type=_seconds(0, LONGEST_PACE),
        metavar="SECONDS",
        help="how long a watched turn takes at least (default: 0.5 at a terminal, else 0)",
    )
    return top


def _seconds(low: float, high: float) -> Callable[[str], float]:
    """The type of a flag that takes some seconds."""

    def number(value: str) -> float:
        try:
            seconds = float(value)
        except ValueError:
            seconds = -1
        if not low <= seconds <= high:
            raise argparse.ArgumentTypeError(
                f"“{shorten(value, 20)}” is no number of seconds from {low:g} to {high:g}"
            )
        return seconds

    return number


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


def _fingerprint(value: str) -> str:
    try:
        return fingerprint.parse(value)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def state_folder() -> Path:
    """The user's own folder for what outlives the program."""
    return Path(platformdirs.user_state_dir("senro", appauthor=False))


def default_journals() -> str:
    """Where journals go if nobody says otherwise: beside a server's, which it does not look into,
    since it would go on with games that nobody means to end."""
    return str(state_folder() / "journals" / "play")


def own_name(flag: str | None) -> str:
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
