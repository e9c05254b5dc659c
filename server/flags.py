"""What the commands of the server share in reading their flags."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from typing import NoReturn

USAGE = 2
"""The exit code for wrong use."""


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are one line."""

    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: {message} (see {self.prog} --help)", file=sys.stderr)
        sys.exit(USAGE)


def whole(low: int, high: int) -> Callable[[str], int]:
    """The type of a flag that takes a whole number in a range."""

    def number(text: str) -> int:
        if not text.isascii() or not text.isdigit() or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(
                f"{text[:40]!r} is no whole number from {low} to {high}"
            )
        return int(text)

    return number


def until_nobody_reads(command: Callable[[], int | None]) -> int:
    """Run a command that prints, and return its exit code; that whoever reads has seen enough, as
    ``head`` does, is no failure."""
    try:
        code = command()
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code or 0
