"""``senro-server cards`` and ``boards``."""

from __future__ import annotations

import pytest

from engine.boxes import known_boards, known_boxes, load_boxes
from server.__main__ import main

CARDS = [card for box in load_boxes(tuple(known_boxes())) for card in box.cards]


def printed(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    assert main(argv) == 0
    return capsys.readouterr().out


def test_all_cards_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys, "cards")
    for card in CARDS:
        assert f"{card.name}, {card.type}, costs {card.cost}" in out
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.id)
def test_one_card_is_shown_whole(capsys: pytest.CaptureFixture[str], card: object) -> None:
    out = printed(capsys, "cards", card.name)  # type: ignore[attr-defined]
    assert out.splitlines()[0] == card.name  # type: ignore[attr-defined]
    assert "Source: " in out
    assert printed(capsys, "cards", card.id) == out  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("flags", "fits"),
    [
        (("--type", "victory"), lambda card: card.type == "victory"),
        (("--cost", "3"), lambda card: card.cost == 3),
        (("--box", "common"), lambda card: card.box == "common"),
        (("--type", "train", "--cost", "3"), lambda card: (card.type, card.cost) == ("train", 3)),
    ],
)
def test_cards_can_be_picked_out(
    capsys: pytest.CaptureFixture[str], flags: tuple[str, ...], fits: object
) -> None:
    out = printed(capsys, "cards", *flags)
    for card in CARDS:
        assert (card.name in [line.split(",")[0] for line in out.splitlines()]) == fits(card)  # type: ignore[operator]


@pytest.mark.parametrize("board", known_boards())
def test_a_board_is_drawn_with_its_names(capsys: pytest.CaptureFixture[str], board: str) -> None:
    (spec,) = [b.boards[board] for b in load_boxes(tuple(known_boxes())) if board in b.boards]
    out = printed(capsys, "boards", board)
    for name, title in (spec.cities | spec.remotes).items():
        assert f"{name:4} {title}, " in out
    for a, b in spec.barriers:
        assert f"{a}-{b}" in out
    assert board in printed(capsys, "boards")


@pytest.mark.parametrize(
    ("argv", "complaint"),
    [
        (("cards", "moon rocket"), "no card is like that; there are Normal Train"),
        (("cards", "--cost", "x"), "'x' is no whole number from 0 to 99"),
        (("cards", "--type", "boat"), "choose from 'train'"),
        (("cards", "--box", "boat"), "choose from"),
        (("boards", "mars"), "choose from"),
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
    assert not said.out
