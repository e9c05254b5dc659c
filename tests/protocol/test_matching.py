"""Which of several names is meant."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.matching import meant, words_of

THINGS = {
    "express-train": ("Express Train",),
    "limited-express-train": ("Limited Express Train",),
    "tunnel": ("Tunnel",),
    "d6": ("Shinjuku-Shibuya",),
    "office": ("Stationmaster's Office",),
    "expansion": ("Station Expansion",),
}


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("tun", ["tunnel"]),
        ("TUNNEL", ["tunnel"]),
        ("“Tunnel”.", ["tunnel"]),
        ("exp", ["express-train"]),  # the beginning of a name counts more than a later word
        ("Exp.", ["express-train"]),
        ("exp tr", ["express-train"]),
        ("shibuya", ["d6"]),
        ("shinjuku shib", ["d6"]),
        ("lim_exp", ["limited-express-train"]),
        ("station", ["office", "expansion"]),
        ("office", ["office"]),
        ("train", ["express-train", "limited-express-train"]),
        ("unne", ["tunnel"]),
        ("", []),
        ("...", []),
        ("zeppelin", []),
    ],
)
def test_what_is_meant(typed: str, found: list[str]) -> None:
    assert meant(typed, THINGS) == found


@given(st.sampled_from(list(THINGS)), st.integers(0, 60), st.integers(1, 60))
def test_any_piece_of_a_name_finds_it_and_the_whole_name_only_it(
    thing: str, start: int, length: int
) -> None:
    (name,) = THINGS[thing]
    piece = name[start : start + length]
    found = meant(piece, THINGS)
    if words_of(piece) and " " not in piece.strip() and "-" not in piece:
        assert any("".join(words_of(piece)) in "".join(words_of(THINGS[one][0])) for one in found)
    assert meant(name.upper(), THINGS) == [thing]


@given(st.text(max_size=40))
def test_nothing_typed_does_any_harm(typed: str) -> None:
    assert set(meant(typed, THINGS)) <= set(THINGS)
