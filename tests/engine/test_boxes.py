"""The loader of boxes: what it refuses, naming the file and what is wrong in it."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path

import pytest

import engine
from engine.boxes import load_box, load_boxes
from engine.boxes.loader import HERE
from tests.engine.games import COPIES, EIGHT

CARD = """[[card]]
id = "x"
name = "X"
type = "action"
cost = 2
copies = 10
role = "randomizer"
rulings = ""
source = "house"
"""
BOX = 'id = "b"\nname = "B"\n'
KINGDOM = '[[kingdom]]\nid = "k"\nname = "K"\nsource = "house"\n'
BOARD = (HERE / "base" / "boards" / "tokyo.toml").read_text(encoding="utf-8")


def write(folder: Path, cards: str = CARD, box: str = BOX, board: str = BOARD) -> Path:
    (folder / "boards").mkdir()
    (folder / "box.toml").write_text(box, encoding="utf-8")
    (folder / "cards.toml").write_text(cards, encoding="utf-8")
    (folder / "boards" / "q.toml").write_text(board, encoding="utf-8")
    return folder


def test_a_box_that_is_fine(tmp_path: Path) -> None:
    box = load_box(write(tmp_path))
    assert [card.id for card in box.cards] == ["x"]
    assert box.cards[0].box == "b"
    assert [*box.boards] == ["tokyo"]


def refused(folder: Path, file: str, *named: str) -> None:
    with pytest.raises(engine.BoxError) as caught:
        load_box(folder)
    text = str(caught.value)
    assert text.startswith(str(folder / file))
    assert "\n" not in text
    for word in named:
        assert word in text


CARDS = {
    "no TOML": ("id = ", ()),
    "no cards": ("", ("card",)),
    "the same id twice": (CARD + CARD, ("'x'", "twice")),
    "unknown type": (CARD.replace('"action"', '"plane"'), ("plane", "type")),
    "unknown role": (CARD.replace('"randomizer"', '"extra"'), ("extra", "role")),
    "unknown field": (CARD + "colour = 1\n", ("colour",)),
    "missing field": (CARD.replace("cost = 2\n", ""), ("cost",)),
    "text for a number": (CARD.replace("cost = 2", 'cost = "2"'), ("cost",)),
    "negative cost": (CARD.replace("cost = 2", "cost = -1"), ("x", "cost", "-1")),
    "negative value": (CARD + "value = -1\n", ("x", "value", "-1")),
    "negative VP": (CARD + "vp = -1\n", ("x", "vp", "-1")),
    "negative start": (CARD + "start = -1\n", ("x", "start", "-1")),
    "no copies": (CARD.replace("copies = 10", "copies = 0"), ("x", "copies", "0")),
    "too many copies": (CARD.replace("copies = 10", "copies = 256"), ("x", "copies", "256")),
    "too few copies to start": (CARD + "start = 3\n", ("x", "start", "10 copies")),
    "an id with a colon": (CARD.replace('id = "x"', 'id = "a:b"'), ("'a:b'",)),
    "an id with capitals": (CARD.replace('id = "x"', 'id = "Lay"'), ("'Lay'",)),
    "an empty id": (CARD.replace('id = "x"', 'id = ""'), ("''",)),
    "effects of a victory card": (
        CARD.replace('"action"', '"victory"') + "effects = [{draw = 1}]\n",
        ("x", "victory", "effects"),
    ),
}


@pytest.mark.parametrize(("cards", "named"), CARDS.values(), ids=CARDS)
def test_broken_cards(tmp_path: Path, cards: str, named: tuple[str, ...]) -> None:
    refused(write(tmp_path, cards=cards), "cards.toml", *named)


EFFECTS = {
    "": "0",
    "fly = 1": "fly",
    "draw = 1, earn = 1": "2",
    "draw = 0": "draw",
    "draw = true": "draw",
    'draw = "x"': "draw",
    "earn = -1": "earn",
    "gain-waste = 0": "gain-waste",
    "gain-rail-points = 1.5": "gain-rail-points",
    "place-station = 2": "place-station",
    "place-station = true": "place-station",
    'this-turn = "fly"': "waive-river",
    "this-turn = [1]": "this-turn",
    'return-all-waste = {from = "deck"}': "return-all-waste",
    "discard-any = 1": "discard-any",
    "discard-any = {each = {fly = 1}}": "discard-any",
    "discard-any = {each = {draw = 0}}": "discard-any",
    'discard-any = {each = {draw = "x"}}': "discard-any",
    "discard-any = {each = {draw = 1, earn = 1}}": "discard-any",
    "may-trash-this = 1": "may-trash-this",
    "may-trash-this = {then = {draw = 1}}": "may-trash-this",
    "may-trash-this = {then = {earn = -2}}": "may-trash-this",
    "choose = 1": "choose",
    'choose = {from = "deck", type = "train", then = "earn-value"}': "hand, play, discard",
    'choose = {from = ["x"], type = "train", then = "earn-value"}': "hand, play, discard",
    'choose = {from = "hand", type = "waste", then = "earn-value"}': "train, rail",
    'choose = {from = "hand", type = "train", then = "fly"}': "earn-value",
    'choose = {from = "hand", type = "train", then = ["x"]}': "earn-value",
    'choose = {from = "play", type = "train", then = "reveal-and-gain-same"}': "with play are",
    'choose = {from = "discard", type = "train", then = "to-deck"}': "with discard are to-hand",
    'choose = {from = "hand", type = "train", then = "to-deck"}': "with hand are earn-value",
    'choose = {from = "hand", type = "train"}': "choose",
    "choose-one = 1": "choose-one",
    "choose-one = [{draw = 1}]": "two effects",
    "choose-one = [{draw = 1}, 2]": "choose-one",
    "choose-one = [{draw = 1}, {fly = 1}]": "draw, earn, return-waste",
    "choose-one = [{draw = 1}, {earn = 0}]": "choose-one",
    "choose-one = [{draw = 1}, {draw = 2}]": "twice",
    "copy-action = 2": "copy-action: wants 1",
    "copy-action = true": "copy-action: wants 1",
    "discard = 0": "discard",
    "earn-if-in-play = 1": "card",
    "earn-if-in-play = {card = 1, money = 1}": "card",
    'earn-if-in-play = {card = "normal-train", money = 0}': "at least 1",
    'earn-if-in-play = {card = "normal-train", money = true}': "at least 1",
    "look-and-may-discard = 2": "look-and-may-discard: wants 1",
    "name-and-reveal = 2": "name-and-reveal: wants 1",
    "return-any-waste = 1": "from",
    'return-any-waste = {from = "deck"}': "hand, discard",
    'return-any-waste = {from = "hand", max = 0}': "at least 1",
    'return-any-waste = {from = "hand", each = {fly = 1}}': "each",
    'return-any-waste = {from = "hand", most = 1}': "max",
    "return-waste = 0": "return-waste",
    "reveal-and-take = 4": "reveal and take",
    "reveal-and-take = {reveal = 0, take = 1}": "at least 1",
    "reveal-and-take = {reveal = 4}": "reveal and take",
    "reveal-until = 2": "type, count and then",
    'reveal-until = {type = "plane", count = 2, then = "hand"}': "allowed: train, waste",
    'reveal-until = {type = ["x"], count = 2, then = "hand"}': "allowed: train, waste",
    'reveal-until = {type = "train", count = 2, then = "deck"}': "allowed are hand, trash",
    'reveal-until = {type = "train", count = 0, then = "hand"}': "at least 1",
    "reveal-top = 1": "type, then and else",
    'reveal-top = {type = "rail", then = "hand", else = "back"}': "allowed: train",
    'reveal-top = {type = "train", then = "hand", else = "trash"}': "hand, discard, back",
    "reveal-and-take-type = {reveal = 3}": "reveal and type",
    'reveal-and-take-type = {reveal = 0, type = "train"}': "at least 1",
    'reveal-and-take-type = {reveal = 3, type = "boat"}': "allowed: train",
    "look-and-take = 3": "look, types and take",
    "look-and-take = {look = 3, types = [], take = 1}": "allowed are train",
    'look-and-take = {look = 3, types = ["waste"], take = 1}': "allowed are train",
    'look-and-take = {look = 0, types = ["rail"], take = 1}': "at least 1",
    "look-and-discard = 0": "at least 1",
    "hand-to-deck = 1": "count and perhaps least",
    "hand-to-deck = {count = 0}": "at least 1",
    "hand-to-deck = {count = 2, least = 1}": "below count",
    "others-draw = 0": "at least 1",
    "pay = true": "at least 1",
    "earn-if-only-train = 0": "at least 1",
    'earn-per = {what = "mountain", of = 1}': "what, of and most",
    'earn-per = {what = "sea", of = 1, most = 3}': "mountain, station",
    'earn-per = {what = "station", of = 0, most = 3}': "at least 1",
    "lay-free = 2": "wants 1",
    "attack = 1": "hits and do",
    'attack = {hits = "me", do = {gain-waste = 1}}': "others, all",
    'attack = {hits = "all", do = {draw = 1}}': "allowed is one of",
    'attack = {hits = "all", do = {gain-waste = 0}}': "at least 1",
    'attack = {hits = "all", do = {discard-or-pay = {type = "rail", money = 1}}}': "train",
    'attack = {hits = "all", do = {discard-or-pay = {type = "train"}}}': "type and money",
    "score = 0": "score",
    "trade-train = 3": "up",
    "trade-train = {up = 0}": "at least 1",
}


@pytest.mark.parametrize(("effect", "named"), EFFECTS.items(), ids=EFFECTS)
def test_broken_effects(tmp_path: Path, effect: str, named: str) -> None:
    cards = CARD + f"effects = [{{{effect}}}]\n"
    refused(write(tmp_path, cards=cards), "cards.toml", "x: effects", named)


def barrier(a: str, b: str) -> str:
    return BOARD.replace('["B3", "C3"]', f'["{a}", "{b}"]')


BOARDS = {
    "unknown symbol": (BOARD.replace('" ^  ^  2', '" ?  ^  2'), ("B1", "'?'")),
    "remote location of 0": (BOARD.replace("*4 ^  ^  ^  2", "*0 ^  ^  ^  2"), ("A1", "'*0'")),
    "city of 4": (BOARD.replace('"3  ~  2', '"4  ~  2'), ("C1", "'4'")),
    "barrier between strangers": (barrier("B3", "C9"), ("B3-C9",)),
    "barrier off the board": (barrier("B3", "Z3"), ("barriers", "'Z3'")),
    "barrier of one hex": (barrier("B3", "B3"), ("B3-B3",)),
    "name of no city": (BOARD.replace('A5 = "K', 'A4 = "K'), ("A4", "city")),
    "name off the board": (BOARD.replace('A5 = "K', 'Z5 = "K'), ("cities", "'Z5'")),
    "city without a name": (BOARD.replace('A5 = "Kawagoe"', ""), ("A5", "name")),
    "remote location without a name": (BOARD.replace('H1 = "Shonan"', ""), ("H1", "name")),
    "players in the wrong order": (BOARD.replace("[2, 4]", "[4, 2]"), ("players",)),
    "too many players": (BOARD.replace("[2, 4]", "[2, 9]"), ("players", "9")),
    "no rails": (BOARD.replace("rails = 20", "rails = 0"), ("rails", "0")),
    "no stations": (BOARD.replace("stations = 30", "stations = -3"), ("stations", "-3")),
    "start on sea": (BOARD.replace("rails = 20", 'rails = 20\nstarts = ["E9"]'), ("E9",)),
    "start off the board": (BOARD.replace("rails = 20", 'rails = 20\nstarts = ["Z9"]'), ("Z9",)),
    "negative pile size": (BOARD.replace("rails = 20", "rails = 20\npile_size = -1"), ("-1",)),
    "unknown field": (BOARD.replace("rails = 20", "rails = 20\ncolour = 1"), ("colour",)),
    "no rows": (
        BOARD.split("rows = [")[0] + "rows = []\nbarriers = []\n[cities]\n[remotes]\n",
        ("rows",),
    ),
    "an empty row": (BOARD.replace('  "*4 ^', '  "",\n  "*4 ^'), ("rows",)),
}


@pytest.mark.parametrize(("board", "named"), BOARDS.values(), ids=BOARDS)
def test_broken_boards(tmp_path: Path, board: str, named: tuple[str, ...]) -> None:
    assert board != BOARD
    refused(write(tmp_path, board=board), "boards/q.toml", *named)


def test_two_files_for_one_board(tmp_path: Path) -> None:
    folder = write(tmp_path)
    (folder / "boards" / "r.toml").write_text(BOARD, encoding="utf-8")
    refused(folder, "boards/r.toml", "tokyo", "twice")


BOXES = {
    "no id": ('name = "B"\n', "id"),
    "unknown field": (BOX + "colour = 1\n", "colour"),
    "a bad id": (BOX.replace('"b"', '"../b"'), "../b"),
    "a kingdom of unknown cards": (BOX + KINGDOM + 'cards = ["nope"]\n', "nope"),
    "a kingdom with a card twice": (BOX + KINGDOM + 'cards = ["x", "x"]\n', "twice"),
    "two kingdoms of one id": (BOX + (KINGDOM + 'cards = ["x"]\n') * 2, "twice"),
}


@pytest.mark.parametrize(("box", "named"), BOXES.values(), ids=BOXES)
def test_broken_boxes(tmp_path: Path, box: str, named: str) -> None:
    refused(write(tmp_path, box=box), "box.toml", named)


def test_a_folder_that_is_no_box(tmp_path: Path) -> None:
    refused(tmp_path, "box.toml", "cannot be read")


def test_text_that_is_no_utf8(tmp_path: Path) -> None:
    folder = write(tmp_path)
    (folder / "cards.toml").write_bytes(b'id = "\xff"')
    refused(folder, "cards.toml", "cannot be read")


# ------------------------------------------------------------------- the boxes that are there


def test_the_cards_of_the_game() -> None:
    cards = {card.id: card for box in load_boxes(("base",)) for card in box.cards}
    assert {card.id: card.copies for card in cards.values() if card.id in COPIES} == COPIES
    assert sum(COPIES.values()) == 280
    randomizers = {card.id for card in cards.values() if card.role == "randomizer"}
    assert {*EIGHT} < randomizers
    assert len(randomizers) == 30
    assert {cards[card].copies for card in randomizers} == {10}
    assert cards.keys() == COPIES.keys() | randomizers == FACTS.keys()


FACTS = {
    # type, cost, value, vp, action icon
    "normal-train": ("train", 1, 1, 0, False),
    "express-train": ("train", 3, 2, 0, False),
    "limited-express-train": ("train", 6, 3, 0, False),
    "lay-rails": ("rail", 3, 0, 0, False),
    "station-expansion": ("station", 3, 0, 0, False),
    "apartment": ("victory", 3, 0, 1, False),
    "tower": ("victory", 5, 0, 2, False),
    "skyscraper": ("victory", 8, 0, 4, False),
    "waste": ("waste", 0, 0, 0, False),
    "steel-bridge": ("rail", 4, 0, 0, False),
    "landfill": ("action", 2, 0, 0, True),
    "conductor-area": ("action", 2, 0, 0, True),
    "holiday-timetable": ("action", 3, 0, 0, True),
    "passing-station": ("action", 3, 1, 0, True),
    "amusement-park": ("action", 4, 1, 0, True),
    "maintenance-factory": ("action", 5, 0, 0, True),
    "dump-site": ("action", 5, 1, 0, True),
    "bullet-train": ("train", 2, 1, 0, True),
    "freight-train": ("train", 4, 1, 0, True),
    "tourist-train": ("train", 4, 1, 0, True),
    "mail-train": ("train", 4, 1, 0, True),
    "early-train": ("train", 5, 2, 0, True),
    "tunnel": ("rail", 5, 0, 0, False),
    "viaduct": ("rail", 5, 0, 0, False),
    "collaboration": ("rail", 5, 0, 0, False),
    "subway-excavation": ("rail", 7, 0, 0, False),
    "signals": ("action", 2, 0, 0, True),
    "station-crew": ("action", 2, 0, 0, True),
    "command-central": ("action", 3, 0, 0, True),
    "garage": ("action", 3, 1, 0, True),
    "pulling": ("action", 3, 0, 0, True),
    "switchback": ("action", 3, 1, 0, True),
    "information-central": ("action", 4, 1, 0, True),
    "ironworks": ("action", 4, 1, 0, True),
    "stationmaster-office": ("action", 4, 0, 0, True),
    "signaling-area": ("action", 5, 0, 0, True),
    "temporary-timetable": ("action", 5, 0, 0, True),
    "wagon-factory": ("action", 5, 0, 0, True),
    "control-room": ("action", 7, 0, 0, True),
}


@pytest.mark.parametrize(("card", "facts"), FACTS.items())
def test_the_facts_of_a_card(card: str, facts: tuple[str, int, int, int, bool]) -> None:
    (spec,) = [c for box in load_boxes(("base",)) for c in box.cards if c.id == card]
    assert (spec.type, spec.cost, spec.value, spec.vp, spec.action) == facts
    assert spec.source
    assert not spec.house


def test_ids_are_unique_over_all_boxes() -> None:
    boxes = load_boxes(tuple(engine.known_boxes()))
    cards = Counter(card.id for box in boxes for card in box.cards)
    boards = Counter(board for box in boxes for board in box.boards)
    assert max(cards.values()) == 1
    assert max(boards.values()) == 1


def test_a_box_is_called_like_its_folder() -> None:
    for path in HERE.glob("*/box.toml"):
        assert tomllib.loads(path.read_text(encoding="utf-8"))["id"] == path.parent.name


def test_the_first_sets_are_there() -> None:
    base = load_boxes(("base",))[1]
    assert base.kingdoms["tokyo-first-game"].cards == [*EIGHT]
    assert base.kingdoms["osaka-first-game"].cards == [
        "landfill",
        "bullet-train",
        "garage",
        "tourist-train",
        "ironworks",
        "stationmaster-office",
        "tunnel",
        "temporary-timetable",
    ]


def test_the_hash_names_the_boxes() -> None:
    assert engine.box_hash(("base",)) == engine.box_hash(("base",))
    assert len(engine.box_hash(("base",))) == 32
    with pytest.raises(engine.SetupError, match="no box 'none'"):
        engine.box_hash(("none",))
    assert "tokyo" in engine.known_boards()
    assert "base" in engine.known_boxes()
    assert "common" not in engine.known_boxes()
