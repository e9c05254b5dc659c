"""What friends do at a table besides playing: seats, colours, passwords, hosts, chat, rematches."""

from __future__ import annotations

from typing import Any

import pytest
import trio
from msgspec import to_builtins
from msgspec.structs import replace
from trio.testing import lockstep_stream_pair, wait_all_tasks_blocked

from protocol.messages import (
    AddBot,
    Bye,
    Chat,
    ChatLine,
    ChooseColor,
    Closed,
    Create,
    Error,
    GetHistory,
    GetSnapshot,
    GiveHost,
    Hello,
    Join,
    Kick,
    Leave,
    ListTables,
    Loaded,
    Lobby,
    Mute,
    Ok,
    Ping,
    Ready,
    Rematch,
    RemoveBot,
    SetPassword,
    Sit,
    Snapshot,
    Start,
    Swap,
    TableOptions,
    Update,
    Welcome,
)
from server import locks
from server.locks import Locksmith
from server.log.reading import read_journal
from server.log.verify import verify
from server.settings import Settings


@pytest.fixture(autouse=True)
def _cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks, "COST", (4, 8, 1))


async def table_of(house: Any, *names: str, password: str = "", **options: Any) -> Any:
    """A table and those who sit at it; the first is the host."""
    people = [await house.player(name) for name in names]
    options.setdefault("players", 4)
    table = (await people[0].do(Create, options=TableOptions(**options), password=password))[
        "table"
    ]
    for person in people[1:]:
        await person.do(Join, table=table, password=password)
    return table, people


def info(house: Any, table: str) -> Any:
    return house.hall.tables[table].info()


def names(house: Any, table: str) -> list[str]:
    return [seat.name for seat in info(house, table).seats]


async def lose(player: Any) -> None:
    await player.stream.aclose()
    await wait_all_tasks_blocked()


# ------------------------------------------------------------------ who may do what

HOST_ONLY: list[tuple[Any, dict[str, Any]]] = [
    (AddBot, {}),
    (RemoveBot, {"seat": 0}),
    (Swap, {"seat": 0, "other": 1}),
    (SetPassword, {"password": "x"}),
    (Kick, {"name": "Ann"}),
    (GiveHost, {"name": "Ben"}),
    (Mute, {"name": "Ann", "everybody": True}),
    (Start, {}),
    (Rematch, {}),
]
BEFORE_THE_GAME: list[tuple[Any, dict[str, Any]]] = [
    *HOST_ONLY[:4],
    (Start, {}),
    (Sit, {"seat": 2}),
    (ChooseColor, {"color": "green"}),
    (Ready, {}),
]


@pytest.mark.parametrize(("kind", "fields"), HOST_ONLY)
async def test_what_only_a_host_may_do(house: Any, kind: Any, fields: dict[str, Any]) -> None:
    table, (_, ben) = await table_of(house, "Ann", "Ben")
    before = info(house, table)
    assert await ben.refused(kind, table=table, **fields) == "not-host"
    cid = await house.player("Cid")
    assert await cid.refused(kind, table=table, **fields) == "not-here"
    assert info(house, table) == before


@pytest.mark.parametrize(("kind", "fields"), BEFORE_THE_GAME)
async def test_what_is_done_before_the_game_is_not_done_in_it(
    house: Any, quick: Any, kind: Any, fields: dict[str, Any]
) -> None:
    table, (ann, _) = await house.playing("Ann", "Ben", options=quick)
    assert await ann.refused(kind, table=table, **fields) == "wrong-state"


# ------------------------------------------------------------------ seats and colours


async def test_players_choose_their_seats(house: Any) -> None:
    table, (ann, ben) = await table_of(house, "Ann", "Ben")
    await ben.do(Sit, table=table, seat=3)
    assert names(house, table) == ["Ann", "", "", "Ben"]
    assert (await ben.next(Lobby, lambda m: m.seat == 3)).info.seats[3].name == "Ben"
    await ben.do(Sit, table=table, seat=3)
    assert await ben.refused(Sit, table=table, seat=0) == "seat-taken"
    await ben.do(Sit, table=table, seat=-1)
    assert names(house, table) == ["Ann", "", "", ""]
    assert info(house, table).watchers == 1
    assert await ben.refused(Ready, table=table) == "not-your-seat"
    await ben.do(Sit, table=table, seat=1)
    await ben.do(Ready, table=table)
    await ben.do(Sit, table=table, seat=2)
    assert info(house, table).seats[2].ready  # who only moves is as ready as before
    two, _ = await table_of(house, "Cid", players=2)
    cid = [p for p in house.hall.sessions.values() if p.name == "Cid"]
    assert cid
    assert await ann.refused(Sit, table=two, seat=1) == "not-here"


