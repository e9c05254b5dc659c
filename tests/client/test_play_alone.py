"""``senro play`` at a terminal: one person, a server of their own, and no lobby to go back to."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path

import msgspec

from client.child import ChildServer
from client.connection import Connection
from client.plain.lines import ASCII, Line, plain
from client.plain.watch import watch
from client.play import PlayFlags, set_up
from client.session import Session
from tests.client.test_session import Person, ScriptedConsole

FLAGS = PlayFlags(name="Anna", bots="random", table={"seed": "7", "order": "seats"})


def alone(tmp_path: Path, visit: Callable[[Person, list[str]], Awaitable[None]]) -> list[str]:
    """Let Anna play; returns the tables whose games she saw to their end."""

    async def main() -> list[str]:
        async with (
            asyncio.timeout(90),
            ChildServer(str(tmp_path)) as child,
            await Connection.open("127.0.0.1", child.port, "Anna") as connection,
        ):
            tables: list[str] = []

            async def begin(session: Session) -> None:
                options = msgspec.structs.replace(FLAGS.options(), seed="" if tables else "77" * 32)
                tables.append(await set_up(connection, FLAGS, options, watch=False))
                await session.until(lambda: session.model is not None and session.model.playing)

            console = ScriptedConsole()
            session = Session(connection, console, begin=begin, journals=str(tmp_path), alone=True)
            running = asyncio.create_task(session.run())
            await console.see("Where do you start?")
            await visit(Person(session, console), tables)
            session.leave()
            await running
            return sorted(session.finished)

    return asyncio.run(main())


async def play_to_the_end(anna: Person) -> None:
    game, model = anna.session.game, anna.session.model
    assert model is not None
    await anna.type("C5" if model.hex_title("C5") else "1")
    while not model.over:
        await anna.console.until(lambda: game.decision is not None or model.over)
        if not model.over:
            await anna.type("end")


def test_the_end_tells_the_journal_and_how_to_go_on_and_again_plays_another(
    tmp_path: Path,
) -> None:
    async def visit(anna: Person, tables: list[str]) -> None:
        await play_to_the_end(anna)
        await anna.see("Final scores")
        told = await anna.see("Turn by turn: senro-log show ")
        assert told.split()[-1].startswith(str(tmp_path))
        await anna.see("again plays another game, quit ends.")
        await anna.type("scores")
        await anna.see("Final scores")
        await anna.see("track rails")
        await anna.type("help")
        await anna.see("The game is over. You can type:")
        shown = anna.console.text.partition("The game is over. You can type:")[2]
        assert "again" in shown
        assert "rail now" not in shown
        await anna.type("again")
        await anna.see("Where do you start?")
        assert len(set(tables)) == 2
        model = anna.session.model
        assert model is not None
        assert (model.table, model.playing) == (tables[1], True)
        await anna.type("again")
        await anna.see("Type again once more to go.")

    assert len(alone(tmp_path, visit)) == 1


def test_leave_ends_the_program_and_has_to_be_said_twice(tmp_path: Path) -> None:
    async def visit(anna: Person, _: list[str]) -> None:
        await anna.type("leave")
        await anna.see("! The game is not over; if you go, it simply ends. Type quit once more")
        assert not anna.session._leaving.is_set()
        await anna.type("leave")
        assert anna.session._leaving.is_set()
        assert "lobby" not in anna.console.text

    assert alone(tmp_path, visit) == []


def test_a_watched_game_rests_before_each_turn(tmp_path: Path) -> None:
    rests: list[float] = []
    lines: list[str] = []

    def show(shown: Iterable[Line]) -> None:
        lines.extend(plain(line) for line in shown)

    async def rest(seconds: float) -> None:
        rests.append(seconds)

    async def main() -> str:
        async with (
            asyncio.timeout(60),
            ChildServer(str(tmp_path)) as child,
            await Connection.open("127.0.0.1", child.port, "Anna") as connection,
        ):
            table = await set_up(connection, FLAGS, FLAGS.options(), watch=True)
            return await watch(connection, table, show, ASCII, width=60, pace=0.25, rest=rest)

    assert asyncio.run(main()) == ""  # the seed was chosen, so it is not told
    turns = sum(line.startswith("-- Turn ") for line in lines)
    assert turns > 20
    assert turns - 5 <= len(rests) <= turns + 1  # an update may bring the end of two turns
    assert set(rests) == {0.25}
    assert max(map(len, lines)) <= 60
