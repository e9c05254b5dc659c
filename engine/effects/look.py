"""Operations that look at the top of the own deck, where others learn numbers alone.  The cards
stay on the deck while they are looked at; the deck is filled up from below by a shuffle if it must
be (rules, sections 4 and 12)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.effects.base import Ask, Choice
from engine.effects.choose import TYPES
from engine.movement import look
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
        if look(game, task.seat, 1):
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


class LookAndTake(Choice):
    """``look-and-take = {look = n, types = [card type, ...], take = m}``: look at the top n cards,
    take up to m of these types into the hand, and put the rest back in any order."""

    kind = "look-and-take"
    always = True

    def check(self, arg: Any) -> None:
        if not isinstance(arg, dict) or {*arg} != {"look", "types", "take"}:
            raise ValueError(f"wants look, types and take, not {arg!r}")
        for number in (arg["look"], arg["take"]):
            super().check(number)
        types = arg["types"]
        if not isinstance(types, list) or not types or any(t not in TYPES for t in types):
            raise ValueError(f"types is {types!r}; allowed are {', '.join(TYPES)}")

    def run(self, game: Game, task: Task) -> None:
        seen = look(game, task.seat, task.arg["look"])
        if seen:
            game.ask([task.then(task.op, {**task.arg, "look": seen})])

    def ask(self, game: Game, task: Task) -> Ask:
        seen = _top(game, task.seat, task.arg["look"])
        wanted = {card for kind in task.arg["types"] for card in game.setting.of_type[kind]}
        zone = [0] * len(game.setting.cards)
        for card in seen:
            zone[card] += card in wanted
        options = game.setting.card_options(zone)
        names = tuple(game.setting.cards[card].id for card in seen)
        return Ask(options, 0, min(sum(zone), task.arg["take"]), (), cards=names)

    def resolve(self, game: Game, task: Task, keys: list[str]) -> None:
        me, taken = game.state.seats[task.seat], game.setting.cards_of(keys)
        _take_from_top(game, task, task.arg["look"], taken)
        for card in taken:
            me.hand[card] += 1
        if taken:
            game.facts.append(("fetched", task.seat, len(taken), tuple(taken), "deck"))


class LookAndDiscard(Choice):
    """``look-and-discard = n``: look at the top n cards, discard any of them, and put the rest back
    in any order."""

    kind = "look-and-discard"
    always = True

    def run(self, game: Game, task: Task) -> None:
        seen = look(game, task.seat, task.arg)
        if seen:
            game.ask([task.then(task.op, seen)])

    def ask(self, game: Game, task: Task) -> Ask:
        zone = [0] * len(game.setting.cards)
        for card in _top(game, task.seat, task.arg):
            zone[card] += 1
        return Ask(game.setting.card_options(zone), 0, sum(zone), ())

    def resolve(self, game: Game, task: Task, keys: list[str]) -> None:
        me, gone = game.state.seats[task.seat], game.setting.cards_of(keys)
        _take_from_top(game, task, task.arg, gone)
        for card in gone:
            me.discard[card] += 1
        if gone:
            game.facts.append(("discarded", task.seat, len(gone), tuple(gone), "deck"))


class OrderTop(Choice):
    """Put so many cards on top of the deck, which its owner has looked at, in the order that they
    like."""

    kind = "order-top"
    of_rules = True

    def ask(self, game: Game, task: Task) -> Ask:
        zone = [0] * len(game.setting.cards)
        for card in _top(game, task.seat, task.arg):
            zone[card] += 1
        options = game.setting.card_options(zone)
        default = tuple(o.key for o in options for _ in range(o.count))
        return Ask(options, task.arg, task.arg, default, ordered=True)

    def resolve(self, game: Game, task: Task, keys: list[str]) -> None:
        me, order = game.state.seats[task.seat], game.setting.cards_of(keys)
        me.deck[-len(order) :] = reversed(order)
        game.facts.append(("ordered", task.seat, len(order), tuple(order)))


def _top(game: Game, seat: int, count: int) -> list[int]:
    """The top cards of the deck, top first."""
    return game.state.seats[seat].deck[: -count - 1 : -1]


def _take_from_top(game: Game, task: Task, seen: int, cards: list[int]) -> None:
    """Take cards off the deck from among the ``seen`` top ones; the rest is to be ordered then."""
    me = game.state.seats[task.seat]
    for card in cards:
        where = next(i for i in range(1, seen + 1) if me.deck[-i] == card)
        del me.deck[-where]
        seen -= 1
    me.known -= len(cards)
    if seen:
        game.state.stack.append(task.then("order-top", seen))
