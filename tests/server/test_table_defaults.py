"""How tables are played whose creators say nothing: as the server's host has set it."""

from __future__ import annotations

from typing import Any

import pytest

from protocol.messages import Create, Hello, Lobby, TableOptions, Welcome
from server.__main__ import main

HOUSE_RULES = TableOptions(board="osaka", players=3, kingdom=("osaka-first-game",), order="seats")


async def test_a_table_without_options_is_played_as_the_host_has_set(make_house: Any) -> None:
    house = await make_house(settings={"defaults": HOUSE_RULES})
    ann = await house.connect()
    await ann.send(Hello((1, 1), "Ann"))
    welcome = await ann.next(Welcome)
    assert (welcome.defaults.board, welcome.defaults.players) == ("osaka", 3)
    await ann.do(Create)
    options = (await ann.next(Lobby)).info.options
    assert (options.board, options.players, options.order) == ("osaka", 3, "seats")
    assert options.kingdom == ("osaka-first-game",)


async def test_a_creator_who_names_options_gets_those(make_house: Any) -> None:
    house = await make_house(settings={"defaults": HOUSE_RULES})
    ann = await house.player("Ann")
    await ann.do(Create, options=TableOptions(players=2))
    options = (await ann.next(Lobby)).info.options
    assert (options.board, options.players, options.kingdom) == ("osaka", 2, ())


@pytest.mark.parametrize(
    ("flags", "complaint"),
    [
        (["--players", "5"], "from 0 to 4"),
        (["--board", "mars"], "--board: there is no board “mars”; there are osaka, tokyo, chiba"),
        (["--kingdom", "landfill"], "name 8 cards or one set"),
        (["--kingdom", ",".join(["landfill"] * 8)], "named twice"),
        (["--board", "chiba", "--players", "3"], "--players: Chiba is for 2 players, not 3"),
        (["--bonuses", "yes"], "--bonuses: "),
        (["--starts", "marked"], "--starts: Tokyo has no marked cities"),
        (["--set", "board=mars"], "--set board: there is no board “mars”"),
        (["--order", "age"], "one of random, seats"),
        (["--reactions", "slow"], "one of sealed, fast"),
    ],
)
def test_defaults_that_cannot_be_played_are_refused(
    capsys: pytest.CaptureFixture[str], flags: list[str], complaint: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--port", "0", *flags])
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert complaint in said
    assert said.count("\n") == 1
