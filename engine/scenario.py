"""Scenarios: a position, the answers given from there, and what must have come of them, as JSON.

``python -m engine.scenario FILE...`` runs them.  The format is in ``docs/scenarios.md``.
Reading the files is the affair of :mod:`engine.scenario_file`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from engine.errors import AnswerError, EngineError
from engine.game import Game
from engine.masks import masks_of
from engine.running import RUNNING
from engine.scenario_file import (
    BonusGiven,
    Expected,
    Given,
    Scenario,
    ScenarioError,
    SeatGiven,
    SeatStep,
    TurnGiven,
    load,
)
from engine.setting import Setting, compile_setting
from engine.setup import REACTIONS, STARTS, Setup, first_state
from engine.state import BonusState
from engine.turn import begin_turn

__all__ = [
    "BonusGiven",
    "Expected",
    "Given",
    "Scenario",
    "ScenarioError",
    "SeatGiven",
    "SeatStep",
    "TurnGiven",
    "difference",
    "load",
    "main",
    "position",
    "run",
    "take_step",
]

SEED = bytes(32)
ZONES = ("hand", "deck", "discard", "play", "gained")
NOBODY = -1


def run(scenario: Scenario) -> str:
    """Play a scenario: the first difference to what was expected, or nothing.

    Raises ScenarioError if the scenario itself is mistaken: an unknown card, key, hex or number.
    """
    try:
        game = position(scenario)
        check_expected(game.setting, scenario)
        steps = [as_seat_step(step) for step in scenario.steps]
        for key in [*scenario.refused, *(key for step in steps for key in step.keys)]:
            check_key(game.setting, key)
        for step in steps:
            check_seat(scenario, step.seat)
    except EngineError as error:
        raise ScenarioError(f"scenario {scenario.name!r}: {error}") from error
    for number, step in enumerate(steps, 1):
        trouble = take_step(game, step)
        if trouble:
            return f"step {number} {step.keys}: {trouble}"
    offered = {option.key for decision in game.decisions for option in decision.options}
    for key in scenario.refused:
        if key in offered:
            return f"{key} is offered, but must be refused"
    return difference(game, scenario.expect)


ANY_SEAT = -1


def as_seat_step(step: list[str] | SeatStep) -> SeatStep:
    """A bare list of keys is the answer of whoever is offered them."""
    return step if isinstance(step, SeatStep) else SeatStep(ANY_SEAT, step)


def take_step(game: Game, step: list[str] | SeatStep) -> str:
    """Give an answer to the decision that offers it; what went wrong, or nothing."""
    step = as_seat_step(step)
    keys, seats, active = step.keys, len(game.state.seats), game.state.active
    if not game.decisions:
        return "no decision is open"
    asked = [d for d in game.decisions if step.seat in (ANY_SEAT, d.seat)]
    if not asked:
        return f"seat {step.seat} is not asked anything"
    if not keys and len(asked) > 1:
        return "an empty answer, but several decisions are open"
    trouble = ""
    for decision in sorted(asked, key=lambda d: (d.seat - active) % seats):
        offered = {option.key for option in decision.options}
        if offered.issuperset(keys):
            try:
                game.answer(decision.id, keys)
            except AnswerError as error:
                trouble = trouble or str(error)
            else:
                return ""
    if trouble:
        return trouble
    open_now = "; ".join(
        f"seat {d.seat} {d.kind}: {', '.join(o.key for o in d.options)}" for d in game.decisions
    )
    return f"no open decision offers it (open: {open_now})"


# ------------------------------------------------------------------------------ the position


def position(scenario: Scenario) -> Game:
    """The game a scenario starts from.  Raises EngineError."""
    if scenario.reactions not in REACTIONS:
        raise ScenarioError(
            f"reactions is {scenario.reactions!r}; allowed are {', '.join(REACTIONS)}"
        )
    boxes, kingdom = tuple(scenario.boxes), tuple(scenario.kingdom)
    if scenario.starts not in STARTS:
        raise ScenarioError(f"starts is {scenario.starts!r}; allowed are {', '.join(STARTS)}")
    setting = compile_setting(
        boxes,
        scenario.board,
        scenario.players,
        kingdom,
        victory=tuple(scenario.victory),
        all_cards=True,
    )
    setup = Setup(
        seed=SEED,
        players=scenario.players,
        boxes=boxes,
        board=scenario.board,
        kingdom=kingdom,
        victory=tuple(scenario.victory),
        starts=scenario.starts,
        reactions=scenario.reactions,
    )
    given = scenario.given
    if len(given.seats) > scenario.players:
        raise ScenarioError(f"given has {len(given.seats)} seats for {scenario.players} players")
    state = first_state(setting, scenario.players)
    for seat in state.seats:
        seat.discard = [0] * len(setting.cards)
    for number, given_seat in enumerate(given.seats):
        seat = state.seats[number]
        for name in ("hand", "discard", "play", "gained"):
            setattr(seat, name, zone(setting, getattr(given_seat, name) or []))
        seat.deck = [card_index(setting, card) for card in reversed(given_seat.deck or [])]
        seat.laid = rails(setting, given_seat.rails or [])
        seat.score = natural("score", given_seat.score or 0)
    state.stations = place_stations(setting, given.stations)
    state.stations_left -= sum(state.stations)
    state.bonuses = [
        BonusState(bonus_index(setting, bonus), check_holder(scenario, held), bool(held.used))
        for bonus, held in bonuses_of(given).items()
    ]
    for card, count in given.supply.items():
        state.supply[pile_index(setting, card)] = natural(f"supply of {card}", count)
    game = Game(setup, setting, state, masks_of(state, setting.board))
    begin_turn(game, 0)
    state.money = natural("money", given.turn.money or 0)
    state.rail_points = natural("rail_points", given.turn.rail_points or 0)
    state.acted = any(state.seats[0].play) or any(state.seats[0].gained)
    game.resume()
    return game


def card_index(setting: Setting, card: str) -> int:
    if card not in setting.index:
        raise ScenarioError(f"{card!r} is no card of these boxes")
    return setting.index[card]


def pile_index(setting: Setting, card: str) -> int:
    index = card_index(setting, card)
    if index not in setting.supply:
        raise ScenarioError(f"{card!r} has no supply pile in this game")
    return index


def bonuses_of(given: Given) -> dict[str, BonusGiven]:
    """The route bonuses that are named, with what is said of each."""
    if isinstance(given.bonuses, dict):
        return given.bonuses
    return {bonus: BonusGiven() for bonus in given.bonuses}


def bonus_index(setting: Setting, bonus: str) -> int:
    for i, known in enumerate(setting.bonuses):
        if known.id == bonus:
            return i
    raise ScenarioError(f"{bonus!r} is no route bonus of {setting.board.spec.name} in these boxes")


def check_holder(scenario: Scenario, held: BonusGiven) -> int:
    """The holder of a bonus, -1 if nobody is."""
    holder = NOBODY if held.holder is None else held.holder
    check_seat(scenario, holder)
    return holder


def check_seat(scenario: Scenario, seat: int) -> None:
    """Raise ScenarioError for a seat that is not there (-1 stands for none or any)."""
    if not -1 <= seat < scenario.players:
        raise ScenarioError(f"there is no seat {seat}; seats are 0 to {scenario.players - 1}")


def zone(setting: Setting, cards: list[str]) -> list[int]:
    counts = [0] * len(setting.cards)
    for card in cards:
        counts[card_index(setting, card)] += 1
    return counts


def hex_index(setting: Setting, name: str) -> int:
    if name not in setting.board.index:
        raise ScenarioError(f"{name!r} is no hex of {setting.board.spec.name}")
    return setting.board.index[name]


def rails(setting: Setting, names: list[str]) -> list[int]:
    hexes = [hex_index(setting, name) for name in names]
    if len(set(hexes)) < len(hexes):
        raise ScenarioError("a seat has at most one rail on a hex")
    for i in hexes:
        if setting.board.terrain[i] == "sea":
            raise ScenarioError(f"{setting.board.names[i]} is sea; rails lie on land")
    if len(hexes) > setting.board.spec.rails:
        raise ScenarioError(f"a player has {setting.board.spec.rails} rail tokens")
    return hexes


def place_stations(setting: Setting, counts: dict[str, int]) -> list[int]:
    """The stations on each hex.  Raises ScenarioError for more than there are slots or tokens."""
    stations = [0] * setting.board.size
    for name, count in counts.items():
        i = hex_index(setting, name)
        if not 0 <= count <= setting.board.slots[i]:
            raise ScenarioError(f"{name} has {setting.board.slots[i]} slots, not {count}")
        stations[i] = count
    if sum(stations) > setting.board.spec.stations:
        raise ScenarioError(
            f"these are more stations than the {setting.board.spec.stations} tokens"
        )
    return stations


def natural(what: str, number: int) -> int:
    if number < 0:
        raise ScenarioError(f"{what} is {number}; it cannot be below 0")
    return number


def check_key(setting: Setting, key: str) -> None:
    """Raise ScenarioError for a key that could never be offered, so that refusing it says nothing:
    it is none, or buys from a pile that is not in the game."""
    if key not in setting.actions:
        raise ScenarioError(f"{key!r} is no key of this game")
    verb, index = setting.actions[key]
    if verb == "buy" and setting.cards[index].id not in setting.in_game:
        raise ScenarioError(f"{key!r}: there is no such pile in this game")


def check_expected(setting: Setting, scenario: Scenario) -> None:
    """Raise ScenarioError for what can never be: cards, hexes and piles that do not exist, negative
    numbers, rails and stations that the board has no place for."""
    expect = scenario.expect
    if len(expect.seats) > scenario.players:
        raise ScenarioError(f"expect has {len(expect.seats)} seats for {scenario.players} players")
    for seat in expect.seats:
        for name in ZONES:
            zone(setting, getattr(seat, name) or [])
        rails(setting, seat.rails or [])
        natural("score", seat.score or 0)
    zone(setting, expect.trash or [])
    for bonus, held in bonuses_of(expect).items():
        bonus_index(setting, bonus)
        check_holder(scenario, held)
    for name in expect.running or {}:
        if name not in RUNNING:
            raise ScenarioError(f"running names {name!r}; known are {', '.join(RUNNING)}")
    natural("money", expect.turn.money or 0)
    natural("rail_points", expect.turn.rail_points or 0)
    place_stations(setting, expect.stations)
    for card, count in expect.supply.items():
        pile_index(setting, card)
        natural(f"supply of {card}", count)


# ---------------------------------------------------------------------------- the comparison


def difference(game: Game, expect: Expected) -> str:
    """The first thing that is not as expected, or nothing."""
    state, setting = game.state, game.setting
    names = [card.id for card in setting.cards]

    def counted(cards: list[int]) -> list[str]:
        return [names[i] for i, count in enumerate(cards) for _ in range(count)]

    pairs: list[tuple[str, Any, Any]] = []
    for number, seat in enumerate(expect.seats):
        real = state.seats[number]
        for zone_name in ("hand", "discard", "play", "gained"):
            wanted = getattr(seat, zone_name)
            if wanted is not None:
                found = counted(getattr(real, zone_name))
                pairs.append((f"seat {number} {zone_name}", sorted(wanted), sorted(found)))
        if seat.deck is not None:
            deck = [names[i] for i in reversed(real.deck)]
            pairs.append((f"seat {number} deck", seat.deck, deck))
        if seat.rails is not None:
            laid = sorted(setting.board.names[i] for i in real.laid)
            pairs.append((f"seat {number} rails", sorted(seat.rails), laid))
        if seat.score is not None:
            pairs.append((f"seat {number} score", seat.score, real.score))
    for name, count in expect.stations.items():
        found_there = state.stations[setting.board.index[name]]
        pairs.append((f"stations in {name}", count, found_there))
    for name in ("money", "rail_points"):
        wanted = getattr(expect.turn, name)
        if wanted is not None:
            pairs.append((f"turn {name}", wanted, getattr(state, name)))
    for card, count in expect.supply.items():
        pairs.append((f"supply of {card}", count, state.supply[setting.index[card]]))
    revealed = {setting.bonuses[b.bonus].id: b for b in state.bonuses}
    for bonus, held in bonuses_of(expect).items():
        pairs.append((f"bonus {bonus} revealed", True, bonus in revealed))
        for name in ("holder", "used"):
            wanted = getattr(held, name)
            if wanted is not None and bonus in revealed:
                pairs.append((f"bonus {bonus} {name}", wanted, getattr(revealed[bonus], name)))
    if expect.running is not None:
        running = {name: n for name, n in zip(RUNNING, state.running, strict=True) if n}
        pairs.append(("running", expect.running, running))
    if expect.trash is not None:
        pairs.append(("trash", sorted(expect.trash), sorted(counted(state.trash))))
    for what, wanted, found in pairs:
        if wanted != found:
            return f"{what}: expected {wanted}, found {found}"
    return ""


# ------------------------------------------------------------------------------- the command


def main(arguments: list[str] | None = None) -> int:
    """The command; returns its exit code: 1 if any scenario failed or was mistaken."""
    parser = argparse.ArgumentParser(prog="python -m engine.scenario", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    passed = failed = 0
    for path in parser.parse_args(arguments).files:
        try:
            scenarios = load(path)
        except ScenarioError as error:
            scenarios = [error]
        for scenario in scenarios:
            try:
                if isinstance(scenario, ScenarioError):
                    raise scenario
                trouble = run(scenario)
            except ScenarioError as error:
                failed += 1
                print(printable(f"{path}: {error}"), file=sys.stderr)
                continue
            if trouble:
                failed += 1
                print(printable(f"{path}: {scenario.name}: {trouble}"))
            else:
                passed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def printable(text: str) -> str:
    """The text with everything escaped that a terminal might act on."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


if __name__ == "__main__":
    sys.exit(main())
