"""What happens, told in few lines: the sentences of one step, or of a whole turn, run together.

The sentences come ready from the server; here a name that opens several of them in a row is said
once, the same thing done twice is counted, and what matters to nobody (shuffles, the hand drawn
at the end of a turn) is left out.  Changes of the scores are told, and turns without any act.
The log of the model keeps everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from client.model import LoggedEvent, TableModel
from client.plain.board import letter_of
from client.plain.lines import WIDTH, Glyphs, Line, listing, rule, safe, wrap
from engine.types import Event

QUIET = frozenset({"begun", "shuffled", "cleaned-up"})
ROWS = frozenset({"revealed", "gained", "trashed", "took", "gave-up"})
"""Kinds of which several in a row are told in one: ``reveals 2 Waste, Normal Train``."""

ENDS = frozenset({"turn", "over"})
"""What comes after the end of a turn."""


class Teller:
    """Tells the events of a game as they come in.

    ``whole`` says of a seat that its turns are told in one piece, when they are over (or when
    :meth:`flush` is called).
    """

    def __init__(
        self, glyphs: Glyphs, whole: Callable[[int], bool], width: Callable[[], int] = lambda: WIDTH
    ) -> None:
        self._glyphs = glyphs
        self._width = width
        self._whole = whole
        self._kept: list[Event] = []
        self._mover = -1
        self._between = True  # before the first turn, or after the clean-up of one
        self._idle = False  # a turn was seen to begin, and nothing in it yet
        self._over = False
        self._scores: dict[int, int] | None = None

    def tell(self, model: TableModel, events: Iterable[LoggedEvent]) -> list[Line]:
        """The lines to be shown now."""
        lines: list[Line] = []
        for logged in events:
            event = logged.event
            if event.type in ENDS:
                lines += self._finish_turn(model)
            if event.type == "over":
                lines += self._gains(model)
                self._over = True
            if event.type == "turn":
                if _is_now(model, logged):
                    lines += self._gains(model)
                mine = event.seat == model.seat
                style = "class:own-turn" if mine else "class:heading"
                heading = _heading(model, logged, mine)
                lines.append(rule(heading, self._glyphs, self._width(), style))
                self._mover = event.seat if isinstance(event.seat, int) else -1
                self._between = False
                self._idle = True
            elif self._worth_telling(event):
                self._kept.append(event)
                self._idle = self._idle and event.seat != self._mover
        if not self._whole(self._mover):
            lines += self._tell_kept(model, self._row_of_plays(model))
        if not self._kept and not self._over:
            lines += self._gains(model)
        return lines

    def _row_of_plays(self, model: TableModel) -> int:
        """How many of the last events are plays that may go on: somebody else's cards that only
        bring money are told together, when the row is over."""
        row = 0
        for event in reversed(self._kept):
            if event.type != "played" or event.what or event.seat == model.seat:
                break
            row += 1
        return row

    def flush(self, model: TableModel) -> list[Line]:
        """Tell what was kept back."""
        return self._tell_kept(model, 0)

    def _tell_kept(self, model: TableModel, but: int) -> list[Line]:
        """Tell what was kept back but for so many of the last events."""
        told = self._kept[: len(self._kept) - but]
        self._kept = self._kept[len(told) :]
        return paragraphs(model, told, self._width())

    def _finish_turn(self, model: TableModel) -> list[Line]:
        lines = self.flush(model)
        if self._idle and self._mover >= 0:
            lines.append([("", f"  {safe(model.name(self._mover), 40)} does nothing.")])
        self._idle = False
        return lines

    def _gains(self, model: TableModel) -> list[Line]:
        """Whose score is not what it was when this was last asked."""
        before, self._scores = self._scores, scores_of(model)
        if before is None:
            return []
        changed = [
            f"{safe(model.name(seat), 40)} now has {score}"
            for seat, score in self._scores.items()
            if before.get(seat, 0) != score
        ]
        return wrap(f"  {', '.join(changed)}.", self._width(), "    ") if changed else []

    def _worth_telling(self, event: Event) -> bool:
        if event.type == "cleaned-up":
            self._between = True
        return event.type not in QUIET and not (self._between and event.type == "drew")


def scores_of(model: TableModel) -> dict[int, int]:
    """What everybody may know of the scores: the track and the rails on the board."""
    seats = model.view.seats if model.view is not None else {}
    return {int(seat): seats[seat].score + seats[seat].rails_vp for seat in sorted(seats, key=int)}


def _is_now(model: TableModel, logged: LoggedEvent) -> bool:
    """Whether the view is of the turn in which this happened."""
    view = model.view
    return view is not None and view.turn.number == logged.turn and view.phase == "turn"


def _heading(model: TableModel, logged: LoggedEvent, mine: bool) -> str:
    """Whose turn it is and, where the view is of that moment, how the scores stand."""
    told = logged.event.text
    words = safe(told, 60).rstrip(".") if isinstance(told, str) else f"Turn {logged.turn}"
    if mine:
        words += " - Your turn"
    if not _is_now(model, logged):
        return words
    letters = (f"{letter_of(seat, model.seat)} {n}" for seat, n in scores_of(model).items())
    return f"{words} ({'  '.join(letters)})"


@dataclass
class _Phrase:
    """What a seat did: a sentence without the seat's name, said ``times`` times; or, if the
    sentence ends with the name of a card, what stands before it and all cards of a row."""

    words: str
    times: int = 1
    cards: dict[str, int] = field(default_factory=dict)

    def text(self) -> str:
        if self.cards:
            return self.words + listing(self.cards.items())
        return self.words + (f" (×{self.times})" if self.times > 1 else "")


def paragraphs(model: TableModel, events: Sequence[Event], width: int = WIDTH) -> list[Line]:
    """The sentences of these events, one paragraph for each stretch of one seat."""
    lines: list[Line] = []
    phrases: list[_Phrase] = []
    seat: object = None
    lead = ""

    def finish() -> None:
        if phrases:
            joined = lead + "; ".join(phrase.text() for phrase in phrases)
            lines.extend(wrap(f"  {joined}.", width, "    "))
            phrases.clear()

    for event in events:
        words = safe(event.text, 500).rstrip(".") if isinstance(event.text, str) else ""
        if not words:
            continue
        if event.seat != seat or not isinstance(event.seat, int):
            finish()
            lead = _lead(model, event, words)
        elif phrases:
            words = _within(model, event.seat, words)
        seat = event.seat
        words = words.removeprefix(lead)
        card = safe(model.card_name(event.card), 40) if isinstance(event.card, str) else ""
        last = phrases[-1] if phrases else None
        if card and event.type in ROWS and words.endswith(f" {card}"):
            begun = words.removesuffix(card)
            if last is not None and last.cards and last.words == begun:
                last.cards[card] = last.cards.get(card, 0) + 1
            else:
                phrases.append(_Phrase(begun, cards={card: 1}))
        elif last is not None and not last.cards and last.words == words:
            last.times += 1
        else:
            phrases.append(_Phrase(words))
    finish()
    return lines


def _lead(model: TableModel, event: Event, words: str) -> str:
    """The name with which a sentence begins, to be said once."""
    seat = event.seat if isinstance(event.seat, int) else -1
    name = f"{safe(model.name(seat), 40)} "
    return name if seat >= 0 and words.startswith(name) else ""


def _within(model: TableModel, seat: int, words: str) -> str:
    """A sentence that goes on one about the same seat: its name once, no capital but of names."""
    shorter = words.removeprefix(f"{safe(model.name(seat), 40)} ")
    if shorter != words or any(words.startswith(safe(name, 40)) for name in model.names):
        return shorter
    return words[:1].lower() + words[1:]
