"""Windows at a table: who is asked, when they close, and what comes of answers.

The numbers of the cases are those of the list of situations in which others have failed.
"""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
import trio
from msgspec.structs import replace
from trio.testing import wait_all_tasks_blocked

from protocol.messages import (
    Answer,
    ChatLine,
    Clocks,
    Create,
    Error,
    GetSnapshot,
    Join,
    Leave,
    Lobby,
    Ok,
    Pause,
    Prefer,
    Snapshot,
)
from server.log.reading import read_journal
from server.log.verify import verify
from tests.server.ambush import OPTIONS, ambush_box, dealer, second

PATIENT = {"silence": 1e9}
"""Settings of a server whose clients need not ping while the clock jumps."""


@pytest.fixture
def ambush(make_house: Any, tmp_path: Any) -> Any:
    """``await ambush("TTTTA", "RTTTT", ...)``: a table where these are the first hands and the
    first player has just attacked; returns its house, its name, its players."""

    async def make(
        *hands: str, victims: str = "discard-down", hits: str = "others", **options: Any
    ) -> Any:
        house = await make_house(
            own=(ambush_box(tmp_path / "box", victims, hits),),
            game_factory=dealer(*hands),
            settings=PATIENT,
        )
        names = ["Ann", "Ben", "Cid", "Dan"][: len(hands)]
        table, players = await house.playing(*names, options=replace(OPTIONS, **options))
        for player in players:
            await player.answer(table)  # the first rails
        await players[0].answer(table, "play:station-expansion")
        return house, table, players

    return make


def lines(house: Any, *kinds: str) -> list[dict[str, Any]]:
    return [line for line in house.journal() if line["type"] in kinds]


def check(house: Any) -> None:
    """The journal is sound."""
    (path,) = house.folder.glob("*.jsonl")
    verify(read_journal(path))


async def moment(player: Any) -> float:
    """When the player's next question comes."""
    await player.asked()
    return trio.current_time()


# ------------------------------------------------------------------ closing


@pytest.mark.parametrize(
    ("reactions", "hands", "asked", "closes"),
    [
        ("sealed", ("ATTTT", "RTTTT", "TTTTT"), [1, 2], 2.0),
        ("fast", ("ATTTT", "RTTTT", "TTTTT"), [1], 0.0),
        ("fast", ("ATTTT", "RTTTT", "RRTTT"), [1, 2], 0.0),
    ],
)
async def test_it_closes_when_all_have_answered_but_not_before_its_minimum(
    ambush: Any,
    autojump_clock: Any,
    *,
    reactions: str,
    hands: tuple[str, ...],
    asked: list[int],
    closes: float,
) -> None:
    house, table, players = await ambush(*hands, victims="gain-waste", reactions=reactions)
    for seat in asked:
        await players[seat].asked()
    begun = trio.current_time()
    for seat in asked:
        await players[seat].answer(table)
    assert trio.current_time() == begun  # acknowledged at once
    assert await moment(players[0]) - begun == pytest.approx(closes)
    (window,) = lines(house, "window")
    assert (window["seats"], window["card"]) == (asked, "station-expansion")
    assert (window["window_ms"], window["least_ms"]) == (15_000, int(closes * 1000))
    check(house)


@pytest.mark.parametrize("goes", ["is silent", "is cut off", "leaves"])
async def test_who_does_not_answer_declines_at_the_end_and_never_holds_it_up(
    ambush: Any, autojump_clock: Any, goes: str
) -> None:
    """Cases 7, 11 and 13."""
    house, table, (ann, ben, cid) = await ambush("ATTTT", "RTTTT", "TTTTT", victims="gain-waste")
    await ben.asked()
    begun = trio.current_time()
    await cid.answer(table)
    if goes == "is cut off":
        await ben.stream.aclose()
    elif goes == "leaves":
        await ben.do(Leave, table=table)
    assert await moment(ann) - begun == pytest.approx(2 if goes == "leaves" else 15)
    answers = lines(house, "answer")[-2:]
    by = "autopilot" if goes == "leaves" else "clock"
    assert [(line["seat"], line["by"]) for line in answers] == [(1, by), (2, "player")]
    if goes != "leaves":
        assert answers[0]["keys"] == ["pass"]
    check(house)


