"""The rulebook's worked example (rules, section 14), over real sockets, from decks to journal."""

from __future__ import annotations

import msgspec

import engine
from protocol.messages import Create, Join, Loaded, Ready, Snapshot, Start, TableOptions
from server.log import __main__ as log_command
from tests.e2e.conftest import Serving
from tests.server.conftest import Player

FIRST_SET = (
    "landfill",
    "conductor-area",
    "passing-station",
    "holiday-timetable",
    "steel-bridge",
    "amusement-park",
    "maintenance-factory",
    "dump-site",
)
BLUE, YELLOW, RED = range(3)
NORMAL, LAY, STATION = "normal-train", "lay-rails", "station-expansion"
DECKS = (
    (LAY, LAY, NORMAL, NORMAL, STATION) + (NORMAL,) * 5,
    (NORMAL,) * 4 + (STATION,) + (NORMAL,) * 3 + (LAY, LAY),
    (NORMAL,) * 4 + (STATION,) + (NORMAL,) * 3 + (LAY, LAY),
)


SHOWN = """
Start: Blue, Yellow, Red
  rails     Blue at Shinagawa-Meguro (E7), Yellow at Ikebukuro-Ueno (C7), Red at
            Tachikawa (C3)

Turn 1: Blue
  plays     Lay Rails, Normal Train, Lay Rails, Station Expansion
  money     made 1, spent 1, left 0
  rails     E6 (plain) for 0, Shinjuku-Shibuya (D6) for 1
  stations  Shinjuku-Shibuya (D6), number 1 there
  Waste     3 gained
  score     Blue: 2, Yellow: 0, Red: 0

Turn 2: Yellow
  plays     Station Expansion, 4 Normal Train
  money     made 4, spent 4, left 0
  stations  Ikebukuro-Ueno (C7), number 1 there
  buys      Amusement Park for 4
  Waste     1 gained
  score     Blue: 2, Yellow: 2, Red: 0

Turn 3: Red
  plays     Station Expansion, 4 Normal Train
  money     made 4, spent 4, left 0
  stations  Tachikawa (C3), number 1 there
  buys      Amusement Park for 4
  Waste     1 gained
  score     Blue: 2, Yellow: 2, Red: 2

Turn 4: Blue
  plays     5 Normal Train
  money     made 5, spent 5, left 0
  buys      Dump Site for 5
  score     Blue: 2, Yellow: 2, Red: 2

Turn 5: Yellow
  plays     Lay Rails, Normal Train, Lay Rails, 2 Normal Train
  money     made 3, spent 3, left 0
  rails     C6 (plain) for 0, Kichijoji (C5) for 1
  buys      Conductor Area for 2
  Waste     2 gained
  score     Blue: 2, Yellow: 2, Red: 2

Turn 6: Red
  plays     2 Lay Rails, 3 Normal Train
  money     made 3, spent 3, left 0
  rails     C4 (plain) for 0, D4 (plain) for 0
  buys      Express Train for 3
  Waste     2 gained
  score     Blue: 2, Yellow: 2, Red: 2
"""
"""The six turns as ``senro-log show`` tells them."""


def with_prepared_decks(setup: engine.Setup) -> engine.Game:
    return engine.Game.new(msgspec.structs.replace(setup, decks=DECKS))


async def sit_down(house) -> tuple[str, list[Player]]:  # type: ignore[no-untyped-def]
    """Blue, Yellow and Red at a table that has begun."""
    players = [await house.player(name) for name in ("Blue", "Yellow", "Red")]
    options = TableOptions(players=3, kingdom=FIRST_SET, order="seats", reactions="fast")
    table = (await players[BLUE].do(Create, options=options))["table"]
    for player in players[1:]:
        await player.do(Join, table=table)
        await player.do(Ready, table=table)
    await players[BLUE].do(Start, table=table)
    for player in players:
        await player.next(Snapshot)
        await player.do(Loaded, table=table)
    return table, players


