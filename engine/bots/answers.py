"""What the greedy bot answers when a card asks: one method for each way to answer, and the table of
the kinds of decisions."""

from __future__ import annotations

from collections.abc import Callable

from engine.bots.valuation import Valuation
from engine.types import Decision, Observation, Option, OwnView

LATE = 0.75


class Answers:
    """Answers for one seat, by what things are worth to it."""

    def __init__(self, value: Valuation) -> None:
        self._value = value

    def _picks(self, decision: Decision, *, best: bool) -> list[str]:
        """Every card that may be picked, as often as it may be, the best or the worst to hold
        first."""
        options = sorted(
            decision.options, key=lambda o: self._value.in_hand(card_of(o)), reverse=best
        )
        return [option.key for option in options for _ in range(option.count)]

    def start(self, view: Observation, decision: Decision) -> tuple[str, ...]:
        worth = {
            o.key: self._value.place(view, card_of(o)) + self._value.reach(view, card_of(o))
            for o in decision.options
        }
        return (max(worth, key=lambda key: worth[key]),)

    def station(self, view: Observation, decision: Decision) -> tuple[str, ...]:
        worth = {o.key: self._value.station(view, card_of(o)) for o in decision.options}
        return (max(worth, key=lambda key: worth[key]),)

    def give_up_any(self, view: Observation, decision: Decision) -> tuple[str, ...]:
        """All that is only in the way: Waste and victory cards."""
        useless = [
            key for key in self._picks(decision, best=False) if self._value.in_hand(key[5:]) < 0
        ]
        return tuple(useless[: decision.max])

    def give_up(self, view: Observation, decision: Decision) -> tuple[str, ...]:
        """As many as must be, Waste first."""
        return tuple(self._picks(decision, best=False)[: decision.min])

    def take_best(self, view: Observation, decision: Decision) -> tuple[str, ...]:
        """As many as may be.  Even Waste is taken: in hand it is discarded, on the deck it would be
        drawn next."""
        return tuple(self._picks(decision, best=True)[: decision.max])

    def trash(self, view: Observation, decision: Decision) -> tuple[str, ...]:
        """Late in the game the money is worth more than the card."""
        return ("yes" if self._value.progress(view) > LATE else "no",)

    def choose_card(self, view: Observation, decision: Decision) -> tuple[str, ...]:
        """The card of the highest value; where another one is to be gained, one the supply has."""
        gains = decision.operation["choose"]["then"] == "reveal-and-gain-same"

        def worth(option: Option) -> tuple[bool, int, float]:
            card = card_of(option)
            can_give = not gains or view.supply.get(card, 0) > 0
            return can_give, self._value.cards[card].value, self._value.in_hand(card)

        return (max(decision.options, key=worth).key,)

    def choose_effect(self, view: Observation, decision: Decision) -> tuple[str, ...]:
        """Away with Waste, else a card, else, with nothing to draw, the money."""
        own = own_of(view)
        offered = {option.key for option in decision.options}
        wanted = ("return-waste", "draw" if own.deck or own.discard else "money", "money")
        return next(((key,) for key in wanted if key in offered), decision.default)

    def copy_action(self, view: Observation, decision: Decision) -> tuple[str, ...]:
        """The best effect; without Waste in hand there is nothing in returning it."""
        hand = own_of(view).hand

        def worth(option: Option) -> float:
            card = card_of(option)
            if card in ("landfill", "freight-train") and not hand.get("waste"):
                return 0.0
            return self._value.effect(card)

        return (max(decision.options, key=worth).key,)

    def look(self, view: Observation, decision: Decision) -> tuple[str, ...]:
        """Away with what is worth less than a Normal Train."""
        return ("discard" if self._value.in_hand(decision.cards[0]) < 1 else "keep",)

    def name_card(self, view: Observation, decision: Decision) -> tuple[str, ...]:
        """The top card if it is known, else what the deck has most of; an empty deck will be made
        of the discard pile.  Of as many the better one."""
        own = own_of(view)
        if own.top:
            return (f"card:{own.top[0]}",)
        pile = own.deck or own.discard

        def chance(option: Option) -> tuple[int, float]:
            card = card_of(option)
            return pile.get(card, 0), self._value.in_hand(card)

        return (max(decision.options, key=chance).key,)

    def react(self, view: Observation, decision: Decision) -> tuple[str, ...]:
        """No attack does its victim good."""
        return (decision.options[0].key,)

    def concede(self, view: Observation, decision: Decision) -> tuple[str, ...]:
        """A Train is worth as much to its owner as the money is to the attacker, and is gone for
        the hand; better let them have it."""
        return ("money",)

    def put_down(self, view: Observation, decision: Decision) -> tuple[str, ...]:
        """The least useful card that is not Waste: it comes back with the next hand."""
        picks = self._picks(decision, best=False)
        useful = [key for key in picks if self._value.in_hand(key[5:]) > 0]
        return tuple([*useful, *picks][: decision.min])

    def look_through(self, view: Observation, decision: Decision) -> tuple[str, ...]:
        """Away with all that is worth less than a Normal Train."""
        picks = self._picks(decision, best=False)
        return tuple(key for key in picks if self._value.in_hand(key[5:]) < 1)

    def lay_free(self, view: Observation, decision: Decision) -> tuple[str, ...]:
        worth = {
            o.key: self._value.rail(view, card_of(o), o.money, o.waste) for o in decision.options
        }
        return (max(worth, key=lambda key: worth[key]),)

    def place_purchase(self, view: Observation, decision: Decision) -> tuple[str, ...]:
        """On the deck goes only what is better to draw than a Normal Train."""
        return ("deck" if self._value.in_hand(decision.cards[0]) > 1 else "gained",)


def card_of(option: Option) -> str:
    """The card or hex that an option names."""
    return option.key.partition(":")[2]


def own_of(view: Observation) -> OwnView:
    assert isinstance(view.own, OwnView)
    return view.own


ANSWERS: dict[str, Callable[[Answers, Observation, Decision], tuple[str, ...]]] = {
    "start-rail": Answers.start,
    "place-station": Answers.station,
    "lay-free": Answers.lay_free,
    "react": Answers.react,
    "hand-to-deck": Answers.put_down,
    "discard-down": Answers.give_up,
    "discard-or-pay": Answers.concede,
    "discard-any": Answers.give_up_any,
    "discard": Answers.give_up,
    "may-trash-this": Answers.trash,
    "choose": Answers.choose_card,
    "choose-one": Answers.choose_effect,
    "copy-action": Answers.copy_action,
    "gain-train": Answers.take_best,
    "look-and-may-discard": Answers.look,
    "look-and-take": Answers.take_best,
    "look-and-discard": Answers.look_through,
    "name-and-reveal": Answers.name_card,
    "order": Answers.take_best,
    "order-top": Answers.take_best,
    "place-purchase": Answers.place_purchase,
    "return-any-waste": Answers.take_best,
    "reveal-and-take": Answers.take_best,
    "trade-train": Answers.give_up,
}
"""How each kind of decision but the turn is answered; what is not here is answered at random."""
