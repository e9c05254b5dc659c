"""What an audience may know of a game: the one place that hides things in the state.

An observation is built from the fields named here, and only from them; nothing is ever removed from
the full state (rules, section 12).  The public part is the same for everybody; the own part is
what the holder of a seat knows besides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.rails import rails_left
from engine.running import RUNNING
from engine.scoring import rails_vp, results
from engine.types import SPECTATOR, HexView, Observation, OwnView, SeatView, TurnView

if TYPE_CHECKING:
    from engine.game import Game
    from engine.setting import Setting
    from engine.state import Zone


def observe(game: Game, audience: int) -> Observation:
    """All that a seat, or ``SPECTATOR``, may know now."""
    view = public_view(game)
    if audience != SPECTATOR:
        view.own = own_view(game, audience)
    return view


def public_view(game: Game) -> Observation:
    """What everybody may know."""
    state, setting = game.state, game.setting
    view = Observation(
        phase=state.phase,
        turn=TurnView(
            number=state.turn,
            seat=state.active,
            money=state.money,
            rail_points=state.rail_points,
            effects={name: n for name, n in zip(RUNNING, state.running, strict=True) if n},
        ),
        asked=[prompt.task.seat for prompt in state.prompts if prompt.number >= 0],
        seats={str(seat): _seat_view(game, seat) for seat in range(len(state.seats))},
        hexes=_hexes(game),
        supply={setting.cards[i].id: state.supply[i] for i in setting.supply},
        trash=_named(setting, state.trash),
        stations_left=state.stations_left,
    )
    if state.phase == "over":
        view.results = results(game)
        view.ended_by = state.ended_by
    return view


def own_view(game: Game, seat: int) -> OwnView:
    """What only the holder of the seat may know: contents, not the order of the deck."""
    me, setting = game.state.seats[seat], game.setting
    deck = [0] * len(setting.cards)
    for card in me.deck:
        deck[card] += 1
    return OwnView(
        hand=_named(setting, me.hand),
        deck=_named(setting, deck),
        discard=_named(setting, me.discard),
        top=[setting.cards[card].id for card in reversed(me.deck[len(me.deck) - me.known :])],
    )


def _seat_view(game: Game, seat: int) -> SeatView:
    me, setting = game.state.seats[seat], game.setting
    return SeatView(
        hand=sum(me.hand),
        deck=len(me.deck),
        discard=sum(me.discard),
        play=_named(setting, me.play),
        gained=_named(setting, me.gained),
        rails_left=rails_left(game, seat),
        score=me.score,
        rails_vp=rails_vp(game, seat),
        revealed=_named(setting, me.aside),
    )


def _hexes(game: Game) -> dict[str, HexView]:
    names, stations, own = game.setting.board.names, game.state.stations, game.masks.own
    return {
        names[i]: HexView([seat for seat, mine in enumerate(own) if mine >> i & 1], stations[i])
        for i, crowd in enumerate(game.masks.crowd)
        if crowd or stations[i]
    }


def _named(setting: Setting, zone: Zone) -> dict[str, int]:
    cards = setting.cards
    return {cards[i].id: count for i, count in enumerate(zone) if count}
