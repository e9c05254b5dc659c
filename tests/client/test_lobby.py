from __future__ import annotations

import asyncio
from collections.abc import Iterable
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec

from client.lobby import LobbyRoom
from client.plain.chat import spoken
from client.plain.lines import Line, plain
from client.table_words import OPTIONS
from protocol.messages import ChatLine, ListTables
from tests.client.games import table_info
from tests.client.test_session import Person, meet


class Lister:
    """A session at a server whose list of tables comes in pages; ``endless`` never ends one."""

    def __init__(self, tables: int, page: int, *, endless: bool = False) -> None:
        self.model = None
        self.width = 80
        self.shown: list[str] = []
        numbers = count(1)
        self.connection = SimpleNamespace(next_id=lambda: next(numbers))
        self._tables, self._page, self._endless = tables, page, endless

    async def ask(self, request: ListTables) -> dict[str, Any]:
        last = min(request.after + self._page, self._tables)
        page = [
            msgspec.to_builtins(
                msgspec.structs.replace(table_info(2), table=f"t{n}", title=f"T{n}")
            )
            for n in range(request.after, last)
        ]
        more = last if last < self._tables else 0
        return {"tables": page, "next": 1 if self._endless else more}

    def show(self, lines: Iterable[Line]) -> None:
        self.shown += [plain(line) for line in lines]

    def tell(self, sentence: str) -> None:
        self.shown.append(sentence)

    warn = tell


def listed(session: Lister) -> list[str]:
    async def main() -> None:
        async with asyncio.timeout(20):
            await LobbyRoom(session).arrive()  # type: ignore[arg-type]

    asyncio.run(main())
    return [line for line in session.shown if line[:3].strip().isdecimal()]


def test_tables_on_later_pages_are_listed_too() -> None:
    lines = listed(Lister(7, 3))
    assert [line.split()[:2] for line in lines] == [[str(n + 1), f"T{n}"] for n in range(7)]


def test_a_list_that_never_ends_is_given_up() -> None:
    assert len(listed(Lister(7, 3, endless=True))) == 6


def test_the_server_speaks_otherwise_than_players() -> None:
    assert spoken(ChatLine("t1", "Ben", "hello\x1b[2J")) == "<Ben> hello[2J"
    assert spoken(ChatLine("t1", "*", "The game goes on.")) == "* The game goes on."


def test_a_table_that_somebody_opens_is_told_once_in_the_lobby(tmp_path: Path) -> None:
    async def visit(anna: Person, ben: Person) -> None:
        await ben.type("list")
        await ben.see("There are no tables yet.")
        await ben.session.lobby.look_around()
        await anna.type("create players=3 board=osaka title=Evening")
        await anna.see("seat 1  Anna (you, host)")
        await ben.session.lobby.look_around()
        await ben.see("New: “Evening”, osaka, 2 seats free; join 1 sits down.")
        before = len(ben.console.shown)
        await ben.session.lobby.look_around()
        assert len(ben.console.shown) == before
        found = dict(ben.session.completions("join "))
        assert found == {"join 1": "Evening"}
        await ben.type("join 1")
        await ben.see(
            "Eight cards drawn from base, turn order drawn, sealed reactions, 120 s a turn"
        )
        await ben.see("seat 2  Ben (you)")
        await ben.session.lobby.look_around()  # at a table nothing is told

    meet(tmp_path, visit)


def test_what_may_follow_a_command_is_offered(tmp_path: Path) -> None:
    async def visit(anna: Person, _: Person) -> None:
        offered = dict(anna.session.completions("create bo"))
        assert set(offered) == {"create board=", "create boxes=", "create bonuses="}
        assert set(dict(anna.session.completions("help c"))) == {"help create"}
        await anna.type("create")
        await anna.see("seat 1  Anna (you, host)")
        assert "add-bot planner" in dict(anna.session.completions("add-bot "))
        assert anna.session.completions("remove-bot ") == []
        await anna.type("add-bot greedy")
        await anna.see("sits down on seat 2.")
        assert dict(anna.session.completions("remove-bot ")) == {"remove-bot 2": "Greedy 1"}

    meet(tmp_path, visit)


def test_help_create_explains_every_option(tmp_path: Path) -> None:
    async def visit(anna: Person, _: Person) -> None:
        await anna.type("help create")
        await anna.see("watch ")
        shown = anna.console.text.partition("create [OPTION ...]")[2]
        for name in OPTIONS:
            assert f"  {name}" in shown
        assert "(sealed)" in shown
        for words, says in (
            ("create playrs=3", "! “playrs=3” is no option of a table; is it players?"),
            ("create board=chiba players=3", "! Players: Chiba is for 2 players, not 3"),
            ("create bonuses", "! Bonuses: there are no route bonuses for Tokyo in the boxes base"),
            ("create board=nagoya", "nagoya, 3 players"),
        ):
            await anna.type(words)
            await anna.see(says)

    meet(tmp_path, visit)
