"""From settings to a running server: opens what it needs, runs it, and closes everything again."""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping
from contextlib import AsyncExitStack, suppress
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

import trio

from protocol.discovery import Record, shown_name
from protocol.fingerprint import grouped
from server import descriptors, heartbeat
from server.app import Server
from server.bans import BanError, Bans
from server.certificate import CertificateError, Identity, identity
from server.config import Config, misspelt
from server.control.desk import Desk, DeskError, InUseError
from server.control.office import Office
from server.door import Door
from server.gate import Gate
from server.hall import Hall
from server.journal import Journals, Write
from server.notify import Notifier
from server.oplog import Log
from server.order import Order
from server.password import Hash, PasswordError, given_password
from server.places import control_socket, state_folder
from server.settings import DEFAULT_HOST, Site
from server.taking_up import JournalsInUseError, lock_journals, take_up_all

if TYPE_CHECKING:
    from server.metrics import Monitor

LOOPBACK = "127.0.0.1"
IPV4, IPV6 = "0.0.0.0", "::"  # noqa: S104 - all addresses, for who asks for it

IN_CLEAR = (
    "players would send their password over the network for everybody to read: add --tls auto, or "
    "listen on this machine only"
)


class CannotServeError(Exception):
    """The server cannot start; the sentence says why."""


async def serve(config: Config, log: Log, version: str, *, child: bool) -> None:
    """Serve until told to end.  Raises CannotServeError, and then leaves nothing behind: sockets
    come first, and folders once they are open.

    A ``child`` says that it is ready, ends with its parent, and keeps no state but in a folder that
    it is given.
    """
    site, settings = config.site, config.limits
    notifier = Notifier({} if child else os.environ)
    async with AsyncExitStack() as opened:
        opened.callback(notifier.close)
        if site.lan and site.host == DEFAULT_HOST:
            listeners = await _listen_everywhere(opened, site.port)
        else:
            listeners = await _listen(opened, site.host, site.port)
        monitor = await _monitor(opened, site.metrics_port)
        folder = state_folder(site) if site.state or not child else None
        bans = _bans(folder)
        tls = _identity(site)
        lock = _password(site, {} if child else os.environ)
        if lock is not None and tls is None and not all(map(_is_here, listeners)):
            raise CannotServeError(IN_CLEAR)
        desk = _desk(opened, site, log) if folder else None
        keeper = _journals(site, log, monitor.timed(os.write) if monitor else os.write)
        for variable, meant in misspelt({} if child else os.environ).items():
            log.warning("no setting of this name", variable=variable, meant=meant)
        shown = site.to_plain() | settings.to_plain() | {"journals": str(keeper.folder)}
        log.info("starting", version=version, password=lock is not None, **shown)
        wanted = descriptors.needed(settings)
        allowed = descriptors.allow(wanted)
        if allowed is not None and allowed < wanted:
            log.info("fewer descriptors than a full house takes", allowed=allowed, full=wanted)
        hall = Hall(
            settings,
            keeper,
            log=log,
            name=shown_name(site.name) or f"senro {version}",
            order=Order(bans),
            gate=Gate(settings, lock),
            lasting=folder is not None,
            own=config.own,
        )
        if folder is not None:
            try:
                lock_journals(opened, keeper)
            except JournalsInUseError as wrong:
                raise CannotServeError(str(wrong)) from None
            take_up_all(hall, keeper, heartbeat.read(folder))
        server = Server(hall, listeners, log, Door(settings, tls.context if tls else None))
        if tls is not None:
            log.info("speaking TLS", fingerprint=grouped(tls.fingerprint), own_certificate=tls.own)
        async with trio.open_nursery() as nursery:
            await nursery.start(_end_by_signal, server, log)
            if desk is not None:
                nursery.start_soon(desk.serve, Office(server, version))
            if monitor is not None:
                nursery.start_soon(monitor.run, server, log)
            if child:
                nursery.start_soon(_end_with_parent, server, log)
            await nursery.start(server.run)
            if folder is not None:
                nursery.start_soon(heartbeat.run, hall, folder)
            if child:
                host, port = server.addresses[0]
                print(f"ready {host} {port}", flush=True)
            nursery.start_soon(_tell, notifier, server)
            if site.lan:
                nursery.start_soon(_tell_network, site, server, tls, lock is not None, log)
            await server.ended.wait()
            nursery.cancel_scope.cancel()


