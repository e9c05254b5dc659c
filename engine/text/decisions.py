"""The sentences of a decision: its question, and what each option would do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from engine.text.catalogue import N_, Translator, nN_
from engine.text.events import bonus_name, card_name, hex_name
from engine.types import Decision, Option

if TYPE_CHECKING:
    from engine.setting import Setting

QUESTIONS = {
    "start-rail": N_("Where do you start?"),
    "turn": N_("What do you do?"),
    "place-station": N_("Where do you build the station?"),
    "discard-any": N_("Which cards do you discard?"),
    "may-trash-this": N_("Do you trash {cause}?"),
    "choose": N_("Which card do you choose?"),
    "choose-one": N_("Which effect of {cause}?"),
    "copy-action": N_("Which card does {cause} copy?"),
    "discard": N_("Which cards do you discard?"),
    "gain-train": N_("Which Train do you gain?"),
    "look-and-may-discard": N_("On top of your deck is {cards}.  Discard or keep it?"),
    "name-and-reveal": N_("Which card do you name?"),
    "order": N_("In which order do you put them back, top first?"),
    "place-purchase": N_("Where does {cards} go?"),
    "return-any-waste": N_("How many Waste do you return?"),
    "react": N_("You are attacked with {cause}.  Do you reveal a reaction?"),
    "hand-to-deck": N_("Which card goes on top of your deck?"),
    "discard-down": N_("Which cards do you discard?"),
    "discard-or-pay": N_("Do you discard a Train, or let the attacker have the money?"),
    "look-and-take": N_("You see {cards}.  Which one do you take into your hand?"),
    "look-and-discard": N_("You see the top of your deck.  Which cards do you discard?"),
    "order-top": N_("In which order do they go back on your deck, top first?"),
    "lay-free": N_("Where do you lay the rail?"),
    "reveal-and-take": N_("Which card do you take into your hand?"),
    "trade-train": N_("Which Train do you trash?"),
}
"""A question for every kind of decision."""

WORDS = {
    "clear-waste": N_("Return all Waste in hand and end the turn"),
    "end-turn": N_("End the turn"),
    "yes": N_("Yes"),
    "no": N_("No"),
    "keep": N_("Keep it on the deck"),
    "discard": N_("Discard it"),
    "deck": N_("On top of the deck"),
    "gained": N_("Into the gained area"),
    "draw": N_("Draw"),
    "money": N_("Take the money"),
    "return-waste": N_("Return Waste"),
    "pass": N_("Let the attack come"),
}

VERBS = {
    "play": N_("Play {name}"),
    "play-plain": N_("Play {name} without its effect"),
    "buy": N_("Buy {name}"),
    "lay": N_("Lay a rail on {name}"),
    "card": N_("{name}"),
    "hex": N_("{name}"),
    "reveal": N_("Reveal {name}: the attack passes you by"),
    "bonus": N_("Use the route bonus {name}"),
}
IMPOSSIBLE = N_("Play {name} for its value alone")
GAIN = N_("+{money} money")
COST = N_("costs {money}")
WASTE = nN_("brings 1 Waste", "brings {count} Waste")


NAMES = {"lay": hex_name, "hex": hex_name, "bonus": bonus_name}
"""How the thing after the verb is called, where it is no card."""


def decision_text(
    translator: Translator,
    setting: Setting,
    decision: Decision,
    worded: dict[Option, Option],
) -> Decision:
    """The decision with a question, and every option with a sentence; ``worded`` remembers the
    options of this setting."""
    options = []
    for bare in decision.options:
        option = worded.get(bare)
        if option is None:
            text = option_text(translator, setting, bare)
            option = worded[bare] = msgspec.structs.replace(bare, text=text)
        options.append(option)
    cause = card_name(setting, decision.cause) if decision.cause else ""
    cards = ", ".join(card_name(setting, card) for card in decision.cards)
    return msgspec.structs.replace(
        decision,
        text=translator.one(QUESTIONS[decision.kind], cause=cause, cards=cards),
        options=tuple(options),
    )


def option_text(translator: Translator, setting: Setting, option: Option) -> str:
    """One line for an option, with its price."""
    verb, _, what = option.key.partition(":")
    if not what:
        return translator.one(WORDS[verb])
    name = NAMES.get(verb, card_name)(setting, what)
    message = IMPOSSIBLE if option.effect == "impossible" else VERBS[verb]
    line = translator.one(message, name=name)
    notes = []
    if option.gain:
        notes.append(translator.one(GAIN, money=option.gain))
    if option.money or verb == "buy":
        notes.append(translator.one(COST, money=option.money))
    if option.waste:
        notes.append(translator.many(WASTE, option.waste))
    return f"{line} ({', '.join(notes)})" if notes else line
