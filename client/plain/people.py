"""Commands about the people at a table, for its lobby and its game: who is heard, who is put out,
and who is host."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING

from client.plain.commands import Command
from client.plain.lines import safe
from client.table_words import check_name
from protocol.messages import GiveHost, Kick, Mute, Request

if TYPE_CHECKING:
    from client.session import Session

Sure = Callable[[str], bool]
"""Whether somebody of this name is really to be put out."""


def people_commands(session: Session, sure: Sure = lambda _: True) -> list[Command]:
    """The commands; ``sure`` may ask once more before somebody is put out."""
    people = _People(session, sure)
    offers = people.offered
    return [
        Command("mute", "NAME", "Hear no more of what NAME says.", people.mute, offers=offers),
        Command("unmute", "NAME", "Hear NAME again.", people.unmute, offers=people.muted),
        Command("silence", "NAME", "Host: NAME may not chat.", people.silence, offers=offers),
        Command(
            "unsilence",
            "NAME",
            "Host: NAME may chat again.",
            people.unsilence,
            offers=people.silent,
        ),
        Command(
            "kick",
            "NAME",
            "Host: put NAME out of this table, for good.",
            people.kick,
            offers=offers,
        ),
        Command("give-host", "NAME", "Host: NAME is host from now on.", people.host, offers=offers),
    ]


class _People:
    def __init__(self, session: Session, sure: Sure) -> None:
        self._session = session
        self._sure = sure

    # ------------------------------------------------------------------------- who is there

    @property
    def _others(self) -> list[str]:
        """The names of other players; those who watch are known to the server alone."""
        model = self._session.model
        info = model.info if model is not None else None
        me = self._session.connection.welcome.name
        seats = info.seats if info is not None else []
        return [seat.name for seat in seats if seat.kind == "human" and seat.name != me]

    def offered(self) -> Iterable[tuple[str, str]]:
        return ((safe(name, 20), "a player here") for name in self._others)

    def muted(self) -> Iterable[tuple[str, str]]:
        model = self._session.model
        return ((safe(n, 20), "not heard by you") for n in (model.muted if model else ()))

    def silent(self) -> Iterable[tuple[str, str]]:
        model = self._session.model
        info = model.info if model is not None else None
        return ((safe(n, 20), "may not chat") for n in (info.muted if info else ()))

    def _meant(self, typed: str, names: Iterable[str] | None = None) -> str:
        """The whole name of the one player who is meant, or else what was typed."""
        known = list(self._others if names is None else names)
        start = typed.casefold()
        found = [name for name in known if name.casefold() == start]
        found = found or [name for name in known if name.casefold().startswith(start)]
        return found[0] if len(found) == 1 else typed

    # ------------------------------------------------------------------------- what is done

    async def _ask(
        self, command: str, name: str, make: Callable[[int, str, str], Request], done: str
    ) -> None:
        session = self._session
        if session.model is None:
            return
        try:
            check_name(command, name)
        except ValueError as error:
            session.warn(str(error))
            return
        if await session.demand(make(session.connection.next_id(), session.model.table, name)):
            session.tell(done.format(safe(name, 20)))

    def _muting(
        self, command: str, done: str, *, muted: bool, everybody: bool
    ) -> Callable[[str], Awaitable[None]]:
        async def run(typed: str) -> None:
            model = self._session.model
            names = None
            if model is not None and model.info is not None and not muted:
                names = model.info.muted if everybody else model.muted
            name = self._meant(typed, names)
            await self._ask(
                command, name, lambda i, table, n: Mute(i, table, n, muted, everybody), done
            )

        return run

    async def mute(self, typed: str) -> None:
        words = "You hear nothing of {0} any more."
        await self._muting("mute", words, muted=True, everybody=False)(typed)

    async def unmute(self, typed: str) -> None:
        await self._muting("unmute", "You hear {0} again.", muted=False, everybody=False)(typed)

    async def silence(self, typed: str) -> None:
        words = "{0} cannot chat here any more."
        await self._muting("silence", words, muted=True, everybody=True)(typed)

    async def unsilence(self, typed: str) -> None:
        words = "{0} can chat again."
        await self._muting("unsilence", words, muted=False, everybody=True)(typed)

    async def kick(self, typed: str) -> None:
        name = self._meant(typed)
        if name and not self._sure(name):
            return
        await self._ask("kick", name, Kick, "{0} is put out, and cannot come back.")

    async def host(self, typed: str) -> None:
        await self._ask("give-host", self._meant(typed), GiveHost, "{0} is host now.")
