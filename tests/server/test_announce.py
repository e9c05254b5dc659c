"""What the network is told and when: with a responder that tells nobody."""

from __future__ import annotations

import io
from collections.abc import Sequence
from ipaddress import ip_address

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from zeroconf import service_type_name

from protocol.discovery import SERVICE, Record
from server import announce as module
from server.announce import (
    EVERYWHERE,
    LABEL_BYTES,
    LOOK_AGAIN,
    AnnounceError,
    addresses_of_this_machine,
    announce,
    name_of_this_machine,
    to_announce,
)
from server.oplog import operational_log

RECORD = Record("Ann's house")


class Network:
    """Stands in for the network: ``told`` is what it is told now."""

    def __init__(self, *troubles: str) -> None:
        self.troubles = list(troubles)
        self.addresses = ["10.0.0.1"]
        self.told: list[tuple[Record, tuple[str, ...], int]] = []
        self.goodbyes = 0
        self.log = io.StringIO()

    def start(self, record: Record, addresses: Sequence[str], port: int) -> Network:
        if self.troubles:
            raise AnnounceError(self.troubles.pop(0))
        self.told.append((record, tuple(addresses), port))
        return self

    def close(self) -> None:
        self.goodbyes += 1
        self.told.pop()

    async def announce(self) -> None:
        await announce(
            RECORD,
            [("0.0.0.0", 99), ("::", 99)],  # noqa: S104 - nothing listens
            operational_log(self.log),
            start=self.start,
            addresses=lambda _: self.addresses,
        )


@pytest.fixture(autouse=True)
def _without_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock of the tests would run on while a thread works."""

    async def run_sync(function: object, *args: object, abandon_on_cancel: bool = False) -> object:
        await trio.lowlevel.checkpoint()
        assert callable(function)
        return function(*args)

    monkeypatch.setattr(module.trio.to_thread, "run_sync", run_sync)


async def test_the_network_is_told_until_the_end(
    nursery: trio.Nursery, autojump_clock: object
) -> None:
    network = Network()
    nursery.start_soon(network.announce)
    await trio.sleep(10 * LOOK_AGAIN)
    assert network.told == [(RECORD, ("10.0.0.1",), 99)]
    assert network.goodbyes == 0
    nursery.cancel_scope.cancel()
    with trio.CancelScope(shield=True):
        await trio.sleep(1)
    assert (network.told, network.goodbyes) == ([], 1)


async def test_a_machine_that_moves_is_found_again(
    nursery: trio.Nursery, autojump_clock: object
) -> None:
    network = Network()
    nursery.start_soon(network.announce)
    await trio.sleep(1)
    network.addresses = ["192.168.1.7", "10.0.0.1"]
    await trio.sleep(2 * LOOK_AGAIN)
    assert network.told == [(RECORD, ("192.168.1.7", "10.0.0.1"), 99)]
    assert network.goodbyes == 1
    nursery.cancel_scope.cancel()


async def test_a_network_that_cannot_be_told_is_tried_again_and_mentioned_once(
    nursery: trio.Nursery, autojump_clock: object
) -> None:
    network = Network(*["no such device"] * 3)
    nursery.start_soon(network.announce)
    await trio.sleep(2.5 * LOOK_AGAIN)
    assert network.told == []
    await trio.sleep(LOOK_AGAIN)
    assert network.told
    assert network.log.getvalue().count("the network is not told") == 1
    assert "no such device" in network.log.getvalue()
    nursery.cancel_scope.cancel()


def test_addresses_are_those_that_others_can_use(monkeypatch: pytest.MonkeyPatch) -> None:
    here = addresses_of_this_machine()
    assert here
    for address in here:
        assert here == ["127.0.0.1"] or not ip_address(address).is_loopback
    monkeypatch.setattr(
        module, "addresses_of_this_machine", lambda: ["10.0.0.1", "192.168.1.7", "2001:db8::1"]
    )
    assert to_announce(EVERYWHERE) == ["10.0.0.1", "192.168.1.7", "2001:db8::1"]
    assert to_announce(EVERYWHERE[:1]) == ["10.0.0.1", "192.168.1.7"]
    assert to_announce(["192.168.1.7"]) == ["192.168.1.7"]
    assert to_announce(["fe80::1%eth0", "127.0.0.1"]) == ["fe80::1", "127.0.0.1"]


@given(
    st.text(max_size=80) | st.sampled_from(["線路" * 40, "a.b.c", "กี้" * 30, "..", "_sub", "\x00"])
)
def test_every_name_can_be_told(name: str) -> None:
    info = module._info(Record(name), ["127.0.0.1"], 99)
    assert service_type_name(info.name, strict=False) == SERVICE
    label = info.name.removesuffix(f".{SERVICE}")
    assert 1 <= len(label.encode()) <= LABEL_BYTES
    assert "." not in label
    assert info.port == 99


def test_a_server_without_a_name_is_called_after_its_machine() -> None:
    assert name_of_this_machine().startswith("Senro on ")
