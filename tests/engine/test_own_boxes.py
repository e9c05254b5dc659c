"""A host's own box: it adds, it corrects, it travels whole, and what is wrong in it is said."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

import engine
from engine.bots import make
from engine.boxes import Box, load_boxes, load_own_box
from tests.engine.games import catalogue_of, play_on

HEAD = 'id = "harbour"\nname = "Harbour"\n'
FERRY = """[[card]]
id = "ferry"
name = "Ferry"
type = "train"
action = true
cost = 3
value = 1
copies = 10
role = "randomizer"
effects = [{draw = 1}]
rulings = ""
source = "house: all of it"
house = true
"""
POLITICIAN = """[[card]]
id = "politician"
name = "Politician"
type = "action"
action = true
cost = 4
value = 2
copies = 10
role = "randomizer"
effects = [{earn = 1}]
rulings = "As printed."
source = "the printed card"
"""
BONUS = """[[bonus]]
id = "tokyo-harbour"
name = "Harbour"
board = "tokyo"
cities = ["Yokohama", "Kawasaki"]
vp = 1
ability = "draw-two"
effects = [{draw = 2}]
source = "house"
"""
OTHERS = (
    "landfill", "signals", "garage", "pulling", "tunnel", "ironworks",
)  # fmt: skip


def folder(tmp_path: Path, cards: str = FERRY, head: str = HEAD, bonuses: str = "") -> Path:
    (tmp_path / "box.toml").write_text(head, encoding="utf-8")
    (tmp_path / "cards.toml").write_text(cards, encoding="utf-8")
    if bonuses:
        (tmp_path / "bonuses.toml").write_text(bonuses, encoding="utf-8")
    return tmp_path


def setup(box: Box, *kingdom: str, boxes: tuple[str, ...] = ("base", "harbour")) -> engine.Setup:
    return engine.Setup(seed=bytes(32), boxes=boxes, kingdom=(*kingdom, *OTHERS), own=(box,))


def test_it_adds_cards(tmp_path: Path) -> None:
    box = load_own_box(folder(tmp_path))
    game = engine.Game.new(setup(box, "ferry", "collaboration"))
    assert {"ferry", "landfill"} <= {*game.observe(0).supply}
    (card,) = [c for c in catalogue_of(game).cards if c.id == "ferry"]
    assert (card.box, card.house, card.text) == ("harbour", True, "Draw 1 card.")


def test_it_corrects_a_card_in_its_place(tmp_path: Path) -> None:
    box = load_own_box(folder(tmp_path, POLITICIAN))
    plain = load_boxes(("base", "rising-sun"))
    corrected = load_boxes(("base", "rising-sun", "harbour"), (box,))
    ids = [[card.id for card in b.cards] for b in plain]
    assert [[card.id for card in b.cards] for b in corrected] == [*ids, []]
    (card,) = [card for b in corrected for card in b.cards if card.id == "politician"]
    assert (card.value, card.box, card.source) == (2, "harbour", "the printed card")
    assert load_boxes(("base", "rising-sun"), (box,)) == plain


def test_it_travels_whole_in_a_setup(tmp_path: Path) -> None:
    """A game saved on one machine goes on on another that has never seen the box."""
    box = load_own_box(folder(tmp_path, FERRY + POLITICIAN, bonuses=BONUS))
    game = engine.Game.new(setup(box, "ferry", "collaboration"))
    answers = [*play_on(game, 3, 60)]
    saved = json.loads(msgspec.json.encode(game.save()))
    other = engine.Game.restore(saved)
    assert other.digest() == game.digest()
    assert other.setup == game.setup
    again = engine.Game.new(engine.Setup.from_plain(saved["setup"]))
    for decision_id, keys in answers:
        again.answer(decision_id, keys)
    assert again.digest() == game.digest()


def test_a_searching_bot_knows_it(tmp_path: Path) -> None:
    box = load_own_box(folder(tmp_path))
    game = engine.Game.new(setup(box, "ferry", "collaboration"))
    for _ in range(30):
        decision = game.decisions[0]
        bot = make("planner", bytes(32), decision.seat, catalogue_of(game), game.setup.own)
        bot._budget = 50  # type: ignore[attr-defined]
        game.answer(decision.id, bot.choose(game.observe(decision.seat), decision))


def test_the_hash_covers_it(tmp_path: Path) -> None:
    box = load_own_box(folder(tmp_path))
    dearer = msgspec.structs.replace(
        box, cards=[msgspec.structs.replace(card, cost=4) for card in box.cards]
    )
    names = ("base", "harbour")
    hashes = {engine.box_hash(("base",)), *(engine.box_hash(names, (b,)) for b in (box, dearer))}
    assert len(hashes) == 3


def test_bonuses_and_their_board(tmp_path: Path) -> None:
    box = load_own_box(folder(tmp_path, bonuses=BONUS))
    boxes = ("base", "harbour", "rising-sun")
    wanted = msgspec.structs.replace(setup(box, "ferry", "tunnel", boxes=boxes), kingdom=())
    game = engine.Game.new(msgspec.structs.replace(wanted, bonuses=True))
    assert len(game.setting.bonuses) == 6


BROKEN = {
    "an id that is taken": ({"head": HEAD.replace("harbour", "base")}, "box.toml", "is taken"),
    "the name of what all games use": (
        {"head": HEAD.replace("harbour", "common")},
        "box.toml",
        "is taken",
    ),
    "another role": (
        {"cards": POLITICIAN.replace("randomizer", "supply")},
        "cards.toml",
        "politician: role is supply",
    ),
    "an effect that is not there": (
        {"cards": FERRY.replace("draw = 1", "fly = 1")},
        "cards.toml",
        "ferry: effects: no effect is called 'fly'",
    ),
    "a field that is not there": ({"cards": FERRY + "colour = 1\n"}, "cards.toml", "colour"),
    "one victory pile": (
        {"cards": FERRY.replace("randomizer", "victory")},
        "cards.toml",
        "role victory",
    ),
    "a city that is not there": (
        {"bonuses": BONUS.replace("Kawasaki", "Atlantis")},
        "bonuses.toml",
        "Atlantis",
    ),
    "a board that is not there": (
        {"bonuses": BONUS.replace('"tokyo"', '"mars"')},
        "bonuses.toml",
        "board is 'mars'",
    ),
    "one city": ({"bonuses": BONUS.replace(', "Kawasaki"', "")}, "bonuses.toml", "two cities"),
    "the same city twice": (
        {"bonuses": BONUS.replace("Kawasaki", "Yokohama")},
        "bonuses.toml",
        "each once",
    ),
    "a bonus without an ability": (
        {"bonuses": BONUS.replace("[{draw = 2}]", "[]")},
        "bonuses.toml",
        "effects is empty",
    ),
    "worth nothing": ({"bonuses": BONUS.replace("vp = 1", "vp = 0")}, "bonuses.toml", "vp is 0"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_wrong_is_said(name: str, tmp_path: Path) -> None:
    files, file, words = BROKEN[name]
    with pytest.raises(engine.BoxError) as caught:
        load_own_box(folder(tmp_path, **files))
    assert str(caught.value).startswith(str(tmp_path / file))
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_setup_with_a_broken_box_is_refused(tmp_path: Path) -> None:
    box = load_own_box(folder(tmp_path))
    plain = setup(box, "ferry", "collaboration").to_plain()
    plain["own"][0]["cards"][0]["effects"] = [{"fly": 1}]
    with pytest.raises(engine.SetupError, match="no effect is called 'fly'"):
        engine.Setup.from_plain(plain)


def test_a_box_that_is_not_chosen_is_not_there(tmp_path: Path) -> None:
    box = load_own_box(folder(tmp_path))
    with pytest.raises(engine.SetupError, match="ferry"):
        engine.Game.new(setup(box, "ferry", "collaboration", boxes=("base",)))
