"""Sessions outlive their connections: seats, names, rights, and what wrong tokens do not do."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import msgspec
import pytest
import trio
from msgspec import to_builtins
from trio.testing import lockstep_stream_pair, wait_all_tasks_blocked

from protocol.messages import (
    AddBot,
    Answer,
    Bye,
    Chat,
    ChatLine,
    Create,
    Error,
    Hello,
    Join,
    Leave,
    ListTables,
    Lobby,
    Ok,
    Ping,
    Ready,
    Snapshot,
    Start,
    TableCatalogue,
    TableOptions,
    Welcome,
)


async def lose(player: Any) -> None:
    """Cut a player's connection, and let the server notice."""
    await player.stream.aclose()
    await wait_all_tasks_blocked()


def state_of(hall: Any) -> Any:
    """Everything about sessions, tables and deadlines that a stranger must not be able to move."""
    return (
        {key: (s.name, s.connected, s.away_since, [*s.tables]) for key, s in hall.sessions.items()},
        {
            name: (table.info(), [m.name for m in table.members], table.state)
            for name, table in hall.tables.items()
        },
        {key: due for key, (due, _) in hall.reminders._due.items()},
    )


async def play_on(house: Any, table: str, *players: Any) -> None:
    """Play a game to its end, buying and laying what comes first."""
    game = house.hall.tables[table].play._game
    while not game.over:
        player = players[game.decisions[0].seat]
        decision = await player.asked()
        keys = [option.key for option in decision.options for _ in range(option.count)]
        await player.answer(table, *keys[: max(1, decision.min)])
    await players[0].do(Ping)


# ------------------------------------------------------------------ tokens


async def test_a_token_is_told_once_and_kept_only_as_its_hash(house: Any) -> None:
    ann = await house.player("Ann")
    assert len(ann.token) == 43
    session = house.hall.sessions["ann"]
    assert session.token_hash == sha256(ann.token.encode()).digest()
    table = (await ann.do(Create))["table"]
    await lose(ann)
    again = await house.back(ann.token)
    welcome = await again.next(Welcome)
    assert (welcome.name, welcome.token, welcome.resumed) == ("Ann", "", True)
    assert welcome.tables == [table]
    assert house.hall.sessions["ann"] is session
    everything = house.log.getvalue() + repr(vars(house.hall)) + repr(house.journal())
    assert ann.token not in everything


def test_messages_do_not_show_tokens_when_they_are_printed() -> None:
    secret = "s" * 43
    assert secret not in repr(Hello((1, 1), "Ann", resume=secret))
    assert secret not in repr(Welcome(1, "Ann", "x", 1, [], [], token=secret))


WRONG = ["x", "x" * 43, "\u202e", " ", "0" * 64]


async def test_wrong_tokens_change_nothing_and_the_owner_comes_back(
    house: Any, quick: Any, autojump_clock: Any
) -> None:
    table, (ann, ben) = await house.playing("Ann", "Ben", options=quick)
    lobby = (await ben.do(Create))["table"]
    decision = await ann.asked()
    await lose(ann)
    await lose(ben)
    before = state_of(house.hall)
    codes = set()
    wrong = [*WRONG, ann.token[:-1], ann.token + "x", ann.token.swapcase()]
    for n in range(100):
        stranger = await house.back(wrong[n % len(wrong)])
        error = await stranger.next(Error)
        codes.add(error.code)
        assert await stranger.rest() == []
    assert codes == {"no-such-session", "too-many"}
    assert state_of(house.hall) == before
    assert house.log.getvalue().count("wrong token") == 10
    ann, ben = await house.back(ann.token), await house.back(ben.token)
    assert (await ann.asked()).id == decision.id
    assert (await ben.next(Welcome)).tables == [table, lobby]


@pytest.mark.parametrize("end", ["bye", "grace", "nothing asked"])
async def test_a_session_that_has_ended_cannot_be_taken_up(
    house: Any, end: str, autojump_clock: Any
) -> None:
    ann = await house.player("Ann")
    if end == "bye":
        await ann.send(Bye())
    elif end == "grace":
        await ann.do(Ping)
        await lose(ann)
        await trio.sleep(121)
    else:
        await lose(ann)
    await wait_all_tasks_blocked()
    assert house.hall.sessions == {}
    assert (await (await house.back(ann.token)).next(Error)).code == "no-such-session"


async def test_resuming_while_the_server_ends_is_refused(house: Any) -> None:
    ann = await house.player("Ann")
    await lose(ann)
    house.hall.close()
    assert (await (await house.back(ann.token)).next(Error)).code == "shutting-down"


