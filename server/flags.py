"""What the commands of the server share in reading their flags."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable
from io import TextIOWrapper
from typing import NoReturn

from protocol.matching import meant
from protocol.signs import ESCAPED
from server.oplog import printable

FAILED = 1
"""The exit code where output cannot be written."""

USAGE = 2
"""The exit code for wrong use."""


LONGEST = 2_000
"""Characters of a complaint; the longest of our own lists all cards."""


DIGITS = 20
"""More than any number of ours has; int() itself refuses thousands of them in words of its own."""


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are one printable line."""

    def error(self, message: str) -> NoReturn:
        # The message may repeat what was typed, whatever that was.
        said = printable(message if len(message) <= LONGEST else message[:LONGEST] + "...")
        if isinstance(sys.stderr, TextIOWrapper):
            sys.stderr.reconfigure(errors=ESCAPED)
        print(f"{self.prog}: {said} (see {self.prog} --help)", file=sys.stderr)
        sys.exit(USAGE)


def whole(low: int, high: int) -> Callable[[str], int]:
    """The type of a flag that takes a whole number in a range."""

    def number(text: str) -> int:
        digits = text.isascii() and text.isdigit() and len(text) <= DIGITS
        if not digits or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(
                f"{text[:40]!r} is no whole number from {low} to {high}"
            )
        return int(text)

    return number


def one_of(names: Iterable[str]) -> Callable[[str], str]:
    """The type of a flag that takes one of some names, or enough of it to tell which."""
    things = {name: (name,) for name in names}

    def name(text: str) -> str:
        found = meant(text, things)
        if len(found) != 1:
            reason = f"may be {', '.join(found)}" if found else f"is none of {', '.join(things)}"
            raise argparse.ArgumentTypeError(f"{text[:40]!r} {reason}")
        return found[0]

    return name


def until_nobody_reads(program: str, command: Callable[[], int | None]) -> int:
    """Run a command that prints, and return its exit code; that whoever reads has seen enough, as
    ``head`` does, is no failure.  Where output cannot be written for another reason, that is one
    line and the exit code 1; what its encoding lacks is written as an escape."""
    out = sys.stdout
    if isinstance(out, TextIOWrapper):
        out.reconfigure(errors=ESCAPED)
    try:
        code = command()
        out.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())  # nothing is left for the exit
        if isinstance(error, BrokenPipeError):
            return 0
        reason = error.strerror or str(error)
        print(f"{program}: cannot write the output: {reason}", file=sys.stderr)
        return FAILED
    return code or 0
