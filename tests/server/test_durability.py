"""When journals are forced to the disk: before anybody is told, as often as the host wants it."""

from __future__ import annotations

import os
from typing import Any

import pytest
from trio.testing import wait_all_tasks_blocked

from protocol.messages import Answer
from server.outbox import Outbox


@pytest.fixture
def notes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What happens, in its order: ``write``, ``sync``, and ``tell`` for each update of a view."""
    seen: list[str] = []
    update = Outbox.update

    def noted(self: Outbox, topic: str, *arguments: Any, **options: Any) -> Any:
        if topic.startswith("view "):
            seen.append("tell")
        return update(self, topic, *arguments, **options)

    monkeypatch.setattr(Outbox, "update", noted)
    return seen


class Played:
    """A game of two at a house."""

    def __init__(self, house: Any, table: str, players: list[Any]) -> None:
        self.house = house
        self.table = table
        self.players = players

    async def answer(self, notes: list[str], key: str = "") -> list[str]:
        """One answer of whoever is asked: what happened, each thing once, in order."""
        await wait_all_tasks_blocked()
        (open_one,) = self.house.hall.tables[self.table].play._game.decisions
        me = self.players[open_one.seat]
        await me.until(lambda me: me.decisions and me.decisions[0].id == open_one.id)
        notes.clear()
        keys = (key or open_one.options[0].key,)
        await me.do(Answer, table=self.table, decision=open_one.id, keys=keys)
        await wait_all_tasks_blocked()
        return list(dict.fromkeys(notes))


async def game_of(make_house: Any, notes: list[str], **settings: Any) -> Played:
    def write(fd: int, data: bytes) -> int:
        notes.append("write")
        return os.write(fd, data)

    async def sync(fd: int) -> None:
        notes.append("sync")

    house = await make_house(write=write, sync=sync, settings=settings)
    return Played(house, *await house.playing("Ann", "Ben"))


EXPECTED = {
    # in the middle of a turn, and at its end
    "answer": (["write", "sync", "tell"], ["write", "sync", "tell"]),
    "turn": (["write", "tell"], ["write", "sync", "tell"]),
    "off": (["write", "tell"], ["write", "tell"]),
}


@pytest.mark.parametrize("durability", EXPECTED)
async def test_it_is_written_and_forced_before_anybody_is_told(
    durability: str, make_house: Any, notes: list[str]
) -> None:
    game = await game_of(make_house, notes, durability=durability)
    for _ in range(2):  # the starts
        await game.answer(notes)
    middle, end = EXPECTED[durability]
    assert await game.answer(notes) == middle
    assert await game.answer(notes, "end-turn") == end
    assert await game.answer(notes) == middle


async def test_a_turn_is_what_counts_if_nothing_is_said(make_house: Any, notes: list[str]) -> None:
    game = await game_of(make_house, notes)
    for _ in range(3):
        await game.answer(notes)
    assert "sync" in await game.answer(notes, "end-turn")


async def test_a_disk_that_cannot_be_forced_stops_nobody(make_house: Any) -> None:
    async def sync(fd: int) -> None:
        raise OSError(5, "Input/output error")

    house = await make_house(sync=sync, settings={"durability": "answer"})
    game = Played(house, *await house.playing("Ann", "Ben"))
    for _ in range(4):
        await game.answer([])
    assert "journal not synced" in house.log.getvalue()
