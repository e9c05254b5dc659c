"""The question of a decision.  It stands by itself: it says what becomes of what is picked, as the
operation that asks has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.effects.choose import KEYS
from engine.text.catalogue import N_, Translator, nN_
from engine.text.effects import effect_texts, types_text
from engine.types import Decision

EACH = {
    "draw": nN_("You draw 1 card for each.", "You draw {count} cards for each."),
    "earn": nN_("You get 1 money for each.", "You get {count} money for each."),
}
CHOOSE = {
    "to-hand": N_("Which card from your discard pile do you take into your hand?"),
    "to-deck": N_("Which card in play do you put on top of your deck?"),
    "earn-value": N_("Which card brings you money, as much as its printed value?"),
    "reveal-and-gain-same": N_(
        "Which card in your hand do you reveal, to gain another of the same name?"
    ),
}
DISCARD = nN_(
    "Which card do you discard from your hand?",
    "Which {count} cards do you discard from your hand?",
)
DISCARD_ANY = N_("Which cards do you discard from your hand?  {each}")
DISCARD_DOWN = nN_(
    "Which card do you discard from your hand?  {left} stay in it.",
    "Which {count} cards do you discard from your hand?  {left} stay in it.",
)
TO_DECK = nN_(
    "Which card from your hand do you put on top of your deck?",
    "Which {count} cards from your hand do you put on top of your deck, top first?",
)
RETURN_ANY = {
    "hand": N_("How many Waste from your hand do you return to the Waste pile?"),
    "discard": N_("How many Waste from your discard pile do you return to the Waste pile?"),
}
CHOOSE_ONE = N_("Which effect of {cause} do you choose?")
NOT_NOW = N_("Not possible now: {missing}")
LOOK_AND_TAKE = nN_(
    "You see {cards}.  Which {types} card do you take into your hand, if any?  "
    "The others go back on top.",
    "You see {cards}.  Which {types} cards do you take into your hand, {count} at most?  "
    "The others go back on top.",
)
REVEAL_AND_TAKE = nN_(
    "Which of the revealed cards do you take into your hand, if any?  The others go back on top.",
    "Which of the revealed cards do you take into your hand, {count} at most?  "
    "The others go back on top.",
)

NO_REACTION = N_(
    "You are attacked with {cause}.  You have no reaction in hand, and are asked so that nobody "
    "can tell."
)

PLAIN = {
    "start-rail": N_("Where do you start?"),
    "turn": N_("What do you do?"),
    "place-station": N_("Where do you build the station?"),
    "copy-action": N_("The effect of which card in your hand does {cause} copy?"),
    "gain-train": N_("Which Train do you gain to your hand?"),
    "look-and-may-discard": N_("On top of your deck is {cards}.  Discard or keep it?"),
    "look-and-discard": N_(
        "You see the top of your deck.  Which of these cards do you discard?  "
        "The others go back on top."
    ),
    "name-and-reveal": N_(
        "Which card do you name?  If it is on top of your deck, you take it into your hand."
    ),
    "order": N_("In which order do you put the revealed cards back on your deck, top first?"),
    "order-top": N_("In which order do the cards that you see go back on your deck, top first?"),
    "place-purchase": N_("Where does {cards} go?"),
    "react": N_("You are attacked with {cause}.  Do you reveal a reaction?"),
    "lay-free": N_("Where do you lay the rail?  Only other players' rails there still cost."),
}
"""The questions that are the same whatever the argument of the operation."""

Ask = Callable[[Translator, Any, Decision, dict[str, str]], str]
"""The question for an operation's argument, a decision, and the names of its cards."""


def _choose_one(t: Translator, arg: Any, decision: Decision, names: dict[str, str]) -> str:
    offered = {option.key for option in decision.options}
    out = [entry for entry in arg if not {KEYS[op] for op in entry} <= offered]
    parts = [t.one(CHOOSE_ONE, **names)]
    if out:
        parts.append(t.one(NOT_NOW, missing=" ".join(effect_texts(t, out))))
    return "  ".join(parts)


def _return_any(t: Translator, arg: Any, _: Decision, __: dict[str, str]) -> str:
    parts = [t.one(RETURN_ANY[arg["from"]])]
    if "each" in arg:
        parts.append(_each(t, **arg["each"]))
    return "  ".join(parts)


def _each(t: Translator, **each: int) -> str:
    ((what, count),) = each.items()
    return t.many(EACH[what], count)


OF_ARGUMENT: dict[str, Ask] = {
    "choose": lambda t, arg, _, __: t.one(CHOOSE[arg["then"]]),
    "choose-one": _choose_one,
    "discard": lambda t, n, _, __: t.many(DISCARD, n),
    "discard-any": lambda t, arg, _, __: t.one(DISCARD_ANY, each=_each(t, **arg["each"])),
    "discard-down": lambda t, left, decision, _: t.many(DISCARD_DOWN, decision.max, left=left),
    "discard-or-pay": lambda t, arg, _, __: t.one(
        N_("Do you discard a Train from your hand, or let the attacker have {money} money?"),
        money=arg["money"],
    ),
    "hand-to-deck": lambda t, _, decision, __: t.many(TO_DECK, decision.max),
    "look-and-take": lambda t, arg, _, names: t.many(
        LOOK_AND_TAKE, arg["take"], types=types_text(t, arg["types"]), **names
    ),
    "may-trash-this": lambda t, arg, _, names: t.one(
        N_("Do you trash {played} for {money} money?"), money=arg["then"]["earn"], **names
    ),
    "return-any-waste": _return_any,
    "reveal-and-take": lambda t, arg, _, __: t.many(REVEAL_AND_TAKE, arg["take"]),
    "trade-train": lambda t, arg, _, __: t.one(
        N_("Which Train in your hand do you trash, to gain one that costs at most {up} more?"),
        up=arg["up"],
    ),
}
"""The questions in which the argument of the operation is told."""


def question(translator: Translator, decision: Decision, names: dict[str, str]) -> str:
    """The question of a decision.  ``names`` are those of its ``cause``, of the card that was
    ``played``, and of the ``cards`` that it is about."""
    if decision.kind == "react" and len(decision.options) == 1:
        return translator.one(NO_REACTION, **names)
    if decision.kind in PLAIN:
        return translator.one(PLAIN[decision.kind], **names)
    return OF_ARGUMENT[decision.kind](
        translator, decision.operation[decision.kind], decision, names
    )
