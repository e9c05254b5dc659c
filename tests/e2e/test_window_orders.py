"""Over real connections: whatever order things come in, a window ends with the same game.

Four players; Ann attacks the others and herself, and in the forced choice that follows one of them
answers, one answers when it is over, one goes away without a word, and one sends rubbish.  Every
order in which these four may come is played: in all of them the game is the same in the end.
"""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from typing import Any

import trio
from msgspec.structs import replace

from protocol.messages import (
    Answer,
    Create,
    Join,
    Loaded,
    Ready,
    Snapshot,
    Start,
)
from server.log.lines import AnswerLine, WindowLine
from server.log.reading import JournalFile, read_journal
from server.log.verify import verify
from tests.server.ambush import OPTIONS, ambush_box, dealer
from tests.server.conftest import Player

TIMES = {"window_ms": 4_000, "sealed_min_ms": 50, "absence_ms": 86_400_000}
LIMITS = {"creates": 100, "per_address": 200}
HANDS = ("ATTTR", "ATTRR", "RTTTA", "ATTTR")
PICKS = ("card:normal-train", "card:lay-rails")
TRAINS = ("card:normal-train",) * 2
ORDERS = list(permutations(["answers", "late", "goes", "rubbish"]))


async def attacked(house: Any, number: int) -> tuple[str, list[Player]]:
    """A table of four in play, after their first rails, at which Ann has just attacked."""
    players = [await house.player(f"{name} {number}") for name in ("Ann", "Ben", "Cid", "Dan")]
    options = replace(OPTIONS, players=4, seed="11" * 32, **TIMES)
    table = (await players[0].do(Create, options=options))["table"]
    for player in players[1:]:
        await player.do(Join, table=table)
        await player.do(Ready, table=table)
    await players[0].do(Start, table=table)
    for player in players:
        await player.next(Snapshot)
        await player.do(Loaded, table=table)
    for player in players:
        await player.answer(table)
    await players[0].answer(table, "play:station-expansion")
    for player in players[1:]:
        await player.answer(table, "pass")
    return table, players


async def play(house: Any, order: tuple[str, ...], tables: dict[str, tuple[str, ...]]) -> None:
    """Let these things happen in this order, and see what is refused."""
    table, (ann, ben, cid, dan) = await attacked(house, ORDERS.index(order))
    tables[table] = order
    decisions = [await player.asked() for player in (ann, ben, cid, dan)]
    assert {decision.kind for decision in decisions} == {"discard-down"}

    async def refused(player: Player, decision: str, *keys: str) -> str:
        code: str = await player.refused(Answer, table=table, decision=decision, keys=keys)
        return code

    async def late() -> None:
        await cid.until(lambda me: not me.decisions)  # the window has closed
        assert await refused(cid, decisions[2].id, *PICKS) == "too-late"

    async with trio.open_nursery() as nursery:
        for thing in order:
            if thing == "answers":
                await ben.answer(table, *PICKS)
            elif thing == "goes":
                await dan.stream.aclose()
            elif thing == "late":
                nursery.start_soon(late)  # the others go on meanwhile
            else:
                assert await refused(ann, decisions[0].id, "fly") == "illegal-answer"
                assert await refused(ann, decisions[1].id, *PICKS) == "unknown-decision"
                assert await refused(ann, "x") == "unknown-decision"
    ann.decisions = []
    await ann.asked()  # her turn goes on


def end(journal: JournalFile) -> tuple[object, ...]:
    """The seats of the last window, its answers, and the state after it."""
    verify(journal)
    said = [line.said for line in journal.lines]
    window = [line for line in said if isinstance(line, WindowLine)][-1]
    answers = [line for line in said if isinstance(line, AnswerLine)][-4:]
    told = tuple((answer.seat, answer.by, answer.keys) for answer in answers)
    return window.seats, told, answers[-1].digest


async def test_every_order_of_arrival_ends_with_the_same_game(serving: Any, tmp_path: Path) -> None:
    box = ambush_box(tmp_path / "box", hits="all")
    tables: dict[str, tuple[str, ...]] = {}
    async with serving(game_factory=dealer(*HANDS), own=(box,), **LIMITS) as house:
        async with trio.open_nursery() as nursery:
            for order in ORDERS:
                nursery.start_soon(play, house, order, tables)
        ends = {
            tables[table]: end(read_journal(path))
            for path in house.folder.glob("*.jsonl")
            for table in tables
            if table in path.name
        }
    assert len(ends) == 24
    assert len(set(ends.values())) == 1
    seats, told, _ = ends[ORDERS[0]]
    assert seats == (0, 1, 2, 3)
    assert told == (
        (0, "clock", TRAINS[:1]),
        (1, "player", PICKS),
        (2, "clock", TRAINS),
        (3, "clock", TRAINS),
    )
