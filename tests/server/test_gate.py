"""The password of the server, as a stranger meets it; nothing is really hashed here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from protocol.messages import Bye, Error, Hello, Ping, Welcome
from server.gate import MOST_WAITING, Gate, network_of
from server.refusal import Refusal
from server.settings import Settings

RIGHT = "open sesame"


class Lock:
    """Knows the password; ``tried`` is what was checked."""

    def __init__(self) -> None:
        self.tried: list[str] = []

    def fits(self, password: str) -> bool:
        self.tried.append(password)
        return password == RIGHT


async def at_once(check: Callable[[str], bool], password: str) -> bool:
    return check(password)


@pytest.fixture
def lock() -> Lock:
    return Lock()


@pytest.fixture
async def house(make_house: Any, lock: Lock) -> Any:
    return await make_house(gate=Gate(Settings(), lock, at_once))


async def code(house: Any, hello: Hello) -> str:
    """What the server says to a hello: an error's code, or nothing."""
    player = await house.connect()
    await player.send(hello)
    first = await player.next(object)
    if isinstance(first, Error):
        assert await player.rest() == []
        assert RIGHT not in first.text
        return first.code
    assert isinstance(first, Welcome)
    await player.send(Bye())
    await player.rest()
    return ""


async def test_the_password_lets_in_and_nothing_else_does(house: Any, lock: Lock) -> None:
    assert await code(house, Hello((1, 1), "Ann")) == "password-needed"
    assert await code(house, Hello((1, 1), "Ann", password="")) == "password-needed"
    assert lock.tried == []
    assert await code(house, Hello((1, 1), "Ann", password="open barley")) == "wrong-password"
    assert house.hall.sessions == {}
    assert await code(house, Hello((1, 1), "Ann", password=RIGHT)) == ""
    for password in (RIGHT, "open barley"):
        assert password not in house.log.getvalue()


async def test_before_the_password_nothing_is_told(house: Any) -> None:
    """Neither that a name is taken, nor that it cannot be one."""
    ann = await house.connect()
    await ann.send(Hello((1, 1), "Ann", password=RIGHT))
    await ann.next(Welcome)
    for name in ("Ann", "A", "\x1b"):
        assert await code(house, Hello((1, 1), name)) == "password-needed"
        assert await code(house, Hello((1, 1), name, password="x")) == "wrong-password"


async def test_the_token_of_a_session_is_enough(house: Any) -> None:
    ann = await house.connect()
    await ann.send(Hello((1, 1), "Ann", password=RIGHT))
    token = (await ann.next(Welcome)).token
    await ann.do(Ping)
    await ann.stream.aclose()
    again = await house.connect()
    await again.send(Hello((1, 1), "Ann", resume=token))
    assert (await again.next(Welcome)).resumed
    assert await code(house, Hello((1, 1), "Ann", resume="x" * 43)) == "no-such-session"


async def test_wrong_ones_are_counted_and_right_ones_are_not(
    make_house: Any, lock: Lock, autojump_clock: Any
) -> None:
    settings = Settings(password_tries=3, password_every=30)
    house = await make_house(gate=Gate(settings, lock, at_once))
    right = Hello((1, 1), "Ann", password=RIGHT)
    wrong = Hello((1, 1), "Ann", password="x")
    for _ in range(5):
        assert await code(house, right) == ""
    for _ in range(3):
        assert await code(house, wrong) == "wrong-password"
    tried = len(lock.tried)
    for hello in (wrong, right):
        assert await code(house, hello) == "too-many"
    assert len(lock.tried) == tried
    assert await code(house, Hello((1, 1), "Ann")) == "password-needed"
    await trio.sleep(10)  # one is due again
    assert await code(house, right) == ""
    assert await code(house, wrong) == "wrong-password"
    assert await code(house, wrong) == "too-many"


async def test_addresses_are_counted_apart(lock: Lock) -> None:
    gate = Gate(Settings(password_tries=1), lock, at_once)
    wrong = Hello((1, 1), "Ann", password="x")
    for address in ("10.0.0.1", "10.0.0.2", "fe80::1", "2001:db8:0:1::1", "2001:db8:0:2::1", ""):
        with pytest.raises(Refusal) as no:
            await gate.check(wrong, address)
        assert no.value.code == "wrong-password"
    for address in ("10.0.0.1", "2001:db8:0:1:ffff::9", "fe80::2%eth0"):
        with pytest.raises(Refusal) as no:
            await gate.check(wrong, address)
        assert no.value.code == "too-many"


def test_a_host_of_ipv6_has_a_network_for_itself() -> None:
    assert network_of("2001:db8:0:1:ffff::9") == "2001:db8:0:1::"
    assert network_of("::ffff:10.0.0.1") == "::ffff:10.0.0.1"
    assert network_of("10.0.0.1") == "10.0.0.1"
    assert network_of("somewhere") == "somewhere"


async def test_one_at_a_time_and_not_too_many(lock: Lock, nursery: trio.Nursery) -> None:
    busy, most, go = 0, 0, trio.Event()

    async def slowly(check: Callable[[str], bool], password: str) -> bool:
        nonlocal busy, most
        busy += 1
        most = max(most, busy)
        await go.wait()
        busy -= 1
        return check(password)

    gate = Gate(Settings(), lock, slowly)
    right = Hello((1, 1), "Ann", password=RIGHT)
    for number in range(MOST_WAITING + 1):
        nursery.start_soon(gate.check, right, f"10.0.0.{number}")
    await wait_all_tasks_blocked()
    with pytest.raises(Refusal) as no:
        await gate.check(right, "10.0.1.1")
    assert no.value.code == "busy"
    go.set()
    await wait_all_tasks_blocked()
    await gate.check(right, "10.0.1.1")
    assert most == 1


async def test_the_server_may_end_meanwhile(make_house: Any, lock: Lock) -> None:
    begun, go = trio.Event(), trio.Event()

    async def slowly(check: Callable[[str], bool], password: str) -> bool:
        begun.set()
        await go.wait()
        return check(password)

    house = await make_house(gate=Gate(Settings(), lock, slowly))
    ann = await house.connect()
    await ann.send(Hello((1, 1), "Ann", password=RIGHT))
    await begun.wait()
    house.reception.close()
    go.set()
    (error,) = await ann.rest()
    assert isinstance(error, Error)
    assert error.code == "shutting-down"
    assert house.hall.sessions == {}


async def test_who_does_not_wait_for_the_answer_is_served_after_it(house: Any) -> None:
    ann = await house.connect()
    await ann.stream.send_all(
        ann.wire.send(Hello((1, 1), "Ann", password=RIGHT)) + ann.wire.send(Ping(7))
    )
    await ann.next(Welcome)
    assert (await ann.next(object)).re == 7
