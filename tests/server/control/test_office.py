"""What whoever runs the server can do to it, and what the players notice."""

from __future__ import annotations

import io
from typing import Any

import pytest
import trio

from protocol.messages import Chat, Create, Error, Hello, Notice, Ping
from server.app import Server
from server.control import words
from server.control.office import Office, OfficeError
from server.oplog import operational_log


class Bureau:
    """An office, and the house it administers."""

    def __init__(self, house: Any) -> None:
        self.house = house
        self.server = Server(house.hall, [], operational_log(io.StringIO()))
        self.office = Office(self.server, "1.2.3")

    def do(self, command: words.AnyCommand) -> dict[str, Any]:
        result, then = self.office.do(command)
        if then is not None:
            then()
        return result

    def refused(self, command: words.AnyCommand) -> str:
        with pytest.raises(OfficeError) as no:
            self.office.do(command)
        return str(no.value)


@pytest.fixture
async def bureau(house: Any) -> Bureau:
    return Bureau(house)


async def test_the_status_counts_sessions_and_tables(bureau: Bureau) -> None:
    table, _ = await bureau.house.playing("Ann", "Ben")
    cid = await bureau.house.player("Cid")
    await cid.do(Create)
    status = bureau.do(words.Status())
    assert status["version"] == "1.2.3"
    assert status["sessions"] == 3
    assert status["tables"] == {"playing": 1, "lobby": 1}
    assert status["draining"] is False
    listed = bureau.do(words.Tables())["tables"]
    assert [(t["table"], t["state"], t["host"]) for t in listed] == [
        (table, "playing", "Ann"),
        ("t2", "lobby", "Cid"),
    ]
    sessions = bureau.do(words.Sessions())["sessions"]
    assert [(s["name"], s["tables"]) for s in sessions] == [
        ("Ann", [table]),
        ("Ben", [table]),
        ("Cid", ["t2"]),
    ]


async def test_nothing_that_it_tells_is_hidden_from_players(bureau: Bureau) -> None:
    await bureau.house.playing("Ann", "Ben")
    (table,) = bureau.house.hall.tables.values()
    told = str([bureau.do(ask()) for ask in (words.Status, words.Tables, words.Sessions)])
    assert table.seed.hex() not in told
    assert "hand" not in told
    assert "deck" not in told


async def test_who_is_kicked_is_told_why_and_may_come_back(bureau: Bureau) -> None:
    ann, ben = await bureau.house.player("Ann"), await bureau.house.player("Ben")
    table = (await ann.do(Create))["table"]
    assert bureau.do(words.Kick("ANN", "too loud")) == {"kicked": ["Ann"]}
    *_, said = await ann.rest()
    assert isinstance(said, Error)
    assert (said.code, said.text) == ("kicked", "you have been put out: too loud")
    assert table not in bureau.house.hall.tables
    await ben.do(Ping)
    await bureau.house.player("Ann")
    assert bureau.refused(words.Kick("Dan")) == "nobody of this name is here"


async def test_who_is_kicked_does_nothing_more(bureau: Bureau) -> None:
    ann = await bureau.house.player("Ann")
    await ann.send(Create(1))  # it may be on its way while its sender is put out
    bureau.do(words.Kick("Ann"))
    await ann.rest()
    assert not bureau.house.hall.tables


async def test_who_is_muted_cannot_chat_for_so_long_under_any_connection(
    bureau: Bureau, autojump_clock: Any
) -> None:
    _, (ann, ben) = await bureau.house.playing("Ann", "Ben")
    table = next(iter(bureau.house.hall.tables))
    bureau.do(words.Mute("Ann", 20.0))
    assert await ann.refused(Chat, table=table, text="hello") == "muted"
    await ben.do(Chat, table=table, text="hello")
    assert [s["muted"] for s in bureau.do(words.Sessions())["sessions"]] == [True, False]
    await trio.sleep(21)
    await ann.do(Chat, table=table, text="hello")
    bureau.do(words.Mute("Ann"))
    assert await ann.refused(Chat, table=table, text="hello") == "muted"
    bureau.do(words.Unmute("ann"))
    await ann.do(Chat, table=table, text="hello")
    assert bureau.refused(words.Unmute("Ann")) == "nobody of this name is muted"
    assert bureau.refused(words.Mute("Dan")) == "nobody of this name is here"


async def test_a_banned_name_is_put_out_and_not_let_in_again(bureau: Bureau) -> None:
    ann = await bureau.house.player("Ann")
    result = bureau.do(words.Ban(name="a n n", reason="cheats"))
    assert result["kicked"] == ["Ann"]
    assert (await ann.rest())[-1].code == "banned"
    again = await bureau.house.connect()
    await again.send(Hello((1, 1), "ANN"))
    (said,) = await again.rest()
    assert (said.code, said.text) == ("banned", "this name is not let in: cheats")
    assert [b["name"] for b in bureau.do(words.Bans())["bans"]] == ["a n n"]
    bureau.do(words.Unban(name="Ann"))
    await bureau.house.player("Ann")
    assert bureau.refused(words.Unban(name="Ann")) == "there is no such ban"
    assert "a name or an address" in bureau.refused(words.Ban())


@pytest.mark.parametrize(
    ("command", "code"), [(words.Kick("Ann"), "kicked"), (words.Ban(name="Ann"), "banned")]
)
@pytest.mark.parametrize("away", [True, False], ids=["away", "here"])
async def test_who_is_put_out_does_not_come_back_with_a_token(
    bureau: Bureau, autojump_clock: Any, command: words.AnyCommand, code: str, away: bool
) -> None:
    house = bureau.house
    table, (ann, ben) = await house.playing("Ann", "Ben")
    if away:
        await ann.stream.aclose()
        while house.hall.sessions["ann"].connected:
            await trio.lowlevel.checkpoint()
    bureau.do(command)
    if not away:
        assert (await ann.rest())[-1].code == code
    assert "ann" not in house.hall.sessions
    again = await house.connect()
    await again.send(Hello((1, 1), "whoever", resume=ann.token))
    (said,) = await again.rest()
    assert said.code == "no-such-session"
    await ben.do(Ping)
    await trio.sleep(1_000)
    assert house.hall.tables[table].seats[0].session is None


async def test_a_session_that_was_kept_is_not_let_in_under_a_banned_name(bureau: Bureau) -> None:
    house = bureau.house
    ann = await house.player("Ann")
    await ann.do(Create)
    await ann.stream.aclose()
    house.hall.order.bans.add(name="Ann")  # as one that is read from a file after a restart
    again = await house.connect()
    await again.send(Hello((1, 1), "whoever", resume=ann.token))
    (said,) = await again.rest()
    assert said.code == "banned"


async def test_an_announcement_reaches_everybody_or_one_table(bureau: Bureau) -> None:
    table, (ann, ben) = await bureau.house.playing("Ann", "Ben")
    cid = await bureau.house.player("Cid")
    assert bureau.do(words.Announce("Tea is ready")) == {"told": 3}
    for player in (ann, ben, cid):
        assert (await player.next(Notice)).text == "Tea is ready"
    assert bureau.do(words.Announce("Your tea", table)) == {"told": 2}
    await cid.do(Ping)
    assert not any(isinstance(m, Notice) for m in cid.inbox)
    assert "no table" in bureau.refused(words.Announce("Tea", "nowhere"))
    assert "announcement" in bureau.refused(words.Announce("\x1b\u202e"))
