"""The board as text: every hex a brick, every second row shifted by half a brick.

Bricks laid like this have the six neighbours of a hexagon, so what touches on the screen is
adjacent in the game; heavy lines are barriers, sea stays blank.  A brick shows its terrain (a
city's station slots, a remote location's value) and whose rails lie there, one letter a seat, the
reader's own in capitals.  The figures above are the columns of rows A, C, E, ..., those below the
columns of rows B, D, F, ...
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from client.plain.boxes import HEAVY, Canvas
from client.plain.lines import UNICODE, WIDTH, Fragment, Glyphs, Line, flow, safe
from engine.types import BoardInfo, HexInfo, HexView, Observation

PITCH = 7
SHIFT = 3
MARGIN = 2
TERRAIN_WIDTH = 3
RAILS_WIDTH = PITCH - 1 - TERRAIN_WIDTH
LETTERS = "abcdefgh"


def place_of(name: str) -> tuple[int, int]:
    """Row and column, from 0, of a hex name such as ``C10``; raises ValueError."""
    row, column = ord(name[:1] or " ") - ord("A"), int(name[1:]) - 1
    if not 0 <= row < 26 or not 0 <= column < 100:
        raise ValueError(f"{name!r} is not the name of a hex")
    return row, column


def neighbours(board: BoardInfo, name: str) -> list[str]:
    """The hexes that touch this one: bricks that touch, but for barriers and the sea."""
    row, column = place_of(name)
    shift = row % 2
    around = {
        (row, column - 1), (row, column + 1),
        (row - 1, column - 1 + shift), (row - 1, column + shift),
        (row + 1, column - 1 + shift), (row + 1, column + shift),
    }  # fmt: skip
    return [
        other
        for other, info in board.hexes.items()
        if place_of(other) in around
        and info.terrain != "sea"
        and [name, other] not in board.barriers
        and [other, name] not in board.barriers
    ]


def letter_of(seat: int, me: int) -> str:
    """The letter of a seat on the board: a capital for the reader's own."""
    letter = LETTERS[seat] if 0 <= seat < len(LETTERS) else "?"
    return letter.upper() if seat == me else letter


def terrain_text(info: HexInfo, stations: int, glyphs: Glyphs) -> str:
    """The sign of a hex, at most three columns wide."""
    if info.terrain == "city":
        return glyphs.built * stations + glyphs.open * (info.slots - stations)
    if info.terrain == "remote":
        return f"{glyphs.remote}{info.value}"
    signs = {"river": glyphs.river, "mountain": glyphs.mountain, "plain": glyphs.plain}
    return signs.get(info.terrain, "?")


def rails_text(rails: Sequence[int], me: int) -> str:
    """Whose rails lie somewhere; four at once are ``all``, so that it fits."""
    letters = "".join(letter_of(seat, me) for seat in rails)
    return letters if len(letters) <= RAILS_WIDTH else "all"


def _left(row: int, column: int) -> int:
    return MARGIN + PITCH * column + (SHIFT if row % 2 else 0)


def _cell(
    info: HexInfo, lies: HexView | None, me: int, glyphs: Glyphs, mark: str | None
) -> list[Fragment]:
    """The inside of a brick: exactly ``PITCH - 1`` columns."""
    sign = terrain_text(info, lies.stations if lies else 0, glyphs)[:TERRAIN_WIDTH]
    rails = rails_text(lies.rails, me) if lies else ""
    style = f"class:{info.terrain}" if info.terrain in _STYLED else ""
    if mark is not None:
        sign, marked = _marked(sign, mark, rails)
        return [(style, sign), ("class:mark", marked)]
    mine = lies is not None and me in lies.rails
    return [
        (style, sign.ljust(TERRAIN_WIDTH)),
        ("class:own-rails" if mine else "class:rails", rails.ljust(RAILS_WIDTH)),
    ]


def _marked(sign: str, mark: str, rails: str) -> tuple[str, str]:
    """A sign, and a mark with as much of the owners as fits beside it."""
    room = PITCH - 1 - len(sign)
    forms = [f"{mark} {rails}", mark + rails, mark.rstrip("w") + rails] if rails else []
    marked = next((form for form in forms if len(form) <= room), mark[:room])
    if len(marked) <= RAILS_WIDTH:
        return sign.ljust(TERRAIN_WIDTH), marked.ljust(RAILS_WIDTH)
    return sign, marked.rjust(room)


_STYLED = frozenset({"plain", "river", "mountain", "city", "remote"})