async def test_a_host_lets_people_and_bots_change_places(house: Any) -> None:
    table, (ann, ben) = await table_of(house, "Ann", "Ben")
    await ann.do(AddBot, table=table, level="random")
    await ann.do(Swap, table=table, seat=0, other=2)
    assert names(house, table) == ["Random 1", "Ben", "Ann", ""]
    assert (await ann.next(Lobby, lambda m: m.seat == 2)).info.host == "Ann"
    await ann.do(Swap, table=table, seat=1, other=3)
    assert names(house, table) == ["Random 1", "", "Ann", "Ben"]
    await ben.next(Lobby, lambda m: m.seat == 3)
    await ann.do(Swap, table=table, seat=1, other=1)
    two, (cid,) = await table_of(house, "Cid", players=2)
    assert await cid.refused(Swap, table=two, seat=0, other=2) == "no-such-seat"
    assert await cid.refused(Sit, table=two, seat=2) == "no-such-seat"


async def test_everybody_has_a_colour_of_their_own(house: Any) -> None:
    table, (ann, ben) = await table_of(house, "Ann", "Ben")
    await ann.do(AddBot, table=table)
    colors = [seat.color for seat in info(house, table).seats]
    assert colors == ["blue", "yellow", "red", ""]
    assert await ben.refused(ChooseColor, table=table, color="red") == "color-taken"
    await ben.do(ChooseColor, table=table, color="green")
    await ben.do(ChooseColor, table=table, color="green")
    await ben.do(Sit, table=table, seat=3)  # it goes along
    assert [seat.color for seat in info(house, table).seats] == ["blue", "", "red", "green"]
    watcher = await house.player("Cid")
    await watcher.do(Join, table=table, watch=True)
    assert await watcher.refused(ChooseColor, table=table, color="yellow") == "not-your-seat"
    await watcher.do(Sit, table=table, seat=1)
    assert info(house, table).seats[1].color == "yellow"
    assert [seat["color"] for seat in house.journal()[-1]["seats"]] == [
        *("blue", "yellow", "red", "green")
    ]


async def test_colours_go_into_the_game_with_their_players(house: Any) -> None:
    table, (ann, ben) = await table_of(house, "Ann", "Ben", players=2, seed="07" * 32)
    await ben.do(ChooseColor, table=table, color="red")
    await ben.do(Ready, table=table)
    await ann.do(Start, table=table)
    colors = {seat.name: seat.color for seat in info(house, table).seats}
    assert colors == {"Ann": "blue", "Ben": "red"}


# ------------------------------------------------------------------ passwords and private tables


async def test_a_table_with_a_password_lets_in_who_knows_it(make_house: Any) -> None:
    house = await make_house(settings={"password_tries": 50})
    table, (ann,) = await table_of(house, "Ann", password="shinjuku")
    ben = await house.player("Ben")
    (listed,) = (await ben.do(ListTables))["tables"]
    assert listed["locked"]
    for watch in (False, True):
        assert await ben.refused(Join, table=table, watch=watch) == "bad-password"
        fields = {"watch": watch, "password": "Shinjuku"}
        assert await ben.refused(Join, table=table, **fields) == "bad-password"
    assert names(house, table) == ["Ann", "", "", ""]
    await ben.do(Join, table=table, password="shinjuku")
    await ann.do(SetPassword, table=table, password="線路")
    cid = await house.player("Cid")
    assert await cid.refused(Join, table=table, password="shinjuku") == "bad-password"
    await cid.do(Join, table=table, password="線路", watch=True)
    await ann.do(SetPassword, table=table, password="")
    assert not info(house, table).locked
    await (await house.player("Dan")).do(Join, table=table)


