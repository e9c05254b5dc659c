"""The board: the facts of Tokyo counted once more, and its geometry against plain coordinates."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board import Board, bits, mask
from tests.engine.games import catalogue_of, new_game
from tests.engine.oracle import touching


@pytest.fixture(scope="module")
def board() -> Board:
    return new_game().setting.board


def names(board: Board, hexes: int) -> set[str]:
    return {board.names[i] for i in bits(hexes)}


def test_the_facts_of_tokyo(board: Board) -> None:
    assert board.size == 4 * 10 + 4 * 9
    assert [name for name in board.names if name.endswith("10")] == ["A10", "C10", "E10", "G10"]
    assert len(bits(board.cities)) == 22
    assert sum(board.slots) == 39
    assert sum(board.value) == 4 + 4 + 3 + 2 + 3 + 2
    assert names(board, board.remotes) == {"A1", "A10", "C10", "E10", "G1", "H1"}
    assert {t: board.terrain.count(t) for t in ("plain", "river", "mountain", "sea")} == {
        "plain": 12,
        "river": 16,
        "mountain": 10,
        "sea": 10,
    }
    assert len(board.spec.barriers) == 7
    assert (board.spec.stations, board.spec.rails, board.spec.players) == (30, 20, (2, 4))


@pytest.mark.parametrize(
    ("name", "facts"),
    [
        # terrain, name, slots, value, surcharge
        ("A1", ("remote", "Chichibu", 0, 4, 4)),
        ("A5", ("city", "Kawagoe", 2, 0, 1)),
        ("B4", ("plain", "", 0, 0, 0)),
        ("C1", ("city", "Hachioji", 3, 0, 1)),
        ("C2", ("river", "", 0, 0, 1)),
        ("E7", ("city", "Shinagawa-Meguro", 2, 0, 1)),
        ("E9", ("sea", "", 0, 0, 0)),
        ("G2", ("mountain", "", 0, 0, 2)),
        ("H1", ("remote", "Shonan", 0, 2, 2)),
    ],
)
def test_single_hexes(board: Board, name: str, facts: tuple[str, str, int, int, int]) -> None:
    i = board.index[name]
    info = board.infos[i]
    assert (info.terrain, info.title, info.slots, info.value, board.surcharge[i]) == facts


def test_names_are_in_board_order(board: Board) -> None:
    assert board.names == sorted(board.names, key=lambda name: (name[0], int(name[1:])))
    assert [board.index[name] for name in board.names] == list(range(board.size))


def test_neighbours_are_the_hexes_that_touch(board: Board) -> None:
    """Against the distances of the hexes' middles, sea left out."""
    near = touching(catalogue_of(new_game()))
    sea = {name for name in board.names if board.terrain[board.index[name]] == "sea"}
    for i, name in enumerate(board.names):
        assert names(board, board.neighbours[i]) == near[name] - sea


def test_neighbours_are_symmetric(board: Board) -> None:
    for i in range(board.size):
        if board.land >> i & 1:
            for j in bits(board.neighbours[i]):
                assert board.neighbours[j] >> i & 1
            assert not board.neighbours[i] >> i & 1


def test_barriers_part_their_hexes_and_no_others(board: Board) -> None:
    for a, b in board.spec.barriers:
        assert b not in names(board, board.neighbours[board.index[a]])
        assert a not in names(board, board.neighbours[board.index[b]])
    assert names(board, board.neighbours[board.index["D6"]]) == {"D5", "C6", "E6"}
    assert names(board, board.neighbours[board.index["E7"]]) == {"E6", "E8", "F6", "F7"}


def test_all_land_can_be_reached(board: Board) -> None:
    reached = grown = 1
    while grown:
        grown = mask(j for i in bits(reached) for j in bits(board.neighbours[i])) & ~reached
        reached |= grown
    assert reached == board.land


def test_masks_part_the_board(board: Board) -> None:
    assert board.cities & board.remotes == 0
    assert (board.cities | board.remotes) & ~board.land == 0
    assert len(bits(board.land)) == board.size - 10


@given(st.sets(st.integers(0, 120)))
def test_bits_undo_masks(hexes: set[int]) -> None:
    assert list(bits(mask(hexes))) == sorted(hexes)


def test_the_board_as_shown(board: Board) -> None:
    info = board.info()
    assert [*info.hexes] == board.names
    assert len(info.barriers) == 7
    assert info.source
    assert (info.stations, info.rails) == (30, 20)
