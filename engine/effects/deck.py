"""Operations on the top of the own deck.  What is revealed lies aside until its effect is over,
and takes no part in a shuffle (rules, section 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.effects.base import Ask, Choice, Step
from engine.movement import (
    cards_in,
    discard_aside,
    has_top,
    put_aside_back,
    reveal_top,
    take_aside,
)
from engine.state import Task
from engine.types import Option

if TYPE_CHECKING:
    from engine.game import Game

DISCARD = Option("discard")
KEEP = Option("keep")


class LookAndMayDiscard(Choice):
    """``look-and-may-discard = 1``: look at the top card of the deck; discard it or keep it there.
    Nothing to look at: nothing happens."""

    kind = "look-and-may-discard"
    always = True

    def check(self, arg: Any) -> None:
        self.check_one(arg)

    def run(self, game: Game, task: Task) -> None:
        if not has_top(game, task.seat):
            return
        me = game.state.seats[task.seat]
        me.known = max(me.known, 1)
        game.facts.append(("looked", task.seat, 1, (me.deck[-1],)))
        game.ask([task])

    def ask(self, game: Game, task: Task) -> Ask:
        top = game.setting.cards[game.state.seats[task.seat].deck[-1]].id
        return Ask((DISCARD, KEEP), 1, 1, ("keep",), cards=(top,))

    def resolve(self, game: Game, task: Task, keys: list[str]) -> None:
        if keys[0] == "discard":
            me = game.state.seats[task.seat]
            card = me.deck.pop()
            me.known -= 1
            me.discard[card] += 1
            game.facts.append(("discarded", task.seat, 1, (card,), "deck"))


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
        game.state.stack.append(Task("order-aside", task.seat, task.card))


class OrderAside(Choice):
    """Put all that lies aside back on the deck, in the order that its owner likes."""

    kind = "order"

    def ask(self, game: Game, task: Task) -> Ask:
        aside = game.state.seats[task.seat].aside
        options, count = game.setting.card_options(aside), sum(aside)
        default = tuple(o.key for o in options for _ in range(o.count))
        return Ask(options, count, count, default, ordered=True)

    def resolve(self, game: Game, task: Task, keys: list[str]) -> None:
        put_aside_back(game, task.seat, game.setting.cards_of(keys))


class RevealUntil(Step):
    """``reveal-until = {type = card type, count = n}``: reveal cards until n of the type have
    appeared; those go to the hand, the others to the discard pile."""

    always = True

    def check(self, arg: Any) -> None:
        if not isinstance(arg, dict) or {*arg} != {"type", "count"}:
            raise ValueError(f"wants type and count, not {arg!r}")
        if arg["type"] != "train":
            raise ValueError(f"type is {arg['type']!r}; allowed is train")
        super().check(arg["count"])

    def run(self, game: Game, task: Task) -> None:
        wanted = game.setting.of_type[task.arg["type"]]
        found = 0
        while found < task.arg["count"]:
            card = reveal_top(game, task.seat)
            if card < 0:
                break
            found += card in wanted
        for card in cards_in(game.state.seats[task.seat].aside):
            if card in wanted:
                take_aside(game, task.seat, card)
        discard_aside(game, task.seat)
