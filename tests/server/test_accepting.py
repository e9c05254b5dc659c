"""The accept loop: what the system runs out of, and what ends it."""

from __future__ import annotations

import errno
import io
import json
from typing import Any, Self

import pytest
import trio

from server.accepting import OUT_OF, accept
from server.oplog import operational_log


class Listener:
    """Gives out what it was told to; an error is raised, and a number is so many seconds."""

    def __init__(self, *things: Any) -> None:
        self.things = list(things)
        self.closed = False

    async def accept(self) -> Any:
        await trio.lowlevel.checkpoint()
        if not self.things:
            await trio.sleep_forever()
        thing = self.things.pop(0)
        while isinstance(thing, int):
            await trio.sleep(thing)
            thing = self.things.pop(0)
        if isinstance(thing, OSError):
            raise thing
        return thing

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.closed = True


@pytest.mark.parametrize("number", sorted(OUT_OF))
async def test_without_descriptors_those_who_come_wait_and_the_log_says_so_now_and_then(
    nursery: trio.Nursery, autojump_clock: Any, number: int
) -> None:
    wrong = OSError(number, "out of it")
    listener: Any = Listener("a", *[wrong] * 50, "b", wrong, "c", 90, wrong, "d")
    file, got = io.StringIO(), []

    async def receive(stream: Any) -> None:
        got.append((stream, round(trio.current_time() - begun)))

    begun = trio.current_time()
    nursery.start_soon(accept, listener, receive, nursery, operational_log(file))
    await trio.sleep(100)
    assert got == [("a", 0), ("b", 5), ("c", 5), ("d", 95)]
    entries = [json.loads(line) for line in file.getvalue().splitlines()]
    assert [(e["message"], e["reason"]) for e in entries] == [
        ("new connections wait", "out of it")
    ] * 2


async def test_another_error_is_none_to_wait_for() -> None:
    listener: Any = Listener(OSError(errno.EBADF, "bad"))
    with pytest.raises(ExceptionGroup) as broken:
        async with trio.open_nursery() as nursery:
            await accept(listener, trio.aclose_forcefully, nursery, operational_log(io.StringIO()))
    assert broken.group_contains(OSError, match="bad")
    assert listener.closed
