from __future__ import annotations

import pytest

from client.address import Address, parse_address
from client.errors import ClientError


@pytest.mark.parametrize(
    ("address", "host", "port"),
    [
        ("example.org", "example.org", 7262),
        ("example.org:1", "example.org", 1),
        ("127.0.0.1:65535", "127.0.0.1", 65535),
        ("::1", "::1", 7262),
        ("[::1]", "::1", 7262),
        ("[fe80::1]:99", "fe80::1", 99),
    ],
)
def test_an_address_is_a_host_and_perhaps_a_port(address: str, host: str, port: int) -> None:
    assert parse_address(address) == (host, port, None)
    assert parse_address(address, tls=True) == (host, port, True)
    assert parse_address(f"senro://{address}") == (host, port, False)
    assert parse_address(f"SENROS://{address}/") == (host, port, True)


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("", "no address"),
        (":7262", "no address"),
        ("a b", "no address"),
        ("\x1b[2J", "no address"),
        ("x" * 300, "no address"),
        ("[::1", "no address"),
        ("[::1]7262", "no address"),
        ("host:", "no port"),
        ("host:0", "no port"),
        ("host:65536", "no port"),
        ("host:99999999999999999999", "no port"),
        ("host:http", "no port"),
        ("host:٣", "no port"),
        ("host:-1", "no port"),
        ("[::1]:", "no port"),
        ("http://host", "begins with senro:// or senros://"),
        ("://host", "begins with"),
        ("senro://", "no address"),
        ("senros:///", "no address"),
        ("senro://host/x", "no address"),
        ("senro:host", "no port"),
    ],
)
def test_a_bad_address_is_one_clear_line(address: str, says: str) -> None:
    with pytest.raises(ClientError, match=says) as caught:
        parse_address(address)
    assert caught.value.code == 2
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("tls", [None, False, True])
@pytest.mark.parametrize("host", ["example.org", "192.168.1.20", "::1"])
def test_an_address_that_is_shown_can_be_typed(host: str, tls: bool | None) -> None:
    address = Address(host, 99, tls)
    assert parse_address(address.url) == address
    assert parse_address(address.place) == Address(host, 99)


def test_plain_words_and_tls_at_once_are_too_much() -> None:
    with pytest.raises(ClientError, match="use senros://"):
        parse_address("senro://host", tls=True)
    assert parse_address("senros://host", tls=True).tls
