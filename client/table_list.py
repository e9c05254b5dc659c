"""The tables of a server as they were listed last, and which of them somebody means."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from protocol.messages import ListTables, Request, TableInfo

if TYPE_CHECKING:
    from client.session import Session

Ask = Callable[[Request], Awaitable[Mapping[str, Any]]]

LISTED = 500
"""About as many tables are listed as anybody would look through."""


class TableList:
    """Listed tables have numbers, from 1 on, which stay until the list is fetched anew."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._listed: list[TableInfo] = []

    def __len__(self) -> int:
        return len(self._listed)

    def __iter__(self) -> Iterator[TableInfo]:
        return iter(self._listed)

    async def fetch(self, *, quietly: bool = False) -> list[TableInfo]:
        """List all tables anew; ``quietly`` says nothing if that cannot be done."""
        self._listed = await self._fetched(quietly=quietly)
        return self._listed

    async def more(self) -> list[tuple[int, TableInfo]]:
        """The tables that have been opened since, with their numbers, which go on from there."""
        known = {info.table for info in self._listed}
        opened = []
        for info in await self._fetched(quietly=True):
            if info.table not in known:
                self._listed.append(info)
                opened.append((len(self._listed), info))
        return opened

    async def _fetched(self, *, quietly: bool) -> list[TableInfo]:
        """All tables, or as many as anybody would look through."""
        ask: Ask = self._session.ask_quietly if quietly else self._session.ask
        found: list[TableInfo] = []
        after = 0
        while len(found) < LISTED:
            result = await ask(ListTables(self._session.connection.next_id(), after))
            try:
                page = msgspec.convert(result.get("tables", []), list[TableInfo])
                following = msgspec.convert(result.get("next", 0), int)
            except (msgspec.ValidationError, RecursionError):
                if not quietly:
                    self._session.warn("The server's list of tables is not understood.")
                break
            found += page
            if following <= after or not page:
                break
            after = following
        return found

    def apart(self, words: str) -> tuple[str, str]:
        """The table that is meant, and the password behind it; a title may have blanks."""
        for info in sorted(self._listed, key=lambda one: -len(one.title)):
            title, end = info.title.casefold(), len(info.title)
            if title and words[:end].casefold() == title and words[end : end + 1] in ("", " "):
                same = [one for one in self._listed if one.title.casefold() == title]
                if len(same) == 1:
                    return info.table, words[end:].strip()
        which, _, password = words.partition(" ")
        return which, password.strip()

    def named(self, which: str) -> str | None:
        """The id of a listed table by number or id; the only one needs no name."""
        if not which and len(self._listed) == 1:
            return self._listed[0].table
        for info in self._listed:
            if info.table == which:
                return which
        if which.isdecimal() and 1 <= int(which[:6]) <= len(self._listed):
            return self._listed[int(which[:6]) - 1].table
        return None

    def locked(self, table: str) -> bool:
        """Whether a listed table has a password."""
        return any(info.table == table and info.locked for info in self._listed)
