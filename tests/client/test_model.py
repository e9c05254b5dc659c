from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

import engine
from client.model import LoggedEvent, TableModel
from engine.types import Event
from protocol.messages import ChatLine, Closed, FromServer, Lobby, Snapshot, TableCatalogue, Update
from protocol.patch import diff
from tests.client.games import WORDS, catalogue_of, model_of, opening, table_info


def view_of(game: engine.Game, seat: int) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(game.observe(seat))
    return plain


def as_served(moves: list[int], seat: int) -> tuple[list[FromServer], dict[str, Any]]:
    """A snapshot of an opening and an update for every move, and the last view."""
    game = opening(2).copy()
    view = view_of(game, seat)
    sent: list[FromServer] = [Snapshot("t1", 1, view, [], 0)]
    for move in moves:
        if game.over:
            break
        decision = game.decisions[0]
        option = decision.options[move % len(decision.options)]
        keys = [option.key] * max(1, decision.min) if decision.max else []
        try:
            facts = game.answer(decision.id, keys)
        except engine.AnswerError:
            continue
        new = view_of(game, seat)
        asked = [one for one in game.decisions if one.seat == seat]
        events = engine.events_for(game.setting, facts, seat)
        sent.append(Update("t1", len(sent) + 1, diff(view, new), events, asked))
        view = new
    return sent, view


def plain_view(model: TableModel) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(model.view)
    return plain


@given(st.lists(st.integers(0, 60), max_size=30), st.integers(-1, 1))
def test_snapshot_and_updates_give_the_view_of_the_server(moves: list[int], seat: int) -> None:
    sent, view = as_served(moves, seat)
    model = TableModel("t1")
    model.apply(Lobby(table_info(2), seat))
    for message in sent:
        change = model.apply(message)
        assert not change.snapshot_wanted
    assert plain_view(model) == view
    events = sum(len(one.events) for one in sent if isinstance(one, Update))
    assert model.next_event == len(model.log) == events
    assert model.seq == len(sent)


@given(st.lists(st.integers(0, 60), min_size=4, max_size=30), st.data())
def test_a_gap_asks_for_one_snapshot_which_brings_all_up_to_date(
    moves: list[int], data: st.DataObject
) -> None:
    sent, view = as_served(moves, 0)
    if len(sent) < 3:
        return
    lost = data.draw(st.integers(1, len(sent) - 2))
    model = TableModel("t1")
    wanted = [model.apply(one).snapshot_wanted for n, one in enumerate(sent) if n != lost]
    assert wanted.count(True) == 1
    assert wanted.index(True) == lost
    known = model.next_event
    events = sum(len(one.events) for one in sent if isinstance(one, Update))
    change = model.apply(Snapshot("t1", len(sent), view, [], events))
    assert plain_view(model) == view
    assert change.history_wanted == ((known, events) if events > known else None)
    assert not model.waiting_for_snapshot
    assert not model.apply(Update("t1", len(sent) + 1)).snapshot_wanted


def test_an_update_that_comes_twice_or_late_changes_nothing() -> None:
    sent, view = as_served([3, 4, 0, 0, 0], 0)
    model = TableModel("t1")
    for message in sent:
        model.apply(message)
    for message in sent[1:]:
        change = model.apply(message)
        assert not change.snapshot_wanted
        assert not change.events
    assert plain_view(model) == view


def test_a_view_that_is_none_is_not_taken_in() -> None:
    model = model_of(opening(2), 0)
    before = plain_view(model)
    change = model.apply(Update("t1", 2, {"turn": {"money": "much"}}))
    assert change.snapshot_wanted
    assert plain_view(model) == before
    deep: dict[str, Any] = {}
    for _ in range(100_000):
        deep = {"a": deep}
    model.apply(Snapshot("t1", 5, {"phase": 3}, [], 0))
    model.apply(Snapshot("t1", 5, deep, [], 0))
    assert plain_view(model) == before


def test_messages_about_other_tables_and_of_unknown_kinds_change_nothing() -> None:
    class FromTheFuture(FromServer, tag="news"):
        table: str = "t1"

    model = model_of(opening(2), 0)
    before = (plain_view(model), model.seq, model.decisions)
    for message in (
        FromTheFuture(),
        Update("t2", 2, {"phase": "over"}),
        Lobby(msgspec.structs.replace(table_info(2), table="t2"), 1),
        Closed("t2", "gone"),
        TableCatalogue("t2", "h", catalogue_of(3)),
    ):
        assert model.apply(message).closed is None
    assert (plain_view(model), model.seq, model.decisions) == before


def test_the_questions_of_an_update_replace_the_old_ones() -> None:
    game = opening(2)
    model = model_of(game, game.decisions[0].seat)
    assert [one.id for one in model.decisions] == [game.decisions[0].id]
    assert not model.apply(Update("t1", 2)).questions  # says nothing about questions
    assert len(model.decisions) == 1
    again = [WORDS.decision(game.setting, game.decisions[0])]
    assert not model.apply(Update("t1", 3, decisions=again)).questions  # the same ones
    assert model.apply(Update("t1", 4, decisions=[])).questions
    assert model.decisions == ()


def test_the_end_of_a_table_closes_its_questions() -> None:
    game = opening(2)
    model = model_of(game, game.decisions[0].seat)
    change = model.apply(Closed("t1", "the server is shutting down"))
    assert change.closed == "the server is shutting down"
    assert model.decisions == ()


def test_the_last_update_ends_the_game_whether_or_not_the_lobby_has_heard_of_it() -> None:
    model = model_of(opening(2), 0)
    assert model.playing
    model.apply(Update("t1", 2, {"phase": "over"}))
    assert model.info is not None
    assert model.info.state == "playing"
    assert model.over
    assert not model.playing


def test_the_log_knows_in_which_turn_things_happened() -> None:
    model = TableModel("t1")
    events = [Event("begun", count=2), Event("turn", seat=0, count=1), Event("played", seat=0)]
    kept = model.keep([*events, Event("turn", seat=1, count=2), Event("bought", seat=1)])
    assert [one.turn for one in kept] == [0, 1, 1, 2, 2]
    assert list(model.log)[-1] == LoggedEvent(2, Event("bought", seat=1))


def test_history_that_makes_no_sense_is_no_history() -> None:
    assert TableModel.read_history({"events": [{"type": 7}]}) == []
    assert TableModel.read_history({}) == []
    assert TableModel.read_history({"events": [{"type": "turn", "new": 1}]}) == [Event("turn")]


def test_names_and_titles_come_from_lobby_and_catalogue() -> None:
    model = model_of(opening(3), 2)
    assert model.names == ["Anna", "Ben", "Cleo"]
    assert (model.name(1), model.name(9), model.name(-1)) == ("Ben", "seat 10", "seat 0")
    assert model.card_name("lay-rails") == "Lay Rails"
    assert model.card_name("no-such-card") == "no-such-card"
    assert (model.hex_title("C5"), model.hex_title("A2"), model.hex_title("Z9")) == (
        "Kichijoji", "", "",
    )  # fmt: skip
    assert model.titles["C5"] == "Kichijoji"
    assert model.apply(ChatLine("t1", "Ben", "hello")).chat == ChatLine("t1", "Ben", "hello")
