"""``senro-server``: hosts games until it is told to end.

With ``--child`` it belongs to the program that started it: it prints ``ready HOST PORT`` on
standard output once it listens, and ends when its standard input does.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import msgspec
import platformdirs
import trio

from server import browse, table_defaults
from server.app import Server
from server.flags import Parser, filled, whole
from server.hall import Hall
from server.journal import Journals
from server.oplog import LEVELS, Log, operational_log, printable
from server.settings import DEFAULT_HOST, DEFAULT_PORT, Settings

PROGRAM = "senro-server"
FAILED = 1


def default_journals() -> Path:
    """Where journals go if nobody says otherwise: the user's state directory."""
    return Path(platformdirs.user_state_dir("senro", appauthor=False)) / "journals"


def program_version() -> str:
    """The version of the installed distribution."""
    try:
        return version("senro")
    except PackageNotFoundError:
        return "unknown"


def _parser() -> Parser:
    defaults = Settings()
    parser = Parser(
        prog=PROGRAM,
        description="Host games of Trains for senro clients.",
        epilog="Offline: `senro-server cards [NAME]` and `senro-server boards [NAME]` show what "
        "there is to play with.",
    )
    add = parser.add_argument
    add(
        "--host",
        type=filled,
        default=DEFAULT_HOST,
        help="address to listen at (default: %(default)s)",
    )
    add(
        "--port",
        type=whole(0, 65535),
        default=DEFAULT_PORT,
        help="TCP port; 0 takes a free one (default: %(default)s)",
    )
    add(
        "--journals",
        type=Path,
        metavar="DIR",
        help=f"folder for the journals, one file a table (default: {default_journals()})",
    )
    add(
        "--per-address",
        type=whole(1, 100_000),
        default=defaults.per_address,
        metavar="N",
        help="connections allowed from one address (default: %(default)s)",
    )
    add(
        "--tables",
        type=whole(1, 100_000),
        default=defaults.tables,
        metavar="N",
        help="tables at the same time (default: %(default)s)",
    )
    add(
        "--creates",
        type=whole(1, 10_000_000),
        default=defaults.creates,
        metavar="N",
        help="tables that may be opened from one address in ten minutes (default: %(default)s)",
    )
    add(
        "--frame-rate",
        type=whole(1, 10_000_000),
        default=int(defaults.frame_rate),
        metavar="N",
        help="messages a second read from one connection (default: %(default)s)",
    )
    table_defaults.add_flags(parser)
    add("--log-level", choices=LEVELS, default="info", help="(default: %(default)s)")
    add("--child", action="store_true", help="belong to the program that started this one")
    add("--version", action="version", version=f"%(prog)s {program_version()}")
    return parser


async def _end_by_signal(server: Server, log: Log, task_status: trio.TaskStatus[None]) -> None:
    signals = [signal.SIGINT, signal.SIGTERM]
    with trio.open_signal_receiver(*signals) as received:
        task_status.started()
        async for number in received:
            log.info("signal", name=signal.Signals(number).name)
            server.end()


async def _end_with_parent(server: Server, log: Log) -> None:
    """End when standard input does.  os.read holds no lock that could disturb the exit."""
    try:
        while await trio.to_thread.run_sync(os.read, 0, 4096, abandon_on_cancel=True):
            pass
    except OSError:
        pass
    log.info("parent gone")
    server.end()


class CannotServeError(Exception):
    """The server cannot start; the sentence says why."""


async def _listen(host: str, port: int) -> list[trio.SocketListener]:
    try:
        return await trio.open_tcp_listeners(port, host=host)
    except UnicodeError:
        reason = "this cannot be the name of a host"
    except OSError as error:
        reason = error.strerror or str(error)
    raise CannotServeError(f"cannot listen at {host} port {port}: {reason}")


def _journals(folder: Path, log: Log) -> Journals:
    try:
        journals = Journals(folder)
    except OSError as error:
        raise CannotServeError(
            f"cannot use {folder} for journals: {error.strerror or error}"
        ) from None
    if journals.exposed:
        log.warning("others can look into the folder of the journals", folder=str(folder))
    return journals


async def _serve(args: argparse.Namespace, log: Log) -> None:
    """Serve until told to end.  Raises CannotServeError, and then leaves nothing behind: the
    listeners come first, and the folder of the journals once they are open."""
    listeners = await _listen(args.host, args.port)
    folder = args.journals if args.journals is not None else default_journals()
    try:
        journals = _journals(folder, log)
    except CannotServeError:
        for listener in listeners:
            await listener.aclose()
        raise
    settings = _settings(args)
    log.info("starting", version=program_version(), journals=str(folder), **settings.to_plain())
    hall = Hall(settings, journals, log=log, name=f"senro {program_version()}")
    await _run(Server(hall, listeners, log), log, args.child)


async def _run(server: Server, log: Log, child: bool) -> None:
    async with trio.open_nursery() as nursery:
        await nursery.start(_end_by_signal, server, log)
        if child:
            nursery.start_soon(_end_with_parent, server, log)
        await nursery.start(server.run)
        if child:
            ready_host, ready_port = server.addresses[0]
            print(f"ready {ready_host} {ready_port}", flush=True)
        await server.ended.wait()
        nursery.cancel_scope.cancel()


def _settings(args: argparse.Namespace) -> Settings:
    defaults = Settings()
    return msgspec.structs.replace(
        defaults,
        defaults=args.table_options,
        per_address=args.per_address,
        tables=args.tables,
        creates=args.creates,
        frame_rate=float(args.frame_rate),
        frame_burst=max(defaults.frame_burst, 2 * args.frame_rate),
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code: 0 after a clean end, 1 if it could not run, 2 for
    bad flags."""
    argv = sys.argv[1:] if argv is None else argv
    if browse.wants_browsing(argv):
        return browse.main(argv)
    parser = _parser()
    args = parser.parse_args(argv)
    args.table_options = table_defaults.read_flags(parser, args)
    log = operational_log(level=args.log_level)
    try:
        trio.run(_serve, args, log)
    except CannotServeError as error:
        print(f"{PROGRAM}: {printable(str(error))}", file=sys.stderr)
        return FAILED
    return 0


if __name__ == "__main__":
    sys.exit(main())
