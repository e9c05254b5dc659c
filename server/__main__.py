"""``senro-server``: hosts games until it is told to end.

With ``--child`` it belongs to the program that started it: it prints ``ready HOST PORT`` on
standard output once it listens, and ends when its standard input does.  It then heeds no
environment, and no file of settings that is not named: it is that program's affair what it does.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import trio

from server import browse, setting_flags
from server.app import Server
from server.bans import BanError, Bans
from server.config import Config, SettingsError, misspelt, to_toml
from server.control import command as ctl
from server.control.desk import Desk, DeskError, InUseError
from server.control.office import Office
from server.flags import Parser, until_nobody_reads
from server.hall import Hall
from server.journal import Journals
from server.oplog import Log, operational_log, printable
from server.order import Order
from server.places import control_socket, state_folder
from server.settings import Site

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
        epilog="`senro-server ctl COMMAND` administers a running server.  Offline: `senro-server "
        "cards [NAME]` and `senro-server boards [NAME]` show what there is to play with.",
    )
    setting_flags.add_flags(parser)
    add = parser.add_argument
    add("--print-config", action="store_true", help="print all settings as a TOML file, and end")
    add("--child", action="store_true", help="belong to the program that started this one")
    add("--version", action="version", version=f"%(prog)s {program_version()}")
    return parser


async def _end_by_signal(server: Server, log: Log, task_status: trio.TaskStatus[None]) -> None:
    """The first SIGTERM lets running games come to their end; another one, or SIGINT, does not."""
    signals = [signal.SIGINT, signal.SIGTERM]
    drained = False
    with trio.open_signal_receiver(*signals) as received:
        task_status.started()
        async for number in received:
            log.info("signal", name=signal.Signals(number).name)
            if number == signal.SIGTERM and not drained:
                drained = True
                server.drain()
            else:
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


def _state(site: Site, log: Log) -> tuple[Desk | None, Bans]:
    """What is kept in the state folder.  Without a desk the server can do, but not without the
    bans that it was given."""
    folder = state_folder(site)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        bans = Bans(folder / "bans.json")
        desk = Desk.open(control_socket(site), log)
    except OSError as error:
        raise CannotServeError(
            f"cannot keep state in {folder}: {error.strerror or error}"
        ) from None
    except (BanError, InUseError) as wrong:
        raise CannotServeError(str(wrong)) from None
    except DeskError as wrong:
        log.warning("no administration by senro-server ctl", reason=str(wrong))
        return None, bans
    return desk, bans


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


async def _serve(config: Config, child: bool, log: Log) -> None:
    """Serve until told to end.  Raises CannotServeError, and then leaves nothing behind: the
    listeners come first, and folders once they are open.  A child keeps no state of its own but in
    a folder that it is given."""
    site, settings = config.site, config.limits
    listeners = await _listen(site.host, site.port)
    folder = Path(site.journals) if site.journals else state_folder(site) / "journals"
    desk, bans = None, Bans()
    try:
        if site.state or not child:
            desk, bans = _state(site, log)
        journals = _journals(folder, log)
    except CannotServeError:
        if desk is not None:
            desk.close()
        for listener in listeners:
            await listener.aclose()
        raise
    for variable, meant in misspelt({} if child else os.environ).items():
        log.warning("no setting of this name in the environment", variable=variable, meant=meant)
    shown = site.to_plain() | settings.to_plain() | {"journals": str(folder)}
    log.info("starting", version=program_version(), **shown)
    order = Order(bans)
    hall = Hall(settings, journals, log=log, name=f"senro {program_version()}", order=order)
    await _run(Server(hall, listeners, log), desk, log, child)


async def _run(server: Server, desk: Desk | None, log: Log, child: bool) -> None:
    async with trio.open_nursery() as nursery:
        await nursery.start(_end_by_signal, server, log)
        if desk is not None:
            nursery.start_soon(desk.serve, Office(server, program_version()))
        if child:
            nursery.start_soon(_end_with_parent, server, log)
        await nursery.start(server.run)
        if child:
            ready_host, ready_port = server.addresses[0]
            print(f"ready {ready_host} {ready_port}", flush=True)
        await server.ended.wait()
        nursery.cancel_scope.cancel()


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code: 0 after a clean end, 1 if it could not run, 2 for
    bad flags."""
    argv = sys.argv[1:] if argv is None else argv
    if browse.wants_browsing(argv):
        return browse.main(argv)
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
        trio.run(_serve, config, args.child, log)
    except CannotServeError as error:
        print(f"{PROGRAM}: {printable(str(error))}", file=sys.stderr)
        return FAILED
    return 0


if __name__ == "__main__":
    sys.exit(main())
