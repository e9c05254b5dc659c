"""Attacks and reactions (rules, section 7).

An attack first gives every opponent who may hold a reaction card a window, all at the same time;
then it strikes the seats that did not reveal one, in order from the active player on.  What it
forces its victims to choose is asked of all of them at the same time, too, and applied in order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from engine.effects.base import OPERATIONS, Ask, Choice, Step
from engine.state import Task
from engine.types import Option

if TYPE_CHECKING:
    from engine.game import Game

PASS = Option("pass")
HITS = ("others", "all")

VICTIM_OPERATIONS = ("gain-waste", "hand-to-deck", "discard-down", "discard-or-pay", "reveal-top")
"""What an attack may do to a victim: operations that say nothing of the active player."""


class Attack(Step):
    """``attack = {hits = "others" | "all", do = {operation = argument}}``: each other player, or
    each player, is dealt the operation."""

    always = True

    def check(self, arg: Any) -> None:
        if not isinstance(arg, dict) or {*arg} != {"hits", "do"}:
            raise ValueError(f"wants hits and do, not {arg!r}")
        if arg["hits"] not in HITS:
            raise ValueError(f"hits is {arg['hits']!r}; allowed are {', '.join(HITS)}")
        do = arg["do"]
        if not isinstance(do, dict) or len(do) != 1 or not {*do} <= {*VICTIM_OPERATIONS}:
            raise ValueError(
                f"do is {do!r}; allowed is one of {', '.join(VICTIM_OPERATIONS)} with its argument"
            )
        ((op, inner),) = do.items()
        OPERATIONS[op].check(inner)

    def run(self, game: Game, task: Task) -> None:
        game.facts.append(("attacked", task.seat, task.source))
        game.state.spared = []
        game.state.stack.append(task.then("strike", task.arg))
        may_react = _REACTS[game.setup.reactions]
        asked = [seat for seat in others(game, task.seat) if may_react(game, seat)]
        game.ask([task.then("react", seat=seat) for seat in asked])


class React(Choice):
    """An opponent has attacked: reveal a reaction card, or let it come."""

    kind = "react"
    of_rules = True

    def ask(self, game: Game, task: Task) -> Ask:
        hand, cards = game.state.seats[task.seat].hand, game.setting.cards
        reveals = [Option(f"reveal:{cards[i].id}") for i in game.setting.reactions if hand[i]]
        return Ask((*reveals, PASS), 1, 1, ("pass",))

    def resolve(self, game: Game, task: Task, keys: list[str]) -> None:
        verb, card = game.setting.actions[keys[0]]
        if verb == "reveal":
            game.facts.append(("revealed", task.seat, card, "hand"))
            game.facts.append(("spared", task.seat))
            game.state.spared.append(task.seat)


class Strike(Step):
    """The attack itself, once every reaction is known."""

    def run(self, game: Game, task: Task) -> None:
        ((op, arg),) = task.arg["do"].items()
        seats = others(game, task.seat)
        if task.arg["hits"] == "all":
            seats.insert(0, task.seat)
        operation = OPERATIONS[op]
        victims = [
            task.then(op, arg, seat)
            for seat in seats
            if seat not in game.state.spared and operation.hits(game, seat, arg)
        ]
        game.state.spared = []
        if isinstance(operation, Choice):
            game.ask(victims)
        else:
            game.state.stack += reversed(victims)


def others(game: Game, seat: int) -> list[int]:
    """The other seats, clockwise from this one."""
    seats = len(game.state.seats)
    return [(seat + step) % seats for step in range(1, seats)]


def _holds_reaction(game: Game, seat: int) -> bool:
    hand = game.state.seats[seat].hand
    return any(hand[card] for card in game.setting.reactions)


def _may_hold_reaction(game: Game, seat: int) -> bool:
    """As everybody knows it: the seat has cards in hand, and owns a reaction card somewhere, since
    what it gained and what was trashed is public."""
    me = game.state.seats[seat]
    if not any(me.hand):
        return False
    zones = (me.hand, me.discard, me.play, me.gained, me.aside)
    return any(
        card in me.deck or any(zone[card] for zone in zones) for card in game.setting.reactions
    )


_REACTS: dict[str, Callable[[Game, int], bool]] = {
    "fast": _holds_reaction,
    "sealed": _may_hold_reaction,
}
"""Whom a window is opened to, by the game's option ``reactions``."""
