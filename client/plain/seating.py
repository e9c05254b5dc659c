"""Commands about the seats of a table before its game: where to sit, colours, and the password."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from client.plain.commands import Command
from client.plain.lines import safe
from client.table_words import check_password
from protocol.messages import ChooseColor, SetPassword, Sit, Swap, TableInfo

if TYPE_CHECKING:
    from client.session import Session

COLORS = ("blue", "yellow", "red", "green")


def seat_commands(session: Session) -> list[Command]:
    """The commands."""
    seats = _Seats(session)
    return [
        Command("sit", "SEAT", "Take another seat, a free one.", seats.sit, offers=seats.free),
        Command("stand", "", "Give up your seat, and watch.", seats.stand),
        Command("swap", "SEAT SEAT", "Host: let two change their seats.", seats.swap),
        Command("color", "COLOR", "The colour of your rails.", seats.color, offers=seats.colors),
        Command(
            "password",
            "[TEXT]",
            "Host: who joins has to say TEXT; without it nothing.",
            seats.password,
        ),
    ]


class _Seats:
    def __init__(self, session: Session) -> None:
        self._session = session

    @property
    def _info(self) -> TableInfo | None:
        model = self._session.model
        return model.info if model is not None else None

    def free(self) -> Iterable[tuple[str, str]]:
        seats = self._info.seats if self._info else []
        return ((str(n), "free") for n, seat in enumerate(seats, 1) if seat.kind == "open")

    def colors(self) -> Iterable[tuple[str, str]]:
        seats = self._info.seats if self._info else []
        owners = {seat.color: safe(seat.name, 20) for seat in seats if seat.color}
        return ((color, owners.get(color, "free")) for color in COLORS)

    def _number(self, command: str, word: str) -> int | None:
        """The seat that is meant, from 0; a complaint was shown if that is None."""
        count = len(self._info.seats) if self._info else 0
        if word.isascii() and word.isdecimal() and 1 <= int(word[:6]) <= count:
            return int(word[:6]) - 1
        shown = f"“{safe(word, 20)}”" if word else "nothing"
        self._session.warn(f"{command} wants the number of a seat, 1 to {count}, not {shown}.")
        return None

    async def sit(self, word: str) -> None:
        session = self._session
        seat = self._number("sit", word)
        if session.model is None or seat is None:
            return
        table = session.model.table
        if await session.demand(Sit(session.connection.next_id(), table, seat)):
            await session.until(lambda: session.model is None or session.model.seat == seat)

    async def stand(self, _: str) -> None:
        session = self._session
        if session.model is None:
            return
        table = session.model.table
        if await session.demand(Sit(session.connection.next_id(), table, -1)):
            await session.until(lambda: session.model is None or session.model.seat < 0)
            session.tell("You watch now; sit N takes a seat again.")

    async def swap(self, words: str) -> None:
        session = self._session
        if session.model is None:
            return
        one, _, other = words.partition(" ")
        seats = [self._number("swap", word) for word in (one, other.strip())]
        if seats[0] is None or seats[1] is None:
            return
        request = Swap(session.connection.next_id(), session.model.table, seats[0], seats[1])
        await session.demand(request)

    async def color(self, word: str) -> None:
        session = self._session
        if session.model is None:
            return
        found = [color for color in COLORS if word and color.startswith(word.lower())]
        if len(found) != 1:
            session.warn(f"color is {', '.join(COLORS[:-1])} or {COLORS[-1]}.")
            return
        await session.demand(
            ChooseColor(session.connection.next_id(), session.model.table, found[0])
        )

    async def password(self, text: str) -> None:
        session = self._session
        if session.model is None:
            return
        try:
            check_password(text)
        except ValueError as error:
            session.warn(str(error))
            return
        request = SetPassword(session.connection.next_id(), session.model.table, text)
        if await session.demand(request):
            session.tell(
                "Who joins has to say the password now." if text else "No password is needed now."
            )
