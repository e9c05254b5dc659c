"""The state of a game as plain data: what is saved, copied, digested and replayed.

Cards and hexes are indices of the game's :class:`engine.setting.Setting`.  A zone is a list that
holds, for each card of the game, how many copies lie there; only a deck has an order (its last
card is its top).  What follows from this data alone, such as hex masks, is kept apart in
:mod:`engine.masks`.  What is still to be done lies on ``stack``, its last item next.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

Zone = list[int]


class Task(Struct, frozen=True, gc=False, tag="task", array_like=True):
    """Something still to be done: an operation of :mod:`engine.effects`, for a seat.

    ``card`` is the card in the play area that it comes from (-1: none), ``arg`` the operation's
    argument as plain data.  ``copied`` is the card whose effect it is where that is another one,
    which the played card copies (-1: it is its own)."""

    op: str
    seat: int
    card: int = -1
    arg: Any = None
    copied: int = -1

    @property
    def source(self) -> int:
        """The card whose effect it is (-1: none)."""
        return self.card if self.copied < 0 else self.copied

    def then(self, op: str, arg: Any = None, seat: int = -1) -> Task:
        """What the same effect does next, for its seat or another one."""
        return Task(op, self.seat if seat < 0 else seat, self.card, arg, self.copied)


class Prompt(Struct, tag="prompt", array_like=True):
    """A task that waits for, or has got, its seat's answer.  ``number`` counts the seat's
    decisions; -1 if the answer was the only legal one, so that nobody was asked."""

    task: Task
    number: int
    keys: list[str] | None = None


class SeatState(Struct):
    """One seat.  ``laid`` lists the hexes of its rails in the order they were laid; ``aside`` is
    where cards lie while an effect reveals them; ``known`` is how many cards on top of the deck the
    owner knows, having looked at them or put them there."""

    hand: Zone
    deck: list[int]
    discard: Zone
    play: Zone
    gained: Zone
    aside: Zone
    laid: list[int]
    known: int = 0
    score: int = 0
    shuffles: int = 0
    asked: int = 0

    def copy(self) -> SeatState:
        return SeatState(
            self.hand.copy(),
            self.deck.copy(),
            self.discard.copy(),
            self.play.copy(),
            self.gained.copy(),
            self.aside.copy(),
            self.laid.copy(),
            self.known,
            self.score,
            self.shuffles,
            self.asked,
        )


class BonusState(Struct, array_like=True):
    """A revealed route bonus: its index among the board's bonuses, who holds it (-1: nobody yet),
    and whether its ability has been used."""

    bonus: int
    holder: int = -1
    used: bool = False


class State(Struct):
    """A game.  ``running`` counts the *this turn* effects (:mod:`engine.running`); ``acted`` says
    that something was done this turn, so that Waste can no longer be cleared; ``spared`` are the
    seats that the running attack passes by; ``bonuses`` the revealed route bonuses."""

    seats: list[SeatState]
    supply: Zone
    trash: Zone
    removed: Zone
    stations: list[int]
    stations_left: int
    running: list[int]
    stack: list[Task | Prompt]
    prompts: list[Prompt]
    phase: str = "start"
    turn: int = 0
    active: int = 0
    money: int = 0
    rail_points: int = 0
    acted: bool = False
    ended_by: str = ""
    spared: list[int] = []
    bonuses: list[BonusState] = []

    def copy(self) -> State:
        return State(
            [seat.copy() for seat in self.seats],
            self.supply.copy(),
            self.trash.copy(),
            self.removed,
            self.stations.copy(),
            self.stations_left,
            self.running.copy(),
            self.stack.copy(),
            [Prompt(p.task, p.number, p.keys) for p in self.prompts],
            self.phase,
            self.turn,
            self.active,
            self.money,
            self.rail_points,
            self.acted,
            self.ended_by,
            self.spared.copy(),
            [BonusState(b.bonus, b.holder, b.used) for b in self.bonuses],
        )