async def test_names_cannot_be_hoarded_by_coming_and_going(make_house: Any) -> None:
    house = await make_house(settings={"per_address": 3, "sessions": 5})
    for n in range(20):
        player = await house.player(f"Name {n}")
        await player.do(Ping)
        await lose(player)
    assert len(house.hall.sessions) == 3
    for n in range(2):
        await house.player(f"More {n}")
    late = await house.connect()
    await late.send(Hello((1, 1), "Late"))
    assert (await late.next(Error)).code == "too-many"


# ------------------------------------------------------------------ two connections


async def test_the_newer_of_two_connections_has_the_session(house: Any, quick: Any) -> None:
    table, (ann, ben) = await house.playing("Ann", "Ben", options=quick)
    decision = await ann.asked()
    newer = await house.back(ann.token)
    assert (await newer.asked()).id == decision.id
    *_, last = await ann.rest()
    assert (last.code, bool(last.text)) == ("replaced", True)
    await wait_all_tasks_blocked()  # the end of the older one is nobody's absence
    assert house.hall.sessions["ann"].connected
    await newer.answer(table)
    info = house.hall.tables[table].info()
    assert info.seats[0].connected
    assert (info.host, ben.faults) == ("Ann", [])


async def test_what_the_older_connection_still_says_is_not_heard(
    make_house: Any, autojump_clock: Any
) -> None:
    """Also what was read from it already."""
    house = await make_house(settings={"frame_rate": 1.0, "frame_burst": 4})
    older = await house.player("Ann")
    table = (await older.do(Create))["table"]
    for n in range(10):  # the third of them is read, and waits for its time
        await older.send(Chat(100 + n, table, f"line {n}"))
    await wait_all_tasks_blocked()
    newer = await house.back(older.token)
    await newer.next(Welcome)
    await trio.sleep(60)
    assert len(house.hall.tables[table].chatter._said) == 2


async def test_an_older_connection_that_does_not_read_is_no_hindrance(
    house: Any, autojump_clock: Any
) -> None:
    older = await house.connect(lockstep_stream_pair)
    await older.send(Hello((1, 1), "Ann"))
    token = (await older.next(Welcome)).token
    begun = trio.current_time()
    newer = await house.back(token)
    await newer.next(Welcome)
    await newer.do(Ping)
    assert trio.current_time() - begun < 0.1
    await trio.sleep(35)
    assert len(house.reception.connections) == 0  # both: the newer one did not ping


# ------------------------------------------------------------------ what one comes back to


@pytest.mark.parametrize("when", ["lobby", "own question", "another's question", "over"])
async def test_who_comes_back_sees_everything_as_it_is(
    house: Any, quick: Any, when: str, autojump_clock: Any
) -> None:
    if when == "lobby":
        ann, ben = await house.player("Ann"), await house.player("Ben")
        table = (await ann.do(Create))["table"]
        await ben.do(Join, table=table)
        await ben.do(Ready, table=table)
    else:
        table, (ann, ben) = await house.playing("Ann", "Ben", options=quick)
        await ann.asked()
        if when != "own question":
            await ann.answer(table)
            await ben.asked()
        if when == "over":
            await play_on(house, table, ann, ben)
    await ann.do(Ping)
    await lose(ann)
    info = (await ben.next(Lobby, lambda m: not m.info.seats[0].connected)).info
    assert (info.host, info.seats[0].name, info.seats[0].left) == ("Ann", "Ann", False)
    ben.inbox.clear()
    again = await house.back(ann.token)
    assert (await again.next(Welcome)).tables == [table]
    lobby = await again.next(Lobby)
    assert lobby.seat == 0
    assert to_builtins(lobby.info) == to_builtins(house.hall.tables[table].info())
    assert (await ben.next(Lobby, lambda m: m.info.seats[0].connected)).info == lobby.info
    if when == "lobby":
        await again.do(Start, table=table)
    else:
        assert (await again.next(TableCatalogue)).table == table
        snapshot = await again.next(Snapshot)
        assert snapshot.view == ann.view
        assert snapshot.seq == ann.seq
        assert [d.id for d in snapshot.decisions] == [d.id for d in ann.decisions]
        assert bool(snapshot.decisions) == (when == "own question")
    if when == "own question":
        await again.answer(table)
        await ben.asked()


