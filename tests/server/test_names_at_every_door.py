"""However a table is asked for, by flag, environment, file or message: names mean the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import engine
from protocol.messages import Create, Lobby, TableOptions
from server.config import SettingsError, load
from server.flags import whole
from server.options import make_game, to_setup
from server.refusal import Refusal
from server.resolve import resolve

EIGHT = "Dump Site,land fill,TUNNEL,bullet_train,  mail-train ,garage,signals,Pulling"
MEANT = ("dump-site", "landfill", "tunnel", "bullet-train", "mail-train", "garage", "signals")
SAID = {
    "capitals": ("board", "OSAKA", "osaka"),
    "blanks": ("board", " Osaka ", "osaka"),
    "a set": ("kingdom", "Tokyo First Game", ("tokyo-first-game",)),
    "cards": ("kingdom", EIGHT, (*MEANT, "pulling")),
    "random": ("kingdom", "random", ()),
    "Random": ("kingdom", " Random ", ()),
    "a box": ("boxes", "Base", ("base",)),
}


def by_flag(name: str, text: str, _: Path) -> TableOptions:
    return load(None, {}, [(name, text, f"--{name}")]).limits.defaults


def by_environment(name: str, text: str, _: Path) -> TableOptions:
    return load(None, {f"SENRO_{name.upper()}": text}).limits.defaults


def by_file(name: str, text: str, folder: Path) -> TableOptions:
    file = folder / "server.toml"
    value = f'"{text}"' if name == "board" else str([t.strip() for t in text.split(",")])
    file.write_text(f"[table]\n{name} = {value}\n")
    return load(file).limits.defaults


def by_message(name: str, text: str, _: Path) -> TableOptions:
    said: Any = text if name == "board" else tuple(text.split(","))
    return TableOptions(**{name: said})


DOORS = {"flag": by_flag, "environment": by_environment, "file": by_file, "message": by_message}
Door = Callable[[str, str, Path], TableOptions]


@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)
@pytest.mark.parametrize(("name", "text", "means"), SAID.values(), ids=SAID)
def test_a_name_means_the_same_at_every_door(
    tmp_path: Path, door: Door, name: str, text: str, means: object
) -> None:
    assert getattr(resolve(door(name, text, tmp_path)), name) == means


@pytest.mark.parametrize("name", ["kingdom", "boxes", "victory", "board"])
@pytest.mark.parametrize("text", ["", ",", " , ", ",,"])
@pytest.mark.parametrize("door", [by_flag, by_environment])
def test_an_option_that_says_nothing_is_not_taken_for_the_default(
    tmp_path: Path, door: Door, name: str, text: str
) -> None:
    with pytest.raises(SettingsError, match=f"(?i){name}: it says nothing"):
        door(name, text, tmp_path)


async def test_a_table_whose_piles_are_random_says_nothing_of_them(make_house: Any) -> None:
    house = await make_house(settings={"defaults": TableOptions(kingdom=("tokyo-first-game",))})
    ann = await house.player("Ann")
    await ann.do(Create, options=TableOptions(kingdom=("random",), victory=("Random",)))
    options = (await ann.next(Lobby)).info.options
    assert (options.kingdom, options.victory) == ((), ())


def test_random_among_other_names_is_none_of_them() -> None:
    with pytest.raises(Refusal, match="random"):
        resolve(TableOptions(kingdom=("random", "tunnel")))


def test_what_the_engine_refuses_is_told_to_its_end() -> None:
    """Every list of what is allowed, however long, ends with a whole name."""
    options = TableOptions(
        boxes=("base", "rising-sun"), board="tokyo", players=2, kingdom=("qqqqq",) * 8
    )
    with pytest.raises(Refusal) as no:
        make_game(engine.Game.new, to_setup(options, bytes(32)))
    assert no.value.text.endswith("recycling-center")


@pytest.mark.parametrize("text", ["9" * 5000, "-1", "²", "", "1_0", " 1", "100"])
def test_a_number_out_of_range_is_refused_in_a_short_sentence(text: str) -> None:
    with pytest.raises(Exception, match="no whole number from 0 to 99") as no:
        whole(0, 99)(text)
    assert len(str(no.value)) < 100