class Table:
    """The three at their table, one answer after another."""

    def __init__(self, table: str, players: list[Player]) -> None:
        self.table = table
        self.players = players

    async def does(self, seat: int, *keys: str) -> None:
        """The seat gives these answers, one key each."""
        for key in keys:
            await self.players[seat].answer(self.table, key)

    async def sees(self, seat: int, turn: int) -> dict:  # type: ignore[type-arg]
        """The view of a seat once this turn has begun."""
        player = self.players[seat]
        await player.until(lambda me: me.view["turn"]["number"] >= turn)
        return player.view

    def hand(self, seat: int) -> dict[str, int]:
        hand: dict[str, int] = self.players[seat].view["own"]["hand"]
        return hand


async def test_the_two_rounds_of_the_example(serving: Serving, capsys) -> None:  # type: ignore[no-untyped-def]
    async with serving(with_prepared_decks) as house:  # type: ignore[attr-defined]
        table = Table(*await sit_down(house))

        # The starts, in turn order: Shinagawa-Meguro, Ikebukuro-Ueno, Tachikawa.
        await table.does(BLUE, "hex:E7")
        await table.does(YELLOW, "hex:C7")
        await table.does(RED, "hex:C3")
        view = await table.sees(BLUE, 1)
        assert {name: there["rails"] for name, there in view["hexes"].items()} == {
            "E7": [BLUE],
            "C7": [YELLOW],
            "C3": [RED],
        }
        assert view["supply"][LAY] == 20 - 2 * 3
        assert view["supply"][STATION] == 20 - 3

        # Round 1, Blue: two rails, a station, one Normal Train kept.
        assert table.hand(BLUE) == {LAY: 2, NORMAL: 2, STATION: 1}
        await table.does(BLUE, f"play:{LAY}", "lay:E6", f"play:{NORMAL}", f"play:{LAY}")
        (offered,) = [
            option
            for option in (await table.players[BLUE].asked()).options
            if option.key == "lay:D6"
        ]
        assert (offered.money, offered.waste) == (1, 0)
        await table.does(BLUE, "lay:D6", f"play:{STATION}", "hex:D6")
        await table.players[BLUE].until(lambda me: "D6" in me.view["hexes"])
        blue = table.players[BLUE].view
        assert blue["turn"]["money"] == 0
        assert blue["seats"]["0"]["gained"] == {"waste": 3}
        assert blue["seats"]["0"]["play"] == {LAY: 2, NORMAL: 1, STATION: 1}
        assert table.hand(BLUE) == {NORMAL: 1}
        assert blue["hexes"]["D6"] == {"rails": [BLUE], "stations": 1}
        await table.does(BLUE, "end-turn")
        blue = await table.sees(BLUE, 2)
        assert blue["own"]["discard"] == {LAY: 2, NORMAL: 2, STATION: 1, "waste": 3}
        assert table.hand(BLUE) == {NORMAL: 5}
        assert (blue["seats"]["0"]["deck"], blue["seats"]["0"]["discard"]) == (0, 8)

        # Yellow and Red: a station where they started, an Amusement Park for 4.
        for seat, place, turn in ((YELLOW, "C7", 2), (RED, "C3", 3)):
            await table.sees(seat, turn)
            assert table.hand(seat) == {NORMAL: 4, STATION: 1}
            await table.does(seat, f"play:{STATION}", f"hex:{place}", *[f"play:{NORMAL}"] * 4)
            (park,) = [
                option
                for option in (await table.players[seat].asked()).options
                if option.key == "buy:amusement-park"
            ]
            assert park.money == 4
            await table.does(seat, "buy:amusement-park")
            mine = table.players[seat]
            await mine.until(
                lambda me, seat=seat: "amusement-park" in me.view["seats"][str(seat)]["gained"]
            )
            assert mine.view["turn"]["money"] == 0
            assert mine.view["seats"][str(seat)]["gained"] == {"waste": 1, "amusement-park": 1}
            assert mine.view["hexes"][place] == {"rails": [seat], "stations": 1}
            await table.does(seat, "end-turn")

        # Round 2, Blue: five money buy Dump Site; the deck is empty, so it is shuffled.
        view = await table.sees(BLUE, 4)
        assert view["supply"]["amusement-park"] == 8
        assert view["supply"]["waste"] == 70 - 3 - 1 - 1
        assert view["stations_left"] == 30 - 3
        await table.does(BLUE, *[f"play:{NORMAL}"] * 5, "buy:dump-site", "end-turn")
        view = await table.sees(BLUE, 5)
        assert view["supply"]["dump-site"] == 9
        assert [event.type for event in table.players[BLUE].events].count("shuffled") == 1
        assert (view["seats"]["0"]["hand"], view["seats"]["0"]["deck"]) == (5, 9)

        # Yellow: the plain left of Ikebukuro-Ueno, then Kichijoji for 1, then Conductor Area for 2.
        await table.sees(YELLOW, 5)
        assert table.hand(YELLOW) == {NORMAL: 3, LAY: 2}
        await table.does(YELLOW, f"play:{LAY}", "lay:C6", f"play:{NORMAL}", f"play:{LAY}", "lay:C5")
        await table.players[YELLOW].until(lambda me: "C5" in me.view["hexes"])
        assert table.players[YELLOW].view["turn"]["money"] == 0
        await table.does(YELLOW, *[f"play:{NORMAL}"] * 2, "buy:conductor-area", "end-turn")
        view = await table.sees(YELLOW, 6)
        assert view["hexes"]["C6"]["rails"] == view["hexes"]["C5"]["rails"] == [YELLOW]
        assert view["supply"]["conductor-area"] == 9

        # Red: the plain right of Tachikawa, the plain left-below Kichijoji, Express Train for 3.
        await table.sees(RED, 6)
        assert table.hand(RED) == {NORMAL: 3, LAY: 2}
        await table.does(RED, f"play:{LAY}", "lay:C4", f"play:{LAY}", "lay:D4")
        await table.does(RED, *[f"play:{NORMAL}"] * 3, "buy:express-train", "end-turn")

        for seat in (BLUE, YELLOW, RED):
            view = await table.sees(seat, 7)
            assert view["turn"] == {
                "number": 7,
                "seat": BLUE,
                "money": 0,
                "rail_points": 0,
                "effects": {},
            }
            assert {name: there["rails"] for name, there in view["hexes"].items()} == {
                "E7": [BLUE],
                "E6": [BLUE],
                "D6": [BLUE],
                "C7": [YELLOW],
                "C6": [YELLOW],
                "C5": [YELLOW],
                "C3": [RED],
                "C4": [RED],
                "D4": [RED],
            }
            assert view["supply"]["waste"] == 70 - 3 - 1 - 1 - 2 - 2
            assert view["supply"]["express-train"] == 19
            assert [view["seats"][str(s)]["rails_left"] for s in range(3)] == [17, 17, 17]
            assert [view["seats"][str(s)]["rails_vp"] for s in range(3)] == [2, 2, 2]
            # Blue 10 + 3 Waste + Dump Site, the others 10 + 3 Waste + the park + one card more.
            owned = {
                s: sum(view["seats"][str(s)][zone] for zone in ("hand", "deck", "discard"))
                for s in range(3)
            }
            assert owned == {BLUE: 14, YELLOW: 15, RED: 15}
        journal = house.journal()

    assert log_command.main(["verify", str(journal)]) == 0
    assert "good" in capsys.readouterr().out
    assert log_command.main(["show", str(journal)]) == 0
    assert capsys.readouterr().out.split("\n\n")[1:8] == SHOWN.strip().split("\n\n")
    header = msgspec.json.decode(journal.read_bytes().splitlines()[0])
    (start,) = [
        line
        for line in map(msgspec.json.decode, journal.read_bytes().splitlines())
        if line["type"] == "start"
    ]
    assert header["type"] == "table"
    assert start["setup"]["decks"] == [list(deck) for deck in DECKS]
