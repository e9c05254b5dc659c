"""Who is let in, which tables there are, and every refusal on the way to a game."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from typing import Any

import pytest
import trio
from msgspec import Raw
from trio.testing import wait_all_tasks_blocked

import engine
from protocol import TO_CLIENT_LIMIT
from protocol.codec import encode
from protocol.messages import (
    AddBot,
    Answer,
    Bye,
    Chat,
    ChatLine,
    Closed,
    Create,
    Error,
    GetCatalogue,
    GetHistory,
    GetSnapshot,
    Hello,
    Join,
    Leave,
    ListTables,
    Loaded,
    Lobby,
    Ok,
    Ping,
    Ready,
    RemoveBot,
    Snapshot,
    Start,
    TableCatalogue,
    TableOptions,
    Welcome,
)


async def lobby(house: Any, **options: Any) -> tuple[Any, Any, str]:
    """A host, a guest who is not at the table, and the table."""
    host, guest = await house.player("Ann"), await house.player("Ben")
    table = (await host.do(Create, options=TableOptions(**options)))["table"]
    return host, guest, table


# ------------------------------------------------------------------ saying hello


async def test_welcome_tells_what_a_client_has_to_know(house: Any) -> None:
    ann = await house.connect()
    await ann.send(Hello((1, 1), "  Ann\u200b "))
    welcome = await ann.next(Welcome)
    assert (welcome.name, welcome.version, welcome.frame_limit) == ("Ann", 1, 8192)
    assert "greedy" in welcome.bots
    assert "tokyo" in welcome.boards


@pytest.mark.parametrize("name", ["Ann", "ANN", "\uff21nn", "A nn"])
@pytest.mark.parametrize(("goes", "kept"), [("bye", 0), ("lost", 120)])
async def test_a_name_is_had_by_one_at_a_time(
    house: Any, name: str, goes: str, kept: float, autojump_clock: Any
) -> None:
    """Also while its owner is away, and may come back."""
    first = await house.player("Ann")
    await first.do(Ping)

    async def ask_for_it() -> Any:
        second = await house.connect()
        await second.send(Hello((1, 1), name))
        return await second.next(Welcome | Error)

    assert (await ask_for_it()).code == "name-taken"
    await (first.send(Bye()) if goes == "bye" else first.stream.aclose())
    await wait_all_tasks_blocked()
    if kept:
        await trio.sleep(kept - 1)
        error = await ask_for_it()
        assert (error.code, "may come back" in error.text) == ("name-taken", True)
        await trio.sleep(2)
    assert isinstance(await ask_for_it(), Welcome)


async def test_an_impossible_name_is_refused_with_the_reason(house: Any) -> None:
    nobody = await house.connect()
    await nobody.send(Hello((1, 1), "\u202e\u200b"))
    error = await nobody.next(Error)
    assert error.code == "bad-name"
    assert "2 to 20" in error.text
    assert await nobody.rest() == []


# ------------------------------------------------------------------ lobbies


async def test_a_lobby_from_its_creation_to_the_game(house: Any) -> None:
    host, guest, table = await lobby(house, players=3, order="seats")
    assert (await host.next(Lobby)).seat == 0
    (listed,) = (await guest.do(ListTables))["tables"]
    assert (listed["table"], listed["host"], listed["title"]) == (table, "Ann", "Ann's table")
    assert await guest.do(Join, table=table) == {"table": table}
    assert (await guest.next(Lobby)).seat == 1
    assert await host.do(AddBot, table=table, level="random") == {"seat": 2}
    await guest.do(Ready, table=table)
    info = (await host.next(Lobby, lambda m: m.info.seats[1].ready)).info
    assert [seat.kind for seat in info.seats] == ["human", "human", "bot"]
    assert info.commitment == ""
    await host.do(Start, table=table)
    info = (await guest.next(Lobby, lambda m: m.info.state == "playing")).info
    assert len(info.commitment) == 64
    for player in (host, guest):
        await player.next(TableCatalogue)
        await player.next(Snapshot)


async def test_only_the_host_changes_a_lobby(house: Any) -> None:
    host, guest, table = await lobby(house, players=3)
    assert await guest.refused(AddBot, table=table) == "not-here"
    await guest.do(Join, table=table)
    await host.do(AddBot, table=table)
    for kind, fields in (
        (AddBot, {}),
        (RemoveBot, {"seat": 2}),
        (Start, {}),
    ):
        assert await guest.refused(kind, table=table, **fields) == "not-host"
    await host.do(RemoveBot, table=table, seat=2)
    assert await host.refused(RemoveBot, table=table, seat=2) == "no-such-seat"
    assert await host.refused(RemoveBot, table=table, seat=1) == "no-such-seat"
    assert await host.refused(RemoveBot, table=table, seat=3) == "no-such-seat"


async def test_seats_are_finite_and_a_player_has_one(house: Any) -> None:
    host, guest, table = await lobby(house, players=2)
    assert await host.refused(Join, table=table) == "already-here"
    assert await host.refused(AddBot, table=table, level="genius") == "no-such-bot"
    await host.do(AddBot, table=table)
    assert await guest.refused(Join, table=table) == "table-full"
    assert await host.refused(AddBot, table=table) == "table-full"
    await guest.do(Join, table=table, watch=True)
    assert (await guest.next(Lobby)).seat == -1
    assert await guest.refused(Ready, table=table) == "not-your-seat"


async def test_a_game_starts_when_everybody_is_there_and_ready(house: Any) -> None:
    host, guest, table = await lobby(house, players=2)
    assert await host.refused(Start, table=table) == "not-ready"
    await guest.do(Join, table=table)
    assert await host.refused(Start, table=table) == "not-ready"
    await guest.do(Ready, table=table)
    await guest.do(Ready, table=table, ready=False)
    assert await host.refused(Start, table=table) == "not-ready"
    await guest.do(Ready, table=table)
    await host.do(Start, table=table)
    for kind, fields in ((Start, {}), (AddBot, {}), (Ready, {})):
        assert await host.refused(kind, table=table, **fields) == "wrong-state"
    late = await house.player("Cid")
    assert await late.refused(Join, table=table) == "wrong-state"


async def test_what_belongs_to_a_game_is_refused_before_it(house: Any) -> None:
    host, guest, table = await lobby(house)
    requests: list[tuple[Any, dict[str, Any]]] = [
        (Loaded, {}),
        (GetSnapshot, {}),
        (GetHistory, {}),
        (Answer, {"decision": "0-0", "keys": ()}),
    ]
    for kind, fields in requests:
        assert await host.refused(kind, table=table, **fields) == "wrong-state"
        assert await guest.refused(kind, table=table, **fields) == "not-here"
        assert await host.refused(kind, table="nowhere", **fields) == "no-such-table"


@pytest.mark.parametrize(
    ("options", "randomizers", "victory"),
    [
        (TableOptions(), 30, 3),
        (TableOptions(kingdom=("osaka-first-game",)), 8, 3),
        (TableOptions(boxes=("base", "rising-sun")), 59, 6),
        (TableOptions(boxes=("base", "rising-sun"), victory=("base",)), 59, 3),
        (TableOptions(board="nagoya", kingdom=("rising-sun-first-game",)), 8, 3),
    ],
)
async def test_whoever_is_at_a_table_can_look_up_what_will_be_played(
    house: Any, options: TableOptions, randomizers: int, victory: int
) -> None:
    """What the seed will choose is not told: all that may be drawn is there."""
    host = await house.player("Ann")
    table = (await host.do(Create, options=options))["table"]
    guest, stranger = await house.player("Bob"), await house.player("Cid")
    await guest.do(Join, table=table)
    shown = []
    for player in (host, guest):
        await player.do(GetCatalogue, table=table)
        shown.append(await player.next(TableCatalogue))
    assert shown[0] == shown[1]
    catalogue = shown[0].catalogue
    kinds = Counter(role_of(card) for card in catalogue.supply)
    assert (kinds["randomizer"], kinds["victory"]) == (randomizers, victory)
    assert catalogue.board.id == (options.board or "tokyo")
    assert await stranger.refused(GetCatalogue, table=table) == "not-here"
    assert await host.refused(GetCatalogue, table="nowhere") == "no-such-table"


def role_of(card: str) -> str:
    boxes = engine.boxes.load_boxes(("base", "rising-sun"))
    return next(spec.role for box in boxes for spec in box.cards if spec.id == card)


async def test_tables_that_do_not_exist_have_no_members(house: Any) -> None:
    ann = await house.player("Ann")
    for kind in (Join, Leave, Ready, AddBot, Start, Loaded):
        assert await ann.refused(kind, table="nowhere") == "no-such-table"
    assert await ann.refused(Chat, table="nowhere", text="hi") == "no-such-table"
    assert await ann.do(Ping) == {}


@pytest.mark.parametrize(
    "options",
    [
        {"board": "atlantis"},
        {"boxes": ("no-such-box",)},
        {"kingdom": ("landfill",)},
        {"kingdom": ("landfill",) * 8},
        {"kingdom": ("waste",) * 8},
        {"seed": "12"},
        {"seed": "x" * 64},
        {"seed": "\uff11" * 64},
    ],
)
async def test_impossible_options_are_refused_and_leave_nothing(
    house: Any, options: dict[str, Any]
) -> None:
    ann = await house.player("Ann")
    assert await ann.refused(Create, options=TableOptions(**options)) == "bad-options"
    assert (await ann.do(ListTables))["tables"] == []
    assert list(house.folder.iterdir()) == []


async def test_a_chosen_seed_is_shown_as_such_and_never_told(house: Any) -> None:
    host, guest, table = await lobby(house, seed="ab" * 32)
    await guest.do(Join, table=table)
    await guest.do(Ready, table=table)
    await host.do(Start, table=table)
    info = (await guest.next(Lobby, lambda m: m.info.state == "playing")).info
    assert info.seeded
    assert (info.options.seed, info.seed, info.commitment) == ("", "", "")


async def test_titles_are_cleaned_and_limited(house: Any) -> None:
    ann = await house.player("Ann")
    assert await ann.refused(Create, title="\u200b") == "bad-text"
    assert await ann.refused(Create, title="x" * 41) == "bad-text"
    await ann.do(Create, title="\x1bA  game")
    assert (await ann.next(Lobby)).info.title == "A game"


async def test_there_are_limits(make_house: Any) -> None:
    house = await make_house(settings={"tables": 3, "tables_per_session": 2, "watchers": 1})
    ann, ben, cid = [await house.player(name) for name in ("Ann", "Ben", "Cid")]
    table = (await ann.do(Create))["table"]
    other = (await ann.do(Create))["table"]
    assert await ann.refused(Create) == "too-many"
    await ben.do(Create)
    assert await cid.refused(Create) == "too-many"
    await ben.do(Join, table=table, watch=True)
    assert await ben.refused(Join, table=other) == "too-many"
    assert await cid.refused(Join, table=table, watch=True) == "too-many"


# ------------------------------------------------------------------ leaving


async def test_the_host_leaves_and_the_next_player_is_host(house: Any, autojump_clock: Any) -> None:
    host, guest, table = await lobby(house, players=3)
    watcher = await house.player("Cid")
    await watcher.do(Join, table=table, watch=True)
    await guest.do(Join, table=table)
    await host.do(Leave, table=table)
    info = (await guest.next(Lobby, lambda m: m.info.host == "Ben")).info
    assert [seat.kind for seat in info.seats] == ["open", "human", "open"]
    assert await host.refused(Leave, table=table) == "not-here"
    await guest.send(Bye())
    await watcher.next(Lobby, lambda m: m.info.host == "Cid")


async def test_the_last_one_leaves_and_the_table_is_gone(house: Any) -> None:
    host, guest, table = await lobby(house)
    await host.do(AddBot, table=table)
    await host.do(Leave, table=table)
    assert (await guest.do(ListTables))["tables"] == []
    assert await guest.refused(Join, table=table) == "no-such-table"
    assert list(house.folder.iterdir()) == []  # no game was begun: nothing to keep


async def test_a_game_that_all_have_left_keeps_its_journal(house: Any) -> None:
    table, players = await house.playing("Ann", "Ben")
    for player in players:
        await player.do(Leave, table=table)
    last = house.journal()[-1]
    assert (last["type"], last["reason"]) == ("abandoned", "nobody is at the table any more")


async def test_when_the_server_ends_everybody_is_told(house: Any) -> None:
    table, (ann, ben) = await house.playing("Ann", "Ben")
    house.hall.close()
    house.reception.close()
    for player in (ann, ben):
        rest = await player.rest()
        assert [m.table for m in rest if isinstance(m, Closed)] == [table]
        assert isinstance(rest[-1], Error)
        assert rest[-1].code == "shutting-down"
    assert house.journal()[-1]["type"] in {"start", "answer"}  # to be taken up again


# ------------------------------------------------------------------ many tables

CROWD = {"tables": 500, "tables_per_session": 500, "creates": 500, "frame_burst": 1e6}


async def listed(player: Any, limit: int) -> list[list[str]]:
    """The names of all tables, page by page."""
    pages, after = [], 0
    while True:
        result = await player.do(ListTables, after=after, limit=limit)
        pages.append([info["table"] for info in result["tables"]])
        after = result["next"]
        if not after:
            return pages


async def test_a_list_that_no_frame_could_hold_comes_in_pages(make_house: Any) -> None:
    house = await make_house(settings={**CROWD, "page_bytes": 20_000})
    ann = await house.player("\u0e17\u0e35\u0e48" * 20)
    options = TableOptions(players=4)
    wide = "\u0e17\u0e35\u0e48" * 40  # nine bytes in each column
    made = [(await ann.do(Create, title=wide[:64], options=options))["table"] for _ in range(400)]
    infos = [table.info() for table in house.hall.tables.values()]
    assert len(encode(Ok(1, {"tables": infos}))) > TO_CLIENT_LIMIT
    pages = await listed(ann, 100)
    assert [name for page in pages for name in page] == made
    assert max(map(len, pages)) < 100  # by bytes
    assert [len(page) for page in await listed(ann, 7)][:-1] == [7] * (400 // 7)
    await ann.do(Ping)


async def test_tables_that_come_and_go_between_pages_lose_no_other(make_house: Any) -> None:
    house = await make_house(settings=CROWD)
    ann = await house.player("Ann")
    made = [(await ann.do(Create))["table"] for _ in range(6)]
    first = await ann.do(ListTables, limit=3)
    await ann.do(Leave, table=made[2])  # where the page ended
    made.append((await ann.do(Create))["table"])
    second = await ann.do(ListTables, after=first["next"], limit=100)
    assert [info["table"] for info in second["tables"]] == made[3:]
    assert second["next"] == 0


async def test_a_reply_too_long_for_a_frame_is_an_error_and_no_more(
    house: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, (ann, ben) = await house.playing("Ann", "Ben")
    views = house.hall.tables[table].play.views
    long = Raw(encode(Ok(1, {"x": "x" * TO_CLIENT_LIMIT})))
    monkeypatch.setattr(views, "_public", {"x": long})
    monkeypatch.setattr(views._audiences[0], "events", [long])
    for request in (GetSnapshot, GetHistory):
        assert await ann.refused(request, table=table) == "internal"
    await ann.do(Ping)
    await ben.do(Join, table=(await ann.do(Create))["table"])
    assert "reply not sent" in house.log.getvalue()


async def test_an_address_opens_so_many_tables_in_a_time(
    make_house: Any, autojump_clock: Any
) -> None:
    house = await make_house(settings={"creates": 3, "creates_every": 60.0})
    ann = await house.player("Ann")
    for _ in range(3):
        await ann.do(Leave, table=(await ann.do(Create))["table"])
    assert await ann.refused(Create) == "too-many"
    ben = await house.player("Ben")  # another name, the same address
    reply = await ben.ask(Create)
    assert (reply.code, "at most 3 tables" in reply.text) == ("too-many", True)
    await trio.sleep(20)
    await (await house.player("Cid")).do(Create)


# ------------------------------------------------------------------ chat


async def test_chat_reaches_the_table_and_nobody_else(house: Any) -> None:
    host, guest, table = await lobby(house)
    assert await guest.refused(Chat, table=table, text="hello") == "not-here"
    await guest.do(Join, table=table, watch=True)
    await guest.do(Chat, table=table, text="hel\x1b\u202elo")
    line = await host.next(ChatLine)
    assert (line.name, line.text) == ("Ben", "hello")
    assert await host.refused(Chat, table=table, text="\u200b") == "bad-text"
    assert await host.refused(Chat, table=table, text="x" * 301) == "bad-text"
    assert not any("hello" in str(line) for line in house.journal())


async def test_chat_is_metered(house: Any) -> None:
    host, _, table = await lobby(house)
    for _ in range(10):
        await host.do(Chat, table=table, text="hi")
    assert await host.refused(Chat, table=table, text="hi") == "too-many"


# ------------------------------------------------------------------ journals


async def test_a_lobby_is_journaled(house: Any) -> None:
    host, guest, table = await lobby(house, players=2, seed="ab" * 32)
    await guest.do(Join, table=table)
    await guest.do(Leave, table=table)
    await host.do(AddBot, table=table, level="random")
    header, *seats = house.journal()
    assert (header["type"], header["table"], header["creator"]) == ("table", table, "Ann")
    assert header["rules"] == engine.RULES_VERSION
    assert header["boxes"]["names"] == ["base"]
    assert [line["type"] for line in seats] == ["seats"] * 4
    token = sha256(host.token.encode()).hexdigest()
    assert seats[-1]["host_token"] == token
    assert seats[-1]["seats"] == [
        {"kind": "human", "name": "Ann", "color": "blue", "token": token},
        {"kind": "bot", "name": "Random 1", "level": "random", "color": "yellow"},
    ]


async def test_what_cannot_be_journaled_does_not_happen(make_house: Any, disk: Any) -> None:
    house = await make_house(write=disk)
    host, guest, table = await lobby(house, players=3)
    await host.do(AddBot, table=table)
    disk.full = True
    assert await guest.refused(Join, table=table) == "busy"
    assert await host.refused(AddBot, table=table) == "busy"
    assert await host.refused(RemoveBot, table=table, seat=1) == "busy"
    assert await guest.refused(Create) == "busy"
    assert len(list(house.folder.iterdir())) == 1
    (listed,) = (await guest.do(ListTables))["tables"]
    assert [seat["kind"] for seat in listed["seats"]] == ["human", "bot", "open"]
    disk.full = False
    await host.do(AddBot, table=table)
    disk.full = True
    assert await host.refused(Start, table=table) == "busy"
    disk.full = False
    await host.do(Start, table=table)
    await host.next(Lobby, lambda m: m.info.state == "playing")


async def test_somebody_leaves_although_the_journal_cannot_say_so(
    make_house: Any, disk: Any
) -> None:
    house = await make_house(write=disk)
    host, guest, table = await lobby(house)
    await guest.do(Join, table=table)
    disk.full = True
    await guest.do(Leave, table=table)
    disk.full = False
    await host.do(AddBot, table=table)
    assert [seat["kind"] for seat in house.journal()[-1]["seats"]] == ["human", "bot"]


async def test_the_log_tells_when_a_game_begins_and_who_leaves(house: Any) -> None:
    host, guest, table = await lobby(house)
    await guest.do(Join, table=table)
    await guest.do(Ready, table=table)
    await host.do(Start, table=table)
    await guest.do(Leave, table=table)
    lines = house.log.getvalue().splitlines()
    (begun,) = [line for line in lines if "game begins" in line]
    (left,) = [line for line in lines if "left" in line]
    assert all(word in begun for word in (table, "Ann", "Ben", "tokyo"))
    assert all(word in left for word in (table, "Ben", "playing"))
