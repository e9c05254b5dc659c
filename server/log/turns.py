"""Groups events by turn and writes each turn as a block of text.

It works on plain events, names and a few words about cards and hexes; where the events come from (a
journal, the wire) makes no difference, and it runs no rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from engine.types import Event

Name = Callable[[str], str]

LABEL = 10
"""Columns of the labels at the left."""


@dataclass(frozen=True)
class Glossary:
    """How seats, cards and hexes are called, and the sentence for any event."""

    seats: list[str]
    card: Name
    hex: Name
    sentence: Callable[[Event], str]


@dataclass
class Turn:
    """The events of one turn; number 0 is what happens before the first.

    ``scores`` are the victory points of each seat when the turn was over, if somebody worked them
    out; ``finished`` is false for one that was still running when the events ended.
    """

    number: int
    seat: int
    events: list[Event] = field(default_factory=list)
    scores: list[int] | None = None
    finished: bool = True


def turns(events: Iterable[Event]) -> Iterator[Turn]:
    """The events by turn; an event of type ``turn`` begins one."""
    turn = Turn(0, -1)
    for event in events:
        if event.type == "turn":
            yield turn
            turn = Turn(_number(event.count), _number(event.seat))
        else:
            turn.events.append(event)
    turn.finished = any(event.type == "over" for event in turn.events)
    yield turn


def block(turn: Turn, words: Glossary) -> list[str]:
    """The lines of a turn."""
    if turn.number == 0:
        return _opening(turn, words)
    lines = [f"Turn {turn.number}: {words.seats[turn.seat]}"]
    account = _Account(turn.seat, words)
    for event in turn.events:
        account.add(event)
    told = account.lines()
    lines += told or ([_line("passes", "").rstrip()] if turn.finished else [])
    if turn.scores is not None:
        points = ", ".join(
            f"{name}: {score}" for name, score in zip(words.seats, turn.scores, strict=True)
        )
        lines.append(_line("score", points))
    if not turn.finished:
        lines.append("  (not finished)")
    lines += [words.sentence(event) for event in turn.events if event.type == "over"]
    return lines


def _opening(turn: Turn, words: Glossary) -> list[str]:
    starts = [
        f"{words.seats[_number(event.seat)]} at {words.hex(str(event.hex))}"
        for event in turn.events
        if event.type == "start-rail"
    ]
    lines = [f"Start: {', '.join(words.seats)}"]
    return [*lines, _line("rails", ", ".join(starts))] if starts else lines


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def _line(label: str, text: str) -> str:
    return f"  {label:<{LABEL}}{text}"


class _Account:
    """What one turn comes to."""

    def __init__(self, seat: int, words: Glossary) -> None:
        self._seat = seat
        self._words = words
        self._played: list[tuple[str, int]] = []
        self._made = 0
        self._spent = 0
        self._lists: dict[str, list[str]] = {label: [] for label in _LABELS}
        self._waste = 0
        self._returned = 0
        self._scored = 0
        self._others: list[str] = []

    def add(self, event: Event) -> None:
        """Enter one event."""
        kind, words = event.type, self._words
        if kind in QUIET:
            return
        if event.seat != self._seat or kind not in OWN:
            self._others.append(words.sentence(event))
            return
        card = words.card(event.card) if isinstance(event.card, str) else ""
        money = _number(event.money)
        if kind == "played":
            self._made += _number(event.value)
            self._play(card + _EFFECTS.get(str(event.what), ""))
        elif kind == "earned":
            self._made += money
        elif kind == "paid":
            self._spent += money
        elif kind == "laid":
            self._spent += money
            self._lists["rails"].append(f"{words.hex(str(event.hex))} for {money}")
        elif kind == "station":
            place = words.hex(str(event.hex))
            self._lists["stations"].append(f"{place}, number {_number(event.count)} there")
        elif kind == "bought":
            self._spent += money
            self._lists["buys"].append(f"{card} for {money}")
        elif kind == "gained":
            if event.card == "waste":
                self._waste += 1
            else:
                self._lists["gains"].append(card + _WHERE.get(("gained", str(event.to)), ""))
        elif kind == "returned":
            self._returned += _number(event.count)
        elif kind == "scored":
            self._scored += _number(event.count)
        else:
            where = " from hand" if kind == "put-down" else _WHERE.get((kind, str(event.to)), "")
            self._lists[_LISTED[kind]].append((card or self._cards(event)) + where)

    def _cards(self, event: Event) -> str:
        """The cards of an event by name, as far as they are told; else, as of what is discarded,
        their number."""
        if isinstance(event.order, list):
            return ", ".join(self._words.card(card) for card in event.order)
        if isinstance(event.cards, dict) and event.type != "discarded":
            many = event.cards.items()
            return ", ".join(
                f"{n} {self._words.card(c)}" if n > 1 else self._words.card(c) for c, n in many
            )
        return _counted(_number(event.count), "card")

    def _play(self, what: str) -> None:
        if self._played and self._played[-1][0] == what:
            self._played[-1] = what, self._played[-1][1] + 1
        else:
            self._played.append((what, 1))

    def lines(self) -> list[str]:
        """The account as lines, without those that would be empty; none if nothing was done."""
        lines = []
        if self._played:
            plays = (what if n == 1 else f"{n} {what}" for what, n in self._played)
            lines.append(_line("plays", ", ".join(plays)))
        if self._made or self._spent:
            left = self._made - self._spent
            lines.append(_line("money", f"made {self._made}, spent {self._spent}, left {left}"))
        lines += [_line(label, ", ".join(what)) for label, what in self._lists.items() if what]
        waste = [f"{self._waste} gained"] if self._waste else []
        waste += [f"{self._returned} returned"] if self._returned else []
        if waste:
            lines.append(_line("Waste", ", ".join(waste)))
        if self._scored:
            lines.append(_line("points", f"{self._scored} VP at once"))
        lines += [_line("also", text) for text in self._others]
        return lines


_LISTED = {
    "copied": "copies",
    "named": "names",
    "looked": "looks at",
    "revealed": "reveals",
    "took": "takes",
    "fetched": "takes",
    "put-back": "puts back",
    "ordered": "puts back",
    "put-on-deck": "on deck",
    "put-down": "on deck",
    "trashed": "trashes",
    "discarded": "discards",
}
"""Kinds of which a line lists the cards, with its label."""

_LABELS = ("rails", "stations", "buys", "gains", *dict.fromkeys(_LISTED.values()))
"""The lists of an account, in the order of their lines."""

_WHERE = {
    ("gained", "hand"): " into hand",
    ("fetched", "discard"): " from the discard pile",
    ("discarded", "deck"): " off the deck",
    ("discarded", "aside"): " of those revealed",
    ("fetched", "deck"): " off the deck",
    ("put-on-deck", "play"): " from play",
    ("revealed", "hand"): " from hand",
    ("trashed", "hand"): " from hand",
    ("trashed", "aside"): " of those revealed",
}
"""What is said of the places where cards came from or went to, beyond the usual."""

QUIET = {"shuffled", "drew", "rail-points", "cleaned-up", "over"}
"""The kinds of which nothing is said: every turn has them, or another line says them."""

OWN = {
    "played",
    "earned",
    "paid",
    "laid",
    "station",
    "bought",
    "gained",
    "returned",
    "scored",
    *_LISTED,
}
"""The kinds that the account has a place for; others are told by their sentence."""

_EFFECTS = {
    "unused": " (without effect)",
    "refused": " (effect refused)",
    "impossible": " (value alone)",
}


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