async def test_nobody_is_told_who_has_answered_before_it_closes(
    ambush: Any, autojump_clock: Any
) -> None:
    _, table, (ann, ben, cid) = await ambush("ATTTT", "RTTTT", "RTTTT", victims="gain-waste")
    await ben.asked()
    await cid.asked()
    for player in (ann, cid):
        player.inbox.clear()
    await ben.answer(table, "reveal:lay-rails")
    await wait_all_tasks_blocked()
    assert ben.decisions == []
    for player in (ann, cid):
        await player.do(GetSnapshot, table=table)
        snapshot = await player.next(Snapshot)
        assert snapshot.view["asked"] == [1, 2]
        assert player.inbox == []
    await ben.do(GetSnapshot, table=table)
    assert (await ben.next(Snapshot)).decisions == []  # not asked again, either
    await cid.answer(table)
    await ann.asked()
    assert [event.type for event in ann.events][-3:] == ["revealed", "spared", "gained"]


async def test_answers_in_any_order_have_the_same_result(ambush: Any, autojump_clock: Any) -> None:
    """Case 10: forced choices, applied in order."""
    ends = set()
    for order in permutations(range(1, 4)):
        house, table, players = await ambush("ATTTT", "ATTTT", "TTTTT", "RTTTT")
        for seat in order:
            await players[seat].answer(table, "pass")
        for seat in order:
            await players[seat].answer(table, "card:normal-train", "card:normal-train")
        await players[0].asked()
        check(house)
        ends.add(tuple((line["seat"], line["digest"]) for line in lines(house, "answer")))
        assert [line["seat"] for line in lines(house, "reply")] == list(order) * 2
        for path in house.folder.glob("*.jsonl"):
            path.unlink()
    assert len(ends) == 1


async def test_the_active_player_can_be_hit_too_and_is_asked_with_the_others(
    ambush: Any, autojump_clock: Any
) -> None:
    house, table, (ann, ben) = await ambush("ATTTR", "ATTTT", hits="all")
    await ben.answer(table, "pass")
    await ben.answer(table, "card:normal-train", "card:normal-train")
    await ann.answer(table, "card:normal-train")
    assert (await ann.asked()).kind == "turn"
    react, discard = lines(house, "window")
    assert (react["seats"], discard["seats"]) == ([1], [0, 1])
    assert [line["seat"] for line in lines(house, "answer")[-2:]] == [0, 1]
    check(house)


async def test_a_card_that_is_revealed_is_asked_for_once_an_attack(
    ambush: Any, autojump_clock: Any
) -> None:
    """Case 9: it stays in hand, and the next attack asks again."""
    house, table, (ann, ben) = await ambush("ATTTT", "RTTTT")
    await ben.answer(table, "reveal:lay-rails")
    assert (await ann.asked()).kind == "turn"
    assert ben.view["own"]["hand"] == {"lay-rails": 1, "normal-train": 4}
    assert len(lines(house, "window")) == 1
    await ann.answer(table)
    await ben.asked()
    check(house)


async def test_windows_after_windows_always_have_somebody_with_a_question(
    ambush: Any, autojump_clock: Any
) -> None:
    """Case 8: at every moment somebody awaited has exactly one live question."""
    house, table, players = await ambush("ATTTT", "RATTT", "TTTTT", "RRTTT")
    for _ in range(200):
        await wait_all_tasks_blocked()
        for player in players:
            await player.do(GetSnapshot, table=table)
            await player.next(Snapshot)
        asked = [player for player in players if player.decisions]
        assert asked
        for player in asked:
            (decision,) = player.decisions
            keys = [option.key for option in decision.options]
            attack = "play:station-expansion"
            await player.answer(table, *([attack] if attack in keys else decision.default))
        await trio.sleep(2)  # a sealed window's minimum
    assert len(lines(house, "window")) > 20
    check(house)


# ------------------------------------------------------------------ refusals


async def test_what_is_no_answer_is_refused_and_changes_nothing(
    ambush: Any, autojump_clock: Any
) -> None:
    house, table, (ann, ben, cid) = await ambush("ATTTT", "RTTTT", "TTTTT", victims="gain-waste")
    decision = await ben.asked()
    other = await cid.asked()

    async def refused(player: Any, number: str, *keys: str) -> str:
        code: str = await player.refused(Answer, table=table, decision=number, keys=keys)
        return code

    before = len(house.journal())
    assert await refused(ben, decision.id, "reveal:politician") == "illegal-answer"
    assert await refused(ben, decision.id) == "illegal-answer"
    assert await refused(cid, other.id, "reveal:lay-rails") == "illegal-answer"
    assert await refused(ann, decision.id, "pass") == "unknown-decision"
    assert await refused(cid, decision.id, "pass") == "unknown-decision"
    assert await refused(ben, "1-99", "pass") == "unknown-decision"
    assert len(house.journal()) == before
    await ben.answer(table, "pass")
    assert await refused(ben, decision.id, "reveal:lay-rails") == "unknown-decision"
    assert len(house.journal()) == before + 1
    await cid.answer(table)
    await ann.asked()
    assert await refused(ben, decision.id, "pass") == "unknown-decision"
    assert lines(house, "answer")[-2]["keys"] == ["pass"]
    check(house)


