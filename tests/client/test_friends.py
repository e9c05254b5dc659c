"""A group of friends at a table: seats, colours, passwords, chat, the host, another game."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from client.child import ChildServer
from client.lobby_lines import differences
from client.model import TableModel
from protocol.messages import Lobby, SeatInfo, TableInfo
from tests.client.games import model_of, opening, table_info
from tests.client.test_session import Person, person


@asynccontextmanager
async def friends(tmp_path: Path, *names: str) -> AsyncIterator[list[Person]]:
    async with asyncio.timeout(60), AsyncExitStack() as opened:
        child = await opened.enter_async_context(ChildServer(str(tmp_path)))
        people = [await opened.enter_async_context(person(child.port, name)) for name in names]
        for one in people:
            await one.see("create opens a table")
        yield people


def meet(tmp_path: Path, visit: Callable[..., Awaitable[None]], *names: str) -> None:
    async def main() -> None:
        async with friends(tmp_path, *names) as people:
            await visit(*people)

    asyncio.run(main())


async def table_of(host: Person, *others: Person, words: str = "players=4") -> str:
    await host.type(f"create {words}")
    await host.see("seat 1  ")
    assert host.session.model is not None
    table: str = host.session.model.table
    for other in others:
        await other.type(f"join {table}")
        await other.see("(you)")
    return table


def test_seats_are_chosen_and_swapped(tmp_path: Path) -> None:
    async def visit(anna: Person, ben: Person) -> None:
        await table_of(anna, ben)
        await ben.type("sit 4")
        await anna.see("Ben is on seat 4 now.")
        await ben.type("sit 1")
        await ben.see("! Anna sits there")
        await anna.type("swap 1 3")
        await ben.see("Anna is on seat 3 now.")
        await ben.type("swap 1 3")
        await ben.see("! Only the host")
        for line in ("sit", "sit 5", "sit x", "swap 1", "swap 0 1"):
            await anna.type(line)
            await anna.see(f"! {line.split()[0].capitalize()} wants the number of a seat, 1 to 4")
        await ben.type("stand")
        await ben.see("You watch now; sit N takes a seat again.")
        await anna.see("Ben leaves seat 4.")
        await ben.type("sit 2")
        await anna.see("Ben sits down on seat 2.")
        assert dict(anna.session.completions("sit ")) == {"sit 1": "free", "sit 4": "free"}

    meet(tmp_path, visit, "Anna", "Ben")


def test_colours_are_chosen(tmp_path: Path) -> None:
    async def visit(anna: Person, ben: Person) -> None:
        await table_of(anna, ben)
        await ben.type("color g")
        await anna.see("Ben plays green.")
        await anna.type("color green")
        await anna.see("! Ben is green already")
        await anna.type("color pink")
        await anna.see("! Color is blue, yellow, red or green.")
        await anna.type("table")
        await anna.see("seat 2  Ben, green")
        assert dict(anna.session.completions("color ")) == {
            "color blue": "Anna",
            "color yellow": "free",
            "color red": "free",
            "color green": "Ben",
        }

    meet(tmp_path, visit, "Anna", "Ben")


def test_a_password_is_set_and_said(tmp_path: Path) -> None:
    async def visit(anna: Person, ben: Person) -> None:
        table = await table_of(anna, words="players=3 private password=open sesame")
        await anna.type("table")
        await anna.see("with a password")
        await ben.type("list")
        await ben.see("There are no tables yet.")
        await ben.type(f"join {table}")
        await ben.see("! This table has a password")
        await ben.type(f"join {table} open says me")
        await ben.see("! This is not the table's password")
        await ben.type(f"join {table} open sesame")
        await ben.see("seat 2  Ben (you)")
        await ben.type("leave")
        await anna.type("password")
        await anna.see("No password is needed now.")
        await ben.type(f"watch {table}")
        await ben.see("starts the game when all are ready")
        await anna.type("password " + "x" * 65)
        await anna.see("! Password wants at most 64 printable characters.")
        await anna.type("password 線路")
        await ben.see("Who joins has to know a password.")
        await ben.type("password mine")
        await ben.see("! Only the host")

    meet(tmp_path, visit, "Anna", "Ben")


def test_a_table_is_joined_by_its_title_too(tmp_path: Path) -> None:
    async def visit(anna: Person, ben: Person) -> None:
        await table_of(anna, words="players=2 password=sesame title=Friday Evening")
        await ben.type("join friday evening")
        await ben.see("! This table has a password: join")
        await ben.type("join Friday Evening open")
        await ben.see("! This is not the table's password")
        await ben.type("join FRIDAY EVENING sesame")
        await ben.see("seat 2  Ben (you)")

    meet(tmp_path, visit, "Anna", "Ben")


def test_somebody_is_not_heard_any_more(tmp_path: Path) -> None:
    async def visit(anna: Person, ben: Person, cleo: Person) -> None:
        await table_of(anna, ben, cleo)
        await anna.type("mute be")
        await anna.see("You hear nothing of Ben any more.")
        await ben.type("say one")
        await cleo.see("<Ben> one")
        await anna.type("unmute ben")
        await anna.see("You hear Ben again.")
        await ben.type("say two")
        await anna.see("<Ben> two")
        assert "<Ben> one" not in anna.console.text
        await anna.type("silence Ben")
        await cleo.see("Ben may not chat.")
        await ben.type("say three")
        await ben.see("! The host of this table does not let you chat")
        await cleo.type("unsilence ben")
        await cleo.see("! Only the host")
        await anna.type("unsilence ben")
        await cleo.see("Ben may chat again.")
        await anna.type("mute")
        await anna.see("! Mute wants a name")
        await anna.type("mute nobody")
        await anna.see("! Nobody else of that name is at this table")

    meet(tmp_path, visit, "Anna", "Ben", "Cleo")


def test_a_host_puts_somebody_out_and_makes_another_one_host(tmp_path: Path) -> None:
    async def visit(anna: Person, ben: Person, cleo: Person) -> None:
        table = await table_of(anna, ben, cleo)
        await anna.type("kick ben")
        await anna.see("Ben is put out, and cannot come back.")
        await ben.see("! You are at this table no more: the host has put you out")
        assert ben.session.prompt() == "lobby > "
        await ben.type(f"join {table}")
        await ben.see("! The host has put you out of this table")
        await anna.type("give-host cleo")
        await cleo.see("You are the host now.")
        await cleo.type("add-bot")
        await anna.see("sits down on seat 2.")

    meet(tmp_path, visit, "Anna", "Ben", "Cleo")


def test_putting_somebody_out_of_a_game_wants_to_be_said_twice(tmp_path: Path) -> None:
    async def visit(anna: Person, ben: Person) -> None:
        await table_of(anna, ben, words="players=2 order=seats")
        await ben.type("ready")
        await anna.type("start")
        await anna.see("Where do you start?")
        await anna.type("kick ben")
        await anna.see("A bot then plays for Ben")
        await anna.type("scores")  # something else takes it back
        await anna.type("kick ben")
        await anna.see("Once more, if you mean it.")
        assert "put out" not in ben.console.text
        await anna.type("kick ben")
        await ben.see("! You are at this table no more")
        await anna.see("Ben is not here any more; ")

    meet(tmp_path, visit, "Anna", "Ben")


def test_another_game_with_the_same_people(tmp_path: Path) -> None:
    """Bots play all of it, so the host only watches."""

    async def visit(anna: Person, ben: Person) -> None:
        await table_of(anna, words="players=2 watch")
        assert anna.session.model is not None
        await ben.type(f"watch {anna.session.model.table}")
        await ben.see("Anna starts the game")
        for _ in range(2):
            await anna.type("add-bot random")
        for _ in range(2):
            await anna.type("rematch")
            await anna.see("! “rematch” is no command here")
            await anna.type("start")
            await anna.see("The game begins.")
            await anna.see("rematch is another game with the same people")
            await ben.see("leave or quit when you are done")
            await ben.type("rematch")
            await ben.see("! Only the host")
            log = len(anna.session.model.log)
            await anna.type("rematch")
            for one in (anna, ben):
                await one.see("Another game, with the same people:")
                await one.see("seat 1  Random")
            assert anna.session.model.view is None
            assert len(anna.session.model.log) < log

    meet(tmp_path, visit, "Anna", "Ben")


# ------------------------------------------------------------------ models and sentences


def test_a_rematch_empties_the_model() -> None:
    model = model_of(opening(2))
    assert model.view is not None
    change = model.apply(Lobby(table_info(2, "lobby"), 0))
    fresh = TableModel("t1")
    assert change.rematch
    assert (model.view, model.decisions, model.seq) == (None, (), fresh.seq)
    assert (model.next_event, model.catalogue, list(model.log)) == (0, None, [])
    assert not model.apply(Lobby(table_info(2, "lobby"), 0)).rematch


def _with(info: TableInfo, number: int, **changes: Any) -> TableInfo:
    seats = list(info.seats)
    seats[number] = replace(seats[number], **changes)
    return replace(info, seats=seats)


@pytest.mark.parametrize(
    ("before", "now", "told"),
    [
        ({}, {"connected": False}, ["Ben has lost the connection, and may come back."]),
        ({"connected": False}, {}, ["Ben is back."]),
        ({"color": "red"}, {"color": "blue"}, ["Ben plays blue."]),
        ({"ready": False}, {}, ["Ben is ready."]),
        ({}, {}, []),
    ],
)
def test_what_changes_on_a_seat_is_told(before: Any, now: Any, told: list[str]) -> None:
    info = table_info(3, "lobby")
    assert differences(_with(info, 1, **before), _with(info, 1, **now)) == told


def test_whoever_moves_is_not_told_to_leave() -> None:
    info = table_info(3, "lobby")
    seats = [info.seats[1], info.seats[0], SeatInfo("open")]
    assert differences(info, replace(info, seats=seats)) == [
        "Ben is on seat 1 now.",
        "Anna is on seat 2 now.",
        "Cleo leaves seat 3.",
    ]
