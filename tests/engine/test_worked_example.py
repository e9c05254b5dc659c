"""The rulebook's worked example (rules, section 14), through the engine alone: Blue, Yellow and Red
are the seats 0, 1 and 2."""

from __future__ import annotations

from collections import Counter

import pytest

import engine
from tests.engine.games import new_game

N, L, S = "normal-train", "lay-rails", "station-expansion"
DECKS = (
    (L, L, N, N, S, N, N, N, N, N),
    (N, N, N, N, S, N, N, N, L, L),
    (N, N, N, N, S, N, N, N, L, L),
)
STARTS = ("E7", "C7", "C3")


class Table:
    """The game and what the next seat does."""

    def __init__(self) -> None:
        self.game = new_game(3, decks=DECKS)
        for name in STARTS:
            self.do(f"hex:{name}")

    def do(self, *keys: str) -> None:
        for key in keys:
            (decision,) = self.game.decisions
            self.game.answer(decision.id, [key])

    def own(self, seat: int, zone: str) -> Counter[str]:
        return Counter(getattr(self.game.observe(seat).own, zone))

    def public(self, seat: int) -> engine.types.SeatView:
        return self.game.observe(engine.SPECTATOR).seats[str(seat)]

    @property
    def money(self) -> int:
        return self.game.observe(engine.SPECTATOR).turn.money

    def hexes(self) -> dict[str, tuple[list[int], int]]:
        view = self.game.observe(engine.SPECTATOR)
        return {name: (there.rails, there.stations) for name, there in view.hexes.items()}


@pytest.fixture
def table() -> Table:
    return Table()


def round_one(table: Table) -> None:
    # Blue
    assert table.own(0, "hand") == Counter({L: 2, N: 2, S: 1})
    table.do(f"play:{L}", "lay:E6")
    assert table.public(0).gained == {"waste": 1}
    table.do(f"play:{N}")
    assert table.money == 1
    table.do(f"play:{L}", "lay:D6")
    assert table.money == 0
    assert table.public(0).gained == {"waste": 2}
    table.do(f"play:{S}", "hex:D6")
    assert table.public(0).gained == {"waste": 3}
    assert table.own(0, "hand") == Counter({N: 1})
    assert table.public(0).play == {L: 2, N: 1, S: 1}
    table.do("end-turn")
    assert table.own(0, "discard") == Counter({L: 2, N: 2, S: 1, "waste": 3})
    assert table.own(0, "hand") == Counter({N: 5})
    # Yellow and Red
    for seat, city in ((1, "C7"), (2, "C3")):
        assert table.own(seat, "hand") == Counter({N: 4, S: 1})
        table.do(f"play:{S}", f"hex:{city}", *[f"play:{N}"] * 4)
        assert table.money == 4
        table.do("buy:amusement-park")
        assert table.money == 0
        assert table.public(seat).gained == {"waste": 1, "amusement-park": 1}
        table.do("end-turn")
        assert table.own(seat, "hand") == Counter({N: 3, L: 2})


def test_round_one(table: Table) -> None:
    round_one(table)
    assert table.hexes() == {
        "E7": ([0], 0),
        "E6": ([0], 0),
        "D6": ([0], 1),
        "C7": ([1], 1),
        "C3": ([2], 1),
    }
    view = table.game.observe(engine.SPECTATOR)
    assert view.supply["waste"] == 70 - 5
    assert view.supply["amusement-park"] == 8
    assert view.stations_left == 27


def test_round_two(table: Table) -> None:
    round_one(table)
    # Blue: the deck is empty, so everything is shuffled before five are drawn
    table.do(*[f"play:{N}"] * 5)
    assert table.money == 5
    table.do("buy:dump-site")
    assert table.money == 0
    table.do("end-turn")
    assert sum(fact[0] == "shuffled" for fact in table.game.facts) == 1
    whole = Counter({N: 7, L: 2, S: 1, "waste": 3, "dump-site": 1})
    assert table.own(0, "hand") + table.own(0, "deck") == whole
    assert table.own(0, "discard") == Counter()
    assert table.public(0).hand == 5
    # Yellow
    table.do(f"play:{L}", "lay:C6", f"play:{N}")
    table.do(f"play:{L}", "lay:C5")
    assert table.money == 0
    assert table.public(1).gained == {"waste": 2}
    table.do(f"play:{N}", f"play:{N}", "buy:conductor-area")
    assert table.money == 0
    table.do("end-turn")
    whole = Counter({N: 7, L: 2, S: 1, "waste": 3, "amusement-park": 1, "conductor-area": 1})
    assert table.own(1, "hand") + table.own(1, "deck") == whole
    # Red
    table.do(f"play:{L}", "lay:C4", f"play:{L}", "lay:D4", *[f"play:{N}"] * 3)
    assert table.money == 3
    table.do("buy:express-train")
    assert table.money == 0
    table.do("end-turn")
    whole = Counter({N: 7, L: 2, S: 1, "waste": 3, "amusement-park": 1, "express-train": 1})
    assert table.own(2, "hand") + table.own(2, "deck") == whole
    assert table.hexes() == {
        "E7": ([0], 0),
        "E6": ([0], 0),
        "D6": ([0], 1),
        "C7": ([1], 1),
        "C6": ([1], 0),
        "C5": ([1], 0),
        "C3": ([2], 1),
        "C4": ([2], 0),
        "D4": ([2], 0),
    }
    view = table.game.observe(engine.SPECTATOR)
    assert {card: view.supply[card] for card in ("waste", "dump-site", "conductor-area")} == {
        "waste": 70 - 9,
        "dump-site": 9,
        "conductor-area": 9,
    }
    assert view.supply["express-train"] == 19
    assert [view.seats[str(seat)].rails_left for seat in range(3)] == [17, 17, 17]
    assert (view.turn.number, view.turn.seat) == (7, 0)


def test_barriers_keep_blue_and_yellow_apart(table: Table) -> None:
    """Ikebukuro-Ueno and Shinjuku-Shibuya are divided by a barrier."""
    round_one(table)
    table.do("end-turn", f"play:{L}", f"play:{N}", f"play:{N}", f"play:{N}")
    keys = [option.key for option in table.game.decisions[0].options]
    assert "lay:C6" in keys
    assert "lay:D6" not in keys
    assert "lay:D7" not in keys
