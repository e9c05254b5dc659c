"""What a host means by the options of a table."""

from __future__ import annotations

from itertools import product
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.boxes import known_boards, known_boxes, load_boxes
from protocol.messages import ShownOptions, TableOptions
from server.options import check_playable
from server.refusal import Refusal
from server.resolve import resolve

BOXES = load_boxes(tuple(known_boxes()))
BOARDS = {spec.id: spec for box in BOXES for spec in box.boards.values()}
SETS = [kingdom.id for box in BOXES for kingdom in box.kingdoms.values()]
CARDS = [card for box in BOXES for card in box.cards if card.role == "randomizer"]


def facts(options: TableOptions) -> dict[str, Any]:
    resolved = resolve(options)
    return {name: getattr(resolved, name) for name in ("boxes", "board", "players")}


@pytest.mark.parametrize(
    ("said", "boxes", "board", "players"),
    [
        ({}, ("base",), "tokyo", 2),
        ({"players": 4}, ("base",), "tokyo", 4),
        ({"board": "osa"}, ("base",), "osaka", 2),
        ({"board": "Nagoya"}, ("rising-sun",), "nagoya", 3),
        ({"board": "nagoya", "players": 4}, ("rising-sun",), "nagoya", 4),
        ({"board": "CHIBA"}, ("rising-sun",), "chiba", 2),
        ({"board": "kyushu", "boxes": ("base", "rising")}, ("base", "rising-sun"), "kyushu", 2),
        ({"boxes": ("rising-sun",)}, ("rising-sun",), "chiba", 2),
        ({"boxes": ("rising-sun",), "players": 3}, ("rising-sun",), "nagoya", 3),
        ({"boxes": ("base", "rising-sun")}, ("base", "rising-sun"), "tokyo", 2),
        ({"kingdom": ("tokyo first",)}, ("base",), "tokyo", 2),
        ({"kingdom": ("rising-sun-first",), "players": 4}, ("rising-sun",), "nagoya", 4),
        (
            {"kingdom": ("tun", "gara", "bullet", "Landfill", "upgr", "engin", "junk", "regul")},
            ("base", "rising-sun"),
            "tokyo",
            2,
        ),
        ({"victory": ("rising",)}, ("rising-sun",), "chiba", 2),
    ],
)
def test_what_is_left_open_goes_with_the_rest(
    said: dict[str, Any], boxes: tuple[str, ...], board: str, players: int
) -> None:
    assert facts(TableOptions(**said)) == {"boxes": boxes, "board": board, "players": players}
    check_playable(TableOptions(**said))


def test_what_is_left_open_is_as_the_servers_host_has_set_where_that_goes() -> None:
    house = ShownOptions(board="nagoya", players=4, boxes=("base", "rising-sun"))
    assert resolve(TableOptions(), house).board == "nagoya"
    assert resolve(TableOptions(players=2), house).board == "osaka"
    assert resolve(TableOptions(board="chiba"), house).players == 2
    assert resolve(TableOptions(board="nagoya"), house).boxes == ("base", "rising-sun")


@pytest.mark.parametrize(
    ("said", "says"),
    [
        ({"board": "chiba", "players": 3}, "players: Chiba is for 2 players, not 3"),
        ({"board": "nagoya", "players": 2}, "players: Nagoya is for 3 to 4 players, not 2"),
        ({"players": 1}, "players: it is 2 to 4, not 1"),
        (
            {"boxes": ("base",), "board": "nagoya"},
            "board: Nagoya is in the box rising-sun, and the boxes are base",
        ),
        (
            {"boxes": ("base",), "kingdom": ("rising-sun-first-game",)},
            "kingdom: Rising Sun, first game is in the box rising-sun, and the boxes are base",
        ),
        ({"board": "mars"}, "board: there is no board “mars”; there are osaka, tokyo, chiba,"),
        ({"board": "osakka"}, "board: there is no board “osakka”; is it Osaka?"),
        ({"boxes": ("blue",)}, "boxes: there is no box “blue”; there are base, rising-sun"),
        ({"bonuses": True}, "bonuses: there are no route bonuses for Tokyo in the boxes base"),
        ({"starts": "marked"}, "starts: Tokyo has no marked cities to start from; Chiba has"),
        ({"kingdom": ("tunnel",)}, "kingdom: 1 card is not enough; name 8 cards or one set: tokyo"),
        ({"kingdom": ("tun", "gar")}, "kingdom: 2 cards are not 8"),
        ({"kingdom": ("tun", "tunnel")}, "kingdom: Tunnel is named twice"),
        ({"kingdom": ("tunnle", "gar")}, "kingdom: there is no card to draw from “tunnle”; is it"),
        ({"kingdom": ("waste",) * 8}, "kingdom: there is no card to draw from “waste”"),
        ({"kingdom": ("first game",)}, "kingdom: “first game” may be Tokyo, first game"),
        ({"victory": ("tower",)}, "victory: there is no box “tower”"),
        ({"victory": ("tower", "tower", "sky")}, "victory: Tower is named twice"),
        ({"victory": ("tower", "sky")}, "victory: name one card of each of the 3 tiers"),
    ],
)
def test_refusals_begin_with_the_option_and_say_what_is_allowed(
    said: dict[str, Any], says: str
) -> None:
    with pytest.raises(Refusal) as no:
        resolve(TableOptions(**said))
    assert no.value.code == "bad-options"
    assert no.value.text.startswith(says)


def test_no_list_of_what_is_allowed_is_cut_short() -> None:
    for said in ({"board": "mars"}, {"kingdom": ("x1",)}, {"kingdom": ("tunnel", "x1")}):
        with pytest.raises(Refusal) as no:
            resolve(TableOptions(**said))  # type: ignore[arg-type]
        assert "…" not in no.value.text
        assert "..." not in no.value.text


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.id)
def test_every_card_is_found_by_its_id_and_by_its_name(card: Any) -> None:
    others = [other.id for other in CARDS if other.id != card.id][:7]
    for name in (card.id, card.name, card.name.upper()):
        assert resolve(TableOptions(kingdom=(name, *others))).kingdom[0] == card.id


@pytest.mark.parametrize(
    ("boxes", "board", "players"),
    list(
        product([(), ("base",), ("rising-sun",), ("base", "rising-sun")], ["", *BOARDS], range(5))
    ),
)
def test_every_combination_is_played_or_refused_in_words(
    boxes: tuple[str, ...], board: str, players: int
) -> None:
    options = TableOptions(boxes=boxes, board=board, players=players)
    try:
        resolved = resolve(options)
    except Refusal as no:
        assert no.text.split(":")[0] in TableOptions.__struct_fields__
        return
    check_playable(options)
    assert resolve(resolved) == resolved
    assert msgspec.convert(msgspec.to_builtins(resolved), ShownOptions)
    low, high = BOARDS[resolved.board].players
    assert low <= resolved.players <= high
    assert set(known_boards()) == set(BOARDS)


names = st.sampled_from([*BOARDS, *SETS, *(card.name for card in CARDS), "x", "", "\x1b", "tra in"])


@given(st.builds(TableOptions, board=names, kingdom=st.lists(names, max_size=9).map(tuple)))
def test_whatever_is_named_is_played_or_refused(options: TableOptions) -> None:
    try:
        resolved = resolve(options)
    except Refusal as no:
        assert no.code == "bad-options"
        assert no.text.isprintable()
        return
    assert resolve(resolved) == resolved
