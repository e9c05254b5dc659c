"""``senro-server cards``, ``boards``, ``sets`` and ``bonuses``."""

from __future__ import annotations

from typing import Any

import pytest

from engine.boxes import known_boards, known_boxes, load_boxes
from engine.text import Words
from server.__main__ import main

BOXES = load_boxes(tuple(known_boxes()))
CARDS = [card for box in BOXES for card in box.cards]
SETS = [kingdom for box in BOXES for kingdom in box.kingdoms.values()]
BONUSES = [bonus for box in BOXES for bonus in box.bonuses]
RISING_VICTORY = [c.id for c in CARDS if (c.box, c.type) == ("rising-sun", "victory")]


def printed(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    assert main(argv) == 0
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    return out


def words(text: str) -> str:
    """The text as if it stood in one line."""
    return " ".join(text.split())


def test_all_cards_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    out = words(printed(capsys, "cards"))
    for card in CARDS:
        house = ", house" if card.house else ""
        assert f"{card.name} ({card.id}), {card.type}, costs {card.cost}" in out
        assert f" [{card.box}{house}]" in out


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.id)
def test_one_card_is_shown_whole(capsys: pytest.CaptureFixture[str], card: Any) -> None:
    out = printed(capsys, "cards", card.name)
    assert out.splitlines()[0] == f"{card.name} ({card.id})"
    assert f"Source: {words(card.source)}" in words(out)
    assert ("Senro's own design" in words(out)) == card.house
    for name in (card.id, card.name.upper()):
        assert printed(capsys, "cards", name) == out


@pytest.mark.parametrize(
    ("flags", "fits"),
    [
        (("--type", "victory"), lambda card: card.type == "victory"),
        (("--cost", "3"), lambda card: card.cost == 3),
        (("--box", "common"), lambda card: card.box == "common"),
        (("--box", "rising-sun"), lambda card: card.box == "rising-sun"),
        (("--box", "Rising Sun", "--type", "VICTORY"), lambda card: card.id in RISING_VICTORY),
        (("--type", "train", "--cost", "3"), lambda card: (card.type, card.cost) == ("train", 3)),
        (("partnership",), lambda card: "Partnership" in card.name),
        (("train", "--cost", "6"), lambda card: "Train" in card.name and card.cost == 6),
    ],
)
def test_cards_can_be_picked_out(
    capsys: pytest.CaptureFixture[str], flags: tuple[str, ...], fits: Any
) -> None:
    out = words(printed(capsys, "cards", *flags))
    for card in CARDS:
        assert (f"{card.name} ({card.id})" in out) == fits(card)


@pytest.mark.parametrize("board", known_boards())
def test_a_board_is_drawn_with_its_names(capsys: pytest.CaptureFixture[str], board: str) -> None:
    (spec,) = [b.boards[board] for b in BOXES if board in b.boards]
    out = printed(capsys, "boards", board)
    for name, title in (spec.cities | spec.remotes).items():
        assert f"{name:4} {title}, " in out
    for a, b in spec.barriers:
        assert f"{a}-{b}" in out
    for name in spec.starts:
        assert f"{spec.cities[name]} ({name})" in words(out).split("Marked S")[1]
    assert f"Source: {words(spec.source)}" in words(out)
    assert printed(capsys, "boards", board.upper()) == out
    assert printed(capsys, "boards", board[:3]) == out
    assert f"{spec.name} ({board})" in printed(capsys, "boards")


def test_all_sets_are_listed_with_their_cards(capsys: pytest.CaptureFixture[str]) -> None:
    out = words(printed(capsys, "sets"))
    for kingdom in SETS:
        assert f"{kingdom.name} ({kingdom.id})" in out
        names = [card.name for name in kingdom.cards for card in CARDS if card.id == name]
        assert ", ".join(names) in out
        assert printed(capsys, "sets", kingdom.id).startswith(kingdom.name)


def test_all_bonuses_are_listed_by_board(capsys: pytest.CaptureFixture[str]) -> None:
    out = words(printed(capsys, "bonuses"))
    for bonus in BONUSES:
        assert f"{bonus.name} ({bonus.id}), {bonus.vp} VP" in out
        assert f"{' - '.join(bonus.cities)}. {Words().effects(bonus.effects)}" in out
    for board in known_boards():
        one = words(printed(capsys, "bonuses", "--board", board.title()))
        for bonus in BONUSES:
            assert (f"({bonus.id})" in one) == (bonus.board == board)


@pytest.mark.parametrize(
    ("argv", "complaint"),
    [
        (("cards", "moon", "rocket"), "no card “moon rocket”; senro-server cards alone lists them"),
        (("cards", "tunnle"), "there is no card “tunnle”; is it Tunnel"),
        (("cards", "\x1b"), "there is no card “”"),
        (("cards", "tunnel", "--cost", "1"), "no card called tunnel is of cost 1; there is 5"),
        (("cards", "--cost", "9"), "no card is of cost 9; there is 0, 1, 2, 3, 4, 5, 6, 7, 8"),
        (
            ("cards", "--box", "common", "--type", "train", "--cost", "2"),
            "no card of box common of type train is of cost 2; there is 1, 3, 6",
        ),
        (
            ("cards", "--box", "rising-sun", "--type", "station"),
            "no card of box rising-sun is of type station; there is action, rail, train, victory",
        ),
        (("cards", "--cost", "9" * 5000), "99' is no whole number from 0 to 99"),
        (("cards", "--cost", "x"), "'x' is no whole number from 0 to 99"),
        (("cards", "--type", "boat"), "'boat' is none of train, rail"),
        (("cards", "--box", "boat"), "'boat' is none of common, base, rising-sun"),
        (("boards", "mars"), "no board “mars”; there are osaka, tokyo, chiba, kyushu, nagoya"),
        (("bonuses", "--board", "tokoy"), "no board “tokoy”; is it Tokyo?"),
        (("sets", "last game"), "there is no set “last game”; "),
    ],
)
def test_what_is_not_there_is_said_in_one_line(
    capsys: pytest.CaptureFixture[str], argv: tuple[str, ...], complaint: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(argv)
    assert ended.value.code == 2
    said = capsys.readouterr()
    assert complaint in said.err
    assert said.err.count("\n") == 1
    assert len(said.err) < 200
    assert not said.out
