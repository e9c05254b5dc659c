"""What monitoring is told over HTTP, and what it is not."""

from __future__ import annotations

import io
import os
from typing import Any

import pytest
import trio
from prometheus_client.parser import text_string_to_metric_families

from protocol.messages import Chat, Ping
from server.app import Server
from server.hall import Hall
from server.journal import Journals
from server.metrics import Monitor
from server.metrics.lag import EVERY, measure
from server.metrics.web import MOST
from server.oplog import operational_log
from server.settings import Settings


class Watched:
    """A house that is watched, and the port to ask at."""

    def __init__(self, house: Any, server: Server, port: int, log: io.StringIO) -> None:
        self.log = log
        self.house = house
        self.server = server
        self.port = port

    async def ask(self, request: bytes) -> tuple[int, dict[str, str], str]:
        """Status, headers and body of the answer to some bytes."""
        async with await trio.open_tcp_stream("127.0.0.1", self.port) as stream:
            await stream.send_all(request)
            heard = b""
            async for data in stream:
                heard += data
        head, _, body = heard.partition(b"\r\n\r\n")
        first, *rest = head.decode().split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in rest)
        return int(first.split()[1]), headers, body.decode()

    async def get(self, path: str, more: str = "") -> tuple[int, str]:
        status, headers, body = await self.ask(
            f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{more}\r\n".encode()
        )
        assert int(headers["content-length"]) == len(body.encode())
        return status, body

    async def values(self) -> dict[str, float]:
        """All samples by name and labels."""
        status, body = await self.get("/metrics")
        assert status == 200
        return {
            sample.name + "".join(f" {value}" for value in sample.labels.values()): sample.value
            for family in text_string_to_metric_families(body)
            for sample in family.samples
        }


@pytest.fixture
async def watched(make_house: Any, nursery: trio.Nursery) -> Watched:
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    monitor = Monitor([listener])
    house = await make_house(write=monitor.timed(os.write))
    file = io.StringIO()
    log = operational_log(file)
    server = Server(house.hall, [], log)
    server.reception = house.reception
    nursery.start_soon(monitor.run, server, log)
    return Watched(house, server, listener.socket.getsockname()[1], file)


async def test_it_counts_what_there_is_and_what_was_done(watched: Watched) -> None:
    before = await watched.values()
    assert before["senro_tables playing"] == before["senro_sessions"] == 0
    table, (ann, ben) = await watched.house.playing("Ann", "Ben")
    asked = ann if (await _whoever(ann, ben)) is ann else ben
    await asked.answer(table)
    assert await ann.refused(Chat, table="nowhere", text="x") == "no-such-table"
    await ann.do(Ping)
    after = await watched.values()
    assert after["senro_tables playing"] == 1
    assert after["senro_connections"] == after["senro_sessions"] == 2
    assert after["senro_connections_served_total"] == 2
    assert after["senro_answers_total player"] == 1
    assert after["senro_refused_total no-such-table"] == 1
    assert after["senro_frames_received_total"] >= 9
    assert after["senro_frames_sent_total"] >= 9
    lines = len(watched.house.journal())
    assert after["senro_journal_write_seconds_count"] == lines
    assert after["senro_outbox_frames"] == after["senro_mailbox_answers_longest"] == 0


async def _whoever(ann: Any, ben: Any) -> Any:
    """Who is asked first."""
    await ann.do(Ping)
    await ben.do(Ping)
    return ann if ann.decisions else ben


async def test_what_was_sent_is_still_counted_when_a_connection_has_ended(watched: Watched) -> None:
    ann = await watched.house.player("Ann")
    for _ in range(5):
        await ann.do(Ping)
    await ann.stream.aclose()
    while watched.house.reception.connections:
        await trio.lowlevel.checkpoint()
    assert (await watched.values())["senro_frames_sent_total"] == 6


async def test_no_names_no_addresses_and_nothing_of_a_game_is_told(watched: Watched) -> None:
    await watched.house.playing("Xanthippe", "Yolande")
    _, body = await watched.get("/metrics")
    for secret in ("Xanthippe", "Yolande", "127.0.0.1", "hand", "deck", "seed", "t1"):
        assert secret not in body


