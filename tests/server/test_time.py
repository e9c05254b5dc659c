"""Turns and their clocks, autopilots and pauses at a table."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
import trio
from msgspec.structs import replace
from trio.testing import wait_all_tasks_blocked

import engine
from protocol.messages import (
    AddBot,
    Answer,
    ChatLine,
    Clocks,
    Create,
    Join,
    Loaded,
    Lobby,
    Pause,
    Ready,
    Snapshot,
    Start,
)
from server.log.reading import read_journal
from server.log.verify import verify
from tests.server.ambush import OPTIONS, ambush_box, dealer

PATIENT = {"silence": 1e9}
"""Settings of a server whose clients need not ping while the clock jumps."""


@pytest.fixture
async def patient(make_house: Any) -> Any:
    return await make_house(settings=PATIENT)


def answers(house: Any, *by: str) -> list[dict[str, Any]]:
    return [
        line
        for line in house.journal()
        if line["type"] == "answer" and (not by or line["by"] in by)
    ]


def check(house: Any) -> None:
    """The journal is sound."""
    (path,) = house.folder.glob("*.jsonl")
    verify(read_journal(path))


async def begun(house: Any, table: str, players: list[Any]) -> None:
    """Lay the first rails."""
    for player in players:
        await player.answer(table)
    await players[0].asked()


# ------------------------------------------------------------------ the time of a turn


async def test_a_turn_ends_by_itself_when_turn_and_reserve_are_used_up(
    patient: Any, quick: Any, autojump_clock: Any
) -> None:
    table, (ann, ben) = await patient.playing("Ann", "Ben", options=quick)
    await begun(patient, table, [ann, ben])
    decision = await ann.asked()
    start = trio.current_time()
    await trio.sleep(100)
    await ann.answer(table, "play:normal-train")  # the turn's time goes on
    assert answers(patient)[-1]["turn_ms"] == 20_000
    await ann.asked()
    await ben.asked()
    assert trio.current_time() - start == pytest.approx(180)
    last = answers(patient)[-1]
    assert (last["by"], last["keys"], last["turn_ms"], last["reserve_ms"]) == (
        *("clock", ["end-turn"]),
        *(0, 0),
    )
    reply = await ann.ask(Answer, table=table, decision=last["decision"], keys=("end-turn",))
    assert reply.code == "too-late"
    reply = await ann.ask(Answer, table=table, decision=decision.id, keys=("end-turn",))
    assert reply.code == "unknown-decision"
    await ben.answer(table)
    clocks = await ann.next(Clocks, lambda m: m.seats == [0] and m.reserve_ms["0"] == 0)
    assert (clocks.ms, clocks.reserve_ms) == (120_000, {"0": 0, "1": 60_000})
    check(patient)


async def test_a_timeout_in_the_middle_of_an_effect_ends_the_turn_too(
    make_house: Any, tmp_path: Any, autojump_clock: Any
) -> None:
    """Defaults until the turn is over: there is no endless turn."""
    house = await make_house(
        own=(ambush_box(tmp_path / "box", effect="{discard = 2}"),),
        game_factory=dealer("ATTRR", "TTTTT"),
        settings=PATIENT,
    )
    table, (ann, ben) = await house.playing("Ann", "Ben", options=OPTIONS)
    await begun(house, table, [ann, ben])
    start = trio.current_time()
    await trio.sleep(179)
    await ann.answer(table, "play:station-expansion")
    assert (await ann.asked()).kind == "discard"
    await ben.asked()
    assert trio.current_time() - start == pytest.approx(180)
    *_, middle, end = answers(house, "clock")
    assert (len(middle["keys"]), end["keys"]) == (2, ["end-turn"])
    await ann.do(Loaded, table=table)
    assert len([m for m in ann.inbox if isinstance(m, ChatLine)]) == 1  # one timeout, told once
    check(house)


async def test_the_clock_of_the_turn_stands_while_others_are_asked(
    make_house: Any, tmp_path: Any, autojump_clock: Any
) -> None:
    house = await make_house(
        own=(ambush_box(tmp_path / "box", hits="all"),),
        game_factory=dealer("ATTTR", "ATTTT"),
        settings=PATIENT,
    )
    options = replace(OPTIONS, reactions="fast", window_ms=200_000)
    table, (ann, ben) = await house.playing("Ann", "Ben", options=options)
    await begun(house, table, [ann, ben])
    await trio.sleep(179)
    await ann.answer(table, "play:station-expansion")
    await trio.sleep(100)  # both are asked, in a window
    await ben.answer(table, "card:normal-train", "card:normal-train")
    await trio.sleep(50)
    await ann.answer(table, "card:normal-train")
    assert (await ann.asked()).kind == "turn"
    back = trio.current_time()
    await ben.asked()
    assert trio.current_time() - back == pytest.approx(1)
    check(house)


@pytest.mark.parametrize("turn_ms", [0, 86_400_000])
async def test_without_a_clock_nothing_ends(
    patient: Any, quick: Any, autojump_clock: Any, turn_ms: int
) -> None:
    table, players = await patient.playing("Ann", "Ben", options=replace(quick, turn_ms=turn_ms))
    await begun(patient, table, players)
    await trio.sleep(80_000)
    await players[0].answer(table, "end-turn")
    line = answers(patient)[-1]
    assert line["by"] == "player"
    assert ("turn_ms" in line) == bool(turn_ms)
    if not turn_ms:
        assert not any(isinstance(m, Clocks) for p in players for m in p.inbox)
    check(patient)


async def test_all_are_told_when_a_clock_begins_and_warned_before_it_ends(
    patient: Any, quick: Any, autojump_clock: Any
) -> None:
    _, (ann, ben) = await patient.playing("Ann", "Ben", options=quick)
    start = trio.current_time()
    told: list[tuple[float, Any]] = []
    while not any(m.seats == [1] for _, m in told):
        clocks = await ben.next(Clocks)
        told.append((trio.current_time() - start, clocks))
    shown = [(round(at), m.seats, m.ms, m.reserve_ms["0"], m.warning) for at, m in told]
    assert shown == [
        (0, [0], 120_000, 60_000, False),
        (150, [0], 0, 30_000, True),
        (170, [0], 0, 10_000, True),
        (180, [1], 120_000, 0, False),
    ]
    assert "time was over" in (await ann.next(ChatLine)).text
    assert not any(isinstance(m, ChatLine) for m in ben.inbox)


async def test_answers_of_a_turn_tell_nothing_new_of_its_clock(
    patient: Any, quick: Any, autojump_clock: Any
) -> None:
    table, players = await patient.playing("Ann", "Ben", options=quick)
    await begun(patient, table, players)
    await wait_all_tasks_blocked()
    for player in players:
        await player.do(Loaded, table=table)
        player.inbox.clear()
    for _ in range(3):
        await players[0].answer(table, "play:normal-train")
    await players[1].do(Loaded, table=table)
    assert not any(isinstance(m, Clocks) for m in players[1].inbox)


async def test_the_game_ends_and_its_clocks_with_it(
    patient: Any, quick: Any, autojump_clock: Any
) -> None:
    """Case 14."""
    ann = await patient.player("Ann")
    table = (await ann.do(Create, options=quick))["table"]
    await ann.do(AddBot, table=table, level="greedy")
    await ann.do(Start, table=table)
    await ann.do(Loaded, table=table)
    told = await ann.next(Lobby, lambda m: m.info.state == "over")
    assert told.info.seed
    last = [m for m in ann.inbox if isinstance(m, Clocks)][-1]
    assert (last.seats, str(last.ms), last.window) == ([], "UNSET", False)
    length = len(patient.journal())
    frames = len(ann.inbox)
    await trio.sleep(10_000)
    await ann.do(Loaded, table=table)
    assert (len(patient.journal()), len(ann.inbox)) == (length, frames)
    assert patient.journal()[-1]["type"] == "over"
    check(patient)


# ------------------------------------------------------------------ autopilot


async def test_after_two_timeouts_in_a_row_a_bot_plays_until_the_player_answers(
    patient: Any, quick: Any, autojump_clock: Any
) -> None:
    options = replace(quick, turn_ms=10_000, reserve_ms=0)
    table, (ann, ben) = await patient.playing("Ann", "Ben", options=options)
    await begun(patient, table, [ann, ben])
    await ben.asked()
    await ben.answer(table)  # one timeout of Ann's
    await ben.asked()
    await ben.answer(table)  # and the second
    clocks = await ben.next(Clocks, lambda m: m.autopilot != [])
    assert clocks.autopilot == [0]
    await ben.asked()  # at once, for a bot does not think for ten seconds
    assert answers(patient)[-1]["by"] == "autopilot"
    ann.inbox.clear()
    reply = await ann.ask(Answer, table=table, decision="0-0", keys=("yes",))
    assert reply.code == "unknown-decision"  # but she is back
    assert (await ann.next(Clocks)).autopilot == []
    await ben.answer(table)
    ann.decisions = []
    await ann.asked()
    await ann.answer(table, "end-turn")
    assert answers(patient)[-1]["by"] == "player"
    switches = [line for line in patient.journal() if line["type"] == "autopilot"]
    assert [(s["seat"], s["on"], s["why"]) for s in switches] == [
        (0, True, "timeouts"),
        (0, False, "back"),
    ]
    check(patient)


async def test_an_answer_in_time_between_two_timeouts_is_enough(
    patient: Any, quick: Any, autojump_clock: Any
) -> None:
    options = replace(quick, turn_ms=10_000, reserve_ms=0)
    table, (ann, ben) = await patient.playing("Ann", "Ben", options=options)
    await begun(patient, table, [ann, ben])
    for _ in range(4):
        await ben.answer(table)
        ann.decisions = []
        await ann.asked()
        await ann.answer(table, "play:normal-train")  # and then nothing more
    assert not any(line["type"] == "autopilot" for line in patient.journal())
    check(patient)


async def test_who_comes_back_has_their_seat_and_what_was_left_of_their_time(
    patient: Any, quick: Any, autojump_clock: Any
) -> None:
    table, (ann, ben) = await patient.playing("Ann", "Ben", options=replace(quick, turn_ms=300_000))
    await begun(patient, table, [ann, ben])
    await trio.sleep(100)
    await ann.stream.aclose()
    await trio.sleep(59)
    ann = await patient.back(ann.token)
    await ann.next(Snapshot)
    clocks = await ann.next(Clocks)
    assert (clocks.seats, clocks.ms) == ([0], 141_000)
    assert clocks.reserve_ms == {"0": 60_000, "1": 60_000}
    await ann.stream.aclose()
    await trio.sleep(59)  # once more, and counted anew
    assert not any(line["type"] == "autopilot" for line in patient.journal())
    await ben.asked()
    assert any(line["by"] == "autopilot" for line in answers(patient))
    ann = await patient.back(ann.token)
    assert (await ann.next(Clocks)).autopilot in ([], [0])
    await ben.answer(table)
    await ann.asked()
    await ann.answer(table, "end-turn")
    check(patient)


async def test_who_is_back_before_a_window_closes_answers_it_themselves(
    make_house: Any, tmp_path: Any, autojump_clock: Any
) -> None:
    house = await make_house(
        own=(ambush_box(tmp_path / "box", "gain-waste"),),
        game_factory=dealer("ATTTT", "RTTTT", "RTTTT"),
        settings=PATIENT,
    )
    options = replace(OPTIONS, absence_ms=0)
    table, (ann, ben, cid) = await house.playing("Ann", "Ben", "Cid", options=options)
    await begun(house, table, [ann, ben, cid])
    await ben.stream.aclose()
    await ann.answer(table, "play:station-expansion")
    await cid.answer(table)
    await trio.sleep(1)
    ben = await house.back(ben.token)
    await ben.next(Snapshot)
    await trio.sleep(5)  # the bot would have answered after two seconds
    await ben.answer(table, "reveal:lay-rails")
    await ann.asked()
    assert [line["by"] for line in answers(house)[-2:]] == ["player", "player"]
    check(house)


async def test_bots_and_autopilots_answer_windows_at_the_minimum(
    make_house: Any, tmp_path: Any, autojump_clock: Any
) -> None:
    house = await make_house(
        own=(ambush_box(tmp_path / "box", "gain-waste"),),
        game_factory=dealer("ATTTT", "RTTTT", "RTTTT"),
        settings=PATIENT,
    )
    options = replace(OPTIONS, players=3, absence_ms=0)
    ann, ben = await house.player("Ann"), await house.player("Ben")
    table = (await ann.do(Create, options=options))["table"]
    await ann.do(AddBot, table=table, level="planner")
    await ben.do(Join, table=table, watch=True)
    await ann.do(AddBot, table=table, level="greedy")
    await ann.do(Start, table=table)
    await ann.do(Loaded, table=table)
    await begun(house, table, [ann])
    start = trio.current_time()
    await ann.answer(table, "play:station-expansion")
    await ann.asked()
    assert trio.current_time() - start == pytest.approx(2)
    assert [(line["by"], line["latency_ms"]) for line in answers(house)[-2:]] == [("bot", 2000)] * 2
    check(house)


async def test_with_nobody_connected_everything_stands_still(
    patient: Any, quick: Any, autojump_clock: Any
) -> None:
    """Case 16: and goes on where it was."""
    options = replace(quick, players=3)
    ann, ben = await patient.player("Ann"), await patient.player("Ben")
    table = (await ann.do(Create, options=options))["table"]
    await ben.do(Join, table=table)
    await ann.do(AddBot, table=table)

    await ben.do(Ready, table=table)
    await ann.do(Start, table=table)
    for player in (ann, ben):
        await player.do(Loaded, table=table)
    await begun(patient, table, [ann, ben])
    await trio.sleep(30)
    await ann.stream.aclose()
    await trio.sleep(20)
    await ben.stream.aclose()
    await trio.sleep(0.001)
    before = len(patient.journal())
    await trio.sleep(50_000)
    assert len(patient.journal()) == before
    ben = await patient.back(ben.token)
    await ben.next(Snapshot)
    clocks = await ben.next(Clocks)
    assert (clocks.seats, clocks.paused) == ([0], False)
    assert clocks.ms == pytest.approx(70_000, abs=2)
    back = trio.current_time()
    await ben.asked()  # Ann was away for 20 seconds, 40 are left to her
    assert trio.current_time() - back == pytest.approx(40, abs=0.01)
    check(patient)


# ------------------------------------------------------------------ pauses


async def test_a_pause_needs_all_and_ends_with_one(
    patient: Any, quick: Any, autojump_clock: Any
) -> None:
    table, (ann, ben) = await patient.playing("Ann", "Ben", options=quick)
    await begun(patient, table, [ann, ben])
    await trio.sleep(50)
    await ann.do(Pause, table=table, pause=True)
    await ann.do(Pause, table=table, pause=True)
    assert (await ben.next(ChatLine)).text == "Ann would like a pause."
    await trio.sleep(10)
    await ben.do(Pause, table=table, pause=True)
    paused = await ann.next(Clocks, lambda m: m.paused)
    assert (paused.ms, paused.seats) == (60_000, [0])
    decision = await ann.asked()
    await trio.sleep(5_000)
    reply = await ann.ask(Answer, table=table, decision=decision.id, keys=("end-turn",))
    assert (reply.code, "paused" in reply.text) == ("wrong-state", True)
    await ben.do(Pause, table=table, pause=False)
    going = await ann.next(Clocks, lambda m: not m.paused and m.ms == 60_000)
    assert going.reserve_ms == paused.reserve_ms
    await ann.answer(table, "end-turn")
    told = [m.text for m in ann.inbox if isinstance(m, ChatLine)]
    assert [text.split()[-1] for text in told] == ["pause.", "pause.", "on.", "on.", "on."]
    check(patient)


async def test_a_window_in_a_pause_has_its_time_afterwards(
    make_house: Any, tmp_path: Any, autojump_clock: Any
) -> None:
    house = await make_house(
        own=(ambush_box(tmp_path / "box", "gain-waste"),),
        game_factory=dealer("ATTTT", "RTTTT"),
        settings=PATIENT,
    )
    table, (ann, ben) = await house.playing("Ann", "Ben", options=OPTIONS)
    await begun(house, table, [ann, ben])
    await ann.answer(table, "play:station-expansion")
    await ben.asked()
    await trio.sleep(14)
    for player in (ann, ben):
        await player.do(Pause, table=table, pause=True)
    await trio.sleep(1_000)
    await ann.do(Pause, table=table, pause=False)
    await trio.sleep(0.9)
    await ben.answer(table, "reveal:lay-rails")
    await ann.asked()
    assert answers(house)[-1]["latency_ms"] == 14_900
    check(house)


async def test_only_those_who_are_there_have_to_agree(
    patient: Any, quick: Any, autojump_clock: Any
) -> None:
    options = replace(quick, absence_ms=86_400_000)
    table, (ann, ben) = await patient.playing("Ann", "Ben", options=options)
    await begun(patient, table, [ann, ben])
    await ben.do(Pause, table=table, pause=True)
    await ann.stream.aclose()
    assert (await ben.next(Clocks, lambda m: m.paused)).seats == [0]
    await trio.sleep(500)
    ann = await patient.back(ann.token)
    assert (await ann.next(Clocks)).paused
    await ann.do(Pause, table=table, pause=False)
    assert not (await ben.next(Clocks, lambda m: m.seats == [0] and not m.paused)).paused
    check(patient)


async def test_a_journal_that_cannot_be_written_costs_nobody_time(
    make_house: Any, disk: Any, quick: Any, autojump_clock: Any
) -> None:
    house = await make_house(write=disk, settings=PATIENT)
    table, (ann, ben) = await house.playing("Ann", "Ben", options=quick)
    await begun(house, table, [ann, ben])
    await trio.sleep(20)
    disk.full = True
    await ann.send(Answer(99, table, ann.decisions[0].id, ("play:normal-train",)))
    await trio.sleep(1_000)
    disk.full = False
    await ann.next(ChatLine, lambda m: "goes on" in m.text)
    await ann.next(Clocks, lambda m: m.ms == 100_000)
    check(house)


async def test_times_never_grow_by_themselves(
    patient: Any, quick: Any, autojump_clock: Any
) -> None:
    """Case 16, over many turns with absences, pauses and timeouts."""
    options = replace(quick, turn_ms=10_000, reserve_ms=30_000, absence_ms=15_000)
    table, players = await patient.playing("Ann", "Ben", options=options)
    tokens = [player.token for player in players]
    rng = engine.chance.Stream(bytes(32), "test")
    for _ in range(60):
        step = rng.below(6)
        who = rng.below(2)
        if step == 0:
            await players[who].stream.aclose()
        elif step == 1:
            players[who] = await patient.back(tokens[who])
            await players[who].next(object)
        elif step == 2:
            for player in players:
                await _try(player, Pause, table=table, pause=bool(who))
        else:
            for player in players:
                if player.decisions:
                    await _try(
                        player,
                        Answer,
                        table=table,
                        decision=player.decisions[0].id,
                        keys=player.decisions[0].default,
                    )
        await trio.sleep(rng.below(12))
    check(patient)  # which looks at every clock in it
    clocked = [line for line in answers(patient) if "reserve_ms" in line]
    assert len(clocked) > 10
    for seat in (0, 1):
        reserves = [line["reserve_ms"] for line in clocked if line["seat"] == seat]
        assert all(later <= earlier for earlier, later in pairwise(reserves))
        assert min(reserves) >= 0


async def _try(player: Any, kind: Any, **fields: Any) -> None:
    """A request that may be refused, or find the connection gone."""
    try:
        await player.ask(kind, **fields)
    except (trio.BrokenResourceError, trio.ClosedResourceError, AssertionError):
        return
