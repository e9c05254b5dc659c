"""``senro-log``: shows and verifies journals.

Exit codes: 0 if all is well, 1 if a journal is wrong, 2 if one cannot be read or judged here (bad
flags among the reasons).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from server.flags import Parser, until_nobody_reads
from server.log.reading import ReadError, other_rules, read_journal
from server.log.show import StoppedError, show
from server.log.verify import WrongLineError, verify
from server.oplog import printable

PROGRAM = "senro-log"
WRONG, UNREADABLE = 1, 2


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog=PROGRAM, description="Look into the journals of games.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    one = commands.add_parser("show", help="print the turn history of a game")
    one.add_argument("file", type=Path, metavar="FILE")
    several = commands.add_parser("verify", help="check the chain, and play the game again")
    several.add_argument("files", type=Path, nargs="+", metavar="FILE")
    return parser


def _say(path: Path, text: str) -> None:
    print(printable(f"{path}: {text}"))


def _complain(path: Path, text: str) -> None:
    sys.stdout.flush()  # so that it stands where it belongs if both go to the same place
    print(printable(f"{PROGRAM}: {path}: {text}"), file=sys.stderr)


def _show(path: Path) -> int:
    try:
        journal = read_journal(path)
    except ReadError as error:
        _complain(path, str(error))
        return UNREADABLE
    code = 0
    try:
        verify(journal, replaying=not other_rules(journal.lines[0].data or {}))
    except WrongLineError as wrong:
        code = WRONG
        _complain(path, f"this journal does not verify: {wrong}")
    try:
        for line in show(journal):
            print(line)
    except StoppedError as stop:
        code = WRONG
        _complain(path, f"the journal cannot be read any further: {stop}")
    return code


def _verify(path: Path) -> int:
    try:
        journal = read_journal(path)
        problem = other_rules(journal.lines[0].data or {})
        if problem:
            raise ReadError(problem)
    except ReadError as error:
        _say(path, str(error))
        return UNREADABLE
    try:
        verdict = verify(journal)
    except WrongLineError as wrong:
        _say(path, f"wrong: {wrong}")
        return WRONG
    torn = "; a torn last line was left out" if journal.torn else ""
    lines, answers, state = verdict
    _say(path, f"good: {lines} lines, {answers} answers, {state}{torn}")
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    args = _parser().parse_args(argv)
    if args.command == "show":
        return until_nobody_reads(PROGRAM, lambda: _show(args.file))
    return until_nobody_reads(PROGRAM, lambda: max(_verify(path) for path in args.files))


if __name__ == "__main__":
    sys.exit(main())
