"""A server that ended in the middle of things, and the next one that goes on with its tables."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from protocol.messages import (
    AddBot,
    Answer,
    ChooseColor,
    Clocks,
    Create,
    Error,
    GetHistory,
    Join,
    Kick,
    Leave,
    Loaded,
    Lobby,
    Prefer,
    Ready,
    Rematch,
    Snapshot,
    Start,
    TableOptions,
)
from server import heartbeat
from server.heartbeat import Beat
from server.journal import Journals
from server.log.reading import read_journal
from server.log.verify import verify
from server.taking_up import JournalsInUseError, lock_journals, take_up_all

QUICK = TableOptions(order="seats", reactions="fast", loaded_ms=1_000, players=2)


async def killed(house: Any) -> dict[str, Beat]:
    """End the house as a kill does: nobody is told, nothing more is written; its last heartbeat."""
    await wait_all_tasks_blocked()
    beats = heartbeat.beats(house.hall)
    for table in house.hall.tables.values():
        if table.play is not None:
            table.play.stop()
    house.hall.sessions.clear()
    await wait_all_tasks_blocked()
    return beats


async def next_house(make_house: Any, house: Any, beats: Any = None, **options: Any) -> Any:
    """Another server over the journals of the first one."""

    def take_up(other: Any) -> None:
        take_up_all(other.hall, other.journals, beats or {})

    return await make_house(before=take_up, **options)


async def test_a_lobby_waits_for_its_players(make_house: Any) -> None:
    house = await make_house()
    ann, ben = await house.player("Ann"), await house.player("Ben")
    table = (await ann.do(Create, options=QUICK))["table"]
    await ben.do(Join, table=table)
    house = await next_house(make_house, house, await killed(house))
    ann, ben = await house.back(ann.token), await house.back(ben.token)
    lobby = await ann.next(Lobby, lambda m: m.info.seats[0].connected)
    assert [seat.name for seat in lobby.info.seats] == ["Ann", "Ben"]
    assert (lobby.info.host, lobby.seat) == ("Ann", 0)
    await ben.next(Lobby)
    await ben.do(Ready, table=table)
    await ann.do(Start, table=table)
    await ann.next(Snapshot)


async def test_who_came_back_and_drops_again_keeps_the_seat(make_house: Any) -> None:
    """Having asked for nothing since the crash does not make anybody a passer-by."""
    house = await make_house()
    ann = await house.player("Ann")
    table = (await ann.do(Create, options=QUICK))["table"]
    house = await next_house(make_house, house, await killed(house))
    back = await house.back(ann.token)
    await back.next(Lobby)
    await back.stream.aclose()
    await wait_all_tasks_blocked()
    assert table in house.hall.tables
    again = await house.back(ann.token)
    assert (await again.next(Lobby)).seat == 0


@pytest.mark.parametrize("watch", [False, True])
async def test_what_a_host_has_set_is_kept(make_house: Any, watch: bool) -> None:
    house = await make_house()
    ann, ben, cid = [await house.player(name) for name in ("Ann", "Ben", "Cid")]
    options = msgspec.structs.replace(QUICK, players=3, private=True, spectators="delayed")
    create = {"options": options, "watch": watch, "password": "shinjuku"}
    table = (await ann.do(Create, **create))["table"]
    if not watch:
        await ben.do(Join, table=table, password="shinjuku")
        await ben.do(ChooseColor, table=table, color="green")
    await cid.do(Join, table=table, password="shinjuku")
    await ann.do(Kick, table=table, name="Cid")
    before = house.hall.tables[table].info()
    house = await next_house(make_house, house, await killed(house))
    ann = await house.back(ann.token)
    lobby = await ann.next(Lobby)
    assert (lobby.info.host, lobby.seat) == ("Ann", -1 if watch else 0)
    assert lobby.info.locked
    assert [seat.color for seat in lobby.info.seats] == [seat.color for seat in before.seats]
    assert msgspec.to_builtins(lobby.info.options) == msgspec.to_builtins(before.options)
    dan, cid = await house.player("Dan"), await house.player("Cid")
    assert await dan.refused(Join, table=table) == "bad-password"
    assert await dan.refused(Join, table=table, password="shibuya") == "bad-password"
    assert await cid.refused(Join, table=table, password="shinjuku") == "not-admitted"
    await dan.do(Join, table=table, password="shinjuku")


async def test_a_rematch_is_taken_up_and_the_game_before_it_is_not(make_house: Any) -> None:
    house = await make_house()
    ann = await house.player("Ann")
    options = msgspec.structs.replace(QUICK, loaded_ms=0)
    table = (await ann.do(Create, options=options, watch=True))["table"]
    for _ in range(2):
        await ann.do(AddBot, table=table, level="random")
    await ann.do(Start, table=table)
    await ann.next(Lobby, lambda m: m.info.state == "over")
    await ann.do(Rematch, table=table)
    house = await next_house(make_house, house, await killed(house))
    assert [*house.hall.tables] == [table]
    ann = await house.back(ann.token)
    assert (await ann.next(Lobby)).info.state == "lobby"
    await ann.do(Start, table=table)
    await ann.next(Lobby, lambda m: m.info.state == "over")


async def test_a_game_goes_on_with_all_that_was_told(make_house: Any) -> None:
    house = await make_house()
    table, (ann, ben) = await house.playing("Ann", "Ben")
    for _ in range(6):
        await answer(house, table, [ann, ben])
    past = await history(ann, table)
    view = ann.view
    house = await next_house(make_house, house, await killed(house))
    ann, ben = await house.back(ann.token), await house.back(ben.token)
    snapshots = [await player.next(Snapshot) for player in (ann, ben)]
    assert snapshots[0].view == view
    for player in (ann, ben):
        await player.do(Loaded, table=table)
    assert await history(ann, table) == past
    for _ in range(6):
        await answer(house, table, [ann, ben])
    (path,) = house.folder.glob("*.jsonl")
    assert verify(read_journal(path)).state == "playing"


async def test_a_seat_that_nobody_comes_back_to_is_played_by_a_bot(
    make_house: Any, autojump_clock: Any
) -> None:
    house = await make_house()
    options = msgspec.structs.replace(QUICK, absence_ms=60_000)
    table, (ann, _) = await house.playing("Ann", "Ben", options=options)
    patient = {"silence": 3_600}  # Ann pings nobody while she waits
    house = await next_house(make_house, house, await killed(house), settings=patient)
    ann = await house.back(ann.token)
    await ann.next(Snapshot)
    await ann.do(Loaded, table=table)
    for _ in range(20):  # Ben's answers are given for him after a while
        await ann.until(lambda me: me.decisions)
        decision, ann.decisions = ann.decisions[0], []
        keys = tuple(decision.default)
        await ann.do(Answer, table=table, decision=decision.id, keys=keys)
    lines = house.journal()
    assert {line["by"] for line in lines if line["type"] == "answer"} == {"player", "autopilot"}


async def test_a_turn_goes_on_with_the_time_that_was_left(
    make_house: Any, autojump_clock: Any
) -> None:
    house = await make_house()
    options = msgspec.structs.replace(QUICK, turn_ms=60_000, reserve_ms=30_000)
    table, (ann, ben) = await house.playing("Ann", "Ben", options=options)
    for _ in range(3):
        await answer(house, table, [ann, ben])
    await trio.sleep(20)
    beats = await killed(house)
    assert 39_000 < beats[table].pulse["turn_ms"] <= 40_000
    house = await next_house(make_house, house, beats)
    players = [await house.back(player.token) for player in (ann, ben)]
    for player in players:
        await player.next(Snapshot)
        await player.do(Loaded, table=table)
    clocks = await players[0].next(Clocks, lambda m: m.seats)
    assert isinstance(clocks.ms, int)
    assert 38_000 < clocks.ms <= 40_000


async def test_a_player_who_had_left_has_left(make_house: Any) -> None:
    house = await make_house()
    table, (_, ben) = await house.playing("Ann", "Ben")
    await ben.do(Leave, table=table)
    await wait_all_tasks_blocked()
    house = await next_house(make_house, house, await killed(house))
    assert house.hall.tables[table].seats[1].session is None
    assert await refused_token(house, ben.token) == "no-such-session"


async def refused_token(house: Any, token: str) -> str:
    player = await house.back(token)
    return str((await player.next(Error)).code)


async def test_preferences_are_kept(make_house: Any) -> None:
    house = await make_house()
    table, (ann, _) = await house.playing("Ann", "Ben")
    await ann.do(Prefer, table=table, reactions="always")
    house = await next_house(make_house, house, await killed(house))
    assert house.hall.tables[table].play.preference(0) == "always"


async def test_a_damaged_journal_is_set_aside_and_the_others_go_on(make_house: Any) -> None:
    house = await make_house()
    tables = []
    for names in (("Ann", "Ben"), ("Cy", "Di")):
        table, _ = await house.playing(*names)
        tables.append(table)
    await killed(house)
    first, second = sorted(
        house.folder.glob("*.jsonl"), key=lambda path: tables[0] not in path.name
    )
    content = bytearray(first.read_bytes())
    content[len(content) // 2] ^= 1
    first.write_bytes(bytes(content))
    house = await next_house(make_house, house)
    assert [*house.hall.tables] == [tables[1]]
    assert second.exists()
    assert not first.exists()
    assert [path.name for path in house.folder.glob("*.set-aside")] == [f"{first.name}.set-aside"]
    assert "journal set aside" in house.log.getvalue()


async def test_what_was_never_told_leaves_no_trace(make_house: Any) -> None:
    house = await make_house()
    await house.playing("Ann", "Ben")
    await killed(house)
    (house.folder / "20261201T000000Z-zzzzz.jsonl").write_bytes(b'{"seq":0,"ty')
    house = await next_house(make_house, house)
    assert len(house.hall.tables) == 1
    assert len([*house.folder.iterdir()]) == 1


def test_two_servers_do_not_share_their_journals(tmp_path: Path) -> None:
    with ExitStack() as one, ExitStack() as other:
        lock_journals(one, Journals(tmp_path))  # type: ignore[arg-type]
        with pytest.raises(JournalsInUseError, match="another server"):
            lock_journals(other, Journals(tmp_path))  # type: ignore[arg-type]


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"t": 7}', b'{"t": {"lines": "x"}}'])
def test_a_heartbeat_that_cannot_be_read_is_none(content: bytes, tmp_path: Path) -> None:
    (tmp_path / heartbeat.FILE).write_bytes(content)
    assert heartbeat.read(tmp_path) == {}


def test_a_heartbeat_is_read_as_it_was_written(tmp_path: Path) -> None:
    assert heartbeat.read(tmp_path) == {}
    beats = {"k7m2q": Beat(12, {"turn_ms": 5, "reserve_ms": 0}), "b2c3d": Beat(3, {})}
    for _ in range(2):
        heartbeat.write(tmp_path, beats)
    assert heartbeat.read(tmp_path) == beats


async def answer(house: Any, table: str, players: list[Any]) -> None:
    """One answer of whoever is asked."""
    await wait_all_tasks_blocked()
    (decision,) = house.hall.tables[table].play._game.decisions
    me = players[decision.seat]
    await me.until(lambda me: me.decisions and me.decisions[0].id == decision.id)
    key = decision.options[-1].key
    await me.do(Answer, table=table, decision=decision.id, keys=(key,))


async def history(player: Any, table: str) -> list[Any]:
    return list((await player.do(GetHistory, table=table, limit=500))["events"])
