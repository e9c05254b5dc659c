"""A board as plain text, for those who look at it outside of a game: a drawing, then its names."""

from __future__ import annotations

from engine.board import Board
from engine.text.catalogue import N_, Translator, nN_

SIGNS = {"plain": "·", "river": "~", "mountain": "^", "sea": " "}
LEGEND = N_(
    "· plain  ~ river  ^ mountain  1-3 city with so many slots  *n remote location  blank sea"
)
CITY = nN_("{title}, a city with 1 station slot", "{title}, a city with {count} station slots")
REMOTE = N_("{title}, a remote location worth {value}")
BARRIERS = N_("Barriers between {pairs}.")
NO_BARRIERS = N_("No barriers.")
CELL = 6


def board_text(translator: Translator, board: Board) -> list[str]:
    """The drawing, what its signs mean, and a line for each city, remote location and barrier."""
    return [*_drawing(board), translator.one(LEGEND), "", *_places(translator, board)]


def _drawing(board: Board) -> list[str]:
    """Every second row is shifted half a hex, as on the table."""
    rows: dict[str, list[str]] = {}
    for name in board.names:
        info = board.infos[board.index[name]]
        sign = SIGNS.get(info.terrain) or (f"*{info.value}" if info.value else str(info.slots))
        rows.setdefault(name[0], []).append(sign)
    longest = max(len(row) for row in rows.values())
    head = "    " + "".join(str(column).ljust(CELL) for column in range(1, longest + 1))
    lines = [head.rstrip()]
    for number, (letter, signs) in enumerate(rows.items()):
        shift = " " * (CELL // 2) if number % 2 else ""
        lines.append(f"{letter}   {shift}{''.join(sign.ljust(CELL) for sign in signs)}".rstrip())
    return lines


def _places(translator: Translator, board: Board) -> list[str]:
    lines = []
    for name, info in zip(board.names, board.infos, strict=True):
        if info.slots:
            lines.append(f"{name:4} {translator.many(CITY, info.slots, title=info.title)}")
        elif info.value:
            text = translator.one(REMOTE, title=info.title, value=info.value)
            lines.append(f"{name:4} {text}")
    pairs = ", ".join(f"{a}-{b}" for a, b in board.spec.barriers)
    lines.append(translator.one(BARRIERS, pairs=pairs) if pairs else translator.one(NO_BARRIERS))
    return lines
