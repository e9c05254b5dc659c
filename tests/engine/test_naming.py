"""Which name was wrong, and which was probably meant."""

from __future__ import annotations

import pytest

from engine.naming import meant, nearest, repeated

KNOWN = ["landfill", "dump-site", "express-train", "tokyo-first-game", "osaka-first-game"]

NEAREST = {
    "landfil": "landfill",
    "Land Fill": "landfill",
    "DUMP_SITE": "dump-site",
    "dump": "dump-site",
    "express train": "express-train",
    "tokyo": "tokyo-first-game",
}


@pytest.mark.parametrize(("word", "name"), NEAREST.items())
def test_the_nearest_name_comes_first(word: str, name: str) -> None:
    assert nearest(word, KNOWN)[0] == name
    assert name in meant(word, KNOWN)


@pytest.mark.parametrize("word", ["", " ", "foo", "-", "x" * 10_000])
def test_nothing_is_near(word: str) -> None:
    assert nearest(word, KNOWN) == []
    assert meant(word, KNOWN) == ""


def test_a_few_names_at_most() -> None:
    assert len(nearest("train", [f"train-{n}" for n in range(50)])) == 3


def test_what_is_named_more_than_once() -> None:
    assert repeated("abcab") == ["a", "b"]
    assert repeated([]) == []
