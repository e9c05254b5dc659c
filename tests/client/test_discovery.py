"""What the network says, cleaned; and a search over the loopback interface, if that works here."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from zeroconf import IPVersion, ServiceInfo
from zeroconf.asyncio import AsyncZeroconf

from client.address import Address, parse_address
from client.discovery import Found, find_servers, to_found
from client.errors import ClientError
from protocol.discovery import SERVICE, Record
from protocol.names import shorten

TXT = {b"versions": b"1-1", b"name": b"Ann's house"}


def test_a_record_becomes_a_server() -> None:
    txt = TXT | {b"tls": b"1", b"fingerprint": b"ab" * 8, b"password": b"1"}
    found = to_found(txt, ["fe80::1%eth0", "2001:db8::1", "10.0.0.1"], 99)
    assert found == Found(
        Record("Ann's house", tls=True, fingerprint="ab" * 8, password=True),
        Address("10.0.0.1", 99, True),
    )
    assert found.in_words() == "TLS, abababab..., needs a password"
    plain = to_found(TXT, ["10.0.0.1"], 99)
    assert plain is not None
    assert plain.address.tls is None  # a record is no proof that there is none
    assert plain.in_words() == "no TLS"
    newer = to_found(TXT | {b"versions": b"7-9"}, ["10.0.0.1"], 99)
    assert newer is not None
    assert "too old or too new" in newer.in_words()


@pytest.mark.parametrize(
    ("addresses", "port"),
    [
        ([], 99),
        (["10.0.0.1"], None),
        (["10.0.0.1"], 0),
        (["10.0.0.1"], 65536),
        (["224.0.0.251"], 99),
        (["0.0.0.0", "::"], 99),  # noqa: S104 - nothing listens
        (["example.org", "", "10.0.0.1:5", "\x1b[2J"], 99),
    ],
)
def test_what_is_no_place_is_no_server(addresses: list[str], port: int | None) -> None:
    assert to_found(TXT, addresses, port) is None


@given(
    st.dictionaries(st.sampled_from([*TXT, b"tls"]), st.binary(max_size=200), max_size=4),
    st.lists(st.ip_addresses().map(str) | st.text(max_size=20), max_size=4),
    st.integers() | st.none(),
)
def test_whatever_the_network_says_is_harmless(
    txt: dict[bytes, bytes | None], addresses: list[str], port: int | None
) -> None:
    found = to_found({b"versions": b"1-1"} | txt, addresses, port)
    if found is not None:
        shown = f"{found.record.name} {found.address.place} {found.in_words()}"
        assert shown == shorten(shown, 300)
        assert parse_address(found.address.url) == found.address


def test_a_network_that_cannot_be_asked_is_said() -> None:
    with pytest.raises(ClientError, match="cannot ask its network.*senro join HOST:PORT"):
        asyncio.run(find_servers(0.1, "192.0.2.1"))  # reserved for examples: no machine has it
    with pytest.raises(ClientError, match="cannot ask its network"):
        asyncio.run(find_servers(0.1, "nonsense"))


def test_servers_are_found_over_multicast() -> None:
    """All of it on the loopback interface: a server of ours, a hostile one, and one of another
    kind."""
    hostile = {"versions": "1-1", "name": "\x1b]0;gotcha\x07\u202eevil", "tls": "\xff"}
    others: list[dict[str, Any]] = [Record("Ann's house").to_txt(), hostile, {"x": "y"}]

    async def main() -> list[Found]:
        answering = AsyncZeroconf(interfaces=["127.0.0.1"], ip_version=IPVersion.V4Only)
        try:
            for number, txt in enumerate(others):
                info = ServiceInfo(
                    SERVICE,
                    f"server {number}.{SERVICE}",
                    port=9000 + number,
                    parsed_addresses=["127.0.0.1"],
                    properties=txt,
                    server="senro-test.local.",
                )
                await (await answering.async_register_service(info))
            return await find_servers(interface="127.0.0.1")
        finally:
            await answering.async_close()

    try:
        found = asyncio.run(main())
    except OSError as error:
        pytest.skip(f"no multicast on the loopback interface: {error}")
    if not found:
        pytest.skip("the loopback interface carries no multicast here")
    assert [(one.record.name, one.address.port) for one in found] == [
        ("Ann's house", 9000),
        ("]0;gotchaevil", 9001),
    ]
