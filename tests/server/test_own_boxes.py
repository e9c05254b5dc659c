"""A host's own box at a server: its tables are played with it, and their journals hold it whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import engine
from engine.boxes import Box, load_own_box
from engine.chance import commitment
from protocol.messages import TableOptions
from server.config import SettingsError, load
from server.journal import SCHEMA, Journal
from server.log.reading import other_rules, read_journal
from server.log.verify import verify
from server.options import bare, to_setup
from server.resolve import resolve
from tests.engine.test_own_boxes import FERRY, folder

SEED = b"\x05" * 32


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return load_own_box(folder(tmp_path))


def test_it_is_there_unless_other_boxes_are_said(box: Box) -> None:
    assert resolve(TableOptions(), own=(box,)).boxes == ("base", "harbour")
    assert resolve(TableOptions(boxes=("base",)), own=(box,)).boxes == ("base",)
    assert resolve(TableOptions(boxes=("Harbour", "base")), own=(box,)).boxes == ("harbour", "base")


def test_its_cards_can_be_named(box: Box) -> None:
    others = ("landfill", "signals", "garage", "pulling", "tunnel", "ironworks", "viaduct")
    options = resolve(TableOptions(kingdom=("ferry", *others)), own=(box,))
    assert options.kingdom[0] == "ferry"
    game = engine.Game.new(to_setup(options, SEED, (box,)))
    assert game.observe(0).supply["ferry"] == 10


def test_settings_name_its_folder(tmp_path: Path) -> None:
    folder(tmp_path)
    config = load(None, {}, [("box", str(tmp_path), "--box")])
    assert [own.id for own in config.own] == ["harbour"]


@pytest.mark.parametrize("broken", [FERRY.replace("draw = 1", "fly = 1"), "no toml"])
def test_a_broken_one_is_refused_at_the_start(broken: str, tmp_path: Path) -> None:
    folder(tmp_path, broken)
    with pytest.raises(SettingsError, match="box: .*cards.toml"):
        load(None, {}, [("box", str(tmp_path), "--box")])


def test_the_same_one_twice_is_refused(tmp_path: Path) -> None:
    folder(tmp_path)
    with pytest.raises(SettingsError, match="two folders hold a box called 'harbour'"):
        load(None, {}, [("box", f"{tmp_path},{tmp_path}", "--box")])


def journal_with(box: Box, path: Path) -> None:
    options = resolve(TableOptions(order="seats", reactions="fast"), own=(box,))
    game = engine.Game.new(to_setup(options, SEED, (box,)))
    journal = Journal(path, now=lambda: 0.0)
    own = json.loads(engine_json(box))
    names = options.boxes
    journal.line(
        "table",
        schema=SCHEMA,
        rules=engine.RULES_VERSION,
        boxes={"names": names, "hash": engine.box_hash(names, (box,)), "own": [own]},
        table="k7m2q",
        title="t",
        options=json.loads(engine_json(options)),
        seeded=False,
        creator="Ann",
    )
    seats = [{"kind": "bot", "name": name, "level": "random"} for name in ("A1", "B2")]
    journal.line("seats", seats=seats, host="Ann", host_token="0" * 64)
    journal.line(
        "start",
        setup=bare(game.setup),
        seats=seats,
        commitment=commitment(SEED),
        events=engine.events_for(game.setting, game.facts, engine.RECORD),
        digest=game.digest(),
    )
    journal.close()


def engine_json(thing: object) -> bytes:
    import msgspec

    return msgspec.json.encode(thing)


def test_a_journal_with_it_replays_where_nobody_has_it(box: Box, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    journal_with(box, path)
    journal = read_journal(path)
    assert other_rules(journal.lines[0].data or {}) == ""
    assert verify(journal).state == "playing"


def test_a_changed_one_is_noticed(box: Box, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    journal_with(box, path)
    header = read_journal(path).lines[0].data or {}
    header["boxes"]["own"][0]["cards"][0]["cost"] = 9
    assert "other card data" in other_rules(header)
    header["boxes"]["own"][0]["cards"][0]["effects"] = [{"fly": 1}]
    assert "not known here" in other_rules(header)