@pytest.mark.parametrize(("early", "code"), [(0.001, None), (0.0, "too-late"), (-5, "too-late")])
async def test_an_answer_counts_if_it_comes_before_the_end(
    ambush: Any, autojump_clock: Any, early: float, code: str | None
) -> None:
    """Case 15: at the very end, and whatever is in the queue then, the end comes first."""
    house, table, (ann, ben) = await ambush("ATTTT", "RTTTT", victims="gain-waste")
    decision = await ben.asked()
    end = trio.current_time() + 15
    await trio.sleep_until(end - early)
    reply = await ben.ask(Answer, table=table, decision=decision.id, keys=("reveal:lay-rails",))
    assert (reply.code if isinstance(reply, Error) else None) == code
    await ann.asked()
    (answer,) = [line for line in lines(house, "answer") if line["decision"] == decision.id]
    assert (answer["by"], answer["keys"]) == (
        ("clock", ["pass"]) if code else ("player", ["reveal:lay-rails"])
    )
    check(house)


async def test_late_answers_in_the_queue_are_refused_after_the_end_was_decided(
    ambush: Any,
    autojump_clock: Any,
) -> None:
    house, table, (ann, ben) = await ambush("ATTTT", "RTTTT", victims="gain-waste")
    decision = await ben.asked()
    await trio.sleep(15)  # its end comes in this very moment, and many answers with it
    for number in range(500, 510):
        await ben.send(Answer(number, table, decision.id, ("reveal:lay-rails",)))
    replies = [await ben.next(Ok | Error, lambda r, n=n: r.re == n) for n in range(500, 510)]
    assert {reply.code for reply in replies} == {"too-late"}
    await ann.asked()
    check(house)


# ------------------------------------------------------------------ preferences


@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize(
    ("prefers", "hand", "keys"),
    [
        ("always", "RATTT", ["reveal:lay-rails"]),
        ("always", "ATTTT", ["pass"]),
        ("never", "RATTT", ["pass"]),
    ],
)
async def test_a_preference_works_for_every_seat(
    make_house: Any,
    tmp_path: Any,
    autojump_clock: Any,
    *,
    seat: int,
    prefers: str,
    hand: str,
    keys: list[str],
) -> None:
    """Case 12: the host's and anybody else's; and the window is as long as any other."""
    hands = ["ATTTT"] * 3
    hands[seat] = hand if seat else second(hand)  # the first seat has had a turn then
    house = await make_house(
        own=(ambush_box(tmp_path / "box", "gain-waste"),),
        game_factory=dealer(*hands),
        settings=PATIENT,
    )
    table, players = await house.playing("Ann", "Ben", "Cid", options=OPTIONS)
    await players[seat].do(Prefer, table=table, reactions=prefers)
    told = await players[seat].next(Lobby, lambda m: m.reactions != "ask")
    assert told.reactions == prefers
    for player in players:
        await player.answer(table)
    attacker = 1 if seat == 0 else 0
    for turn in range(attacker):
        await players[turn].answer(table)
    await players[attacker].answer(table, "play:station-expansion")
    (third,) = {0, 1, 2} - {seat, attacker}
    await players[third].asked()
    begun = trio.current_time()
    await players[third].answer(table)
    assert await moment(players[attacker]) - begun == pytest.approx(2)
    assert players[seat].decisions == []
    (answer,) = [line for line in lines(house, "answer") if line["by"] == "preference"]
    assert (answer["seat"], answer["keys"], answer["latency_ms"]) == (seat, keys, 2000)
    for player in players:
        assert not any(isinstance(m, Lobby) and m.reactions != "ask" for m in player.inbox)
    check(house)