async def _tell(notifier: Notifier, server: Server) -> None:
    """Tell systemd, if it is there, how the server stands; until cancelled."""

    async def draining() -> None:
        await server.draining.wait()
        notifier.say(status="running games come to their end")

    notifier.say(ready=1, status="games are welcome")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(notifier.live)
        nursery.start_soon(draining)
        await server.ending.wait()
        notifier.say(stopping=1, status="ending")


async def _tell_network(
    site: Site, server: Server, tls: Identity | None, password: bool, log: Log
) -> None:
    """Tell the local network where the server is, as long as new games may begin."""
    from server.announce import announce, name_of_this_machine  # most servers need none of it

    record = Record(
        shown_name(site.name) or name_of_this_machine(),
        tls=tls is not None,
        fingerprint=tls.fingerprint if tls else "",
        password=password,
    )

    async def until(event: trio.Event) -> None:
        await event.wait()
        nursery.cancel_scope.cancel()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(until, server.draining)
        nursery.start_soon(until, server.ending)
        await announce(record, server.addresses, log)


# ---------------------------------------------------------------------- what ends it


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


# ---------------------------------------------------------------------- what is opened


async def _listen(opened: AsyncExitStack, host: str, port: int) -> list[trio.SocketListener]:
    try:
        listeners = await trio.open_tcp_listeners(port, host=host)
    except UnicodeError:
        reason = "this cannot be the name of a host"
    except OSError as error:
        reason = error.strerror or str(error)
    else:
        for listener in listeners:
            opened.push_async_callback(listener.aclose)
        return listeners
    raise CannotServeError(f"cannot listen at {host} port {port}: {reason}")


async def _listen_everywhere(opened: AsyncExitStack, port: int) -> list[trio.SocketListener]:
    """At all addresses of this machine, with one and the same port, and without those of IPv6 if
    need be."""
    listeners = await _listen(opened, IPV4, port)
    with suppress(CannotServeError):
        port = listeners[0].socket.getsockname()[1]
        listeners += await _listen(opened, IPV6, port)
    return listeners


async def _monitor(opened: AsyncExitStack, port: int | None) -> Monitor | None:
    if port is None:
        return None
    from server.metrics import Monitor  # most servers need none of what it needs

    return Monitor(await _listen(opened, LOOPBACK, port))


def _bans(folder: Path | None) -> Bans:
    """The bans that are kept in a folder, which is made if it is missing."""
    if folder is None:
        return Bans()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return Bans(folder / "bans.json")
    except OSError as error:
        reason = error.strerror or str(error)
        raise CannotServeError(f"cannot keep state in {folder}: {reason}") from None
    except BanError as wrong:
        raise CannotServeError(str(wrong)) from None


def _identity(site: Site) -> Identity | None:
    try:
        return identity(site, state_folder(site))
    except CertificateError as wrong:
        raise CannotServeError(f"no TLS: {wrong}") from None


def _password(site: Site, environment: Mapping[str, str]) -> Hash | None:
    try:
        return given_password(site.password_file, environment)
    except PasswordError as wrong:
        raise CannotServeError(f"no password: {wrong}") from None


def _is_here(listener: trio.SocketListener) -> bool:
    """Whether only this machine can reach it."""
    host: str = listener.socket.getsockname()[0]
    return ip_address(host.partition("%")[0]).is_loopback


def _desk(opened: AsyncExitStack, site: Site, log: Log) -> Desk | None:
    """The socket for administration; a server can do without, but not beside another one."""
    try:
        desk = Desk.open(control_socket(site), log)
    except InUseError as wrong:
        raise CannotServeError(str(wrong)) from None
    except DeskError as wrong:
        log.warning("no administration by senro-server ctl", reason=str(wrong))
        return None
    opened.callback(desk.close)
    return desk


def _journals(site: Site, log: Log, write: Write) -> Journals:
    folder = Path(site.journals) if site.journals else state_folder(site) / "journals"
    try:
        journals = Journals(folder, write=write)
    except OSError as error:
        raise CannotServeError(
            f"cannot use {folder} for journals: {error.strerror or error}"
        ) from None
    if journals.exposed:
        log.warning("others can look into the folder of the journals", folder=str(folder))
    return journals
