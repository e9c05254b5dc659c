"""What each audience is told: a game driven by hand, and the frames that come of it."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

import engine
from engine.text import Words
from engine.types import SPECTATOR
from protocol import ClientConnection
from protocol.messages import Hello, Snapshot, TableCatalogue, Update
from protocol.patch import apply
from server.audience import Views

SEED = b"\x07" * 32


class Reader:
    """Follows one audience by its frames alone."""

    def __init__(self, views: Views, viewer: int) -> None:
        self._wire = ClientConnection()
        self._wire.send(Hello((1, 1), "somebody"))
        self.viewer = viewer
        snapshot = self.read(views.snapshot(viewer))
        assert isinstance(snapshot, Snapshot)
        self.view, self.seq = snapshot.view, snapshot.seq
        self.decisions = snapshot.decisions
        self.events: list[Any] = []
        self.next_event = snapshot.next_event

    @staticmethod
    def read(frame: bytes) -> Any:
        assert int.from_bytes(frame[:4], "big") == len(frame) - 4
        kind = msgspec.msgpack.decode(frame[4:])["type"]
        types: dict[str, Any] = {
            "snapshot": Snapshot,
            "update": Update,
            "catalogue": TableCatalogue,
        }
        return msgspec.msgpack.decode(frame[4:], type=types[kind])

    def follow(self, frames: dict[int, bytes]) -> None:
        if self.viewer not in frames:
            return
        update = self.read(frames[self.viewer])
        assert update.seq == self.seq + 1
        self.seq = update.seq
        self.view = apply(self.view, update.patch)
        self.events += update.events
        if update.decisions is not msgspec.UNSET:
            self.decisions = update.decisions


ROOM = 1_000_000
"""Bytes: more than any page here needs."""


def table(players: int = 2, seats: Any = None) -> tuple[engine.Game, Views]:
    game = engine.Game.new(engine.Setup(seed=SEED, players=players))
    names = ["Ann", "Ben", "Cid", "Dan"][:players]
    return game, Views("t1", game, Words("en"), names, range(players) if seats is None else seats)


def step(game: engine.Game, views: Views, rng: random.Random) -> dict[int, bytes]:
    decision = rng.choice(game.decisions)
    picks = [o.key for o in decision.options for _ in range(o.count)]
    keys = rng.sample(picks, rng.randint(decision.min, decision.max))
    return views.step(game.answer(decision.id, keys))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_audience_can_follow_a_whole_game_by_patches(players: int) -> None:
    game, views = table(players)
    readers = [Reader(views, viewer) for viewer in (SPECTATOR, *range(players))]
    rng = random.Random(players)
    frames = views.ask()
    while True:
        for reader in readers:
            reader.follow(frames)
            assert reader.view == msgspec.to_builtins(game.observe(reader.viewer))
            mine = [d for d in game.decisions if d.seat == reader.viewer]
            assert [d.id for d in reader.decisions] == [d.id for d in mine]
        if game.over:
            break
        frames = step(game, views, rng)
    for reader in readers:
        events, following = views.history(reader.viewer, reader.next_event, 100_000, ROOM)
        told = [msgspec.msgpack.decode(event, type=engine.types.Event) for event in events]
        assert told == reader.events
        assert following == 0
        assert all(event.text for event in told)


def test_decisions_are_shown_only_from_the_first_question_on() -> None:
    game, views = table()
    ann, ben = Reader(views, 0), Reader(views, 1)
    assert ann.decisions == []
    frames = views.ask()
    assert set(frames) == {0}
    ann.follow(frames)
    assert ann.decisions[0].id == game.decisions[0].id
    assert ben.seq == 0


def test_an_audience_to_whom_nothing_happens_is_told_nothing() -> None:
    _, views = table()
    views.ask()
    assert views.step([]) == {}


def test_a_view_that_nobody_holds_is_the_public_one() -> None:
    _, views = table(seats=[0])
    for viewer in (SPECTATOR, 1, 7, -2):
        assert "own" not in Reader(views, viewer).view


def test_a_late_spectator_gets_the_same_as_an_early_one() -> None:
    game, views = table()
    early = Reader(views, SPECTATOR)
    late_game, late_views = table()
    views.ask()
    late_views.ask()
    rng, other_rng = random.Random(1), random.Random(1)
    for _ in range(50):
        early.follow(step(game, views, rng))
        step(late_game, late_views, other_rng)
    late = Reader(late_views, SPECTATOR)
    assert late.view == early.view
    past = views.history(SPECTATOR, 0, 10_000, ROOM)
    assert late_views.history(SPECTATOR, 0, 10_000, ROOM) == past
    for _ in range(20):
        early.follow(step(game, views, rng))
        late.follow(step(late_game, late_views, other_rng))
    assert late.view == early.view


def test_nobody_but_the_owner_is_told_what_is_in_a_hand() -> None:
    game, views = table()
    views.ask()
    rng = random.Random(3)
    for _ in range(200):
        if not game.over:
            step(game, views, rng)
    for viewer in (0, 1, SPECTATOR):
        events, _ = views.history(viewer, 0, 100_000, ROOM)
        for raw in events:
            event = msgspec.msgpack.decode(raw, type=engine.types.Event)
            assert event.order is msgspec.UNSET
            if event.cards is not msgspec.UNSET:
                assert event.seat == viewer


def test_the_record_tells_everything_and_has_no_sentences() -> None:
    game, views = table()
    events = [msgspec.json.decode(raw) for raw in views.record(game.facts)]
    full = engine.events_for(game.setting, game.facts, engine.RECORD)
    assert events == msgspec.to_builtins(full)
    assert any("order" in event for event in events)


def test_the_catalogue_is_made_once_and_named_by_its_content() -> None:
    _, views = table()
    _, same = table()
    _, other = table(players=3)
    frame = views.catalogue()
    assert views.catalogue() is frame
    names = [Reader.read(v.catalogue()).hash for v in (views, same, other)]
    assert names[0] == names[1] != names[2]
