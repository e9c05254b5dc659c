from __future__ import annotations

from hashlib import sha256

import pytest

from client.table_words import OPTION_WORDS, read_options, split_kingdom, wire_seed


def test_without_words_it_is_a_table_for_two_on_tokyo() -> None:
    title, options, watch = read_options("")
    assert (title, watch) == ("", False)
    assert (options.board, options.players, options.kingdom, options.seed) == ("tokyo", 2, (), "")


def test_everything_can_be_said_and_the_title_takes_the_rest() -> None:
    words = "watch players=4 board=Tokyo kingdom=Dump_Site,landfill seed=x title=Late players=9"
    title, options, watch = read_options(words)
    assert (title, watch) == ("Late players=9", True)
    assert (options.board, options.players) == ("tokyo", 4)
    assert options.kingdom == ("dump-site", "landfill")
    assert options.seed == sha256(b"x").hexdigest()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("three", f"create does not know “three”; options are {OPTION_WORDS}"),
        ("colour=red", "create does not know “colour=red”"),
        ("players=5", "players is 2, 3 or 4, not “5”"),
        ("players=", "players is 2, 3 or 4, not “”"),
        ("board=", "cannot be sent"),
        ("kingdom=" + ",".join("abcdefghijklmnopq"), "cannot be sent"),
    ],
)
def test_what_is_not_understood_is_named(words: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        read_options(words)


def test_a_seed_of_64_hex_digits_stays_and_any_other_text_is_hashed() -> None:
    digits = "0123456789ABCDEF" * 4
    assert wire_seed(digits) == digits.lower()
    assert wire_seed("42") == sha256(b"42").hexdigest()
    assert wire_seed("\ud800") == sha256(b"?").hexdigest()


def test_cards_go_by_id_or_name() -> None:
    assert split_kingdom(" Dump Site,, landfill ,") == ("dump-site", "landfill")
    assert split_kingdom("") == ()
