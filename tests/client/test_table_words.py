from __future__ import annotations

import re
from hashlib import sha256

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.table_words import OPTION_WORDS, read_options, split_kingdom, wire_seed
from protocol.messages import Create, ShownOptions


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
        ("board=", "board wants a name of 1 to 64 printable characters, not nothing"),
        ("board=" + "x" * 65, "board wants a name of 1 to 64 printable characters, not “x"),
        ("board=a\x1b[2J", "board wants a name of 1 to 64 printable characters, not “a"),
        ("kingdom=", "kingdom wants names with commas between them"),
        ("kingdom=," + "x" * 65, "kingdom wants a name of 1 to 64 printable characters"),
        ("kingdom=" + ",".join("abcdefghijklmnopq"), "kingdom wants at most 16 names, not 17"),
        ("title=" + "x" * 65, "title wants at most 64 printable characters"),
        ("title=\udcff", "title wants at most 64 printable characters"),
    ],
)
def test_what_is_not_understood_is_named(words: str, says: str) -> None:
    with pytest.raises(ValueError, match=re.escape(says)):
        read_options(words)


@given(
    st.builds(
        lambda name, value: f"{name}={value}",
        st.sampled_from(["board", "kingdom", "seed", "title", "players"]),
        st.text(max_size=100) | st.text(st.characters(categories=["Cs", "Cc"])) | st.just("x" * 70),
    )
)
def test_whatever_is_said_can_be_sent_or_is_refused_in_words(words: str) -> None:
    try:
        title, options, watch = read_options(words)
    except ValueError as refused:
        assert str(refused).isprintable()
        assert not any(raw in str(refused) for raw in ("Expected `", "at `$"))
        return
    frame = msgspec.msgpack.encode(Create(1, title, options, watch))
    assert msgspec.msgpack.decode(frame, type=Create).options == options


def test_a_seed_of_64_hex_digits_stays_and_any_other_text_is_hashed() -> None:
    digits = "0123456789ABCDEF" * 4
    assert wire_seed(digits) == digits.lower()
    assert wire_seed("42") == sha256(b"42").hexdigest()
    assert wire_seed("\ud800") == sha256(b"?").hexdigest()


def test_cards_go_by_id_or_name() -> None:
    assert split_kingdom(" Dump Site,, landfill ,") == ("dump-site", "landfill")
    assert split_kingdom("") == ()


def test_what_is_not_said_is_as_the_server_has_it() -> None:
    house = ShownOptions(board="osaka", players=3, kingdom=("osaka-first-game",), order="seats")
    _, options, _ = read_options("", house)
    assert (options.board, options.players, options.order) == ("osaka", 3, "seats")
    assert options.kingdom == ("osaka-first-game",)
    _, options, _ = read_options("players=4 order=random kingdom=random", house)
    assert (options.board, options.players, options.order) == ("osaka", 4, "random")
    assert options.kingdom == ()


def test_an_order_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="order is random or seats, not “age”"):
        read_options("order=age")