async def test_a_password_is_kept_as_a_hash_and_nowhere_else(house: Any) -> None:
    table, (ann,) = await table_of(house, "Ann", password="shinjuku")
    locked = house.journal()[-1]["password"]
    assert locked.startswith("scrypt$4$8$1$")
    ben = await house.player("Ben")
    await ben.ask(Join, table=table, password="shinjuku2")
    session = house.hall.sessions["ann"]
    everything = house.log.getvalue() + repr(house.journal()) + repr(ann.inbox)
    everything += repr([vars(house.hall), vars(house.hall.tables[table]), session.calls._now])
    assert "shinjuku" not in everything
    assert "shinjuku" not in repr(Create(1, password="shinjuku"))
    assert "shinjuku" not in repr(Join(1, "t", password="shinjuku"))
    assert "shinjuku" not in repr(SetPassword(1, "t", "shinjuku"))


async def test_who_comes_back_needs_no_password(house: Any) -> None:
    table, (_, ben) = await table_of(house, "Ann", "Ben", password="shinjuku")
    await lose(ben)
    ben = await house.back(ben.token)
    assert (await ben.next(Welcome)).tables == [table]
    assert (await ben.next(Lobby)).seat == 1


async def test_passwords_are_metered(make_house: Any, autojump_clock: Any) -> None:
    house = await make_house(settings={"password_tries": 4, "password_every": 60.0})
    table, _ = await table_of(house, "Ann", password="shinjuku")  # one
    ben = await house.player("Ben")
    for n in range(3):
        assert await ben.refused(Join, table=table, password=f"guess {n}") == "bad-password"
    assert await ben.refused(Join, table=table, password="shinjuku") == "too-many"
    assert await ben.refused(Join, table=table) == "bad-password"  # costs nothing
    await trio.sleep(16)
    await ben.do(Ping)
    await ben.do(Join, table=table, password="shinjuku")


async def test_what_changes_while_a_password_is_looked_at_counts(make_house: Any) -> None:
    """A table may be locked anew, go away, or put its guest out meanwhile."""
    gates = [trio.Event() for _ in range(3)]
    waiting = iter(gates)

    async def slowly(function: Any, /, *args: object) -> Any:
        if function is not locks._hash:
            await next(waiting).wait()
        return function(*args)

    house = await make_house(locksmith=Locksmith(Settings(), slowly))
    table, (ann,) = await table_of(house, "Ann", password="one")
    ben, cid = await house.player("Ben"), await house.player("Cid")
    await ben.send(Join(50, table, password="one"))
    await wait_all_tasks_blocked()
    await ann.do(SetPassword, table=table, password="two")
    gates[0].set()
    await wait_all_tasks_blocked()
    gates[1].set()  # it is looked at again
    assert (await ben.next(Ok | Error, lambda m: m.re == 50)).code == "bad-password"
    await cid.send(Join(51, table, password="two"))
    await wait_all_tasks_blocked()
    await ann.do(Leave, table=table)
    gates[2].set()
    assert (await cid.next(Ok | Error, lambda m: m.re == 51)).code == "no-such-table"


async def test_a_connection_that_breaks_while_a_password_is_looked_at(make_house: Any) -> None:
    gate = trio.Event()

    async def slowly(function: Any, /, *args: object) -> Any:
        if function is not locks._hash:
            await gate.wait()
        return function(*args)

    house = await make_house(locksmith=Locksmith(Settings(), slowly))
    table, _ = await table_of(house, "Ann", password="one")
    ben = await house.player("Ben")
    await ben.do(Ping)
    request = Join(50, table, password="one")
    await ben.send(request)
    await wait_all_tasks_blocked()
    newer = await house.back(ben.token, 50)
    await newer.next(Welcome)
    await newer.send(request)
    await wait_all_tasks_blocked()
    gate.set()
    reply = await newer.next(Ok | Error, lambda m: m.re == 50)
    if isinstance(reply, Error):  # the older connection had ended before it was carried out
        assert reply.code == "busy"
        await newer.do(Join, table=table, password="one")
    assert names(house, table)[:2] == ["Ann", "Ben"]


async def test_a_private_table_is_listed_to_those_who_are_at_it(house: Any) -> None:
    table, (ann,) = await table_of(house, "Ann", private=True)
    ben = await house.player("Ben")
    assert (await ben.do(ListTables))["tables"] == []
    assert [one["table"] for one in (await ann.do(ListTables))["tables"]] == [table]
    await ben.do(Join, table=table)
    assert [one["table"] for one in (await ben.do(ListTables))["tables"]] == [table]


# ------------------------------------------------------------------ hosts


