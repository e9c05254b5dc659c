"""What an audience may know of a game: the one place that hides things in the state.

An observation is built from the fields named here, and only from them; nothing is ever removed from
the full state (rules, section 12).  The public part is the same for everybody; the own part is
what the holder of a seat knows besides.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import msgspec

from engine.rails import rails_left
from engine.running import RUNNING
from engine.scoring import rails_vp, results
from engine.types import Observation

if TYPE_CHECKING:
    from engine.game import Game
    from engine.state import Zone

Plain = dict[str, Any]


def observe(game: Game, audience: int) -> Observation:
    """All that a seat, or ``SPECTATOR``, may know now; what is no seat sees the public part."""
    observer = Observer(game)
    view = observer.public()
    if 0 <= audience < len(game.state.seats):
        view = {**view, "own": observer.own(audience)}
    return msgspec.convert(view, Observation)


class Observer:
    """Looks at one game again and again and gives what may be known as plain data (in the form of
    :class:`engine.types.Observation`).

    What has not changed between two looks is the same object in both, so that whoever compares
    them can pass it over.  Nothing that was given may be changed.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._ids = [card.id for card in game.setting.cards]
        self._zones: dict[tuple[int, str], tuple[list[int], dict[str, int]]] = {}
        self._public: Plain = {"seats": {}, "hexes": {}}
        self._own: dict[int, Plain] = {}
        self._decks: dict[int, list[int]] = {}
        self._crowd: list[int] = []
        self._stations: list[int] = []

    def public(self, touched: Collection[int] | None = None) -> Plain:
        """What everybody may know.  ``touched``, if given, are the seats to whom something has
        happened since the last look (:func:`engine.events.seats_in`); others are not looked at."""
        game, old = self._game, self._public
        state = game.state
        moved = self._crowd != game.masks.crowd or self._stations != state.stations
        hexes = self._hexes(old["hexes"]) if moved else old["hexes"]
        supply = self._named(-1, "supply", state.supply, empty=True)
        view: Plain = {
            "phase": state.phase,
            "turn": _same(
                old.get("turn"),
                {
                    "number": state.turn,
                    "seat": state.active,
                    "money": state.money,
                    "rail_points": state.rail_points,
                    "effects": {
                        name: n for name, n in zip(RUNNING, state.running, strict=True) if n
                    }
                    if any(state.running)
                    else {},
                },
            ),
            "asked": [prompt.task.seat for prompt in state.prompts if prompt.number >= 0],
            "seats": self._seats(old["seats"], touched, moved=moved),
            "hexes": hexes,
            "supply": supply,
            "trash": self._named(-1, "trash", state.trash),
            "stations_left": state.stations_left,
        }
        if state.bonuses:
            view["bonuses"] = _same(old.get("bonuses"), self._bonuses())
        if state.phase == "over":
            view["results"] = [msgspec.to_builtins(result) for result in results(game)]
            view["ended_by"] = state.ended_by
        self._public = view
        return view

    def _bonuses(self) -> Plain:
        bonuses = self._game.setting.bonuses
        return {
            bonuses[held.bonus].id: {"holder": held.holder, "used": held.used}
            for held in self._game.state.bonuses
        }

    def own(self, seat: int) -> Plain:
        """What only the holder of the seat may know: contents, not the order of the deck."""
        me = self._game.state.seats[seat]
        old, order = self._own.get(seat), self._decks.get(seat)
        if old is not None and order == me.deck:
            deck = old["deck"]
        else:
            counts = [0] * len(self._ids)
            for card in me.deck:
                counts[card] += 1
            deck = self._named(seat, "deck", counts)
            self._decks[seat] = me.deck.copy()
        own = {
            "hand": self._named(seat, "hand", me.hand),
            "deck": deck,
            "discard": self._named(seat, "discard", me.discard),
        }
        if me.known:
            own["top"] = [self._ids[card] for card in reversed(me.deck[-me.known :])]
        self._own[seat] = own = _same(old, own)
        return own

    def _seats(self, old: Plain, touched: Collection[int] | None, *, moved: bool) -> Plain:
        seats = {}
        for seat, me in enumerate(self._game.state.seats):
            name = str(seat)
            before = old.get(name)
            if before is not None and touched is not None and not moved and seat not in touched:
                seats[name] = before
                continue
            view: Plain = {
                "hand": sum(me.hand),
                "deck": len(me.deck),
                "discard": sum(me.discard),
                "play": self._named(seat, "play", me.play),
                "gained": self._named(seat, "gained", me.gained),
                "rails_left": rails_left(self._game, seat),
                "score": me.score,
                "rails_vp": rails_vp(self._game, seat)
                if moved or before is None
                else before["rails_vp"],
            }
            if any(me.aside):
                view["revealed"] = self._named(seat, "revealed", me.aside)
            seats[name] = view
        return _same(old, seats)

    def _hexes(self, old: Plain) -> Plain:
        """The hexes with something on them; only what changed is made anew."""
        game = self._game
        names, stations, crowd = game.setting.board.names, game.state.stations, game.masks.crowd
        hexes = dict(old)
        for i, name in enumerate(names):
            if self._crowd and crowd[i] == self._crowd[i] and stations[i] == self._stations[i]:
                continue
            if crowd[i] or stations[i]:
                rails = [seat for seat, own in enumerate(game.masks.own) if own >> i & 1]
                hexes[name] = {"rails": rails}
                if stations[i]:
                    hexes[name]["stations"] = stations[i]
        self._crowd, self._stations = crowd.copy(), stations.copy()
        return hexes

    def _named(self, seat: int, name: str, zone: Zone, *, empty: bool = False) -> dict[str, int]:
        """A zone as a map of card ids; with ``empty`` it holds all supply piles, empty ones too."""
        key = seat, name
        seen = self._zones.get(key)
        if seen is not None and seen[0] == zone:
            return seen[1]
        if empty:
            named = {self._ids[i]: zone[i] for i in self._game.setting.supply}
        else:
            named = {card: count for card, count in zip(self._ids, zone, strict=True) if count}
        self._zones[key] = zone.copy(), named
        return named


def _same(old: Plain | None, new: Plain) -> Plain:
    """The old object if the new one says the same."""
    return old if old is not None and old == new else new