async def test_chat_of_the_meantime_comes_and_is_numbered(house: Any) -> None:
    ann, ben, cid = [await house.player(name) for name in ("Ann", "Ben", "Cid")]
    table = (await ann.do(Create, options=TableOptions(players=4)))["table"]
    await ann.do(Chat, table=table, text="before Ben")
    await ben.do(Join, table=table)
    await ann.do(Chat, table=table, text="one")
    one = (await ben.next(ChatLine)).number
    await lose(ben)
    await ann.do(Chat, table=table, text="two")
    ben = await house.back(ben.token)
    lines = [await ben.next(ChatLine) for _ in range(2)]
    assert [(line.number, line.text) for line in lines] == [(one, "one"), (one + 1, "two")]
    await cid.do(Join, table=table)  # a newcomer is told nothing of before
    await ann.do(Chat, table=table, text="three")
    assert (await cid.next(ChatLine)).text == "three"


# ------------------------------------------------------------------ requests in flight


async def test_a_request_sent_again_is_carried_out_once_and_answered_twice(house: Any) -> None:
    ann = await house.player("Ann")
    table = (await ann.do(Create))["table"]
    await ann.send(Chat(50, table, "hello"))
    await ann.next(ChatLine)
    await lose(ann)
    ann = await house.back(ann.token, 50, 51)
    for number, text in ((50, "hello"), (51, "hello"), (50, "hello")):
        await ann.send(Chat(number, table, text))
        assert (await ann.next(Ok)).re == number
    # the first is known from before; the others are new, whatever their ids
    assert len(house.hall.tables[table].chatter._said) == 3


async def test_a_client_that_was_started_anew_counts_its_requests_anew(house: Any) -> None:
    ann = await house.player("Ann")
    table = (await ann.do(Create))["table"]
    for _ in range(2):
        await ann.do(Chat, table=table, text="hello")  # with the same id each time
        await lose(ann)
        ann = await house.back(ann.token)
        await ann.do(Ping)
    assert len(house.hall.tables[table].chatter._said) == 2


async def test_another_request_of_the_same_id_is_another(house: Any) -> None:
    ann = await house.player("Ann")
    table = (await ann.do(Create))["table"]
    await ann.send(AddBot(7, table, "greedy"))
    await ann.next(Ok, lambda ok: ok.re == 7)
    await lose(ann)
    ann = await house.back(ann.token, 7)
    await ann.send(AddBot(7, table, "random"))
    error = await ann.next(Error)
    assert (error.code, error.re) == ("table-full", 7)


async def test_an_answer_sent_again_before_its_table_has_read_it_is_one_answer(
    make_house: Any, disk: Any, quick: Any, autojump_clock: Any
) -> None:
    house = await make_house(write=disk)
    table, (ann, ben) = await house.playing("Ann", "Ben", options=quick)
    decision = await ann.asked()
    answer = Answer(70, table, decision.id, (decision.options[0].key,))
    disk.full = True
    await ann.send(answer)
    await wait_all_tasks_blocked()
    await lose(ann)
    ann = await house.back(ann.token, 70)
    await ann.send(answer)
    await wait_all_tasks_blocked()
    disk.full = False
    assert (await ann.next(Ok | Error, lambda reply: reply.re == 70)) == Ok(70)  # type: ignore[arg-type]
    await ben.asked()
    assert [line["type"] for line in house.journal()].count("answer") == 1


# ------------------------------------------------------------------ being away


async def test_nothing_of_an_absent_host_moves_before_the_grace_is_over(
    house: Any, autojump_clock: Any
) -> None:
    ann, ben = await house.player("Ann"), await house.player("Ben")
    table = (await ann.do(Create, options=TableOptions(players=3)))["table"]
    await ben.do(Join, table=table)
    await ben.do(Ready, table=table)
    await lose(ann)
    for _ in range(9):
        await trio.sleep(13)
        await ben.do(Ping)
        info = house.hall.tables[table].info()
        assert (info.host, info.seats[0].name) == ("Ann", "Ann")
    await trio.sleep(4)
    info = (await ben.next(Lobby, lambda m: m.info.host == "Ben")).info
    assert [seat.kind for seat in info.seats] == ["open", "human", "open"]
    assert house.journal()[-1]["host"] == "Ben"
    await house.player("Ann")  # the name is free
    await ben.do(AddBot, table=table)