def _barrier(canvas: Canvas, one: tuple[int, int], other: tuple[int, int]) -> None:
    """Make the line between two neighbours heavy."""
    (row, column), (below, across) = sorted((one, other))
    if row == below:
        canvas.down(_left(row, max(column, across)), 2 * row, 2, HEAVY)
        return
    start = max(_left(row, column), _left(below, across))
    end = min(_left(row, column), _left(below, across)) + PITCH
    canvas.across(start, 2 * below, end - start, HEAVY)


def draw(
    board: BoardInfo,
    view: Observation | None,
    me: int,
    glyphs: Glyphs = UNICODE,
    marks: Mapping[str, str] | None = None,
) -> list[Line]:
    """The board; ``marks`` puts up to three characters on hexes before their rails."""
    marks = marks or {}
    canvas = Canvas(unicode=glyphs.box)
    cells: dict[tuple[int, int], list[Fragment]] = {}
    rows = columns = 0
    for name, info in board.hexes.items():
        row, column = place_of(name)
        rows, columns = max(rows, row + 1), max(columns, column + 1)
        if info.terrain == "sea":
            continue
        left, top = _left(row, column), 2 * row
        canvas.across(left, top, PITCH)
        canvas.across(left, top + 2, PITCH)
        canvas.down(left, top, 2)
        canvas.down(left + PITCH, top, 2)
        lies = view.hexes.get(name) if view else None
        cells[row, column] = _cell(info, lies, me, glyphs, marks.get(name))
    for one, other in board.barriers:
        _barrier(canvas, place_of(one), place_of(other))
    width = MARGIN + PITCH * columns + SHIFT + 1
    lines = [_figures(0, board)]
    lines += [_row(canvas, cells, y, width) for y in range(2 * rows + 1)]
    lines.append(_figures(1, board))
    return lines


def _row(
    canvas: Canvas, cells: Mapping[tuple[int, int], list[Fragment]], y: int, width: int
) -> Line:
    """One line of the canvas with the cells of its row, if it has one, set in."""
    row = y // 2 if y % 2 else None
    line: Line = [("class:label", (chr(ord("A") + row) if row is not None else "").ljust(MARGIN))]
    x = MARGIN
    while x < width:
        column = (x - _left(row, 0) - 1) // PITCH if row is not None else 0
        inside = cells.get((row, column)) if row is not None else None
        if inside is not None and row is not None and x == _left(row, column) + 1:
            line.extend(inside)
            x += PITCH - 1
            continue
        style = "class:barrier" if canvas.heavy(x, y) else "class:line"
        line.append((style, canvas.at(x, y)))
        x += 1
    return _trimmed(line)


def _figures(parity: int, board: BoardInfo) -> Line:
    """Column numbers over the rows A, C, ... (0) or under the rows B, D, ... (1)."""
    places = [place_of(name) for name in board.hexes]
    count = max((column + 1 for row, column in places if row % 2 == parity), default=0)
    out = ""
    for column in range(count):
        out = out.ljust(_left(parity, column) + 2) + str(column + 1).center(3)
    return [("class:label", out.rstrip())]


def _trimmed(line: Line) -> Line:
    """Join neighbours of one style and drop blanks at the end."""
    joined: Line = []
    for style, text in line:
        if joined and (joined[-1][0] == style or not text.strip()):
            joined[-1] = (joined[-1][0], joined[-1][1] + text)
        else:
            joined.append((style, text))
    while joined and not joined[-1][1].strip():
        joined.pop()
    if joined:
        joined[-1] = (joined[-1][0], joined[-1][1].rstrip())
    return joined


def legend(
    board: BoardInfo,
    names: Sequence[str],
    me: int,
    glyphs: Glyphs,
    *,
    marks: str = "",
    width: int = WIDTH,
) -> list[Line]:
    """What the signs mean, and whose the letters are; ``marks`` says what the marks mean."""
    seats = [
        f"{letter_of(seat, me)} {safe(name, 20)}" + (" (you)" if seat == me else "")
        for seat, name in enumerate(names)
    ]
    signs = [
        f"{glyphs.plain} plain",
        f"{glyphs.river} river",
        f"{glyphs.mountain} mountain",
        f"{glyphs.built}{glyphs.open} city, stations built and free",
        f"{glyphs.remote}4 remote (4 VP)",
    ]
    if marks:
        seats.append(marks)
    else:
        seats.append("blank sea")
        if board.barriers:
            seats.append("heavy line barrier" if glyphs.box else "# barrier")
    return [[("class:hint", words)] for words in [*flow(signs, width), *flow(seats, width)]]
