"""Whatever people do with a table, in whatever order: it has an owner, everybody sees it as it is,
and in the end nothing of it is left."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
import trio
from hypothesis import event, given, settings
from hypothesis import strategies as st
from msgspec import to_builtins
from trio.testing import MockClock, wait_all_tasks_blocked

from protocol.messages import (
    AddBot,
    Bye,
    Chat,
    ChooseColor,
    Create,
    Error,
    GiveHost,
    Hello,
    Join,
    Kick,
    Leave,
    Lobby,
    Mute,
    Ready,
    Rematch,
    RemoveBot,
    Request,
    SetPassword,
    Sit,
    Start,
    Swap,
    TableOptions,
    Welcome,
)
from server.seating import COLORS
from tests.server.conftest import House

NAMES = ("Ann", "Ben", "Cid")
OPTIONS = TableOptions(players=2, reactions="fast", turn_ms=1_000, reserve_ms=0, absence_ms=1_000)


def request(chance: Random) -> tuple[type[Request], dict[str, Any]]:
    """Anything that can be asked about a table."""
    name, yes = chance.choice(NAMES), chance.random() < 0.5
    seat, other = chance.randrange(-1, 4), chance.randrange(4)
    return chance.choice(
        [
            *(2 * [(Join, {"watch": yes, "password": chance.choice(["", "x"])})]),
            (Leave, {}),
            *(2 * [(AddBot, {})]),
            (RemoveBot, {"seat": other}),
            *(4 * [(Start, {})]),
            *(2 * [(Rematch, {})]),
            *(2 * [(Ready, {"ready": chance.random() < 0.8})]),
            (Sit, {"seat": seat}),
            (Swap, {"seat": max(0, seat), "other": other}),
            (ChooseColor, {"color": chance.choice(COLORS)}),
            (Kick, {"name": name}),
            (GiveHost, {"name": name}),
            (Mute, {"name": name, "muted": yes, "everybody": chance.random() < 0.3}),
            (SetPassword, {"password": chance.choice(["", "x"])}),
            (Chat, {"text": "hello"}),
        ]
    )


class Town:
    """The people and their connections, if they have one."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.here: dict[str, Any] = {}
        self.tokens: dict[str, str] = {}

    async def come(self, name: str) -> None:
        """Connect: with a token if there is one, as a new session otherwise."""
        for token in filter(None, (self.tokens.pop(name, ""), "new")):
            player = await self.house.connect()
            resume = token if token != "new" else ""
            await player.send(Hello((1, 1), name, resume=resume))
            answer = await player.next(Welcome | Error)
            if isinstance(answer, Welcome):
                self.here[name] = player
                self.tokens[name] = answer.token or token
                return
            assert answer.code == ("no-such-session" if resume else "name-taken")

    async def go_on(self, chance: Random) -> str:
        """Something happens; says what, and what came of it."""
        what = chance.choice(["ask"] * 16 + ["lose", "bye", "come", "come", "wait", "create"])
        name = chance.choice(NAMES)
        player = self.here.get(name)
        if what == "wait":
            await trio.sleep(chance.choice([1.0, 100.0, 130.0, 400.0]))
        elif what == "come" and player is None:
            await self.come(name)
        elif what in ("lose", "bye") and player is not None:
            del self.here[name]
            if what == "bye":
                await player.send(Bye())
                del self.tokens[name]
            await player.stream.aclose()
        elif what in ("ask", "create") and player is not None:
            kind, fields = request(chance)
            target = {"table": chance.choice([*self.house.hall.tables, "t1"])}
            if what == "create":
                kind, fields = Create, {"watch": chance.random() < 0.3}
                target = {"options": OPTIONS}
            reply = await player.ask(kind, **target, **fields)
            return f"{kind.__name__}: {getattr(reply, 'code', 'ok')}"
        return what

    async def settle(self) -> None:
        """Let everybody take in what they were told."""
        for _ in range(3):
            await wait_all_tasks_blocked()
        for player in self.here.values():
            with trio.move_on_after(0.001):
                while await player.receive():
                    pass


def check(town: Town) -> None:
    """What has to hold at any time."""
    hall = town.house.hall
    grace = hall.settings.grace
    for session in hall.sessions.values():
        assert session.connected or session in hall.reminders
        assert all(session in table.members for table in session.tables.values())
    for table in hall.tables.values():
        seats = table.seats
        assert table.attended or table in hall.reminders
        assert all(hall.sessions[session.key] is session for session in table.members)
        for session, member in table.members.items():
            assert session.tables[table.id] is table
            assert member.seat == -1 or seats[member.seat].session is session
        for number, seat in enumerate(seats):
            assert seat.session is None or table.members[seat.session].seat == number
            assert (seat.color in COLORS) == (seat.kind != "open")
        colors = [seat.color for seat in seats if seat.color]
        assert len(set(colors)) == len(colors)
        if table.members:
            assert table.host in table.members
        if table.attended:
            assert trio.current_time() <= table.host.away_since + grace
        if table.state == "lobby":
            line = msgspec.json.decode(table.journal.path.read_bytes().splitlines()[-1])
            assert line["seats"] == [seat.to_plain() for seat in seats]
            assert line["host"] == (table.host.name if table.host else "")


def check_told(town: Town) -> None:
    """Everybody who is here sees the tables they are at as they are."""
    hall = town.house.hall
    for name, player in town.here.items():
        session = next(s for s in hall.sessions.values() if s.name == name)
        told = {m.info.table: m for m in player.inbox if isinstance(m, Lobby)}
        for table in session.tables.values():
            member = table.members[session]
            last = told[table.id]
            assert to_builtins(last.info) == to_builtins(table.info())
            assert (last.seat, last.muted) == (member.seat, list(member.muted.values()))


@settings(max_examples=40)
@given(st.integers(0, 2**32))
def test_a_lobby_has_an_owner_is_seen_as_it_is_and_goes_away(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    async def main() -> None:
        async with trio.open_nursery() as nursery:
            limits = {"silence": 1e9, "frame_burst": 10_000, "password_tries": 1_000}
            house = House(nursery, tmp_path_factory.mktemp("j"), settings=limits)
            await nursery.start(house.hall.run)
            town, chance = Town(house), Random(seed)
            for name in NAMES[:2]:
                await town.come(name)
            await town.here["Ann"].do(Create, options=OPTIONS)
            await town.here["Ben"].do(Join, table="t1")
            for _ in range(60):
                event(await town.go_on(chance))
                await town.settle()
                check(town)
                check_told(town)
            for player in town.here.values():
                await player.stream.aclose()
            await trio.sleep(8 * 86_400)
            assert house.hall.tables == {}
            assert house.hall.sessions == {}
            assert house.hall.reminders._due == {}
            assert "Traceback" not in house.log.getvalue(), house.log.getvalue()
            nursery.cancel_scope.cancel()

    trio.run(main, clock=MockClock(autojump_threshold=0))
