"""senro-log: what it shows, what it verifies, and what it makes of damaged files."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.boxes import load_boxes
from engine.events import FIELDS
from engine.types import Event
from server.log.__main__ import main
from server.log.lines import JournalLine
from server.log.turns import OWN, QUIET, Glossary, Turn, block, turns
from tests.server.log.journals import rewrite, write_game


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, list[dict[str, Any]]]:
    path = tmp_path_factory.mktemp("log") / "game.jsonl"
    lines = write_game(path)
    return path.read_bytes(), lines


@pytest.fixture
def journal(tmp_path: Path, game: Any) -> Path:
    path = tmp_path / "game.jsonl"
    path.write_bytes(game[0])
    return path


@pytest.fixture
def lines(game: Any) -> list[dict[str, Any]]:
    copy: list[dict[str, Any]] = json.loads(json.dumps(game[1]))
    return copy


def verify(path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    code = main(["verify", str(path)])
    return code, capsys.readouterr().out


# ------------------------------------------------------------------ verify


def test_a_whole_game_is_good(journal: Path, lines: Any, capsys: Any) -> None:
    code, out = verify(journal, capsys)
    assert code == 0
    assert f"good: {len(lines)} lines, {len(lines) - 4} answers, over" in out


def test_a_torn_last_line_is_tolerated_and_said(journal: Path, capsys: Any) -> None:
    journal.write_bytes(journal.read_bytes()[:-20])
    code, out = verify(journal, capsys)
    assert code == 0
    assert "playing; a torn last line" in out


def test_any_changed_byte_is_found(journal: Path, capsys: Any) -> None:
    whole = journal.read_bytes()
    rng = random.Random(1)
    for _ in range(40):
        at = rng.randrange(len(whole) - 1)
        if whole[at] == ord("\n"):
            continue
        changed = bytearray(whole)
        changed[at] ^= 1
        journal.write_bytes(bytes(changed))
        assert verify(journal, capsys)[0] in {1, 2}


def _swap(lines: list[dict[str, Any]]) -> int:
    lines[5], lines[6] = lines[6], lines[5]
    return 6


def _remove(lines: list[dict[str, Any]]) -> int:
    del lines[7]
    return 8


def _digest(lines: list[dict[str, Any]]) -> int:
    lines[9]["digest"] = "0" * 16
    return 10


def _keys(lines: list[dict[str, Any]]) -> int:
    lines[4]["keys"] = ["hex:Z99"]
    return 5


def _seat(lines: list[dict[str, Any]]) -> int:
    lines[4]["seat"] = 1 - lines[4]["seat"]
    return 5


def _event(lines: list[dict[str, Any]]) -> int:
    lines[8]["events"] = []
    return 9


def _commitment(lines: list[dict[str, Any]]) -> int:
    lines[2]["commitment"] = "0" * 64
    return 3


def _setup(lines: list[dict[str, Any]]) -> int:
    lines[2]["setup"]["board"] = "atlantis"
    return 3


def _type(lines: list[dict[str, Any]]) -> int:
    lines[1]["type"] = "answer"
    return 2


def _missing(lines: list[dict[str, Any]]) -> int:
    del lines[3]["keys"]
    return 4


def _results(lines: list[dict[str, Any]]) -> int:
    lines[-1]["results"][0]["total"] += 1
    return len(lines)


def _seed(lines: list[dict[str, Any]]) -> int:
    lines[-1]["seed"] = "0" * 64
    return len(lines)


def _early_end(lines: list[dict[str, Any]]) -> int:
    del lines[20:-1]
    lines[-1]["seq"] = 20
    return 21


@pytest.mark.parametrize(
    "damage",
    [
        _swap,
        _remove,
        _digest,
        _keys,
        _seat,
        _event,
        _commitment,
        _setup,
        _type,
        _missing,
        _results,
        _seed,
        _early_end,
    ],
)
def test_the_first_wrong_line_is_named(
    tmp_path: Path, lines: Any, damage: Any, capsys: Any
) -> None:
    number = damage(lines)
    rewrite(tmp_path / "x.jsonl", lines)
    code, out = verify(tmp_path / "x.jsonl", capsys)
    assert code == 1
    assert f"wrong: line {number}:" in out


def test_a_broken_chain_is_named(tmp_path: Path, lines: Any, capsys: Any) -> None:
    lines[3]["latency_ms"] = 5  # replays as well as before
    rewrite(tmp_path / "x.jsonl", lines, chained=False)
    code, out = verify(tmp_path / "x.jsonl", capsys)
    assert code == 1
    assert "wrong: line 5:" in out
    assert "digest of the line before" in out


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"rules": 999}, "rules version 999"),
        ({"schema": 999}, "schema 999"),
        ({"boxes": {"names": ["base"], "hash": "0" * 32}}, "other card data"),
        ({"boxes": {"names": ["atlantis"], "hash": "0"}}, "not known here"),
        ({"boxes": None}, "not known here"),
    ],
)
def test_what_belongs_to_another_version_is_not_judged(
    tmp_path: Path, lines: Any, change: dict[str, Any], says: str, capsys: Any
) -> None:
    lines[0].update(change)
    rewrite(tmp_path / "x.jsonl", lines)
    code, out = verify(tmp_path / "x.jsonl", capsys)
    assert code == 2
    assert says in out
    assert out.count("\n") == 1


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"{}\n", b"[]\n", b"\xff\n", b"[" * 10_000 + b"\n"]
)
def test_what_is_no_journal_is_said_to_be_none(tmp_path: Path, content: bytes, capsys: Any) -> None:
    (tmp_path / "x").write_bytes(content)
    assert verify(tmp_path / "x", capsys)[0] == 2
    assert main(["show", str(tmp_path / "x")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_several_files_are_verified_and_the_worst_counts(
    tmp_path: Path, journal: Path, capsys: Any
) -> None:
    assert main(["verify", str(journal), str(tmp_path / "none")]) == 2
    good, missing = capsys.readouterr().out.splitlines()
    assert "good" in good
    assert "No such file" in missing


# ------------------------------------------------------------------ show


def test_a_game_is_shown_turn_by_turn(journal: Path, lines: Any, capsys: Any) -> None:
    assert main(["show", str(journal)]) == 0
    out = capsys.readouterr().out
    results = lines[-1]["results"]
    begun = [e for line in lines[2:] for e in line.get("events", ()) if e["type"] == "turn"]
    assert out.count("\nTurn ") == len(begun)
    assert "Ann (random bot), Ben (random bot)" in out
    for result in results:
        assert f"{result['total']:>3} points" in out
    last_score = [line for line in out.splitlines() if line.startswith("  score")][-1]
    totals = ", ".join(f"{n}: {r['total']}" for n, r in zip(("Ann", "Ben"), results, strict=True))
    assert totals in last_score
    assert "The game is over" in out
    assert max(map(len, out.splitlines())) <= 80
    cards = out.split("Cards: ")[1].partition("Victory cards")[0]
    names = [engine_card_name(card) for card in lines[2]["setup"]["kingdom"]]
    assert " ".join(cards.split()) == ", ".join(names)
    assert "Board: Tokyo; boxes: base\n" in out


def engine_card_name(card: str) -> str:
    boxes = load_boxes(("base",))
    return next(one.name for box in boxes for one in box.cards if one.id == card)


def test_an_unfinished_game_is_shown_as_far_as_it_goes(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "x.jsonl"
    write_game(path, answers=40, players=3)
    path.write_bytes(path.read_bytes() + b'{"seq":')
    assert main(["show", str(path)]) == 0
    out = capsys.readouterr().out
    assert "Turn 1: Ann" in out
    assert out.count("(not finished)") == 1
    assert "The game is not over." in out
    assert "torn" in out


def test_a_lobby_has_no_turns(tmp_path: Path, lines: Any, capsys: Any) -> None:
    rewrite(tmp_path / "x.jsonl", lines[:2])
    assert main(["show", str(tmp_path / "x.jsonl")]) == 0
    assert "has not begun" in capsys.readouterr().out
    assert verify(tmp_path / "x.jsonl", capsys) == (
        0,
        f"{tmp_path / 'x.jsonl'}: good: 2 lines, 0 answers, lobby\n",
    )


def test_an_abandoned_game_says_so(tmp_path: Path, lines: Any, capsys: Any) -> None:
    end = {**lines[9], "seq": 10}
    for name in set(end) - {"seq", "time", "prev"}:
        del end[name]
    end |= {"type": "abandoned", "reason": "nobody is here"}
    rewrite(tmp_path / "x.jsonl", [*lines[:10], end])
    assert main(["show", str(tmp_path / "x.jsonl")]) == 0
    assert "abandoned: nobody is here" in capsys.readouterr().out
    code, out = verify(tmp_path / "x.jsonl", capsys)
    assert code == 0
    assert "abandoned" in out


def test_a_journal_of_other_rules_is_shown_without_scores(
    tmp_path: Path, lines: Any, capsys: Any
) -> None:
    lines[0]["rules"] = 999
    rewrite(tmp_path / "x.jsonl", lines)
    assert main(["show", str(tmp_path / "x.jsonl")]) == 0
    out = capsys.readouterr().out
    assert "Without scores" in out
    assert "rules version 999" in out
    assert "Turn 1: Ann" in out
    assert "  score" not in out


def test_show_stops_where_the_replay_differs(tmp_path: Path, lines: Any, capsys: Any) -> None:
    _digest(lines)
    rewrite(tmp_path / "x.jsonl", lines)
    assert main(["show", str(tmp_path / "x.jsonl")]) == 1
    out, err = capsys.readouterr()
    assert "Players: Ann" in out
    first, last = err.splitlines()
    assert "this journal does not verify: line 10:" in first
    assert "cannot be read any further: line 10: its digest is" in last


def test_show_says_when_the_chain_is_broken_and_shows_the_game(
    tmp_path: Path, lines: Any, capsys: Any
) -> None:
    lines[3]["latency_ms"] = 5
    rewrite(tmp_path / "x.jsonl", lines, chained=False)
    assert main(["show", str(tmp_path / "x.jsonl")]) == 1
    out, err = capsys.readouterr()
    assert "Final scores" in out
    assert "this journal does not verify: line 5: its prev" in err
    assert err.count("\n") == 1


def test_names_in_a_file_are_harmless(tmp_path: Path, lines: Any, capsys: Any) -> None:
    for line in lines[1:3]:
        line["seats"][0]["name"] = "\x1b[31m\u202e"
    rewrite(tmp_path / "x.jsonl", lines)
    assert main(["show", str(tmp_path / "x.jsonl")]) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\u202e" not in out


# ------------------------------------------------------------------ turns


WORDS = Glossary(
    ["Ann", "Ben"], str.title, lambda name: f"<{name}>", lambda event: f"{event.type}!"
)


def test_events_are_grouped_by_turn() -> None:
    events = [
        Event("begun", count=2),
        Event("turn", seat=0, count=1),
        Event("played", seat=0),
        Event("turn", seat=1, count=2),
    ]
    grouped = list(turns(events))
    assert [(t.number, t.seat, len(t.events)) for t in grouped] == [
        (0, -1, 1),
        (1, 0, 1),
        (2, 1, 0),
    ]


def test_a_turn_is_an_account() -> None:
    events = [
        Event("played", seat=0, card="normal train", value=1, what=""),
        Event("played", seat=0, card="normal train", value=1, what=""),
        Event("played", seat=0, card="tunnel", value=0, what="impossible"),
        Event("earned", seat=0, money=2),
        Event("laid", seat=0, hex="A1", money=1),
        Event("station", seat=0, hex="B2", count=2),
        Event("bought", seat=0, card="tower", money=3, to="gained"),
        Event("gained", seat=0, card="waste", to="gained"),
        Event("gained", seat=0, card="express train", to="hand"),
        Event("returned", seat=0, count=2, to="hand"),
        Event("discarded", seat=0, count=1),
        Event("discarded", seat=1, count=3),
        Event("trashed", seat=0, card="tunnel", to="play"),
        Event("this-turn", seat=0, what="no-waste"),
        Event("cleaned-up", seat=0, count=1),
    ]
    assert block(Turn(7, 0, events, [5, 3]), WORDS) == [
        "Turn 7: Ann",
        "  plays     2 Normal Train, Tunnel (value alone)",
        "  money     made 4, spent 4, left 0",
        "  rails     <A1> for 1",
        "  stations  <B2>, number 2 there",
        "  buys      Tower for 3",
        "  gains     Express Train into hand",
        "  trashes   Tunnel",
        "  discards  1 card",
        "  Waste     1 gained, 2 returned",
        "  also      discarded!",
        "  also      this-turn!",
        "  score     Ann: 5, Ben: 3",
    ]


def test_a_turn_of_looking_and_revealing() -> None:
    """As the record has it, and as others see it."""
    events = [
        Event("copied", seat=0, card="signals"),
        Event("looked", seat=0, count=1, order=["waste"]),
        Event("discarded", seat=0, count=1, cards={"waste": 1}, to="deck"),
        Event("named", seat=0, card="tower"),
        Event("revealed", seat=0, card="tower", to="deck"),
        Event("revealed", seat=0, card="waste", to="deck"),
        Event("took", seat=0, card="tower"),
        Event("put-back", seat=0, count=2, order=["waste", "tunnel"]),
        Event("discarded", seat=0, count=2, cards={"waste": 2}, to="aside"),
        Event("fetched", seat=0, count=1, cards={"tunnel": 1}, to="discard"),
        Event("put-on-deck", seat=0, card="mail train", to="play"),
        Event("put-on-deck", seat=0, card="tower", to="gained"),
        Event("scored", seat=0, count=1),
        Event("scored", seat=0, count=1),
    ]
    assert block(Turn(2, 0, events), WORDS) == [
        "Turn 2: Ann",
        "  copies    Signals",
        "  names     Tower",
        "  looks at  Waste",
        "  reveals   Tower, Waste",
        "  takes     Tower, Tunnel from the discard pile",
        "  puts back Waste, Tunnel",
        "  on deck   Mail Train from play, Tower",
        "  discards  1 card off the deck, 2 cards of those revealed",
        "  points    2 VP at once",
    ]
    public = [
        Event("looked", seat=0, count=1),
        Event("put-back", seat=0, count=3),
        Event("fetched", seat=0, count=1, to="discard"),
    ]
    assert block(Turn(2, 0, public), WORDS)[1:] == [
        "  looks at  1 card",
        "  takes     1 card from the discard pile",
        "  puts back 3 cards",
    ]


def test_every_kind_of_event_has_its_place_in_a_turn() -> None:
    """What has none is told by its sentence; here stands what is meant to be."""
    told_by_sentence = {
        "this-turn",
        "attacked",
        "spared",
        "gave-up",
        "conceded",
        "bonus",
        "bonus-used",
    }
    outside = {"begun", "start-rail", "turn"}
    assert OWN | QUIET | told_by_sentence | outside == {*FIELDS}
    assert not OWN & QUIET


def test_a_turn_that_still_runs_is_no_pass() -> None:
    events = [Event("turn", seat=0, count=1), Event("turn", seat=1, count=2)]
    _, first, second = turns(events)
    assert block(first, WORDS) == ["Turn 1: Ann", "  passes"]
    assert block(second, WORDS) == ["Turn 2: Ben", "  (not finished)"]
    *_, last = turns([*events, Event("over", what="rails")])
    assert last.finished


def test_a_turn_in_which_nothing_happens_is_a_pass() -> None:
    assert block(Turn(3, 1, [Event("cleaned-up", seat=1, count=5)]), WORDS) == [
        "Turn 3: Ben",
        "  passes",
    ]


def test_output_that_cannot_be_written_is_one_line(journal: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("no such device here")
    for command in ("show", "verify"):
        with full.open("w") as out:
            done = subprocess.run(
                [sys.executable, "-m", "server.log", command, str(journal)],
                stdout=out,
                stderr=subprocess.PIPE,
                text=True,
                check=False,
            )
        assert done.returncode == 1
        assert done.stderr.count("\n") == 1
        assert "senro-log: cannot write the output" in done.stderr


def test_the_document_lists_the_fields_of_every_line() -> None:
    document = (Path(__file__).parents[3] / "docs" / "journal.md").read_text(encoding="utf-8")
    for kind in JournalLine.__subclasses__():
        (row,) = re.findall(rf"^\| `{kind.__struct_config__.tag}` \|.*$", document, re.MULTILINE)
        for name in set(kind.__struct_fields__) - set(JournalLine.__struct_fields__):
            assert f"`{name}`" in row, (kind, name)


def test_flags_are_checked(capsys: Any) -> None:
    for flags in ([], ["show"], ["verify"], ["dance", "x"]):
        with pytest.raises(SystemExit) as stop:
            main(flags)
        assert stop.value.code == 2
        assert capsys.readouterr().err.count("\n") == 1