async def test_health_is_a_word(watched: Watched) -> None:
    assert await watched.get("/healthz") == (200, "ok\n")
    watched.house.hall.order.draining = True
    assert await watched.get("/healthz?x=1") == (200, "draining\n")
    watched.house.hall.close()
    assert await watched.get("/healthz") == (503, "ending\n")


async def test_the_format_is_the_one_asked_for(watched: Watched) -> None:
    _, headers, body = await watched.ask(
        b"GET /metrics HTTP/1.1\r\nHost: x\r\nAccept: application/openmetrics-text\r\n\r\n"
    )
    assert headers["content-type"].startswith("application/openmetrics-text")
    assert body.endswith("# EOF\n")


@pytest.mark.parametrize(
    ("request_bytes", "status"),
    [
        (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", 404),
        (b"GET /metrics/../healthz HTTP/1.1\r\nHost: x\r\n\r\n", 404),
        (b"POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc", 405),
        (b"GET /healthz HTTP/1.0\r\n\r\n", 200),
        (b"HEAD /healthz HTTP/1.1\r\nHost: x\r\n\r\n", 200),
        (b"\x00\xff\r\n\r\n", 400),
        (b"GET /healthz HTTP/1.1\r\n\r\n", 400),
        (b"GET /" + b"x" * 100_000, 431),
        (b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", 400),
    ],
)
async def test_whatever_is_asked_gets_one_answer(
    watched: Watched, request_bytes: bytes, status: int
) -> None:
    answered, headers, body = await watched.ask(request_bytes)
    assert answered == status
    assert headers["connection"] == "close"
    assert bool(body) != request_bytes.startswith(b"HEAD")
    assert await watched.get("/healthz") == (200, "ok\n")


async def test_a_client_that_goes_or_says_nothing_is_forgotten(watched: Watched) -> None:
    streams = [await trio.open_tcp_stream("127.0.0.1", watched.port) for _ in range(MOST)]
    for stream in streams:
        await stream.send_all(b"GET /hea")
    while watched.server.hall.tally.connections:
        await trio.lowlevel.checkpoint()
    async with await trio.open_tcp_stream("127.0.0.1", watched.port) as one_more:
        assert await one_more.receive_some() == b""
    for stream in streams:
        await stream.aclose()
    while True:
        async with await trio.open_tcp_stream("127.0.0.1", watched.port) as stream:
            try:
                await stream.send_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
                if (await stream.receive_some()).startswith(b"HTTP/1.1 200"):
                    break
            except trio.BrokenResourceError:
                continue


async def test_the_loop_is_late_by_what_a_task_holds_it_up(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock
) -> None:
    lags: list[float] = []
    nursery.start_soon(measure, lags.append)
    await trio.sleep(2.25 * EVERY)
    assert lags == [0.0, 0.0]
    autojump_clock.jump(3 * EVERY)  # as if something had held it up for so long
    await trio.sleep(0.1 * EVERY)
    assert lags[2:] == [pytest.approx(2.25 * EVERY)]


def test_a_write_that_fails_is_timed_too(tmp_path: Any) -> None:
    def fail(_fd: int, _data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monitor = Monitor([])
    write = monitor.timed(fail)
    with pytest.raises(OSError, match="No space"):
        write(0, b"")
    metric = monitor._instruments.registry.get_sample_value("senro_journal_write_seconds_count")
    assert metric == 1.0


async def test_a_mistake_in_one_answer_is_logged_and_the_next_is_given(watched: Watched) -> None:
    watched.house.failures_expected = True
    tables, watched.house.hall.tables = watched.house.hall.tables, None
    with pytest.raises(IndexError):
        await watched.get("/metrics")
    watched.house.hall.tables = tables
    assert (await watched.get("/metrics"))[0] == 200
    assert "metrics failed" in watched.log.getvalue()


async def test_all_of_a_server_can_be_read_without_one_connection(tmp_path: Any) -> None:
    log = operational_log(io.StringIO())
    hall = Hall(Settings(), Journals(tmp_path), log=log)
    monitor = Monitor([])
    monitor._instruments.watch(Server(hall, [], log))
    assert monitor._instruments.registry.get_sample_value("senro_outbox_frames_longest") == 0.0
