"""What a server tells Prometheus: read off the server when asked, but for two histograms."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator

from prometheus_client import CollectorRegistry, Histogram
from prometheus_client.gc_collector import GCCollector
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from server.app import Server
from server.journal import Write

TABLE_STATES = ("lobby", "playing", "over", "broken")
WRITE_BOUNDS = (0.00002, 0.00005, 0.0001, 0.0002, 0.0005, 0.001, 0.005, 0.02, 0.1, 0.5, 2.0)
LAG_BOUNDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0)


class Instruments:
    """What is measured as it happens, and the registry that everything is read from."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        GCCollector(registry=self.registry)
        self.journal_write = Histogram(
            "senro_journal_write_seconds",
            "How long one line of a journal took to write",
            buckets=WRITE_BOUNDS,
            registry=self.registry,
        )
        self.loop_lag = Histogram(
            "senro_loop_lag_seconds",
            "How much later than asked a task that sleeps was woken",
            buckets=LAG_BOUNDS,
            registry=self.registry,
        )

    def timed(self, write: Write) -> Write:
        """The same write, with a note of how long it took."""
        observe, now = self.journal_write.observe, time.perf_counter

        def timed_write(fd: int, data: bytes) -> int:
            began = now()
            try:
                return write(fd, data)
            finally:
                observe(now() - began)

        return timed_write

    def watch(self, server: Server) -> None:
        """Read the rest off this server."""
        self.registry.register(_ServerCollector(server))


class _ServerCollector(Collector):
    def __init__(self, server: Server) -> None:
        self._server = server

    def describe(self) -> list[Metric]:
        return []  # so that registering reads nothing yet

    def collect(self) -> Iterator[Metric]:
        yield from self._standing()
        yield from self._done()

    def _standing(self) -> Iterator[Metric]:
        """How things stand."""
        hall = self._server.hall
        connections = self._server.reception.connections
        yield _gauge("connections", "Open connections", len(connections))
        yield _gauge("sessions", "Players who have said hello", len(hall.sessions))
        yield _gauge("draining", "1 while no new games begin", float(hall.order.draining))
        states = Counter(table.state for table in hall.tables.values())
        tables = GaugeMetricFamily("senro_tables", "Tables by state", labels=["state"])
        for state in TABLE_STATES:
            tables.add_metric([state], states[state])
        yield tables
        outboxes = [connection.waiting for connection in connections]
        mailboxes = [t.play.waiting for t in hall.tables.values() if t.play is not None]
        for name, what, lengths in (
            ("outbox_frames", "Frames that wait to be written, of all connections", outboxes),
            ("mailbox_answers", "Answers that wait for their tables, of all tables", mailboxes),
        ):
            yield _gauge(name, what, sum(lengths))
            yield _gauge(f"{name}_longest", f"{what}: the longest queue", max(lengths, default=0))

    def _done(self) -> Iterator[Metric]:
        """What has been done."""
        tally = self._server.hall.tally
        sent = tally.frames_out + sum(c.sent for c in self._server.reception.connections)
        yield _counter("connections_served", "Connections taken in", tally.connections)
        yield _counter("frames_received", "Frames that came from clients", tally.frames_in)
        yield _counter("frames_sent", "Frames written to clients", sent)
        yield _by("answers", "Answers to decisions that games took", "by", tally.answers)
        yield _by("refused", "Requests and connections refused", "code", tally.refused)


def _gauge(name: str, what: str, value: float) -> Metric:
    return GaugeMetricFamily(f"senro_{name}", what, value=value)


def _counter(name: str, what: str, value: float) -> Metric:
    return CounterMetricFamily(f"senro_{name}", what, value=value)


def _by(name: str, what: str, label: str, counts: Counter[str]) -> Metric:
    family = CounterMetricFamily(f"senro_{name}", what, labels=[label])
    for value, count in sorted(counts.items()):
        family.add_metric([value], count)
    return family
