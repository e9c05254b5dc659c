"""What options cost while the ability of a route bonus runs: what they say is what is taken."""

from __future__ import annotations

from pathlib import Path

import pytest

import engine
from engine.boxes import load_own_box
from engine.scenario import BonusGiven, Scenario, SeatGiven, position
from engine.state import BonusState

CARD = """[[card]]
id = "ferry-{cost}"
name = "Ferry {cost}"
type = "train"
cost = {cost}
value = 1
copies = 10
role = "randomizer"
rulings = ""
source = "house"
"""
OTHERS = ("engineer", "upgrade", "surveyor", "dispatcher")


def use(game: engine.Game, bonus: str) -> None:
    """Give seat 0 the bonus and use its ability."""
    bonuses = [compiled.id for compiled in game.setting.bonuses]
    game.state.bonuses = [BonusState(bonuses.index(bonus), 0)]
    game.reopen()
    game.answer(game.decisions[0].id, [f"bonus:{bonus}"])


@pytest.mark.parametrize("money", range(4))
def test_two_less_but_never_below_nothing(tmp_path: Path, money: int) -> None:
    """With a host's own cards that cost less than the discount."""
    (tmp_path / "box.toml").write_text('id = "harbour"\nname = "Harbour"\n', encoding="utf-8")
    cards = "".join(CARD.format(cost=cost) for cost in range(4))
    (tmp_path / "cards.toml").write_text(cards, encoding="utf-8")
    setup = engine.Setup(
        seed=bytes(32),
        boxes=("harbour", "rising-sun"),
        board="chiba",
        kingdom=(*(f"ferry-{cost}" for cost in range(4)), *OTHERS),
        own=(load_own_box(tmp_path),),
    )
    start = engine.Game.new(setup)
    start.answer(start.decisions[0].id, ["hex:H1"])
    start.answer(start.decisions[0].id, ["hex:H3"])
    start.state.money = money
    for cost, price in enumerate((0, 0, 0, 1)):
        game = start.copy()
        use(game, "chiba-cross-boso")
        offered = {option.key: option.money for option in game.decisions[0].options}
        key = f"buy:ferry-{cost}"
        assert offered.get(key) == (price if price <= money else None)
        if price <= money:
            game.answer(game.decisions[0].id, [key])
            assert game.state.money == money - price


HELD = {
    "chiba-cross-boso": "chiba",
    "chiba-sotobo-line": "chiba",
    "chiba-bay-arc": "chiba",
    "kyushu-nagasaki-line": "kyushu",
    "kyushu-ariake-bay": "kyushu",
    "kyushu-kagoshima-line": "kyushu",
    "kyushu-nippo-line": "kyushu",
}
RAILS = {
    # board: those of seat 0, and of an opponent around them
    "chiba": (["B5", "C5"], ["B4", "C4", "C6", "D4"]),
    "kyushu": (["C4", "D3"], ["B3", "B4", "C5", "D4", "E3"]),
}


def waste_of(game: engine.Game) -> int:
    return game.state.seats[0].gained[game.setting.waste]


@pytest.mark.parametrize(("bonus", "board"), HELD.items())
@pytest.mark.parametrize("money", [2, 4, 9])
def test_every_option_costs_what_it_says(bonus: str, board: str, money: int) -> None:
    """Purchases, rails and what the ability itself asks for, with an opponent around."""
    scenario = Scenario("", board, 2, boxes=["rising-sun"], kingdom=["legal-counsel"])
    scenario.given.seats = [SeatGiven(rails=rails) for rails in RAILS[board]]
    scenario.given.turn.money, scenario.given.turn.rail_points = money, 2
    scenario.given.bonuses = {bonus: BonusGiven(holder=0)}
    game = position(scenario)
    game.answer(game.decisions[0].id, [f"bonus:{bonus}"])
    options = [
        option
        for option in game.decisions[0].options
        if option.key.startswith(("buy:", "lay:", "hex:"))
    ]
    assert options
    for option in options:
        after = game.copy()
        after.answer(after.decisions[0].id, [option.key])
        assert game.state.money - after.state.money == option.money
        assert waste_of(after) - waste_of(game) == option.waste
