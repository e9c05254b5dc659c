"""What happens, told in few lines: the sentences of one step, or of a whole turn, run together.

The sentences come ready from the server; here a name that opens several of them in a row is said
once, the same thing done twice is counted, and what matters to nobody (shuffles, the hand drawn
at the end of a turn) is left out.  The log of the model keeps everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from client.model import LoggedEvent, TableModel
from client.plain.lines import Glyphs, Line, rule, safe, wrap
from engine.types import Event

QUIET = frozenset({"begun", "shuffled", "cleaned-up"})


class Teller:
    """Tells the events of a game as they come in.

    ``whole`` says of a seat that its turns are told in one piece, when they are over.
    """

    def __init__(self, glyphs: Glyphs, whole: Callable[[int], bool]) -> None:
        self._glyphs = glyphs
        self._whole = whole
        self._kept: list[Event] = []
        self._mover = -1
        self._between = True  # before the first turn, or after the clean-up of one

    def tell(self, model: TableModel, events: Iterable[LoggedEvent]) -> list[Line]:
        """The lines to be shown now."""
        lines: list[Line] = []
        for logged in events:
            event = logged.event
            if event.type == "turn":
                lines += self.flush(model)
                lines.append(rule(_heading(model, logged), self._glyphs))
                self._mover = event.seat if isinstance(event.seat, int) else -1
                self._between = False
            elif self._worth_telling(event):
                self._kept.append(event)
        if not self._whole(self._mover):
            lines += self.flush(model)
        return lines

    def flush(self, model: TableModel) -> list[Line]:
        """Tell what was kept back."""
        lines = paragraphs(model, self._kept)
        self._kept = []
        return lines

    def _worth_telling(self, event: Event) -> bool:
        if event.type == "cleaned-up":
            self._between = True
        return event.type not in QUIET and not (self._between and event.type == "drew")


def _heading(model: TableModel, logged: LoggedEvent) -> str:
    """Whose turn it is and, where the view is of that moment, how the scores stand."""
    text = logged.event.text
    words = safe(text, 200).rstrip(".") if isinstance(text, str) else f"Turn {logged.turn}"
    view = model.view
    if view is None or view.turn.number != logged.turn or view.phase != "turn":
        return words
    seats = [view.seats[seat] for seat in sorted(view.seats, key=int)]
    return f"{words} ({' : '.join(str(seat.score + seat.rails_vp) for seat in seats)})"


def paragraphs(model: TableModel, events: Sequence[Event]) -> list[Line]:
    """The sentences of these events, one paragraph for each stretch of one seat."""
    lines: list[Line] = []
    phrases: list[tuple[str, int]] = []
    seat: object = None

    def finish() -> None:
        if phrases:
            joined = "; ".join(words + (f" (×{n})" if n > 1 else "") for words, n in phrases)
            lines.extend(wrap(f"  {joined}.", indent="    "))
            phrases.clear()

    for event in events:
        words = safe(event.text, 500).rstrip(".") if isinstance(event.text, str) else ""
        if not words:
            continue
        if event.seat != seat or not isinstance(event.seat, int):
            finish()
        elif phrases:
            words = words.removeprefix(f"{safe(model.name(event.seat), 40)} ")
        seat = event.seat
        if phrases and phrases[-1][0] in {words, _with_name(model, event, words)}:
            phrases[-1] = (phrases[-1][0], phrases[-1][1] + 1)
        else:
            phrases.append((words, 1))
    finish()
    return lines


def _with_name(model: TableModel, event: Event, words: str) -> str:
    seat = event.seat if isinstance(event.seat, int) else -1
    return f"{safe(model.name(seat), 40)} {words}"
