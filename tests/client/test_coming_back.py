"""A client whose connection breaks comes back by itself: through a relay that tests can cut."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Self

import pytest

from client.child import ChildServer
from client.connection import Connection, _pauses
from client.errors import ClientError
from client.session import Session
from client.tokens import Tokens
from tests.client.test_session import Person, ScriptedConsole, asked, sit_down


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("client.connection.FIRST_PAUSE", 0.001)
    monkeypatch.setattr("client.connection.LONGEST_PAUSE", 0.01)


class Relay:
    """Passes bytes on to a server, until it is cut; while ``deaf`` nothing comes back from it."""

    def __init__(self, port: int) -> None:
        self.behind = port
        self.port = 0
        self.open = True
        self.deaf = False
        self._pipes: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        await self.cut()

    async def cut(self) -> None:
        """Break all connections."""
        for pipe in self._pipes:
            pipe.cancel()
        await asyncio.gather(*self._pipes, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self.open:
            writer.transport.abort()
            return
        task = asyncio.current_task()
        assert task is not None
        self._pipes.add(task)
        behind, onward = await asyncio.open_connection("127.0.0.1", self.behind)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._pass(reader, onward, back=False))
                group.create_task(self._pass(behind, writer, back=True))
        except asyncio.CancelledError:
            pass
        finally:
            self._pipes.discard(task)
            writer.transport.abort()
            onward.transport.abort()

    async def _pass(
        self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, *, back: bool
    ) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(65536):
                if not (back and self.deaf):
                    sink.write(data)
            sink.close()


class Guest(Person):
    """A person behind a relay of their own."""

    def __init__(self, session: Session, console: ScriptedConsole, relay: Relay) -> None:
        super().__init__(session, console)
        self.relay = relay
        self.running: asyncio.Task[None]


@asynccontextmanager
async def guest(port: int, name: str, tokens: Tokens | None = None) -> AsyncIterator[Guest]:
    async with (
        Relay(port) as relay,
        await Connection.open("127.0.0.1", relay.port, name, lasting=True, tokens=tokens) as line,
    ):
        console = ScriptedConsole()
        person = Guest(Session(line, console), console, relay)
        person.running = asyncio.create_task(person.session.run())
        try:
            yield person
        finally:
            person.session.leave()
            await asyncio.gather(person.running, return_exceptions=True)


def meet(tmp_path: Path, visit: Callable[[Guest, Guest], Awaitable[None]]) -> None:
    async def main() -> None:
        async with (
            asyncio.timeout(60),
            ChildServer(str(tmp_path / "journals")) as child,
            guest(child.port, "Anna") as anna,
            guest(child.port, "Ben") as ben,
        ):
            await anna.see("create opens a table")
            await ben.see("create opens a table")
            await visit(anna, ben)

    asyncio.run(main())


async def begin(anna: Guest, ben: Guest) -> tuple[Guest, Guest]:
    """Both at a running game; who is asked comes first."""
    await sit_down(anna, ben)
    await anna.type("start")
    first, second = await asked(anna, ben)
    await first.see("Where do you start?")
    assert isinstance(first, Guest)
    assert isinstance(second, Guest)
    return first, second


def answers(tmp_path: Path) -> int:
    (journal,) = (tmp_path / "journals").glob("*.jsonl")
    return journal.read_text().count('"type":"answer"')


def test_an_open_question_is_asked_again_and_can_be_answered(tmp_path: Path) -> None:
    async def visit(anna: Guest, ben: Guest) -> None:
        first, second = await begin(anna, ben)
        name = first.session.connection.welcome.name
        begun = first.session.serial
        await first.relay.cut()
        await first.see("Trying to come back.")
        await second.see(f"{name} has lost the connection, and may come back.")
        await first.see("You are back.")
        await second.see(f"{name} is back.")
        await first.see("Where do you start?")
        await first.type("C5", serial=begun)  # typed before, or while nobody was listening
        await first.see("! “C5” was begun before this question and is not taken")
        await first.type("C5")
        await second.see("starts at Kichijoji (C5).")
        assert answers(tmp_path) == 1

    meet(tmp_path, visit)


def test_an_answer_on_its_way_counts_once(tmp_path: Path) -> None:
    """The server has it, or has not; in either case it was given to this question."""

    async def visit(anna: Guest, ben: Guest) -> None:
        first, second = await begin(anna, ben)
        first.relay.deaf = True
        typing = asyncio.create_task(first.type("C5"))
        await second.see("starts at Kichijoji (C5).")
        assert not typing.done()
        first.relay.deaf = False
        await first.relay.cut()
        await typing
        await first.see("“C5” will be sent again.")
        await first.see("You are back.")
        await first.see("starts at Kichijoji (C5).")
        await second.type("C7")
        await first.see("starts at")
        assert answers(tmp_path) == 2
        assert "! " not in first.console.text.partition("You are back.")[2]

    meet(tmp_path, visit)


def test_what_is_typed_while_the_line_is_lost_is_refused_and_does_nothing_later(
    tmp_path: Path,
) -> None:
    async def visit(anna: Guest, ben: Guest) -> None:
        first, second = await begin(anna, ben)
        first.relay.open = False
        await first.relay.cut()
        await first.see("Trying again.")
        await first.type("C5")
        await first.see("! You are not connected just now: nothing was sent.")
        await first.type("say hello")
        await first.see("! You are not connected just now")
        await first.type("hand")  # what is known can be looked at
        await first.see("Normal Train")
        first.relay.open = True
        await first.see("You are back.")
        await first.see("Where do you start?")
        assert answers(tmp_path) == 0
        await first.type("C5")
        await second.see("starts at Kichijoji (C5).")
        assert "hello" not in second.console.text

    meet(tmp_path, visit)


def test_chat_and_events_of_the_meantime_are_told_once(tmp_path: Path) -> None:
    async def visit(anna: Guest, ben: Guest) -> None:
        first, second = await begin(anna, ben)
        await first.type("say one")
        await second.see("one")
        second.relay.open = False
        await second.relay.cut()
        await second.see("Trying again.")
        await first.type("say two")
        await first.type("C5")
        await first.see("starts at Kichijoji (C5).")
        second.relay.open = True
        await second.see("You are back.")
        await second.console.until(lambda: "Where do you start?" in second.console.text)
        await second.console.until(lambda: "> two" in second.console.text)
        for words in ("> one", "> two", "starts at Kichijoji (C5)."):
            assert second.console.text.count(words) == 1, second.console.text

    meet(tmp_path, visit)


def test_a_lobby_is_there_again_with_all_rights(tmp_path: Path) -> None:
    async def visit(anna: Guest, ben: Guest) -> None:
        await sit_down(anna, ben)
        await anna.relay.cut()
        await anna.see("You are back.")
        await anna.see("seat 1  Anna (you, host)")
        await anna.type("start")
        await ben.see("The game begins.")

    meet(tmp_path, visit)


def test_who_is_started_again_takes_the_seat_up_and_the_older_one_is_told(tmp_path: Path) -> None:
    async def main() -> None:
        tokens = Tokens(tmp_path / "sessions")
        async with (
            asyncio.timeout(60),
            ChildServer(str(tmp_path / "journals")) as child,
            guest(child.port, "Ben") as ben,
            Relay(child.port) as relay,
        ):

            async def open_one() -> Connection:
                return await Connection.open(
                    "127.0.0.1", relay.port, "Anna", lasting=True, tokens=tokens
                )

            one = await open_one()
            console = ScriptedConsole()
            older = Person(Session(one, console), console)
            running = asyncio.create_task(older.session.run())
            await ben.see("create opens a table")
            await older.see("create opens a table")
            first, _ = await sit_down_and_start(older, ben)
            two = await open_one()
            assert two.welcome.resumed
            console = ScriptedConsole()
            newer = Person(Session(two, console), console)
            again = asyncio.create_task(newer.session.run())
            await newer.see("in turn order")
            if first is older:
                await newer.see("Where do you start?")
                await newer.type("C5")
                await ben.see("starts at Kichijoji (C5).")
            with pytest.raises(ClientError, match="another connection has taken up this session"):
                await running
            await one.close()
            assert not again.done()
            newer.session.leave()
            await again
            await two.close()
            assert list((tmp_path / "sessions").iterdir()) == []  # said goodbye

    asyncio.run(main())


async def sit_down_and_start(anna: Person, ben: Person) -> tuple[Person, Person]:
    await sit_down(anna, ben)
    await anna.type("start")
    return await asked(anna, ben)


def test_a_server_that_knows_nothing_of_a_session_lets_its_owner_begin_anew(
    tmp_path: Path,
) -> None:
    async def main() -> None:
        tokens = Tokens(tmp_path / "sessions")
        async with (
            asyncio.timeout(60),
            ChildServer(str(tmp_path / "journals")) as child,
            ChildServer(str(tmp_path / "others")) as other,
            guest(child.port, "Anna", tokens) as anna,
        ):
            await anna.see("create opens a table")
            await anna.type("create")
            await anna.see("seat 1  Anna")
            anna.relay.behind = other.port
            await anna.relay.cut()
            await anna.see("your place was not kept: you begin anew.")
            await anna.see("There are no tables yet.")
            assert anna.session.prompt() == "lobby > "
            await anna.type("create")
            await anna.see("seat 1  Anna")

    asyncio.run(main())


def test_a_server_that_was_killed_comes_back_with_the_question_that_was_open(
    tmp_path: Path,
) -> None:
    program = [sys.executable, "-P", "-m", "server", "--child", "--port", "0"]
    command = [*program, "--state", str(tmp_path / "state")]

    async def main() -> None:
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(asyncio.timeout(60))
            child = await stack.enter_async_context(ChildServer(command=command))
            anna = await stack.enter_async_context(guest(child.port, "Anna"))
            ben = await stack.enter_async_context(guest(child.port, "Ben"))
            for person in (anna, ben):
                await person.see("create opens a table")
            first, second = await begin(anna, ben)
            assert child.pid is not None
            os.kill(child.pid, signal.SIGKILL)
            for person in (anna, ben):
                await person.see("Trying to come back.")
            again = await stack.enter_async_context(ChildServer(command=command))
            anna.relay.behind = ben.relay.behind = again.port
            for person in (anna, ben):
                await person.see("You are back.")
            await first.see("Where do you start?")
            await first.type("C5")
            await second.see("starts at Kichijoji (C5).")

    asyncio.run(main())


def test_there_is_an_end_to_trying(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("client.connection.GIVE_UP_SECONDS", 0.05)

    async def main() -> None:
        async with (
            asyncio.timeout(60),
            ChildServer(str(tmp_path)) as child,
            guest(child.port, "Anna") as anna,
        ):
            await anna.see("create opens a table")
            anna.relay.open = False
            await anna.relay.cut()
            with pytest.raises(ClientError, match=r"There is no way back\. "):
                await anna.running

    asyncio.run(main())


def test_quitting_works_while_the_line_is_lost(tmp_path: Path) -> None:
    async def main() -> None:
        async with (
            asyncio.timeout(60),
            ChildServer(str(tmp_path)) as child,
            guest(child.port, "Anna") as anna,
        ):
            await anna.see("create opens a table")
            anna.relay.deaf = True
            listing = asyncio.create_task(anna.type("list"))
            anna.relay.open = False
            await anna.relay.cut()
            await anna.see("“list” will be sent again.")
            await listing
            await anna.type("quit")
            await anna.running

    asyncio.run(main())


def test_pauses_grow_to_a_limit_are_never_alike_and_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("client.connection.FIRST_PAUSE", 0.5)
    monkeypatch.setattr("client.connection.LONGEST_PAUSE", 15.0)
    one, other = list(_pauses()), list(_pauses())
    assert one != other
    assert all(0.25 <= pause <= 15 for pause in one)
    assert 600 <= sum(one) <= 615
    assert 40 <= len(one) <= 100
    assert max(one[:3]) < 2.1
