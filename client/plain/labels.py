"""An option in few words, and the words for places and prices in it."""

from __future__ import annotations

from client.model import TableModel
from client.plain.answers import END
from client.plain.board import rails_text
from client.plain.lines import Line, safe
from engine.types import Decision, Option


def item(model: TableModel, decision: Decision, number: int | None, option: Option) -> Line:
    """An option after its number, if it has one."""
    label: Line = [("", option_label(model, decision, option))]
    return label if number is None else [("class:number", f"{number:>2} "), *label]


def option_label(model: TableModel, decision: Decision, option: Option) -> str:
    """An option in few words: names and prices in a turn and for hexes, sentences elsewhere."""
    verb, _, subject = option.key.partition(":")
    times = f" ×{option.count}" if option.count > 1 else ""
    if verb in {"play", "play-plain"}:
        gain = f" +{option.gain}" if option.gain else ""
        tail = {"refused": " without effect", "impossible": ", value only"}.get(option.effect, "")
        return safe(model.card_name(subject), 40) + gain + tail + times
    if verb == "buy":
        return f"{safe(model.card_name(subject), 40)} {price(option)}"
    if verb in {"lay", "hex"}:
        priced = verb == "lay" or decision.kind == "lay-free" or option.money or option.waste
        tail = f" {price(option)}" if priced else _lies_there(model, subject)
        return f"{place(model, subject)}{tail}{times}"
    if verb == "card":
        return safe(model.card_name(subject), 40) + times
    if verb == "reveal":
        return f"reveal {safe(model.card_name(subject), 40)}: the attack passes you by"
    if verb == "bonus":
        bonus = model.bonuses.get(subject)
        return f"{bonus.name}: {safe(bonus.text, 200).rstrip('.')}" if bonus else safe(subject, 40)
    if option.key == END:
        return "end your turn"
    sentence = safe(option.text, 70).rstrip(".")
    word = safe(option.key, 40)
    if not sentence or sentence.lower() == word:
        return word + times
    return f"{word} - {sentence}{times}" if len(decision.options) <= 8 else sentence + times


def place(model: TableModel, name: str) -> str:
    """A hex by name, with what it is called or else its terrain: ``C5 Kichijoji``, ``C4 plain``."""
    words = safe(model.hex_title(name), 40) or model.terrain(name)
    return f"{safe(name, 8)} {words}".rstrip()


def _lies_there(model: TableModel, name: str) -> str:
    """Stations of slots in a city, and whose rails lie there: `` 1/2 aB``."""
    info = model.catalogue.board.hexes.get(name) if model.catalogue else None
    lies = model.view.hexes.get(name) if model.view else None
    city = f" {lies.stations if lies else 0}/{info.slots}" if info and info.slots else ""
    return city + (f" {rails_text(lies.rails, model.seat)}" if lies and lies.rails else "")


def owners(model: TableModel, name: str) -> str:
    """Whose rails lie on a hex, as letters."""
    lies = model.view.hexes.get(name) if model.view else None
    return rails_text(lies.rails, model.seat) if lies else ""


def price(option: Option) -> str:
    """``$2``, and ``w`` where a Waste comes with it."""
    return f"${option.money}" + "w" * min(option.waste, 2)
