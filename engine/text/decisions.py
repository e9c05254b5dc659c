"""The sentences of a decision: its question, and what each option would do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from engine.effects.choose import KEYS
from engine.text.catalogue import N_, Translator, nN_
from engine.text.effects import effects_text
from engine.text.events import bonus_name, card_name, hex_name
from engine.text.questions import question
from engine.types import Decision, Option

if TYPE_CHECKING:
    from engine.setting import Setting

WORDS = {
    "clear-waste": N_("Return all Waste in hand and end the turn"),
    "end-turn": N_("End the turn"),
    "yes": N_("Yes"),
    "no": N_("No"),
    "keep": N_("Keep it on the deck"),
    "discard": N_("Discard it"),
    "deck": N_("On top of the deck"),
    "gained": N_("Into the gained area"),
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


EFFECTS = {key: op for op, key in KEYS.items()}
"""The effect that each named choice of ``choose-one`` is."""

CONCEDE = N_("Let the attacker have {money} money")

NAMES = {"lay": hex_name, "hex": hex_name, "bonus": bonus_name}
"""How the thing after the verb is called, where it is no card."""


class Said:
    """What was said before in one setting: the options with their sentences, and the questions
    that the rules ask, by what they depend on."""

    def __init__(self) -> None:
        self.options: dict[Option, Option] = {}
        self.questions: dict[tuple[object, ...], str] = {}


def decision_text(
    translator: Translator, setting: Setting, decision: Decision, said: Said
) -> Decision:
    """The decision with a question, and every option with a sentence."""
    options = [
        said.options.get(option) or _worded(translator, setting, decision, option, said)
        for option in decision.options
    ]
    asks = (
        decision.kind,
        decision.cause,
        decision.copied_by,
        decision.cards,
        len(decision.options) > 1,
    )
    text = said.questions.get(asks)
    if text is None:
        text = question(translator, decision, _names(setting, decision))
        if not decision.operation:
            said.questions[asks] = text
    return msgspec.structs.replace(decision, text=text, options=tuple(options))


def _worded(
    translator: Translator, setting: Setting, decision: Decision, bare: Option, said: Said
) -> Option:
    special = _by_effect(translator, decision, bare)
    text = special or option_text(translator, setting, bare)
    option = msgspec.structs.replace(bare, text=text)
    if not special:
        said.options[bare] = option
    return option


def _names(setting: Setting, decision: Decision) -> dict[str, str]:
    """The names of the cards that a question may speak of."""
    cause, played = decision.cause, decision.copied_by or decision.cause
    return {
        "cause": card_name(setting, cause) if cause else "",
        "played": card_name(setting, played) if played else "",
        "cards": ", ".join(card_name(setting, card) for card in decision.cards),
    }


def _by_effect(translator: Translator, decision: Decision, option: Option) -> str:
    """The sentence of an option that says what the effect that asks would do, with its numbers."""
    if option.key not in EFFECTS:
        return ""
    arg = decision.operation[decision.kind]
    if decision.kind == "discard-or-pay":
        return translator.one(CONCEDE, money=arg["money"])
    (entry,) = (entry for entry in arg if EFFECTS[option.key] in entry)
    return effects_text(translator, [entry]).rstrip(".")


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
