"""The rules of a turn once more, as plainly as can be and from nothing but an observation: what may
be done and what it costs (rules, sections 3, 5 and 6).  It shares no code with the engine."""

from __future__ import annotations

from engine.types import Catalogue, HexInfo, Observation, OwnView

Expected = dict[str, tuple[int, int, int, str]]
"""Option keys with money, Waste, gain and what becomes of an effect."""


def touching(catalogue: Catalogue) -> dict[str, set[str]]:
    """Which hexes touch, by where their middles are: half a hex to the right in every other row."""
    middles = {
        name: (int(name[1:]) + (0.5 if (ord(name[0]) - ord("A")) % 2 else 0.0), ord(name[0]))
        for name in catalogue.board.hexes
    }
    barriers = {frozenset(pair) for pair in catalogue.board.barriers}
    return {
        a: {
            b
            for b, (bx, by) in middles.items()
            if (abs(ax - bx), abs(ay - by)) in ((1.0, 0), (0.5, 1))
            and frozenset((a, b)) not in barriers
        }
        for a, (ax, ay) in middles.items()
    }


def turn_options(catalogue: Catalogue, view: Observation, *, acted: bool) -> Expected:
    """Every option that the player to move must have, and no other."""
    own = view.own
    assert isinstance(own, OwnView)
    return {
        **_plays(catalogue, view, own),
        **_purchases(catalogue, view),
        **_rails(catalogue, view),
        **({"clear-waste": (0, 0, 0, "")} if own.hand.get("waste") and not acted else {}),
        "end-turn": (0, 0, 0, ""),
    }


def _waste(view: Observation) -> int:
    return 0 if "no-waste" in view.turn.effects or not view.supply["waste"] else 1


def _plays(catalogue: Catalogue, view: Observation, own: OwnView) -> Expected:
    found: Expected = {}
    trains = {card.id for card in catalogue.cards if card.type == "train"}
    in_play = view.seats[str(view.turn.seat)].play
    slots = sum(info.slots for info in catalogue.board.hexes.values())
    built = sum(there.stations for there in view.hexes.values())
    can = {
        "station-expansion": view.stations_left > 0 and built < slots,
        "amusement-park": bool(trains & {*in_play}),
        "maintenance-factory": bool(trains & {*own.hand}),
    }
    for card in catalogue.cards:
        if card.id not in own.hand or card.type in ("victory", "waste"):
            continue
        if card.type == "train":
            found[f"play:{card.id}"] = (0, 0, card.value, "")
        elif can.get(card.id, True):
            found[f"play:{card.id}"] = (0, 0, card.value, "used")
            found[f"play-plain:{card.id}"] = (0, 0, card.value, "refused")
        else:
            found[f"play:{card.id}"] = (0, 0, card.value, "impossible")
    return found


def _purchases(catalogue: Catalogue, view: Observation) -> Expected:
    return {
        f"buy:{card.id}": (card.cost, _waste(view) if card.type == "victory" else 0, 0, "")
        for card in catalogue.cards
        if view.supply.get(card.id) and card.type != "waste" and card.cost <= view.turn.money
    }


def _rails(catalogue: Catalogue, view: Observation) -> Expected:
    seat = view.turn.seat
    if not view.turn.rail_points or not view.seats[str(seat)].rails_left:
        return {}
    found: Expected = {}
    near = touching(catalogue)
    mine = {name for name, there in view.hexes.items() if seat in there.rails}
    for name, info in catalogue.board.hexes.items():
        if info.terrain == "sea" or name in mine or not near[name] & mine:
            continue
        there = view.hexes.get(name)
        opponents = len(there.rails) if there else 0
        price = _surcharge(info, there.stations if there else 0, view) + opponents
        if price <= view.turn.money:
            found[f"lay:{name}"] = (price, _waste(view) if opponents else 0, 0, "")
    return found


def _surcharge(info: HexInfo, stations: int, view: Observation) -> int:
    if info.terrain == "river":
        return 0 if "waive-river" in view.turn.effects else 1
    if info.terrain == "mountain":
        return 2
    if info.terrain == "city":
        return 1 + stations
    return info.value
