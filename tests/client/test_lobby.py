from __future__ import annotations

import asyncio
from collections.abc import Iterable
from itertools import count
from types import SimpleNamespace
from typing import Any

import msgspec

from client.lobby import LobbyRoom
from client.plain.chat import spoken
from client.plain.lines import Line, plain
from protocol.messages import ChatLine, ListTables
from tests.client.games import table_info


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