@pytest.mark.parametrize("at", ["a seat", "the side", "a game"])
async def test_who_was_put_out_does_not_come_back(house: Any, quick: Any, at: str) -> None:
    if at == "a game":
        table, (ann, ben) = await house.playing("Ann", "Ben", options=quick)
    else:
        table, (ann,) = await table_of(house, "Ann")
        ben = await house.player("Ben")
        await ben.do(Join, table=table, watch=at == "the side")
    await ann.do(Kick, table=table, name="BEN")
    assert "put you out" in (await ben.next(Closed)).reason
    for watch in (False, True):
        assert await ben.refused(Join, table=table, watch=watch) == "not-admitted"
    await ben.send(Bye())
    await ben.rest()
    again = await house.player("B en")  # the same name, as a new session
    assert await again.refused(Join, table=table, watch=True) == "not-admitted"
    seat = info(house, table).seats[1]
    assert (seat.kind, seat.left) == (("human", True) if at == "a game" else ("open", False))
    await (await house.player("Cid")).do(Join, table=table, watch=True)


async def test_only_others_who_are_there_can_be_put_out(house: Any) -> None:
    table, (ann, _) = await table_of(house, "Ann", "Ben")
    for name in ("Ann", "Cid", "*", "\u202e"):
        assert await ann.refused(Kick, table=table, name=name) == "no-such-player"


async def test_a_host_gives_the_rights_away(house: Any) -> None:
    table, (ann, ben) = await table_of(house, "Ann", "Ben")
    assert await ann.refused(GiveHost, table=table, name="Ann") == "no-such-player"
    await ann.do(GiveHost, table=table, name="ben")
    assert (await ben.next(Lobby, lambda m: m.info.host == "Ben")).seat == 1
    assert house.journal()[-1]["host"] == "Ben"
    assert await ann.refused(AddBot, table=table) == "not-host"
    await lose(ann)
    assert await ben.refused(GiveHost, table=table, name="Ann") == "no-such-player"


# ------------------------------------------------------------------ chat


async def test_a_listener_mutes_somebody_for_themselves(house: Any) -> None:
    table, (ann, ben, cid) = await table_of(house, "Ann", "Ben", "Cid")
    await ann.do(Mute, table=table, name="ben")
    assert (await ann.next(Lobby, lambda m: bool(m.muted))).muted == ["Ben"]
    await ben.do(Chat, table=table, text="one")
    assert (await cid.next(ChatLine)).text == "one"
    assert not any(m.muted for m in cid.inbox if isinstance(m, Lobby))
    await lose(ann)
    await ben.do(Chat, table=table, text="two")
    ann = await house.back(ann.token)
    assert (await ann.next(Lobby)).muted == ["Ben"]
    await ann.do(Mute, table=table, name="Ben", muted=False)
    assert await ann.refused(Mute, table=table, name="Ben", muted=False) == "no-such-player"
    await ben.do(Chat, table=table, text="three")
    assert (await ann.next(ChatLine)).text == "three"
    assert await ann.refused(Mute, table=table, name="Ann") == "no-such-player"


async def test_a_host_mutes_somebody_for_all(house: Any) -> None:
    table, (ann, ben) = await table_of(house, "Ann", "Ben")
    await ann.do(Mute, table=table, name="Ben", everybody=True)
    assert info(house, table).muted == ["Ben"]
    assert await ben.refused(Chat, table=table, text="hi") == "muted"
    await ben.do(Leave, table=table)
    await ben.do(Join, table=table)
    assert await ben.refused(Chat, table=table, text="hi") == "muted"
    await ann.do(Mute, table=table, name="Ben", muted=False, everybody=True)
    await ben.do(Chat, table=table, text="hi")
    assert (await ann.next(ChatLine)).text == "hi"


# ------------------------------------------------------------------ the journal


async def test_what_cannot_be_journaled_does_not_happen(make_house: Any, disk: Any) -> None:
    house = await make_house(write=disk)
    table, (ann, ben) = await table_of(house, "Ann", "Ben")
    await ann.do(Chat, table=table, text="hello")
    before = info(house, table)
    disk.full = True
    for player, kind, fields in (
        (ben, Sit, {"seat": 2}),
        (ben, Sit, {"seat": -1}),
        (ben, ChooseColor, {"color": "green"}),
        (ann, Swap, {"seat": 0, "other": 1}),
        (ann, SetPassword, {"password": "x"}),
        (ann, GiveHost, {"name": "Ben"}),
    ):
        assert await player.refused(kind, table=table, **fields) == "busy"
        assert info(house, table) == before
        assert [m.seat for m in house.hall.tables[table].members.values()] == [0, 1]
    disk.full = False
    await ben.do(Sit, table=table, seat=2)


