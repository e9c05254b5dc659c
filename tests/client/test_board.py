from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.plain import board
from client.plain.lines import ASCII, UNICODE, WIDTH, Glyphs, columns_of, plain
from engine.types import BoardInfo, HexInfo, HexView, Observation, TurnView
from tests.client.games import NAMES, catalogue_of, opening

TOKYO = catalogue_of(2).board
NAME = re.compile(r"([A-Z])(\d+)")


def seen(hexes: dict[str, HexView]) -> Observation:
    return Observation("turn", TurnView(1, 0, 0, 0, {}), [0], {}, hexes, {}, {}, 30)


def drawn(hexes: dict[str, HexView], me: int = 0, glyphs: Glyphs = UNICODE) -> list[str]:
    return [plain(line) for line in board.draw(TOKYO, seen(hexes), me, glyphs)]


GOLDEN = """\
     1      2      3      4      5      6      7      8      9      10
  ┌──────┬──────┬──────┬──────┬──────┬──────┬──────┬──────┬──────┬──────┐
A │*4    │^     │^     │^     │○○    │~     │○○    │^     │^     │*4    │
  └──┬───┴──┬───┴──┬───┴──┬───┴──┬───┴──┬───┴──┬───┴──┬───┴──┬───┴──┬───┘
B    │^     │^     │○○    │·     │·     │~     │○     │·     │○     │
  ┌──┴───┬──┴───┬──┶━━━┭──┴───┬──┴───┬──┴───┬──┴───┬──┴───┬──┴───┬──┴───┐
C │○○○   │~     │●○ C  │·  C  │○  bC │·  b  │●● b  │~     │·     │*3    │
  └──┬───┴──┬───┴──┬───┴──┬───┴──┬───┴──┬───┶━━┳━━━┵──┬───┴──┬───┴──┬───┘
D    │○     │~     │~     │·     │·     │●○ a  ┃○○ all│~     │○○    │
  ┌──┴───┬──┴───┬──┴───┬──┴───┬──┴───┬──┴───┮━━┻━━━┭──┴───┬──┴───┬──┴───┐
E │^     │○○    │~     │~     │○     │·  a  │○○ a  │~     │      │*2    │
  └──┬───┴──┬───┴──┬───┴──┬───┴──┬───┴──┬───┴──┬───┴──┬───┘      └──────┘
F    │^     │~     │○○    │~     │○     │·     │·     │
  ┌──┴───┬──┴───┬──┴───┬──┴───┬──┴───┬──┴───┬──┴──────┘
G │*3    │^     │~     │·     │~     │○     │
  └──┮━━━┵──┬───┴──┬───┴──┬───┴──┬───┴──┬───┴──┐
H    │*2    │○○○   │~     │○○    │~     │○○    │
     └──────┴──────┴──────┴──────┴──────┴──────┘
        1      2      3      4      5      6      7      8      9""".splitlines()

POSITION = {
    "C3": HexView([2], 1),
    "C4": HexView([2]),
    "C5": HexView([1, 2]),
    "C6": HexView([1]),
    "C7": HexView([1], 2),
    "D6": HexView([0], 1),
    "D7": HexView([0, 1, 2, 3]),
    "E6": HexView([0]),
    "E7": HexView([0]),
}


def test_tokyo_is_drawn_as_ever() -> None:
    assert drawn(POSITION, me=2) == GOLDEN


def test_without_unicode_the_same_stands_at_the_same_places() -> None:
    lines = drawn(POSITION, me=2, glyphs=ASCII)
    assert all(line.isascii() for line in lines)
    assert [len(line) for line in lines] == [len(line) for line in GOLDEN]
    for ascii_line, line in zip(lines, GOLDEN, strict=True):
        if "│" in line:
            same = line.replace("│", "|").replace("┃", "#").replace("·", ".")
            assert ascii_line == same.replace("●", "@").replace("○", "o")


rails = st.lists(st.integers(0, 3), unique=True, max_size=4).map(sorted)
land = [name for name, info in TOKYO.hexes.items() if info.terrain != "sea"]


@given(st.dictionaries(st.sampled_from(land), rails), st.integers(-1, 3), st.booleans())
def test_no_line_of_a_board_is_wider_than_the_screen(
    laid: dict[str, list[int]], me: int, fancy: bool
) -> None:
    view = seen(
        {
            name: HexView(seats, TOKYO.hexes[name].slots % (len(seats) + 1))
            for name, seats in laid.items()
        }
    )
    glyphs = UNICODE if fancy else ASCII
    lines = board.draw(TOKYO, view, me, glyphs, {"C4": "$10w", "E10": "$0"})
    lines += board.legend(TOKYO, NAMES, me, glyphs) + board.legend(
        TOKYO, ["W" * 20] * 4, me, glyphs, marks="$2 price of a rail there"
    )
    assert max(columns_of(plain(line)) for line in lines) <= WIDTH
    assert len({plain(line) for line in lines[2:17:2]}) == 8


@given(st.sampled_from(land), rails.filter(bool), st.integers(0, 3))
def test_everybodys_rails_stand_in_their_hex_and_nowhere_else(
    name: str, seats: list[int], me: int
) -> None:
    empty, lines = drawn({}), drawn({name: HexView(seats)}, me)
    changed = [n for n, pair in enumerate(zip(empty, lines, strict=True)) if pair[0] != pair[1]]
    row, column = board.place_of(name)
    assert changed == [2 + 2 * row]
    inside = lines[changed[0]][board._left(row, column) + 1 :][: board.PITCH - 1]
    letters = "".join(board.letter_of(seat, me) for seat in seats)
    assert inside[board.TERRAIN_WIDTH :].strip() == (letters if len(letters) < 4 else "all")


def test_marks_leave_the_owners_of_rails_to_be_seen() -> None:
    lies = {"C4": HexView([1]), "C5": HexView([1, 2, 3]), "C1": HexView([1]), "D7": HexView([1, 2])}
    marks = {"C4": "$2w", "C5": "$3w", "C1": "$2w", "D7": "$2w", "E1": "$2"}
    rows = [plain(line) for line in board.draw(TOKYO, seen(lies), 0, UNICODE, marks)]
    for inside in ("│·$2w b│", "│○$3bcd│", "│○○○$2b│", "┃○○$2bc│", "│^  $2 │"):
        assert any(inside in row for row in rows), inside


@pytest.mark.parametrize("name", land)
def test_what_touches_on_the_screen_is_adjacent_in_the_game(name: str) -> None:
    compiled = opening(2).setting.board
    mask = compiled.neighbours[compiled.index[name]]
    adjacent = {other for other, i in compiled.index.items() if mask >> i & 1}
    assert set(board.neighbours(TOKYO, name)) == adjacent


@pytest.mark.parametrize("name", ["", "A", "1A", "?3", "A0", "Axy", "A1000"])
def test_what_names_no_hex_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"hex|invalid literal"):
        board.place_of(name)


def test_a_board_of_the_future_with_an_unknown_terrain_is_still_drawn() -> None:
    strange = BoardInfo("x", "X", 1, 1, {"A1": HexInfo("swamp"), "A2": HexInfo("plain")}, [])
    lines = [plain(line) for line in board.draw(strange, None, 0)]
    assert lines[2] == "A │?     │·     │"
