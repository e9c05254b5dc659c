"""What happens, told in few lines: the sentences of one step, or of a whole turn, run together.

The sentences come ready from the server; here a name that opens several of them in a row is said
once, the same thing done twice is counted, and what matters to nobody (shuffles, the hand drawn
at the end of a turn) is left out.  Changes of the scores are told, and turns without any act.
The log of the model keeps everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from client.model import LoggedEvent, TableModel
from client.plain.board import letter_of
from client.plain.lines import WIDTH, Glyphs, Line, rule, safe, wrap
from engine.types import Event

QUIET = frozenset({"begun", "shuffled", "cleaned-up"})
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
        self._scores: dict[int, int] | None = None

    def tell(self, model: TableModel, events: Iterable[LoggedEvent]) -> list[Line]:
        """The lines to be shown now."""
        lines: list[Line] = []
        for logged in events:
            event = logged.event
            if event.type in ENDS:
                lines += self._finish_turn(model)
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
            lines += self.flush(model)
        if not self._kept:
            lines += self._gains(model)
        return lines

    def flush(self, model: TableModel) -> list[Line]:
        """Tell what was kept back."""
        lines = paragraphs(model, self._kept, self._width())
        self._kept = []
        return lines

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


def paragraphs(model: TableModel, events: Sequence[Event], width: int = WIDTH) -> list[Line]:
    """The sentences of these events, one paragraph for each stretch of one seat."""
    lines: list[Line] = []
    phrases: list[tuple[str, int]] = []
    seat: object = None

    def finish() -> None:
        if phrases:
            joined = "; ".join(words + (f" (×{n})" if n > 1 else "") for words, n in phrases)
            lines.extend(wrap(f"  {joined}.", width, "    "))
            phrases.clear()

    for event in events:
        words = safe(event.text, 500).rstrip(".") if isinstance(event.text, str) else ""
        if not words:
            continue
        if event.seat != seat or not isinstance(event.seat, int):
            finish()
        elif phrases:
            words = _within(model, event.seat, words)
        seat = event.seat
        if phrases and phrases[-1][0] in {words, _with_name(model, event, words)}:
            phrases[-1] = (phrases[-1][0], phrases[-1][1] + 1)
        else:
            phrases.append((words, 1))
    finish()
    return lines


def _within(model: TableModel, seat: int, words: str) -> str:
    """A sentence that goes on one about the same seat: its name once, no capital but of names."""
    shorter = words.removeprefix(f"{safe(model.name(seat), 40)} ")
    if shorter != words or any(words.startswith(safe(name, 40)) for name in model.names):
        return shorter
    return words[:1].lower() + words[1:]


def _with_name(model: TableModel, event: Event, words: str) -> str:
    seat = event.seat if isinstance(event.seat, int) else -1
    return f"{safe(model.name(seat), 40)} {words}"