# ------------------------------------------------------------------ rematches


async def played(
    house: Any, *names: str, options: TableOptions, bots: int = 0
) -> tuple[str, list[Any]]:
    """A table whose game is over: while its players were away, bots played for them."""
    options = replace(options, absence_ms=1)
    table, players = await house.playing(*names, options=options, bots=bots)
    watcher = await house.player("Zoe")
    await watcher.do(Join, table=table, watch=True)
    for player in players:
        await lose(player)
    await watcher.next(Lobby, lambda m: m.info.state == "over")
    await watcher.do(Leave, table=table)
    players = [await house.back(player.token) for player in players]
    for player in players:
        await player.next(Snapshot)
    return table, players


async def test_a_rematch_has_the_same_people_and_options_and_begins_from_nothing(
    house: Any, quick: Any, autojump_clock: Any
) -> None:
    options = replace(quick, seed="11" * 32, private=True)
    table, (ann, ben) = await played(house, "Ann", "Ben", options=options)
    assert await ben.refused(Rematch, table=table) == "not-host"
    before = info(house, table)
    ann.inbox.clear()
    await ann.do(Rematch, table=table)
    after = (await ann.next(Lobby, lambda m: m.info.state == "lobby")).info
    assert [(s.name, s.ready, s.color) for s in after.seats] == [
        ("Ann", False, "blue"),
        ("Ben", False, "yellow"),
    ]
    assert (after.host, after.seed, after.commitment) == ("Ann", "", "")
    assert not after.seeded  # a game that somebody knows already is no game
    assert to_builtins(after.options) == to_builtins(before.options)
    assert await ann.refused(GetSnapshot, table=table) == "wrong-state"
    assert await ann.refused(Start, table=table) == "not-ready"
    await ben.do(Ready, table=table)
    await ann.do(Start, table=table)
    for player in (ann, ben):
        player.inbox.clear()
        player.events.clear()
        await player.do(Loaded, table=table)
    snapshot = await _snapshot(ann, table)
    assert snapshot.view["phase"] == "start"
    await ann.answer(table, (await ann.asked()).options[0].key)
    assert await ann.refused(Rematch, table=table) == "wrong-state"
    states = [verify(read_journal(file)).state for file in house.folder.glob("*.jsonl")]
    assert sorted(states) == ["over", "playing"]


async def _snapshot(player: Any, table: str) -> Any:
    player.inbox.clear()
    await player.do(GetSnapshot, table=table)
    return await player.next(Snapshot)


async def test_who_left_for_good_is_not_in_the_rematch_and_who_is_away_is(
    house: Any, quick: Any, autojump_clock: Any
) -> None:
    table, (ann, ben, cid) = await played(house, "Ann", "Ben", "Cid", options=quick, bots=1)
    await cid.do(Leave, table=table)
    await lose(ben)
    await ann.do(Rematch, table=table)
    seats = info(house, table).seats
    assert [seat.kind for seat in seats] == ["human", "human", "open", "bot"]
    assert (seats[1].name, seats[1].connected) == ("Ben", False)
    ben = await house.back(ben.token)
    assert (await ben.next(Lobby)).info.state == "lobby"
    await ben.do(Ready, table=table)


async def test_a_rematch_whose_journal_cannot_be_begun_is_none(
    make_house: Any, disk: Any, quick: Any, autojump_clock: Any
) -> None:
    house = await make_house(write=disk)
    table, (ann, ben) = await played(house, "Ann", "Ben", options=quick)
    before = info(house, table)
    disk.full = True
    assert await ann.refused(Rematch, table=table) == "busy"
    assert info(house, table) == before
    assert len(list(house.folder.iterdir())) == 1
    await ann.do(GetSnapshot, table=table)
    disk.full = False
    await ann.do(Rematch, table=table)
    await ben.next(Lobby, lambda m: m.info.state == "lobby")


