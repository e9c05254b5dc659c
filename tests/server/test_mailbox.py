"""The mailbox of a table, and the bell that wakes its task."""

from __future__ import annotations

from typing import Any

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from protocol.messages import Answer
from server.doorbell import Doorbell
from server.mailbox import Letter, Mailbox

NOBODY: Any = None


def letter(number: int) -> Letter:
    return Letter(NOBODY, Answer(number, "t", "0-0", ()), NOBODY, 0.0)


async def test_letters_come_in_order() -> None:
    box = Mailbox(3)
    for number in range(3):
        assert await box.put(letter(number))
    assert [await box.get() for _ in range(3)] == [letter(n) for n in range(3)]


async def test_a_full_mailbox_holds_back_its_senders(nursery: trio.Nursery) -> None:
    box = Mailbox(1)
    sent: list[int] = []

    async def send(number: int) -> None:
        await box.put(letter(number))
        sent.append(number)

    for number in range(4):
        nursery.start_soon(send, number)
        await wait_all_tasks_blocked()
    assert sent == [0]
    for number in range(4):
        assert await box.get() == letter(number)
        await wait_all_tasks_blocked()
    assert sent == [0, 1, 2, 3]


async def test_a_nudge_wakes_the_task_and_is_never_lost(nursery: trio.Nursery) -> None:
    box = Mailbox(1)
    got: list[Letter | None] = []

    async def read() -> None:
        got.append(await box.get())

    nursery.start_soon(read)
    await wait_all_tasks_blocked()
    box.nudge()
    await wait_all_tasks_blocked()
    assert got == [None]
    await box.put(letter(1))
    box.nudge()
    assert await box.get() is None
    assert await box.get() == letter(1)


async def test_a_closed_mailbox_gives_back_what_is_left_and_takes_no_more(
    nursery: trio.Nursery,
) -> None:
    box = Mailbox(1)
    await box.put(letter(1))
    refused: list[bool] = []

    async def send() -> None:
        refused.append(await box.put(letter(2)))

    nursery.start_soon(send)
    await wait_all_tasks_blocked()
    assert box.close() == [letter(1)]
    await wait_all_tasks_blocked()
    assert refused == [False]
    assert not await box.put(letter(3))


async def test_waiting_can_be_cancelled_and_begun_again(autojump_clock: Any) -> None:
    box = Mailbox(1)
    with trio.move_on_after(5) as scope:
        await box.get()
    assert scope.cancelled_caught
    await box.put(letter(1))
    assert await box.get() == letter(1)


async def test_a_bell_has_one_who_listens(nursery: trio.Nursery) -> None:
    bell = Doorbell()
    bell.ring()  # nobody waits: nothing happens
    nursery.start_soon(bell.wait)
    await wait_all_tasks_blocked()
    with pytest.raises(AssertionError):
        await bell.wait()
    bell.ring()
