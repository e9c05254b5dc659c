"""Sessions of several people at one real server, with consoles that tests type into."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from client.child import ChildServer
from client.connection import Connection
from client.plain.console import Listener
from client.plain.lines import UNICODE, Line, plain
from client.session import Session
from protocol.messages import Notice


class ScriptedConsole:
    """Remembers what was shown; a test types into it and waits for what appears."""

    def __init__(self, *, interactive: bool = True) -> None:
        self.interactive = interactive
        self.glyphs = UNICODE
        self.size = (80, 24)
        self.bells = 0
        self.left = False
        self.shown: list[str] = []
        self.listener: Listener | None = None
        self._seen = 0
        self._news = asyncio.Event()
        self._ready = asyncio.Event()

    def show(self, lines: Iterable[Line]) -> None:
        self.shown += [plain(line) for line in lines]
        self._news.set()

    def bell(self) -> None:
        self.bells += 1

    def leaving(self) -> None:
        self.left = True

    def redraw(self) -> None:
        self._news.set()

    async def run(self, listener: Listener) -> None:
        self.listener = listener
        self._ready.set()
        await asyncio.Event().wait()

    async def type(self, line: str, serial: int | None = None) -> None:
        """Type a line; without a number it was begun under the present question."""
        await self._ready.wait()
        assert self.listener is not None
        await self.listener.typed(line, self.listener.serial if serial is None else serial)

    async def see(self, words: str) -> str:
        """Wait until a line with these words is shown; those before it count as read."""
        try:
            async with asyncio.timeout(20):
                return await self._find(words)
        except TimeoutError:
            pytest.fail(f"never saw {words!r} after line {self._seen} of:\n{self.text}")

    async def _find(self, words: str) -> str:
        while True:
            for number in range(self._seen, len(self.shown)):
                if words in self.shown[number]:
                    self._seen = number + 1
                    return self.shown[number]
            self._news.clear()
            await self._news.wait()

    async def until(self, holds: Callable[[], bool]) -> None:
        while not holds():
            self._news.clear()
            await self._news.wait()

    @property
    def text(self) -> str:
        return "\n".join(self.shown)


class Person:
    def __init__(self, session: Session, console: ScriptedConsole) -> None:
        self.session, self.console = session, console
        self.type, self.see = console.type, console.see


@asynccontextmanager
async def person(port: int, name: str) -> AsyncIterator[Person]:
    async with await Connection.open("127.0.0.1", port, name) as connection:
        console = ScriptedConsole()
        session = Session(connection, console)
        running = asyncio.create_task(session.run())
        try:
            yield Person(session, console)
        finally:
            session.leave()
            await running


def meet(tmp_path: Path, visit: Callable[[Person, Person], Awaitable[None]]) -> None:
    """Let Anna and Ben come to one server."""

    async def main() -> None:
        async with (
            asyncio.timeout(60),
            ChildServer(str(tmp_path)) as child,
            person(child.port, "Anna") as anna,
            person(child.port, "Ben") as ben,
        ):
            await anna.see("create opens a table")
            await ben.see("create opens a table")
            await visit(anna, ben)

    asyncio.run(main())


async def sit_down(anna: Person, ben: Person) -> None:
    """Anna opens a table for two, both sit at it and are ready."""
    await anna.type("create seed=3 title=Evening")
    await ben.type("list")
    await ben.see("Evening")
    await ben.type("join 1")
    await ben.type("ready")
    await anna.see("type start")


async def asked(anna: Person, ben: Person) -> tuple[Person, Person]:
    """Whoever is asked first, and the other; turn order is random."""
    waiting = [
        asyncio.create_task(
            one.console.until(lambda one=one: one.session.game.decision is not None)
        )
        for one in (anna, ben)
    ]
    await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    return (anna, ben) if anna.session.game.decision else (ben, anna)


def test_newcomers_are_told_what_to_do_next_until_the_game_begins(tmp_path: Path) -> None:
    async def visit(anna: Person, ben: Person) -> None:
        await anna.type("create seed=3 title=Friday night")
        await anna.see("seat 1  Anna (you, host)")
        await anna.see("1 seat is free: wait for players (senro join), or add-bot")
        await ben.type("join")  # lists first; a single table needs no number
        heading = await ben.see("players")
        row = await ben.see("Friday night")
        assert heading.index("title") == row.index("Friday")
        assert heading.index("seats") == row.index("1/2")
        assert heading.index("state") == row.index("lobby")
        assert heading.index("players") == row.index("Anna")
        await ben.see("seat 2  Ben (you)")
        await ben.see("Type ready when you are; then Anna can start the game.")
        await anna.see("Ben sits down on seat 2.")
        await anna.see("Waiting for Ben to be ready.")
        await anna.type("start")
        await anna.see("! Not ready yet: Ben")
        await ben.type("start")
        await ben.see("! Only the host")
        assert ben.session.lobby.wants_line
        await ben.type("ready")
        assert not ben.session.lobby.wants_line
        await anna.see("Ben is ready.")
        await anna.see("Everybody is here and ready: type start.")
        await anna.type("say Good luck, Ben")
        await ben.see("<Anna> Good luck, Ben")
        await anna.type("start")
        for one in (anna, ben):
            await one.see("The game begins.")
        await ben.see("The host chose the seed")
        first, _ = await asked(anna, ben)
        await first.see("Where do you start?")

    meet(tmp_path, visit)


def test_whoever_sits_at_a_table_can_look_up_what_will_be_played(tmp_path: Path) -> None:
    async def visit(anna: Person, ben: Person) -> None:
        await anna.type("cards")
        await anna.see("! “cards” is no command here.")
        await anna.type("create kingdom=osaka-first-game board=osaka")
        await anna.see("seat 1")
        await ben.type("join")
        await ben.see("seat 2  Ben (you)")
        await ben.type("cards")
        await ben.see("$3 Express Train")
        await ben.see("card NAME tells more about one.")
        await ben.type("card tower")
        await ben.see("Tower - victory")
        await ben.type("card zeppelin")
        await ben.see("No card is called “zeppelin”")
        await ben.type("board")
        await ben.see("heavy line barrier")
        await anna.type("card")
        await anna.see("card NAME tells more about one.")
        await ben.type("leave")
        await anna.type("leave")
        await anna.see("There are no tables yet.")
        await anna.type("create")
        await anna.see("seat 1")
        await anna.type("cards")
        await anna.see("Eight of these will be drawn when the game begins")

    meet(tmp_path, visit)


def test_a_line_begun_before_the_question_is_not_its_answer(tmp_path: Path) -> None:
    async def visit(anna: Person, ben: Person) -> None:
        await sit_down(anna, ben)
        before = {one: one.session.serial for one in (anna, ben)}
        await anna.type("start")
        first, second = await asked(anna, ben)
        await first.see("Where do you start?")
        await first.type("C5", serial=before[first])
        await first.see("! “C5” was begun before this question and is not taken")
        assert first.session.game.decision is not None
        await first.type("say a chat line may be late", serial=before[first])
        await second.see("a chat line may be late")
        await second.type("C7")
        await second.see("! Nothing is asked of you now")
        await first.type("C5")
        await second.see("starts at Kichijoji (C5).")

    meet(tmp_path, visit)


def test_whoever_leaves_a_table_is_in_the_lobby_and_the_other_becomes_its_host(
    tmp_path: Path,
) -> None:
    async def visit(anna: Person, ben: Person) -> None:
        await sit_down(anna, ben)
        await anna.type("leave")
        await anna.see("Evening")
        assert anna.session.prompt() == "lobby > "
        await ben.see("Anna leaves seat 1.")
        await ben.see("You are the host now.")
        await anna.type("join 1")
        await anna.see("seat 1  Anna (you)")

    meet(tmp_path, visit)


def test_leaving_a_running_game_wants_to_be_said_twice(tmp_path: Path) -> None:
    async def visit(anna: Person, ben: Person) -> None:
        await sit_down(anna, ben)
        await anna.type("start")
        await anna.see("The game begins")
        await anna.console.until(lambda: anna.session.model.view is not None)
        await anna.type("leave")
        await anna.see("a bot plays for your seat from now on")
        await anna.type("scores")  # something else takes it back
        await anna.type("quit")
        await anna.see("Type quit once more to go.")
        await anna.type("leave")  # a different word confirms nothing
        await anna.see("Type leave once more to go.")
        assert anna.session.model is not None
        await anna.type("leave")
        assert anna.session.model is None
        await anna.see("playing")
        await ben.see("Anna is not here any more; a bot plays for that seat.")
        await anna.type("watch 1")
        await anna.see("Anna is not here any more; a bot plays for that seat.")
        await anna.see("Tokyo, in turn order: ")
        await anna.see("│")
        await anna.see("You watch: board, scores and cards work")
        assert anna.session.model.seat == -1
        assert anna.session.prompt().startswith("(watching")
        await anna.type("help")
        await anna.see("You watch. You can type:")
        shown = anna.console.text.partition("You watch. You can type:")[2].split()
        assert not {"hand", "trains", "options", "rails"} & set(shown)
        assert "rails" not in dict(anna.session.completions("ra"))
        await anna.type("rails")
        await anna.see("You watch: nothing is asked of you.")
        await anna.type("7")
        await anna.see("! You watch: nothing is asked of you; help lists")

    meet(tmp_path, visit)


def test_a_notice_is_told_in_the_lobby_and_at_a_table(tmp_path: Path) -> None:
    async def visit(anna: Person, ben: Person) -> None:
        await sit_down(anna, ben)
        ben.session.forget()
        for one in (anna, ben):
            await one.session._take(Notice("tea\x1b[31m is ready"))
            await one.see("* tea[31m is ready")

    meet(tmp_path, visit)


def test_the_end_of_the_server_is_told_and_ends_the_session(tmp_path: Path) -> None:
    async def main() -> str:
        async with ChildServer(str(tmp_path)) as child:
            connection = await Connection.open(child.host, child.port, "Anna")
            console = ScriptedConsole()
            running = asyncio.create_task(Session(connection, console).run())
            await console.see("create opens a table")
        async with connection:
            done, _ = await asyncio.wait([running], timeout=30)
            return str(done.pop().exception())

    assert "shutting down" in asyncio.run(main())
