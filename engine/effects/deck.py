"""Operations on the top of the own deck.  What is revealed lies aside until its effect is over,
and takes no part in a shuffle (rules, section 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.effects.base import Ask, Choice, Step
from engine.movement import (
    cards_in,
    discard_aside,
    put_aside_back,
    reveal_top,
    take_aside,
    trash,
)
from engine.state import Task

if TYPE_CHECKING:
    from engine.game import Game


class NameAndReveal(Choice):
    """``name-and-reveal = 1``: name a card of the game, reveal the top card of the deck, and take
    it if it is the one; else it goes back."""

    kind = "name-and-reveal"
    always = True

    def check(self, arg: Any) -> None:
        self.check_one(arg)

    def ask(self, game: Game, task: Task) -> Ask:
        options = game.setting.named(c.index for c in game.setting.cards if c.dealt)
        return Ask(options, 1, 1, game.setting.cheapest(options, 1))

    def resolve(self, game: Game, task: Task, keys: list[str]) -> None:
        (named,) = game.setting.cards_of(keys)
        game.facts.append(("named", task.seat, named))
        card = reveal_top(game, task.seat)
        if card == named:
            take_aside(game, task.seat, card)
        elif card >= 0:
            put_aside_back(game, task.seat, [card])


class RevealAndTake(Choice):
    """``reveal-and-take = {reveal = n, take = m}``: reveal up to n cards, take up to m of them into
    the hand, and put the rest back in any order."""

    kind = "reveal-and-take"
    always = True

    def check(self, arg: Any) -> None:
        if not isinstance(arg, dict) or {*arg} != {"reveal", "take"}:
            raise ValueError(f"wants reveal and take, not {arg!r}")
        for number in arg.values():
            super().check(number)

    def run(self, game: Game, task: Task) -> None:
        for _ in range(task.arg["reveal"]):
            if reveal_top(game, task.seat) < 0:
                break
        game.ask([task])

    def ask(self, game: Game, task: Task) -> Ask:
        aside = game.state.seats[task.seat].aside
        return Ask(game.setting.card_options(aside), 0, min(sum(aside), task.arg["take"]), ())

    def resolve(self, game: Game, task: Task, keys: list[str]) -> None:
        for card in game.setting.cards_of(keys):
            take_aside(game, task.seat, card)
        game.state.stack.append(task.then("order-aside"))


class OrderAside(Choice):
    """Put all that lies aside back on the deck, in the order that its owner likes."""

    kind = "order"
    of_rules = True

    def ask(self, game: Game, task: Task) -> Ask:
        aside = game.state.seats[task.seat].aside
        options, count = game.setting.card_options(aside), sum(aside)
        default = tuple(o.key for o in options for _ in range(o.count))
        return Ask(options, count, count, default, ordered=True)

    def resolve(self, game: Game, task: Task, keys: list[str]) -> None:
        put_aside_back(game, task.seat, game.setting.cards_of(keys))


class RevealAndTakeType(Step):
    """``reveal-and-take-type = {reveal = n, type = card type}``: reveal up to n cards, take those
    of the type into the hand, and put the rest back in any order."""

    always = True

    def check(self, arg: Any) -> None:
        if not isinstance(arg, dict) or {*arg} != {"reveal", "type"}:
            raise ValueError(f"wants reveal and type, not {arg!r}")
        check_type(arg["type"], ("train",))
        super().check(arg["reveal"])

    def run(self, game: Game, task: Task) -> None:
        revealed = 0
        while revealed < task.arg["reveal"] and reveal_top(game, task.seat) >= 0:
            revealed += 1
        _take_all(game, task.seat, task.arg["type"])
        game.state.stack.append(task.then("order-aside"))


class RevealTop(Step):
    """``reveal-top = {type = card type, then = to, else = to}``: reveal the top card of the deck; a
    card of the type goes to ``then``, any other to ``else``: ``hand``, ``discard`` or ``back``.
    Nothing to reveal: nothing happens."""

    always = True

    def check(self, arg: Any) -> None:
        if not isinstance(arg, dict) or {*arg} != {"type", "then", "else"}:
            raise ValueError(f"wants type, then and else, not {arg!r}")
        check_type(arg["type"], ("train",))
        for field in ("then", "else"):
            if arg[field] not in REVEALED_TO:
                raise ValueError(f"{field} is {arg[field]!r}; allowed are {', '.join(REVEALED_TO)}")

    def run(self, game: Game, task: Task) -> None:
        card = reveal_top(game, task.seat)
        if card < 0:
            return
        to = task.arg["then" if card in game.setting.of_type[task.arg["type"]] else "else"]
        if to == "hand":
            take_aside(game, task.seat, card)
        elif to == "discard":
            discard_aside(game, task.seat)
        else:
            put_aside_back(game, task.seat, [card])


REVEALED_TO = ("hand", "discard", "back")


class RevealUntil(Step):
    """``reveal-until = {type = card type, count = n, then = "hand" | "trash"}``: reveal cards until
    n of the type have appeared; those go to the hand or out of the game, the others to the discard
    pile."""

    always = True

    def check(self, arg: Any) -> None:
        if not isinstance(arg, dict) or {*arg} != {"type", "count", "then"}:
            raise ValueError(f"wants type, count and then, not {arg!r}")
        check_type(arg["type"], ("train", "waste"))
        if arg["then"] not in ("hand", "trash"):
            raise ValueError(f"then is {arg['then']!r}; allowed are hand, trash")
        super().check(arg["count"])

    def run(self, game: Game, task: Task) -> None:
        wanted = game.setting.of_type[task.arg["type"]]
        found = 0
        while found < task.arg["count"]:
            card = reveal_top(game, task.seat)
            if card < 0:
                break
            found += card in wanted
        if task.arg["then"] == "hand":
            _take_all(game, task.seat, task.arg["type"])
        else:
            aside = game.state.seats[task.seat].aside
            for card in _aside_of(game, task.seat, task.arg["type"]):
                trash(game, task.seat, card, aside, "aside")
        discard_aside(game, task.seat)


def check_type(kind: Any, allowed: tuple[str, ...]) -> None:
    """Raise ValueError unless this is one of these card types."""
    if kind not in allowed:
        raise ValueError(f"type is {kind!r}; allowed: {', '.join(allowed)}")


def _aside_of(game: Game, seat: int, kind: str) -> list[int]:
    wanted = game.setting.of_type[kind]
    return [card for card in cards_in(game.state.seats[seat].aside) if card in wanted]


def _take_all(game: Game, seat: int, kind: str) -> None:
    """All revealed cards of a type into the hand."""
    for card in _aside_of(game, seat, kind):
        take_aside(game, seat, card)
