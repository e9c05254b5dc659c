"""The vocabulary: every operation by its name, as cards write it (``{draw = 2}``).

A new card is data; only a card that does something of a new kind needs a new operation here.
"""

from __future__ import annotations

from typing import Any

from engine.cards import Effect
from engine.effects import (
    attack,
    choose,
    copy,
    deck,
    draw,
    hand,
    look,
    money,
    rails,
    rules,
    stations,
    this_turn,
    trade,
    victims,
    waste,
)
from engine.effects.base import OPERATIONS, Ask, Choice, Forecast, Operation, Step

CARD_OPERATIONS: dict[str, Operation] = {
    "draw": draw.Draw(),
    "others-draw": draw.OthersDraw(),
    "earn": money.Earn(),
    "earn-if-in-play": money.EarnIfInPlay(),
    "earn-if-only-train": money.EarnIfOnlyTrain(),
    "earn-per": money.EarnPer(),
    "pay": money.Pay(),
    "score": money.Score(),
    "gain-rail-points": rails.GainRailPoints(),
    "lay-free": rails.LayFree(),
    "gain-waste": waste.GainWaste(),
    "return-all-waste": waste.ReturnAllWaste(),
    "return-any-waste": waste.ReturnAnyWaste(),
    "return-waste": waste.ReturnWaste(),
    "place-station": stations.PlaceStation(),
    "this-turn": this_turn.ThisTurn(),
    "discard": hand.Discard(),
    "discard-any": hand.DiscardAny(),
    "hand-to-deck": hand.HandToDeck(),
    "may-trash-this": hand.MayTrashThis(),
    "choose": choose.ChooseCard(),
    "choose-one": choose.ChooseOne(),
    "copy-action": copy.CopyAction(),
    "look-and-may-discard": look.LookAndMayDiscard(),
    "look-and-take": look.LookAndTake(),
    "look-and-discard": look.LookAndDiscard(),
    "name-and-reveal": deck.NameAndReveal(),
    "reveal-and-take": deck.RevealAndTake(),
    "reveal-and-take-type": deck.RevealAndTakeType(),
    "reveal-top": deck.RevealTop(),
    "reveal-until": deck.RevealUntil(),
    "trade-train": trade.TradeTrain(),
    "attack": attack.Attack(),
}
"""What cards may name."""

RULE_OPERATIONS: dict[str, Operation] = {
    "start-rail": rules.StartRail(),
    "begin-turns": rules.BeginTurns(),
    "turn": rules.Turn(),
    "place-purchase": rules.PlacePurchase(),
    "order-aside": deck.OrderAside(),
    "order-top": look.OrderTop(),
    "react": attack.React(),
    "strike": attack.Strike(),
    "discard-down": victims.DiscardDown(),
    "discard-or-pay": victims.DiscardOrPay(),
    "gain-train": trade.GainTrain(),
}
"""What the rules, or other operations, put on the stack."""

OPERATIONS.update(CARD_OPERATIONS | RULE_OPERATIONS)

__all__ = [
    "CARD_OPERATIONS",
    "OPERATIONS",
    "Ask",
    "Choice",
    "Effect",
    "Forecast",
    "Operation",
    "Step",
    "check_effects",
    "parse_effect",
]


def parse_effect(entry: dict[str, Any]) -> Effect:
    """``{name: argument}`` as a pair; raises ValueError."""
    if len(entry) != 1:
        raise ValueError(f"one effect has one name, not {len(entry)}: {entry!r}")
    ((name, arg),) = entry.items()
    if name not in CARD_OPERATIONS:
        raise ValueError(f"no effect is called {name!r}; known are {', '.join(CARD_OPERATIONS)}")
    return name, arg


def check_effects(entries: list[dict[str, Any]]) -> None:
    """Raise ValueError for an effect that is not in the vocabulary or has a wrong argument."""
    for entry in entries:
        name, arg = parse_effect(entry)
        try:
            CARD_OPERATIONS[name].check(arg)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from error
