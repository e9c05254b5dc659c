from __future__ import annotations

import msgspec

from client.plain.presence import comings_and_goings, waited_for
from protocol.messages import Lobby, TableInfo
from tests.client.games import model_of, opening, table_info


def with_seat(info: TableInfo, number: int, **changes: object) -> TableInfo:
    seats = list(info.seats)
    seats[number] = msgspec.structs.replace(seats[number], **changes)
    return msgspec.structs.replace(info, seats=seats)


def test_who_goes_and_who_comes_back_is_told() -> None:
    all_here = table_info(3)
    lost = with_seat(all_here, 1, connected=False)
    cut_off = "Ben has lost the connection, and may come back."
    assert comings_and_goings(all_here, lost) == [cut_off]
    assert comings_and_goings(lost, all_here) == ["Ben is back."]
    without_ben = with_seat(all_here, 1, connected=False, left=True)
    went = "Ben is not here any more; a bot plays for that seat."
    assert comings_and_goings(lost, without_ben) == [went]
    assert comings_and_goings(all_here, without_ben) == [went]
    assert comings_and_goings(None, without_ben) == [went]
    assert comings_and_goings(without_ben, all_here) == ["Ben is back."]
    assert comings_and_goings(without_ben, without_ben) == []
    assert comings_and_goings(None, all_here) == []


def test_bots_are_never_away() -> None:
    info = with_seat(table_info(2), 1, kind="bot", connected=False)
    assert comings_and_goings(None, info) == []
    assert comings_and_goings(table_info(2), info) == []


def test_the_prompt_says_of_whom_it_waits_for_whether_they_are_there() -> None:
    game = opening(2)
    mover = game.decisions[0].seat
    model = model_of(game, 1 - mover)
    name = model.name(mover)
    assert waited_for(model) == name
    model.apply(Lobby(with_seat(table_info(2), mover, connected=False), 1 - mover))
    assert waited_for(model) == f"{name}, not here,"