async def test_what_still_waits_of_the_old_game_is_not_said_in_the_new_one(
    make_house: Any, quick: Any, autojump_clock: Any
) -> None:
    """For a reader so slow that nothing but snapshots are left."""
    house = await make_house(settings={"queue": 4, "slow": 1e9, "silence": 1e9})
    ann, ben = await house.player("Ann"), await house.connect(lockstep_stream_pair)
    await ben.send(Hello((1, 1), "Ben"))
    await ben.next(Welcome)
    options = replace(quick, players=2, turn_ms=20_000, reserve_ms=0)
    table = (await ann.do(Create, options=options))["table"]
    await ben.do(Join, table=table)
    await ben.do(Ready, table=table)
    await ann.do(Start, table=table)
    game = house.hall.tables[table].play._game
    while not game.over:  # Ben reads nothing
        if game.decisions[0].seat == 0:
            decision = await ann.asked()
            keys = [o.key for o in decision.options for _ in range(o.count)]
            await ann.answer(table, *keys[: max(1, decision.min)])
        else:
            await trio.sleep(1)
            await ann.do(Ping)
    await ann.do(Rematch, table=table)
    await ann.do(Ping)
    ben.inbox.clear()
    await ben.do(Ready, table=table)
    before = [m for m in ben.inbox if isinstance(m, Snapshot | Update)]
    assert len(before) < 20
    assert [m for m in ben.inbox if isinstance(m, Lobby)][-1].info.state == "lobby"
    ben.inbox.clear()
    await ann.do(Start, table=table)
    await ben.next(Lobby, lambda m: m.info.state == "playing")
    snapshot = await ben.next(Snapshot, lambda m: m.view["phase"] == "start")
    assert snapshot.next_event < 20
    assert not [m for m in ben.inbox if isinstance(m, Snapshot | Update)]


# ------------------------------------------------------------------ spectators


async def test_where_nobody_may_watch_nobody_does(house: Any) -> None:
    table, (_, ben) = await table_of(house, "Ann", "Ben", spectators="off")
    cid = await house.player("Cid")
    assert await cid.refused(Join, table=table, watch=True) == "no-watching"
    assert await ben.refused(Sit, table=table, seat=-1) == "no-watching"
    options = TableOptions(spectators="off")
    assert await cid.refused(Create, options=options, watch=True) == "bad-options"


async def test_delayed_spectators_see_the_beginning_of_a_turn_that_is_over(
    house: Any, quick: Any, autojump_clock: Any
) -> None:
    options = replace(quick, spectators="delayed", delay_turns=2)
    table, (ann, ben) = await house.playing("Ann", "Ben", options=options)
    cid = await house.player("Cid")
    await cid.do(Join, table=table, watch=True)
    opening = await cid.next(Snapshot)
    assert (opening.view["phase"], opening.view["hexes"]) == ("start", {})
    play = house.hall.tables[table].play
    beginnings: dict[int, Any] = {}
    turn = 0
    while turn < 9:
        now = play.views._public
        turn = now["turn"]["number"]
        beginnings.setdefault(turn, now)
        player = (ann, ben)[play._game.decisions[0].seat]
        decision = await player.asked()
        keys = [o.key for o in decision.options for _ in range(o.count)]
        await player.answer(table, *keys[: max(1, decision.min)])
        await cid.do(Ping)
        assert "own" not in cid.view
        assert cid.decisions == []
        current = play.views._public["turn"]["number"]
        late = cid.view["turn"]["number"]
        assert late == max(0, current - 2)
        if late:
            assert cid.view == beginnings[late]
    assert cid.view["turn"]["number"] == 7
    await ann.do(Leave, table=table)
    await ben.do(Leave, table=table)
    await cid.next(Lobby, lambda m: m.info.state == "over")
    await cid.until(lambda me: me.view["phase"] == "over")
    assert cid.events == []
    kinds = {type(message).__name__ for message in cid.inbox}
    assert kinds <= {"Lobby", "Snapshot", "TableCatalogue"}
    page = await cid.do(GetHistory, table=table, limit=500)
    assert len(page["events"]) > 50


async def test_history_tells_delayed_spectators_no_more_than_they_see(
    house: Any, quick: Any
) -> None:
    options = replace(quick, spectators="delayed", delay_turns=1)
    table, (ann, ben) = await house.playing("Ann", "Ben", options=options)
    cid = await house.player("Cid")
    await cid.do(Join, table=table, watch=True)
    for player in (ann, ben, ann):
        decision = await player.asked()
        await player.answer(table, decision.options[0].key)
    page = await cid.do(GetHistory, table=table)
    snapshot = await _snapshot(cid, table)
    assert len(page["events"]) == snapshot.next_event
    assert page["next"] == 0
    assert not any(event["type"] == "start-rail" for event in page["events"])
