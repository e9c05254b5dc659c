"""Two tables that differ only in one hand tell everybody else the same bytes at the same times.

Sealed tables, with attacks, windows, forced choices and preferences.  In the second game some of
the cards of seat 1 that nobody else can see have changed places.  Everybody answers at the same
moments in both, and all that is open is the same: what seat 1 answers in a window is what both
hands allow, or hidden.  Each frame that reaches another seat or a watcher is compared with the
moment at which it comes (the numbers of cases are those of the list of situations).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest
import trio
from hypothesis import event, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from trio.testing import MockClock

from protocol.messages import Answer, Join, Prefer, TableOptions
from tests.server.ambush import OPTIONS, VICTIMS, ambush_box, dealer
from tests.server.conftest import House, Player

HIDER = 1
OTHERS = ("ATTTT", "ATTTR")
PAIRS = (
    ("RTTTT", "TTTTA"),  # can react, or not
    ("RRTTT", "RTTTT"),
    ("RATTT", "RTTTT"),
    ("RRATT", "TTTTT"),  # a choice of three cards, or of one
    ("TTTTT", "ATTTT"),
)
"""Hands of seat 1 that others cannot tell apart."""

OPEN = {"reveal-top"}
"""What attacks do that shows a card: then the games differ openly."""

FAST = replace(OPTIONS, reactions="fast")

Told = list[tuple[float, bytes]]


class Steady:
    """Stands in for the generator by which Trio shuffles what happens at the same moment."""

    def random(self) -> float:
        return 0.0

    def shuffle(self, batch: list[object]) -> None:
        """Leaves them as they are."""


@contextmanager
def steady_scheduling() -> Iterator[None]:
    """Tasks that are ready at the same moment run in the same order each time, as Trio's plugin for
    Hypothesis has it: otherwise two runs of the same game differ."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("trio._core._run._ALLOW_DETERMINISTIC_SCHEDULING", True)
        patch.setattr("trio._core._run._r", Steady())
        yield


class Ear:
    """Takes in what reaches a player, and when."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.told: Told = []

    async def listen(self) -> None:
        stream, receive = self.player.stream, self.player.stream.receive_some

        async def noted(size: int) -> bytes:
            data = bytes(await receive(size))
            self.told.append((trio.current_time(), data))
            return data

        stream.receive_some = noted  # type: ignore[method-assign,assignment]
        while await self.player.receive():
            pass


class Game(NamedTuple):
    """What makes a game: what attacks do, what seat 1 prefers, the seconds between the moments at
    which people answer, and which question seat 1 lets pass (twice in a row, and a bot would take
    over, whose game is a matter of its hand)."""

    victims: str
    preference: str
    waits: list[float]
    silence: int = 0
    options: TableOptions = OPTIONS


async def play(folder: Path, hand: str, game: Game) -> tuple[dict[str, Told], list[list[str]]]:
    """Play some moments of a game; returns what reached whom, and what seat 1 was asked and
    answered (kinds alone)."""
    victims, preference, waits, silence, options = game
    ears: dict[str, Ear] = {}
    kinds: list[list[str]] = []
    async with trio.open_nursery() as nursery:
        house = House(
            nursery,
            folder / "journals",
            settings={"silence": 1e9},
            own=(ambush_box(folder / "box", victims),),
            game_factory=dealer(OTHERS[0], hand, OTHERS[1]),
            new_seed=lambda: bytes(32),
        )
        await nursery.start(house.hall.run)
        table, players = await house.playing("Ann", "Ben", "Cid", options=options)
        eve = await house.player("Eve")
        await eve.do(Join, table=table, watch=True)
        people = [*players, eve]
        for name, player in zip(("ann", "ben", "cid", "eve"), people, strict=True):
            ears[name] = Ear(player)
            nursery.start_soon(ears[name].listen)
        await players[HIDER].send(Prefer(900, table, preference))
        await trio.sleep(1)
        given: set[str] = set()
        for wait in waits:
            for seat, player in enumerate(players):
                for decision in player.decisions:
                    if decision.id in given:
                        continue
                    given.add(decision.id)
                    keys = answer(decision, seat)
                    if seat == HIDER:
                        kinds.append([decision.kind, *([] if hidden(decision) else keys)])
                        if len(kinds) == silence:
                            continue
                    await player.send(Answer(1000 + len(given), table, decision.id, keys))
            await trio.sleep(wait)
        nursery.cancel_scope.cancel()
    return {name: ear.told for name, ear in ears.items()}, kinds


def answer(decision: Any, seat: int) -> tuple[str, ...]:
    """What a seat answers: it attacks when it can, and otherwise does what is harmless.  Seat 1
    lets its attacks be, which are a matter of its hand."""
    keys = [option.key for option in decision.options]
    if seat != HIDER and "play:station-expansion" in keys:
        return ("play:station-expansion",)
    return tuple(decision.default)


def hidden(decision: Any) -> bool:
    """Whether nobody else is told what was answered."""
    return decision.kind in {"hand-to-deck", "discard-down"}


def compare(hands: tuple[str, str], game: Game) -> int:
    """Play both games; what others are told must be the same.  Returns how many frames that
    were."""
    results = []
    with TemporaryDirectory() as folder, steady_scheduling():
        for n, hand in enumerate(hands):
            place = Path(folder) / str(n)
            place.mkdir()
            clock = MockClock(autojump_threshold=0)
            results.append(trio.run(play, place, hand, game, clock=clock))
    (first, kinds), (second, other_kinds) = results
    assert kinds == other_kinds
    for name in ("ann", "cid", "eve"):
        assert first[name] == second[name], name
    return len(first["eve"])


WAITS = st.lists(st.sampled_from([0.1, 0.5, 1.9, 2.0, 2.5, 6.0]), min_size=4, max_size=16)
HIDDEN = sorted({*VICTIMS} - OPEN)


@settings(max_examples=25)
@given(
    hands=st.sampled_from(PAIRS),
    victims=st.sampled_from(HIDDEN),
    preference=st.sampled_from(["ask", "never"]),
    waits=WAITS,
    silence=st.integers(0, 5),
)
def test_a_hand_is_told_by_no_byte_and_no_moment(
    hands: tuple[str, str], victims: str, preference: str, waits: list[float], silence: int
) -> None:
    frames = compare(hands, Game(victims, preference, waits, silence))
    event(f"{frames // 5 * 5} frames or more, {victims}")


@pytest.mark.parametrize("victims", HIDDEN)
def test_those_games_have_windows(victims: str) -> None:
    """So that the test above looks at what it is about."""
    assert compare(("RTTTT", "TTTTA"), Game(victims, "ask", [1.0] * 12)) > 8


def test_a_fast_table_does_tell() -> None:
    """So that the test above could fail: there, only those are asked who have a choice."""
    with pytest.raises(AssertionError):
        compare(("RTTTT", "TTTTA"), Game("gain-waste", "ask", [1.0] * 6, options=FAST))
