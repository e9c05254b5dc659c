"""What a journal tells beside the events of the game, as sentences: windows, and who was played for
by a bot."""

from __future__ import annotations

from server.log.lines import AnswerLine, AutopilotLine, JournalLine, WindowLine


class Meanwhile:
    """Follows the lines; ``names`` are the players' by seat."""

    def __init__(self, names: list[str]) -> None:
        self._names = names
        self._window: WindowLine | None = None
        self._answers: list[AnswerLine] = []

    def take(self, said: JournalLine) -> str:
        """Take the next line; returns a sentence that goes before its events, or nothing."""
        if isinstance(said, WindowLine):
            self._window, self._answers = said, []
        elif isinstance(said, AutopilotLine):
            return self._switch(said)
        elif isinstance(said, AnswerLine) and self._window is not None:
            self._answers.append(said)
            if len(self._answers) == len(self._window.seats):
                return self._close(self._window)
        return ""

    def _name(self, seat: int) -> str:
        return self._names[seat] if seat < len(self._names) else f"seat {seat}"

    def _switch(self, said: AutopilotLine) -> str:
        name = self._name(said.seat)
        if not said.on:
            return f"{name} is back"
        why = {"left": "who has left", "absence": "who is away"}.get(said.why, "who lets time pass")
        return f"A bot plays for {name}, {why}"

    def _close(self, window: WindowLine) -> str:
        self._window = None
        told = [
            f"{self._name(answer.seat)} {', '.join(answer.keys)} "
            f"({answer.by}, {answer.latency_ms / 1000:.1f} s)"
            for answer in self._answers
        ]
        return f"Window {window.window}: {'; '.join(told)}"
