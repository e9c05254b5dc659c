"""Rubbish in every field of every request: answered by an error, and felt by nobody else.

The requests are built from the message types themselves; then one field of each is replaced by
something that it should not be.  They come from somebody who sits at a table, watches it, or is at
none, while others play at the next one.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import msgpack
import msgspec
import pytest
import trio
from hypothesis import given, settings
from hypothesis import strategies as st
from trio.testing import MockClock, wait_all_tasks_blocked

from engine.bots import LEVELS
from protocol.messages import (
    Answer,
    ClientMessage,
    Create,
    Error,
    Join,
    Ok,
    Request,
    TableOptions,
)
from tests.protocol.strategies import struct

REQUESTS = [
    kind for kind in get_args(ClientMessage) if isinstance(kind, type) and issubclass(kind, Request)
]
RUBBISH = [
    None,
    True,
    -1,
    2**63,
    2**64 - 1,
    -(2**63),
    1.5,
    float("nan"),
    float("inf"),
    "",
    "x" * 4_000,
    "\x1b[2J\u202e\u200d",
    "0-0",
    b"\xff\xfe",
    [],
    [[[[[]]]]],
    ["end-turn"] * 301,
    {},
    {"type": "answer"},
    {"": {"": {"": ""}}},
]
QUICK = TableOptions(order="seats", reactions="fast", loaded_ms=1_000, players=2, spectators="on")


@st.composite
def hostile(draw: st.DrawFn) -> dict[str, Any]:
    """A request as plain data, as a rule with one field that is wrong."""
    kind = draw(st.sampled_from(REQUESTS))
    plain: dict[str, Any] = msgspec.to_builtins(draw(struct(kind)))
    if "table" in plain and draw(st.integers(0, 3)):
        plain["table"] = draw(st.sampled_from(["t1", "t2", "T1"]))
    if draw(st.integers(0, 3)):
        plain[draw(st.sampled_from([*plain, "more"]))] = draw(st.sampled_from(RUBBISH))
    return plain


async def say(player: Any, plain: dict[str, Any]) -> None:
    payload = msgpack.packb(plain)
    await player.stream.send_all(len(payload).to_bytes(4, "big") + payload)


@settings(max_examples=60, deadline=None)
@given(
    requests=st.lists(hostile(), min_size=1, max_size=12),
    where=st.sampled_from(["seat", "watching", "nowhere"]),
)
def test_nobody_else_feels_it(
    requests: list[dict[str, Any]],
    where: str,
    tmp_path_factory: pytest.TempPathFactory,
    house_type: Callable[..., Any],
) -> None:
    folder = tmp_path_factory.mktemp("hostile")
    trio.run(_attack, house_type, folder, requests, where, clock=MockClock(autojump_threshold=0))


async def _attack(
    house_type: Callable[..., Any], folder: Path, requests: list[dict[str, Any]], where: str
) -> None:
    limits = {"frame_rate": 1e6, "frame_burst": 1_000_000, "creates": 100_000}
    async with trio.open_nursery() as nursery:
        house = house_type(nursery, folder / "journals", settings=limits)
        await nursery.start(house.hall.run)
        mallory = await house.player("Mallory")
        victim = await house.player("Victim")
        table = (await victim.do(Create, options=QUICK))["table"]
        if where != "nowhere":
            await mallory.do(Join, table=table, watch=where == "watching")
        _, (ann, ben) = await house.playing("Ann", "Ben", options=QUICK)
        for number, plain in enumerate(requests):
            await say(mallory, {**plain, "id": 1_000 + number})
        await wait_all_tasks_blocked()
        await _check_replies(mallory, len(requests))
        for me, other in ((ann, ben), (ben, ann)):
            decision = await me.asked()
            me.decisions = []
            answer = {"decision": decision.id, "keys": (decision.options[0].key,)}
            await me.do(Answer, table=house.hall.tables["t2"].id, **answer)
            await other.until(lambda one: one.events)
        assert "Traceback" not in house.log.getvalue(), house.log.getvalue()
        nursery.cancel_scope.cancel()


async def _check_replies(mallory: Any, count: int) -> None:
    """Every request got exactly one reply, unless the connection ended with a word."""
    replies: dict[int, int] = {}
    ended = False
    with trio.move_on_after(1):
        while not ended and len(replies) < count:
            ended = not await mallory.receive()
    for message in mallory.inbox:
        if isinstance(message, Ok | Error) and isinstance(message.re, int):
            replies[message.re] = replies.get(message.re, 0) + 1
        ended = ended or (isinstance(message, Error) and message.re is msgspec.UNSET)
    ours = {number: n for number, n in replies.items() if number >= 1_000}
    assert set(ours.values()) <= {1}
    assert ended or len(ours) == count


class BrokenBot:
    """A bot with a mistake in it."""

    def choose(self, *_: object) -> tuple[str, ...]:
        raise ZeroDivisionError("a mistake in a bot")


@pytest.mark.parametrize("level", LEVELS)
async def test_a_mistake_in_a_bot_ends_its_table_and_no_other(
    level: str, make_house: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = await make_house()
    house.failures_expected = True
    good, players = await house.playing("Cid", "Dan", options=QUICK)
    with monkeypatch.context() as patched:
        patched.setattr("server.play.make_bot", lambda *_, **__: BrokenBot())
        table, (ann,) = await house.playing("Ann", options=QUICK, bots=1)
    decision = await ann.asked()
    await ann.ask(Answer, table=table, decision=decision.id, keys=(decision.options[0].key,))
    await wait_all_tasks_blocked()
    assert house.hall.tables[table].state == "broken"
    assert "a mistake in a bot" in house.log.getvalue()
    first = players[0]
    decision = await first.asked()
    await first.do(Answer, table=good, decision=decision.id, keys=(decision.options[0].key,))
