"""The tables of servers that were found, from real servers over real sockets."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from client import browse as module
from client.address import Address
from client.browse import browse, table_line, tables_of
from client.child import ChildServer
from client.connection import Connection
from client.discovery import Found
from client.entrance import Visit
from client.errors import ClientError
from client.known_servers import KnownServers
from client.trust import NewCertificateError
from protocol.discovery import Record
from protocol.messages import Create, SeatInfo, ShownOptions, TableInfo


@asynccontextmanager
async def server(folder: Path, *flags: str) -> AsyncIterator[int]:
    command = [sys.executable, "-m", "server", "--child", "--port", "0", "--state", str(folder)]
    async with ChildServer(command=[*command, *flags]) as child:
        yield child.port


def listed(found: Found, known: KnownServers | None = None) -> list[str]:
    (lines,) = asyncio.run(tables_of([found], known or KnownServers()))
    return lines


def at(port: int, **record: object) -> Found:
    tls = True if record.get("tls") else None
    return Found(Record("x", **record), Address("127.0.0.1", port, tls))  # type: ignore[arg-type]


def test_the_tables_of_a_server_are_listed(tmp_path: Path) -> None:
    async def main() -> None:
        async with server(tmp_path) as port:
            assert await tables_of([at(port)], KnownServers()) == [["no tables yet"]]
            async with await Connection.open("127.0.0.1", port, "Anna") as anna:
                await anna.request(Create(anna.next_id(), "Come in"))
                both = await tables_of([at(port), at(port)], KnownServers())
                assert both == [["Come in, tokyo, lobby, 1 of 2 seats taken: Anna"]] * 2

    asyncio.run(main())


def test_tls_shows_the_tables_too_but_not_behind_another_certificate(tmp_path: Path) -> None:
    known = KnownServers(tmp_path / "known_servers")

    async def main() -> None:
        async with server(tmp_path / "state", "--tls", "auto") as port:
            address = Address("127.0.0.1", port, True)
            with pytest.raises(NewCertificateError) as new:
                await Visit(address, "Anna", known).connect(lasting=False)
            digits = new.value.fingerprint
            for record, says in (
                (at(port, tls=True, fingerprint=digits[:16]), "no tables yet"),
                (at(port, tls=True, fingerprint="0" * 16), "is not known yet"),
                (at(port, tls=True), "is not known yet"),
                (at(port), "speaks only TLS"),
            ):
                ((line,),) = await tables_of([record], known)
                assert says in line
            assert known.find(address.place) == ""  # looking is not trusting
            known.keep(address.place, digits)
            for record in (at(port, tls=True), at(port)):
                assert await tables_of([record], known) == [["no tables yet"]]
            known.keep(address.place, "0" * 64)
            ((line,),) = await tables_of([at(port, tls=True, fingerprint=digits[:16])], known)
            assert "HAS CHANGED" in line

    asyncio.run(main())


def test_servers_that_tell_nothing_say_why() -> None:
    assert "who have the password" in listed(at(1, password=True))[0]
    assert "other versions" in listed(at(1, versions=(8, 9)))[0]
    assert "Cannot connect" in listed(at(1))[0]


def test_a_server_that_is_silent_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SECONDS_EACH", 0.1)

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while await reader.read(65536):
            pass
        writer.close()
        gone.set()

    gone = asyncio.Event()

    async def main() -> None:
        async with await asyncio.start_server(silent, "127.0.0.1", 0) as listening:
            port = listening.sockets[0].getsockname()[1]
            assert await tables_of([at(port)], KnownServers()) == [["it does not answer"]]
            await gone.wait()

    asyncio.run(main())


def test_a_table_is_one_harmless_line() -> None:
    options = ShownOptions(board="\x1b[2Jtokyo")
    seats = [SeatInfo("human", "Ann\u202e"), SeatInfo("open"), SeatInfo("bot", "Bot\n1")]
    line = table_line(TableInfo("t", "Come\x07 in", "playing", "Ann", options, seats))
    assert line == "Come in, [2Jtokyo, playing, 2 of 3 seats taken: Ann, Bot 1"
    line = table_line(TableInfo("t", "", "lobby", "Ann", ShownOptions(), []))
    assert line.startswith("Ann's table")


def test_what_is_found_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found: list[Found] = []

    async def find(seconds: float, interface: str | None) -> list[Found]:
        assert (seconds, interface) == (1.0, "127.0.0.1")
        return found

    monkeypatch.setattr(module, "find_servers", find)
    asyncio.run(browse(KnownServers(), 1.0, "127.0.0.1"))
    out = capsys.readouterr().out
    assert out.startswith("No server was found.")
    assert "senro join HOST:PORT" in out
    assert all(len(line) <= 100 for line in out.splitlines())
    found.append(at(1, password=True))
    asyncio.run(browse(KnownServers(), 1.0, "127.0.0.1"))
    assert capsys.readouterr().out.splitlines() == [
        "x  127.0.0.1:1  (no TLS, needs a password)",
        "    its tables are shown to those who have the password",
    ]


def test_a_network_that_cannot_be_asked_ends_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    async def find(*_: object) -> list[Found]:
        raise ClientError("no multicast")

    monkeypatch.setattr(module, "find_servers", find)
    with pytest.raises(ClientError, match="no multicast"):
        asyncio.run(browse(KnownServers(), 1.0, None))