async def test_a_preference_answers_reactions_only(ambush: Any, autojump_clock: Any) -> None:
    house, table, (ann, ben) = await ambush("ATTTT", "RTTTT")
    await ben.do(Prefer, table=table, reactions="never")
    await ben.answer(table, "pass")  # this window was open already
    decision = await ben.asked()
    assert decision.kind == "discard-down"
    await ben.answer(table, "card:lay-rails", "card:normal-train")
    await ann.asked()
    check(house)


async def test_a_preference_can_be_taken_back(ambush: Any, autojump_clock: Any) -> None:
    house, table, (ann, ben) = await ambush("ATTTT", "RTTTT", victims="gain-waste")
    for reactions in ("never", "never", "ask"):
        await ben.do(Prefer, table=table, reactions=reactions)
    await ben.answer(table, "pass")
    await ann.asked()
    assert [line["reactions"] for line in lines(house, "prefer")] == ["never", "ask"]
    assert house.hall.tables[table].play.preference(1) == "ask"
    check(house)


async def test_who_watches_or_waits_in_a_lobby_can_prefer_and_pause_nothing(
    ambush: Any,
    autojump_clock: Any,
) -> None:
    house, table, _ = await ambush("ATTTT", "RTTTT")
    eve = await house.player("Eve")
    for request in ((Prefer, {"reactions": "never"}), (Pause, {"pause": True})):
        kind, fields = request
        assert await eve.refused(kind, table=table, **fields) == "not-here"
    await eve.do(Join, table=table, watch=True)
    assert await eve.refused(Prefer, table=table, reactions="never") == "not-your-seat"
    assert await eve.refused(Pause, table=table, pause=True) == "not-your-seat"
    lobby = (await eve.do(Create))["table"]
    assert await eve.refused(Prefer, table=lobby, reactions="never") == "wrong-state"


# ------------------------------------------------------------------ the clocks message


async def test_everybody_is_told_the_same_of_a_window(ambush: Any, autojump_clock: Any) -> None:
    """Case 13: whose time runs, and that the time of the turn stands."""
    house, table, (ann, ben, cid) = await ambush("ATTTT", "RTTTT", "TTTTT", victims="gain-waste")
    told = []
    for player in (ann, ben, cid):
        clocks = await player.next(Clocks, lambda m: m.window)
        told.append(clocks)
    assert told[0] == told[1] == told[2]
    assert (told[0].seats, told[0].card, told[0].ms) == ([1, 2], "station-expansion", 15_000)
    await trio.sleep(3)
    await cid.answer(table)
    eve = await house.player("Eve")
    await eve.do(Join, table=table, watch=True)
    late = await eve.next(Clocks)
    assert (late.seats, late.ms) == ([1, 2], 12_000)
    warned = await ben.next(Clocks, lambda m: m.warning)
    assert (warned.ms, warned.seats) == (10_000, [1, 2])
    await ann.asked()
    clocks = await ann.next(Clocks, lambda m: not m.window and m.seats == [0])
    assert clocks.ms == 120_000  # all of it: the window took nothing
    check(house)


async def test_who_is_too_slow_is_told_so_alone(ambush: Any, autojump_clock: Any) -> None:
    _, _, (ann, ben) = await ambush("ATTTT", "RTTTT", victims="gain-waste")
    await ann.asked()
    line = await ben.next(ChatLine)
    assert (line.name, "time was over" in line.text) == ("*", True)
    assert not any(isinstance(message, ChatLine) for message in ann.inbox)


async def test_a_window_without_an_end_waits(ambush: Any, autojump_clock: Any) -> None:
    house, table, (ann, ben) = await ambush(
        "ATTTT", "RTTTT", victims="gain-waste", window_ms=0, absence_ms=86_400_000
    )
    clocks = await ben.next(Clocks, lambda m: m.window)
    assert str(clocks.ms) == "UNSET"
    await trio.sleep(50_000)
    await ben.answer(table, "reveal:lay-rails")
    await ann.asked()
    check(house)


@pytest.mark.parametrize("window_ms", [1, 1_999])
async def test_a_window_that_ends_before_its_minimum_is_refused(house: Any, window_ms: int) -> None:
    ann = await house.player("Ann")
    options = replace(OPTIONS, boxes=("base",), window_ms=window_ms)
    reply = await ann.ask(Create, options=options)
    assert (reply.code, "sealed_min_ms" in reply.text) == ("bad-options", True)
    await ann.do(Create, options=replace(options, reactions="fast"))
