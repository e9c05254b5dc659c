"""``senro-server ctl``: asks a running server for something and prints what it says.

Exit codes: 0 it was done, 1 the server said no, 2 wrong use, 3 there is no server to ask.
"""

from __future__ import annotations

import argparse
import os
import socket
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from server import setting_flags
from server.config import SettingsError
from server.control import report, words
from server.control.desk import supported
from server.flags import Parser, until_nobody_reads, whole
from server.oplog import printable
from server.places import control_socket

PROGRAM = "senro-server ctl"
SAID_NO, NO_SERVER = 1, 3
PATIENCE = 15.0
"""Seconds until a server that does not answer is given up."""

ANSWER_LIMIT = 64 * 1024 * 1024


class NoServerError(Exception):
    """There is no server to ask; the sentence says why."""


def main(argv: Sequence[str]) -> int:
    """Run the command; returns its exit code.  Exits with 2 for wrong use."""
    parser = _parser()
    flags = parser.parse_args(argv)
    try:
        path = control_socket(setting_flags.read(flags).site)
    except SettingsError as wrong:
        parser.error(str(wrong))
    try:
        command = _command(flags)
    except msgspec.ValidationError as wrong:
        parser.error(str(wrong))
    try:
        answer = ask(path, command)
    except NoServerError as no:
        print(f"{PROGRAM}: {printable(str(no))}", file=sys.stderr)
        return NO_SERVER
    if not answer.ok:
        print(f"{PROGRAM}: {printable(str(answer.error))}", file=sys.stderr)
        return SAID_NO
    if flags.json:
        text = msgspec.json.format(words.encode(answer.result), indent=2).decode()
    else:
        text = "\n".join(map(printable, report.lines(command, answer.result)))
    return until_nobody_reads(PROGRAM, lambda: print(text))


def ask(path: Path, command: words.AnyCommand, patience: float = PATIENCE) -> words.Answer:
    """Ask the server whose socket is there.  Raises NoServerError."""
    if not supported():
        raise NoServerError(
            "this system has no Unix sockets, so a running server cannot be asked for anything; "
            "Ctrl-C in its window ends it"
        )
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
        sock.settimeout(patience)
        try:
            sock.connect(os.fspath(path))
            sock.sendall(words.encode(command) + b"\n")
            heard = bytearray()
            while not heard.endswith(b"\n") and len(heard) < ANSWER_LIMIT:
                data = sock.recv(65_536)
                if not data:
                    break
                heard += data
            return words.decode_answer(heard)
        except (FileNotFoundError, ConnectionRefusedError, NotADirectoryError):
            reason = f"no server is running that has its socket at {path}"
        except PermissionError:
            reason = f"the socket at {path} belongs to another user; only its owner may ask"
        except TimeoutError:
            reason = f"the server at {path} does not answer"
        except msgspec.MsgspecError:
            reason = f"what is at {path} does not answer like a Senro server"
        except OSError as error:
            reason = f"cannot ask the server at {path}: {error.strerror or error}"
    raise NoServerError(f"{reason} (--state DIR or --control PATH say where to look)")


def _command(flags: argparse.Namespace) -> words.AnyCommand:
    """The command that the flags say.  Raises msgspec.ValidationError."""
    plain = {"command": flags.command}
    for name in ("name", "address", "reason", "text", "table"):
        value = getattr(flags, name, None)
        if value:
            plain[name] = " ".join(value) if isinstance(value, list) else value
    if getattr(flags, "minutes", None):
        plain["seconds"] = 60 * flags.minutes
    return msgspec.convert(plain, words.AnyCommand)  # type: ignore[no-any-return]


def _parser() -> Parser:
    parser = Parser(
        prog=PROGRAM,
        description="Administer a running server of this machine and user.",
        epilog="Exit codes: 0 done, 1 the server said no, 2 wrong use, 3 no server to ask.",
    )
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    setting_flags.add_place_flags(parser)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

    def add(name: str, about: str) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=about, description=about)

    add("status", "how the server stands")
    add("tables", "which tables there are")
    add("sessions", "who is here")
    kick = add("kick", "put somebody out; they may come back")
    mute = add("mute", "let nobody of a name chat")
    unmute = add("unmute", "let them chat again")
    for command in (kick, mute, unmute):
        command.add_argument("name", metavar="NAME", help="the name of a player who is here")
    ban = add("ban", "let a name or an address in no more")
    unban = add("unban", "undo bans")
    for command in (ban, unban):
        command.add_argument("--name", help="a name, in all its spellings")
        command.add_argument("--address", help="an address, or a network such as 192.0.2.0/24")
    for command in (kick, ban):
        command.add_argument("--reason", help="told to whom it concerns")
    for command in (mute, ban):
        command.add_argument(
            "--minutes", type=whole(1, 5_000_000), metavar="N", help="default: for good"
        )
    add("bans", "which bans are in force")
    announce = add("announce", "tell everybody something")
    announce.add_argument("text", nargs="+", metavar="TEXT")
    announce.add_argument("--table", metavar="ID", help="only those at this table")
    add("drain", "end once the running games have ended; no new ones begin")
    add("stop", "end now; journals stay")
    return parser
