"""``senro-server``: hosts games until it is told to end.

With ``--child`` it belongs to the program that started it: it prints ``ready HOST PORT`` on
standard output once it listens, and ends when its standard input does.  It then heeds no
environment, and no file of settings that is not named: it is that program's affair what it does.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from importlib.metadata import PackageNotFoundError, version

import trio

from server import browse, password, setting_flags
from server.config import SettingsError, to_toml
from server.control import command as ctl
from server.flags import Parser, until_nobody_reads
from server.launch import CannotServeError, serve
from server.oplog import operational_log, printable

PROGRAM = "senro-server"
FAILED = 1


def program_version() -> str:
    """The version of the installed distribution."""
    try:
        return version("senro")
    except PackageNotFoundError:
        return "unknown"


def _parser() -> Parser:
    parser = Parser(
        prog=PROGRAM,
        description="Host games of Trains for senro clients.",
        epilog="`senro-server ctl COMMAND` administers a running server; `senro-server "
        "hash-password` makes a line for --password-file.  Offline, "
        "`senro-server cards|boards|sets [NAME]` and `senro-server bonuses` show what there is to "
        "play with.",
    )
    setting_flags.add_flags(parser)
    add = parser.add_argument
    add("--print-config", action="store_true", help="print all settings as a TOML file, and end")
    add("--child", action="store_true", help="belong to the program that started this one")
    add("--version", action="version", version=f"%(prog)s {program_version()}")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code: 0 after a clean end, 1 if it could not run, 2 for
    bad flags."""
    argv = sys.argv[1:] if argv is None else argv
    if browse.wants_browsing(argv):
        return browse.main(argv)
    if password.wants_hash(argv):
        return password.main(argv)
    if argv[:1] == ["ctl"]:
        return ctl.main(argv[1:])
    parser = _parser()
    args = parser.parse_args(argv)
    try:
        config = setting_flags.read(args, alone=args.child)
    except SettingsError as wrong:
        parser.error(str(wrong))
    if args.print_config:
        return until_nobody_reads(PROGRAM, lambda: print(to_toml(config), end=""))
    log = operational_log(level=config.site.log_level)
    try:
        trio.run(partial(serve, config, log, program_version(), child=args.child))
    except CannotServeError as error:
        print(f"{PROGRAM}: {printable(str(error))}", file=sys.stderr)
        return FAILED
    return 0


if __name__ == "__main__":
    sys.exit(main())