async def test_a_host_who_is_back_in_time_has_lost_nothing(house: Any, autojump_clock: Any) -> None:
    ann, ben = await house.player("Ann"), await house.player("Ben")
    table = (await ann.do(Create, options=TableOptions(players=3)))["table"]
    await ben.do(Join, table=table)
    for _ in range(4):  # each absence has a grace of its own
        await lose(ann)
        await trio.sleep(25)
        await ben.do(Ping)
        ann = await house.back(ann.token)
        await ann.next(Welcome)
    await trio.sleep(25)
    await ben.do(Ping)
    assert await ann.do(AddBot, table=table) == {"seat": 2}


async def test_a_game_does_not_begin_without_one_of_its_players(house: Any) -> None:
    ann, ben = await house.player("Ann"), await house.player("Ben")
    table = (await ann.do(Create))["table"]
    await ben.do(Join, table=table)
    await ben.do(Ready, table=table)
    await lose(ben)
    reply = await ann.ask(Start, table=table)
    assert (reply.code, "Ben (not connected)" in reply.text) == ("not-ready", True)
    ben = await house.back(ben.token)
    await ben.next(Welcome)
    await ann.do(Start, table=table)


async def test_a_seat_in_a_running_game_is_kept_and_the_host_is_somebody_who_is_there(
    house: Any, quick: Any, autojump_clock: Any
) -> None:
    options = msgspec.structs.replace(quick, turn_ms=0, absence_ms=86_400_000)
    table, (ann, ben) = await house.playing("Ann", "Ben", options=options)
    lobby = (await ann.do(Create))["table"]
    await lose(ann)
    for _ in range(1000):
        await trio.sleep(25)
        await ben.do(Ping)
    info = house.hall.tables[table].info()
    assert (info.host, info.seats[0].name, info.seats[0].connected) == ("Ben", "Ann", False)
    assert house.hall.tables[lobby].members == {} if lobby in house.hall.tables else True
    ann = await house.back(ann.token)
    assert (await ann.next(Welcome)).tables == [table]
    snapshot = await ann.next(Snapshot)
    assert snapshot.view["own"]
    assert house.hall.tables[table].host.name == "Ben"


async def test_who_is_back_at_a_table_where_nobody_was_becomes_its_host(
    house: Any, quick: Any, autojump_clock: Any
) -> None:
    _, (ann, ben) = await house.playing("Ann", "Ben", options=quick)
    await lose(ann)
    await lose(ben)
    await trio.sleep(10_000)
    ben = await house.back(ben.token)
    assert (await ben.next(Lobby)).info.host == "Ben"


# ------------------------------------------------------------------ tables without anybody


async def test_a_lobby_that_all_have_lost_is_found_again_for_a_while(
    house: Any, autojump_clock: Any
) -> None:
    ann = await house.player("Ann")
    table = (await ann.do(Create, options=TableOptions(players=3)))["table"]
    await ann.do(AddBot, table=table)
    await lose(ann)
    await trio.sleep(200)
    ben = await house.player("Ben")
    (listed,) = (await ben.do(ListTables))["tables"]
    assert [seat["kind"] for seat in listed["seats"]] == ["open", "bot", "open"]
    await ben.do(Join, table=table)
    assert (await ben.next(Lobby)).info.host == "Ben"
    for _ in range(20):
        await trio.sleep(25)
        await ben.do(Ping)
    assert table in house.hall.tables
    await lose(ben)
    await trio.sleep(301)
    assert house.hall.tables == {}
    assert house.hall.sessions == {}
    assert list(house.folder.iterdir()) == []


@pytest.mark.parametrize(("state", "days"), [("playing", 7), ("over", 0.01)])
async def test_a_table_with_nobody_is_kept_as_long_as_settings_say(
    house: Any, quick: Any, state: str, days: float, autojump_clock: Any
) -> None:
    table, (ann, ben) = await house.playing("Ann", "Ben", options=quick)
    if state == "over":
        await play_on(house, table, ann, ben)
    else:  # nothing is decided for people who are away here
        house.hall.tables[table].play.stop()
    await lose(ann)
    await lose(ben)
    await trio.sleep(days * 86_400 - 700)
    assert (table in house.hall.tables) == (state == "playing")
    await trio.sleep(800)
    assert house.hall.tables == {}
    assert house.journal()[-1]["type"] == ("abandoned" if state == "playing" else "over")
    await trio.sleep(200)
    assert house.hall.sessions == {}


async def test_all_who_leave_for_good_take_the_table_with_them(house: Any, quick: Any) -> None:
    table, (ann, ben) = await house.playing("Ann", "Ben", options=quick)
    await ann.do(Leave, table=table)
    await ben.send(Bye())
    await wait_all_tasks_blocked()
    assert house.hall.tables == {}
    assert [*house.hall.sessions] == ["ann"]
