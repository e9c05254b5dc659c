"""A game at a table: questions, answers, absences, failures, and the journal of it all."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import msgspec
import pytest
import trio
from msgspec.structs import replace
from trio.testing import wait_all_tasks_blocked

import engine
from engine.text import Words
from protocol.messages import (
    AddBot,
    Answer,
    Bye,
    ChatLine,
    Create,
    Error,
    GetCatalogue,
    GetHistory,
    GetSnapshot,
    Join,
    Leave,
    ListTables,
    Loaded,
    Lobby,
    Ok,
    Ready,
    Snapshot,
    Start,
    TableCatalogue,
    Update,
)
from server.log.reading import read_journal
from server.log.verify import verify


async def watch_bots(house: Any, quick: Any, *, seed: str = "11" * 32, players: int = 2) -> Any:
    """A player who watches bots play; returns them and the table."""
    ann = await house.player("Ann")
    options = replace(quick, seed=seed, players=players)
    table = (await ann.do(Create, options=options, watch=True))["table"]
    for _ in range(players):
        await ann.do(AddBot, table=table, level="random")
    await ann.do(Start, table=table)
    await ann.do(Loaded, table=table)
    return ann, table


# ------------------------------------------------------------------ a whole game


async def test_bots_play_to_the_end_while_their_host_watches(house: Any, quick: Any) -> None:
    ann, _ = await watch_bots(house, quick)
    assert (await ann.next(Snapshot)).view["phase"] == "start"
    info = (await ann.next(Lobby, lambda m: m.info.state == "over")).info
    assert info.seed == "11" * 32
    assert ann.view["phase"] == "over"
    assert len(ann.view["results"]) == 2
    assert "own" not in ann.view
    lines = house.journal()
    assert [lines[0]["type"], lines[-1]["type"]] == ["table", "over"]
    (path,) = house.folder.glob("*.jsonl")
    assert verify(read_journal(path)).state == "over"


async def test_people_play_and_each_view_is_the_engines(house: Any, quick: Any) -> None:
    table, players = await house.playing("Ann", "Ben", options=replace(quick, seed="22" * 32))
    for _ in range(40):
        for player in players:
            await wait_all_tasks_blocked()
            await player.do(GetHistory, table=table)  # takes in what has come
        asked = [player for player in players if player.decisions]
        assert len(asked) == 1
        option = asked[0].decisions[0].options[0]
        assert option.text
        await asked[0].answer(table, option.key)
    for seat, player in enumerate(players):
        await player.do(GetSnapshot, table=table)
        followed = player.view
        snapshot = await player.next(Snapshot)
        assert snapshot.view == followed
        game = _replayed(house)
        assert followed == msgspec.to_builtins(game.observe(seat))


def _replayed(house: Any) -> engine.Game:
    game = None
    for line in house.journal():
        if line["type"] == "start":
            game = engine.Game.new(engine.Setup.from_plain(line["setup"]))
        elif line["type"] == "answer":
            game.answer(line["decision"], line["keys"])
            assert game.digest() == line["digest"]
    assert game is not None
    return game


async def test_the_journal_tells_who_answered_what_and_everything_that_happened(
    house: Any, quick: Any
) -> None:
    table, (ann, ben) = await house.playing("Ann", "Ben", options=quick)
    decision = await ann.asked()
    await ann.answer(table, decision.options[0].key)
    await ben.asked()
    *_, start, answer = house.journal()
    assert start["type"] == "start"
    seed = bytes.fromhex(start["setup"]["seed"])
    assert start["commitment"] == sha256(seed).hexdigest()
    assert [seat["name"] for seat in start["seats"]] == ["Ann", "Ben"]
    assert "order" in next(e for e in start["events"] if e["type"] == "shuffled")
    assert (answer["decision"], answer["seat"], answer["by"]) == (decision.id, 0, "player")
    assert answer["keys"] == [decision.options[0].key]
    assert answer["events"][0]["type"] == "start-rail"
    assert answer["latency_ms"] >= 0
    assert "text" not in answer["events"][0]


async def test_the_seed_is_committed_to_and_revealed_only_at_the_end(
    make_house: Any, quick: Any
) -> None:
    house = await make_house(new_seed=lambda: b"\x33" * 32)
    ann, _ = await watch_bots(house, quick, seed="")
    info = (await ann.next(Lobby, lambda m: m.info.state == "playing")).info
    assert info.commitment == sha256(b"\x33" * 32).hexdigest()
    assert info.seed == ""
    info = (await ann.next(Lobby, lambda m: m.info.state == "over")).info
    assert bytes.fromhex(info.seed) == b"\x33" * 32


async def test_seats_are_shuffled_by_the_seed(house: Any, quick: Any) -> None:
    orders = set()
    for n in range(6):
        ann = await house.player(f"Ann {n}")
        options = replace(quick, order="random", seed=f"{n:064x}", players=4)
        table = (await ann.do(Create, options=options))["table"]
        for _ in range(3):
            await ann.do(AddBot, table=table, level="random")
        await ann.do(Start, table=table)
        lobby = await ann.next(Lobby, lambda m: m.info.state == "playing")
        assert lobby.info.seats[lobby.seat].name == f"Ann {n}"
        orders.add(tuple(seat.name for seat in lobby.info.seats if seat.kind == "bot"))
        await ann.stream.aclose()
    assert len(orders) > 1


async def test_decks_can_be_prepared_by_the_factory_and_the_journal_says_so(
    make_house: Any, quick: Any
) -> None:
    deck = ("lay-rails",) * 2 + ("normal-train",) * 7 + ("station-expansion",)

    def prepared(setup: engine.Setup) -> engine.Game:
        return engine.Game.new(replace(setup, decks=(deck, deck)))

    house = await make_house(game_factory=prepared)
    _, (ann, _) = await house.playing("Ann", "Ben", options=quick)
    await ann.asked()
    assert ann.view["own"]["hand"] == {"normal-train": 3, "lay-rails": 2}
    start = house.journal()[-1]
    assert start["setup"]["decks"] == [list(deck), list(deck)]


# ------------------------------------------------------------------ what is asked, and when


async def test_nobody_is_asked_before_everybody_has_loaded_the_table(
    house: Any, quick: Any, autojump_clock: Any
) -> None:
    ann, ben = await house.player("Ann"), await house.player("Ben")
    table = (await ann.do(Create, options=replace(quick, loaded_ms=60_000)))["table"]
    await ben.do(Join, table=table)
    await ben.do(Ready, table=table)
    await ann.do(Start, table=table)
    await ann.next(Snapshot)
    await ann.do(Loaded, table=table)
    assert await ann.refused(Answer, table=table, decision="0-0", keys=()) == "unknown-decision"
    assert ann.decisions == []
    await ben.do(Loaded, table=table)
    await ann.asked()
    assert trio.current_time() < 60


async def test_a_client_that_never_loads_is_not_waited_for_for_ever(
    house: Any, quick: Any, autojump_clock: Any
) -> None:
    ann = await house.player("Ann")
    table = (await ann.do(Create, options=replace(quick, loaded_ms=5_000)))["table"]
    await ann.do(AddBot, table=table)
    await ann.do(Start, table=table)
    begun = trio.current_time()
    await ann.asked()
    assert trio.current_time() - begun == pytest.approx(5, abs=0.1)


async def test_wrong_answers_are_refused_and_change_nothing(house: Any, quick: Any) -> None:
    table, (ann, ben) = await house.playing("Ann", "Ben", options=quick)
    decision = await ann.asked()
    key = decision.options[0].key
    before = len(house.journal())

    async def refused(player: Any, decision_id: str, *keys: str) -> str:
        code: str = await player.refused(Answer, table=table, decision=decision_id, keys=keys)
        return code

    assert await refused(ann, decision.id, "hex:Z99") == "illegal-answer"
    assert await refused(ann, decision.id) == "illegal-answer"
    assert await refused(ann, decision.id, key, key) == "illegal-answer"
    assert await refused(ann, "0-99", key) == "unknown-decision"
    assert await refused(ben, decision.id, key) == "unknown-decision"
    watcher = await house.player("Cid")
    assert await refused(watcher, decision.id, key) == "not-here"
    await watcher.do(Join, table=table, watch=True)
    assert await refused(watcher, decision.id, key) == "not-your-seat"
    assert len(house.journal()) == before
    await ann.answer(table, key)
    assert await refused(ann, decision.id, key) == "unknown-decision"
    assert len(house.journal()) == before + 1


async def test_a_refused_key_is_harmless_in_the_sentence(house: Any, quick: Any) -> None:
    table, (ann, _) = await house.playing("Ann", "Ben", options=quick)
    decision = await ann.asked()
    reply = await ann.ask(Answer, table=table, decision=decision.id, keys=("\x1b[2J\u202e",))
    assert isinstance(reply, Error)
    assert reply.text.isprintable()


# ------------------------------------------------------------------ watching


async def test_a_late_watcher_sees_the_public_view_and_the_whole_history(
    house: Any, quick: Any
) -> None:
    table, (ann, ben) = await house.playing("Ann", "Ben", options=quick)
    await ann.answer(table, (await ann.asked()).options[0].key)
    await ben.asked()
    cid = await house.player("Cid")
    await cid.do(Join, table=table, watch=True)
    catalogue = (await cid.next(TableCatalogue)).catalogue
    assert catalogue.players == 2
    snapshot = await cid.next(Snapshot)
    assert "own" not in snapshot.view
    assert snapshot.decisions == []
    page = await cid.do(GetHistory, table=table, limit=3)
    events = list(page["events"])
    assert len(events) == 3
    while page["next"]:
        page = await cid.do(GetHistory, table=table, since=page["next"], limit=3)
        events += page["events"]
    assert len(events) == snapshot.next_event
    assert all(event["text"] for event in events)
    assert not any("cards" in event or "order" in event for event in events)
    await ben.answer(table, ben.decisions[0].options[0].key)
    update = await cid.next(Update)
    assert update.seq == snapshot.seq + 1
    assert update.events[0].text.startswith("Ben starts at")
    await cid.do(GetCatalogue, table=table)
    assert (await cid.next(TableCatalogue)).catalogue == catalogue


async def test_history_ends_where_there_is_no_more(house: Any, quick: Any) -> None:
    table, (ann, _) = await house.playing("Ann", "Ben", options=quick)
    total = len((await ann.do(GetHistory, table=table))["events"])
    assert await ann.do(GetHistory, table=table, since=total) == {"events": [], "next": 0}
    assert await ann.do(GetHistory, table=table, since=2**53 - 1) == {"events": [], "next": 0}


# ------------------------------------------------------------------ absence


@pytest.mark.parametrize(("goes", "waits"), [("leave", 0), ("bye", 0), ("lost", 20)])
async def test_a_bot_plays_for_a_player_who_is_away(
    house: Any, quick: Any, goes: str, waits: float, autojump_clock: Any
) -> None:
    """Who has left is not waited for; who was only cut off is, but once."""
    options = replace(quick, absence_ms=20_000)
    table, (ann, ben) = await house.playing("Ann", "Ben", options=options)
    await ann.asked()
    gone = trio.current_time()
    if goes == "leave":
        await ann.do(Leave, table=table)
    elif goes == "bye":
        await ann.send(Bye())
    else:
        await ann.stream.aclose()
    lobby = await ben.next(Lobby, lambda m: not m.info.seats[0].connected)
    assert lobby.info.seats[0].left == (goes != "lost")
    assert lobby.info.host == ("Ann" if goes == "lost" else "Ben")
    await ben.asked()
    assert trio.current_time() - gone == pytest.approx(waits, abs=0.1)
    switch, answer = house.journal()[-2:]
    why = "absence" if goes == "lost" else "left"
    assert [switch[k] for k in ("type", "seat", "on", "why")] == ["autopilot", 0, True, why]
    assert (answer["seat"], answer["by"]) == (0, "autopilot")
    await ben.answer(table)
    await ben.asked()  # Ann's first turn was played for her
    assert trio.current_time() - gone == pytest.approx(waits, abs=0.1)
    turn = [line for line in house.journal() if line["type"] == "answer" and line["seat"] == 0]
    assert {line["by"] for line in turn} == {"autopilot"}
    assert len(turn) > 2  # it does more than to end the turn


async def test_a_table_that_everybody_has_left_stops(
    house: Any, quick: Any, autojump_clock: Any
) -> None:
    table, (ann, ben) = await house.playing("Ann", "Ben", options=quick)
    watcher = await house.player("Cid")
    await watcher.do(Join, table=table, watch=True)
    await ann.do(Leave, table=table)
    await ben.send(Bye())
    await watcher.next(Lobby, lambda m: m.info.host == "Cid")
    assert house.journal()[-1]["type"] != "abandoned"
    await watcher.do(Leave, table=table)
    assert (await watcher.do(ListTables))["tables"] == []
    assert house.journal()[-1]["type"] == "abandoned"
    await trio.sleep(1_000)
    assert house.journal()[-1]["type"] == "abandoned"


# ------------------------------------------------------------------ failures


async def test_a_full_disk_pauses_the_table_and_the_answer_counts_later(
    make_house: Any, disk: Any, quick: Any, autojump_clock: Any
) -> None:
    house = await make_house(write=disk)
    table, (ann, ben) = await house.playing("Ann", "Ben", options=quick)
    decision = await ann.asked()
    before = house.journal()
    disk.full, disk.part = True, 10
    await ann.send(Answer(99, table, decision.id, (decision.options[0].key,)))
    await wait_all_tasks_blocked()
    notice = await ben.next(ChatLine)
    assert (notice.name, "journal cannot be written" in notice.text) == ("*", True)
    assert await ben.refused(Answer, table=table, decision="1-0", keys=()) == "busy"
    watcher = await house.player("Cid")
    await watcher.do(Join, table=table, watch=True)
    assert (await watcher.next(Snapshot)).view["hexes"] == {}  # nobody sees what is not written
    assert house.journal() == before
    disk.full = False
    await ann.next(Ok, lambda reply: reply.re == 99)
    await ben.asked()
    assert "goes on" in (await ben.next(ChatLine)).text  # once, however often it was tried
    assert house.journal()[-1]["decision"] == decision.id
    (path,) = house.folder.glob("*.jsonl")
    verify(read_journal(path))


class BrokenGame:
    """Passes everything on to a game, and breaks at an answer."""

    def __init__(self, game: engine.Game) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def answer(self, *_: object) -> None:
        raise ZeroDivisionError("a mistake in a rule")


async def test_a_mistake_ends_its_table_and_no_other(make_house: Any, quick: Any) -> None:
    broken = [False]

    def factory(setup: engine.Setup) -> Any:
        game = engine.Game.new(setup)
        return BrokenGame(game) if broken[0] else game

    house = await make_house(game_factory=factory)
    house.failures_expected = True
    good, (cid, dan) = await house.playing("Cid", "Dan", options=quick)
    broken[0] = True
    table, (ann, ben) = await house.playing("Ann", "Ben", options=quick)
    decision = await ann.asked()
    code = await ann.refused(
        Answer, table=table, decision=decision.id, keys=(decision.options[0].key,)
    )
    assert code == "internal"
    for player in (ann, ben):
        await player.next(Lobby, lambda m: m.info.state == "broken")
    assert await ben.refused(Answer, table=table, decision="1-0", keys=()) == "wrong-state"
    assert "a mistake in a rule" in house.log.getvalue()
    await cid.answer(good, (await cid.asked()).options[0].key)
    await dan.asked()
    journals = [p.read_bytes() for p in sorted(house.folder.glob("*.jsonl"))]
    assert [b'"broken"' in journal for journal in journals] == [False, True]
    await ann.do(Leave, table=table)
    await ben.do(Leave, table=table)


async def test_answers_in_the_mailbox_of_a_game_that_ends_get_a_reply(
    house: Any, quick: Any
) -> None:
    table, (ann, _) = await house.playing("Ann", "Ben", options=quick)
    decision = await ann.asked()
    key = decision.options[0].key
    for number in range(1_000, 1_010):
        await ann.send(Answer(number, table, decision.id, (key,)))
    replies = [await ann.next(Ok | Error, lambda r, n=n: r.re == n) for n in range(1_000, 1_010)]
    assert [type(reply) for reply in replies] == [Ok] + [Error] * 9
    assert {reply.code for reply in replies[1:]} == {"unknown-decision"}


def test_words_know_every_language_asked_for() -> None:
    assert Words("xx").language == "en"
