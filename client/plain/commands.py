"""Typed commands: a table of them, found by their first word, and their help."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass

from client.plain.lines import NARROWEST, WIDTH, Line, pad, wrap
from protocol.matching import begins, begins_inside, words_of

Run = Callable[[str], Awaitable[None]]


@dataclass(frozen=True)
class Command:
    """A word, what follows it, a sentence about it, and what it does with the rest."""

    name: str
    arguments: str
    help: str
    run: Run
    aliases: tuple[str, ...] = ()
    player: bool = False
    """Of use to players only: watchers are not told of it."""

    changes: bool = False
    """It answers the game: then it must have been begun under the open question."""

    offers: Callable[[], Iterable[tuple[str, str]]] | None = None
    """What may follow it, each with a remark."""

    def refusal(self, rest: str) -> str:
        """Why it cannot be called with these words after it; empty if it can."""
        return f"{self.name} takes no words after it." if rest and not self.arguments else ""

    @property
    def usage(self) -> str:
        return f"{self.name} {self.arguments}".rstrip()


class Commands:
    """The commands of a room; names are found whole, so that they never swallow an answer."""

    def __init__(self, commands: Sequence[Command]) -> None:
        self.all = tuple(commands)
        self._by_name = {
            name: command for command in commands for name in (command.name, *command.aliases)
        }

    @property
    def words(self) -> frozenset[str]:
        return frozenset(self._by_name)

    def find(self, line: str) -> tuple[Command, str] | None:
        """The command that a line calls, with or without a slash before it, and its argument."""
        word, _, rest = line.strip().partition(" ")
        command = self._by_name.get(word.removeprefix("/").lower())
        return (command, rest.strip()) if command else None

    def shown(self, *, watching: bool = False) -> list[Command]:
        """The commands that are told of."""
        return [command for command in self.all if not (watching and command.player)]

    def completions(self, line: str, *, watching: bool = False) -> list[tuple[str, str]]:
        """Whole lines that the typed one may become, each with a remark: the names of commands,
        and what may follow one."""
        typed = line.lstrip().lower()
        shown = self.shown(watching=watching)
        found = [
            (command.name, command.help) for command in shown if command.name.startswith(typed)
        ]
        word, blank, rest = typed.partition(" ")
        command = self._by_name.get(word)
        if blank and command is not None and command in shown and command.offers is not None:
            wanted = words_of(rest)
            for value, remark in command.offers():
                words = words_of(value)
                if begins(wanted, words) or begins_inside(wanted, words):
                    found.append((f"{word} {value}", remark))
        return found

    def help_lines(self, *, watching: bool = False, width: int = WIDTH) -> list[Line]:
        """One entry a command, folded to the screen."""
        shown = self.shown(watching=watching)
        room = max(len(command.usage) for command in shown) + 2
        lines: list[Line] = []
        for command in shown:
            first, *more = wrap(command.help, max(NARROWEST, width - room - 2))
            lines.append([("class:number", "  " + pad(command.usage, room)), *first])
            lines += [[("", " " * (room + 2)), *line] for line in more]
        return lines
