"""Why something that was typed is none of the options, as far as view and catalogue tell.

This is help for a reader, not a judgement: what may be done is what the server offers, and where
the reason is not plain to see nothing is said.
"""

from __future__ import annotations

import re

from msgspec import UNSET

from client.model import TableModel
from client.plain.board import neighbours
from client.plain.lines import safe
from client.plain.prompt import is_turn
from client.plain.table import find_card
from engine.types import CardInfo, Decision
from protocol.matching import meant, words_of

VERBS = frozenset({"play", "plain", "buy", "lay", "card", "hex", "rail", "bonus"})
ENDINGS = frozenset(
    {"e", "en", "pass", "done", "finish", "skip", "next", "stop", "turn", "over", "ende", "ended"}
)
"""What people type who want to end their turn."""

TO_END = "to end your turn type end, or 0"
NO_RAIL_POINT = "play a rail card first: it gives the rail point"
_HEX = re.compile(r"[a-z][0-9]{1,2}")


def why_not(model: TableModel, decision: Decision, typed: str) -> str:
    """A clause, or nothing."""
    words = words_of(typed)
    if not words or model.view is None or model.catalogue is None:
        return ""
    verb = words.pop(0) if words[0] in VERBS else ""
    if is_turn(decision) and not words:
        return _why_not_verb(model, decision, verb)
    subject = " ".join(words)
    if subject in ENDINGS or subject == "end":
        return TO_END if is_turn(decision) else "this question has to be answered first"
    if is_turn(decision) and subject.startswith("clear"):
        return _why_not_clear(model)
    place = _place(model, subject) if verb not in {"play", "plain", "buy", "card", "bonus"} else ""
    if place:
        return _why_not_there(model, decision, place)
    if verb in {"lay", "hex", "rail"}:
        return ""
    found = find_card(model, subject) if verb != "bonus" else []
    if len(found) == 1:
        return _why_not_card(model, decision, verb, found[0])
    bonus = meant(subject, {name: (one.name,) for name, one in model.bonuses.items()})
    if len(bonus) == 1 and not found and is_turn(decision):
        return _why_not_bonus(model, bonus[0])
    return "" if found else elsewhere(model, subject)


def elsewhere(model: TableModel, subject: str) -> str:
    """That a card is not in this game, if it is in some box."""
    absent = model.catalogue.absent if model.catalogue is not None else {}
    found = meant(subject, {name: (name,) for name in absent})
    return f"{safe(found[0], 40)} is not in this game" if len(found) == 1 else ""


def _place(model: TableModel, subject: str) -> str:
    """The hex that is meant by name or by its title."""
    assert model.catalogue is not None
    hexes = model.catalogue.board.hexes
    if _HEX.fullmatch(subject):
        return subject.upper() if subject.upper() in hexes else ""
    if find_card(model, subject):
        return ""
    titled = meant(subject, {name: (info.title,) for name, info in hexes.items() if info.title})
    return titled[0] if len(titled) == 1 else ""


def _why_not_verb(model: TableModel, decision: Decision, verb: str) -> str:
    """Why there is nothing to be done of a kind."""
    assert model.view is not None
    if any(option.key.startswith(f"{verb}:") for option in decision.options):
        return ""
    turn = model.view.turn
    if verb == "lay":
        return NO_RAIL_POINT if not turn.rail_points else "there is no hex that you could lay on"
    if verb == "buy":
        return f"nothing can be bought for the {turn.money} money you have"
    if verb == "play":
        return "no card in your hand can be played"
    if verb == "plain":
        return "no card in your hand has an effect to leave out"
    return "you hold no route bonus whose ability can be used now" if verb == "bonus" else ""


def _why_not_clear(model: TableModel) -> str:
    assert model.view is not None
    own = model.view.own
    if own is not UNSET and not own.hand.get("waste"):
        return "you hold no Waste"
    return "Waste is cleared instead of a turn, before anything else is done"


def _why_not_bonus(model: TableModel, name: str) -> str:
    assert model.view is not None
    title = safe(model.bonuses[name].name, 40)
    lies = model.view.bonuses.get(name)
    if lies is None:
        return f"{title} is not in this game"
    if lies.holder != model.seat:
        return f"you do not hold {title}"
    return f"the ability of {title} has been used" if lies.used else ""


def _why_not_there(model: TableModel, decision: Decision, name: str) -> str:
    assert model.catalogue is not None
    info = model.catalogue.board.hexes[name]
    where = f"{safe(info.title, 40)} ({name})" if info.title else name
    if info.terrain == "sea":
        return f"{name} is sea"
    if is_turn(decision):
        return _why_no_rail(model, name, where)
    lies = model.view.hexes.get(name) if model.view else None
    if decision.kind == "start-rail":
        return _why_no_start(model, decision, name, where)
    if decision.kind == "place-station":
        if info.terrain != "city":
            return f"{where} is no city"
        if lies and lies.stations >= info.slots:
            return f"all stations of {where} are built"
    return ""


def _why_no_start(model: TableModel, decision: Decision, name: str, where: str) -> str:
    assert model.catalogue is not None
    board = model.catalogue.board
    lies = model.view.hexes.get(name) if model.view else None
    if board.hexes[name].terrain == "remote":
        return f"nobody starts at a remote location such as {where}"
    if lies and lies.rails:
        return f"somebody starts at {where} already"
    offered = {option.key.removeprefix("hex:") for option in decision.options}
    if offered <= set(board.starts):
        return f"this game starts in the marked cities, and {where} is none"
    return ""


def _why_no_rail(model: TableModel, name: str, where: str) -> str:
    view = model.view
    assert view is not None
    assert model.catalogue is not None
    mine = {place for place, lies in view.hexes.items() if model.seat in lies.rails}
    if name in mine:
        return f"you have a rail on {where} already"
    seat = view.seats.get(str(model.seat))
    if seat is not None and not seat.rails_left:
        return "all your rails are laid"
    if not mine & set(neighbours(model.catalogue.board, name)):
        return f"{where} is not next to your rails"
    if not view.turn.rail_points:
        return NO_RAIL_POINT
    return f"a rail on {where} costs more than the {view.turn.money} money you have"


def _why_not_card(model: TableModel, decision: Decision, verb: str, card: CardInfo) -> str:
    view = model.view
    assert view is not None
    assert model.catalogue is not None
    name = safe(card.name, 40)
    held = view.own is not UNSET and bool(view.own.hand.get(card.id))
    if not is_turn(decision):
        from_hand = any(option.key.startswith("card:") for option in decision.options)
        return f"{name} is not in your hand" if from_hand and not held else ""
    if verb in {"play", "plain"} and not held:
        return f"{name} is not in your hand"
    if held and verb != "buy":
        if card.type in {"victory", "waste"}:
            return f"{name} cannot be played"
        if verb:
            return f"{name} has no effect to leave out" if verb == "plain" else ""
    if card.type == "waste":
        return f"{name} cannot be bought"
    if card.id not in model.catalogue.supply:
        return f"{name} is not for sale" + ("" if verb else ", and not in your hand")
    if not view.supply.get(card.id, 0):
        return f"the pile of {name} is empty"
    if card.cost > view.turn.money:
        return f"{name} costs {card.cost}, you have {view.turn.money}"
    return ""
