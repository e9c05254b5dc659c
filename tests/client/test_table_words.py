from __future__ import annotations

import re
from hashlib import sha256

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from client.table_words import OPTIONS, in_words, read_options, split_options, wire_seed
from protocol.messages import Create, ShownOptions, TableOptions


def test_without_words_it_is_as_the_server_has_it() -> None:
    options, title, watch, password = read_options("")
    assert (title, watch, password) == ("", False, "")
    assert (options.board, options.players, options.kingdom, options.seed) == ("tokyo", 2, (), "")
    house = ShownOptions(board="osaka", players=3, kingdom=("osaka-first-game",), bonuses=True)
    options = read_options("order=seats", house).options
    assert (options.board, options.players, options.order) == ("osaka", 3, "seats")
    assert (options.kingdom, options.bonuses) == (("osaka-first-game",), True)
    assert read_options("kingdom=random", house).options.kingdom == ()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("players=3", {"players": "3"}),
        ("kingdom=Bullet Train, tun players=3", {"kingdom": "Bullet Train, tun", "players": "3"}),
        ("kingdom=dump site bonuses", {"kingdom": "dump site", "bonuses": "yes"}),
        ("bonuses watch", {"bonuses": "yes", "watch": "yes"}),
        ("bonuses=no", {"bonuses": "no"}),
        ("title=Late night seed=a b c", {"title": "Late night", "seed": "a b c"}),
        ("title=We watch trains", {"title": "We watch trains"}),
        ("title=Bots watch players=2", {"title": "Bots", "watch": "yes", "players": "2"}),
        ("title=Bots watch bonuses", {"title": "Bots", "watch": "yes", "bonuses": "yes"}),
        ('title="Bots watch"', {"title": "Bots watch"}),
        ("title=watch", {"title": "watch"}),
        ('title="players=9 here" players=2', {"title": "players=9 here", "players": "2"}),
        ("seed=1+1=2 x=y", {"seed": "1+1=2 x=y"}),
        ("seed=two, three", {"seed": "two, three"}),
        ("PLAYERS=3 Board=Osaka", {"players": "3", "board": "Osaka"}),
        ("boxes=base, rising sun starts=marked", {"boxes": "base, rising sun", "starts": "marked"}),
        ("title=Anna's game", {"title": "Anna's game"}),
        ("board= players=2", {"board": "", "players": "2"}),
    ],
)
def test_an_option_takes_the_words_up_to_the_next_one(words: str, said: dict[str, str]) -> None:
    assert split_options(words) == said


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("three", "“three” is no option of a table; help create lists the options."),
        ("colour=red", "“colour=red” is no option of a table"),
        ("playrs=3", "“playrs=3” is no option of a table; is it players?"),
        ("board=osaka tokyo", "“tokyo” is no option of a table"),
        ("players=5", "players is 2, 3 or 4, not “5”"),
        ("players=", "players is 2, 3 or 4, not “”"),
        ("board=", "board wants a name of 1 to 64 printable characters, not nothing"),
        ("board=" + "x" * 65, "board wants a name of 1 to 64 printable characters, not “x"),
        ("board=a\x1b[2J", "board wants a name of 1 to 64 printable characters, not “a"),
        ("kingdom=", "kingdom wants names with commas between them"),
        ("kingdom=," + "x" * 65, "kingdom wants a name of 1 to 64 printable characters"),
        ("kingdom=" + ",".join("abcdefghijklmnopq"), "kingdom wants at most 16 names, not 17"),
        ("victory=a,b,c,d", "victory wants at most 3 names, not 4"),
        ("boxes=,", "boxes wants names with commas between them"),
        ("starts=everywhere", "starts is any or marked, not “everywhere”"),
        ("reactions=slow", "reactions is sealed or fast, not “slow”"),
        ("turn=soon", "turn is a number of seconds from 1 to 86400, or none, not “soon”"),
        ("window=-1", "window is a number of seconds from 1 to 86400, or none, not “-1”"),
        ("reserve=86401", "reserve is a number of seconds"),
        ("turn=²", "turn is a number of seconds"),
        ("turn=", "turn is a number of seconds"),
        ("order=age", "order is random or seats, not “age”"),
        ("bonuses=perhaps", "bonuses is yes or no, not “perhaps”"),
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
        st.sampled_from(list(OPTIONS)),
        st.text(max_size=100) | st.text(st.characters(categories=["Cs", "Cc"])) | st.just("x" * 70),
    )
)
def test_whatever_is_said_can_be_sent_or_is_refused_in_words(words: str) -> None:
    try:
        new = read_options(words)
    except ValueError as refused:
        assert str(refused).isprintable()
        assert not any(raw in str(refused) for raw in ("Expected `", "at `$"))
        return
    request = Create(1, new.title, new.options, new.watch, new.password)
    frame = msgspec.msgpack.encode(request)
    assert msgspec.msgpack.decode(frame, type=Create) == request


def test_a_seed_of_64_hex_digits_stays_and_any_other_text_is_hashed() -> None:
    digits = "0123456789ABCDEF" * 4
    assert wire_seed(digits) == digits.lower()
    assert wire_seed("42") == sha256(b"42").hexdigest()
    assert wire_seed("\ud800") == sha256(b"?").hexdigest()


def test_what_goes_with_what_is_said_is_left_to_the_server() -> None:
    house = ShownOptions(board="chiba", players=2, boxes=("rising-sun",), starts="marked")
    options = read_options("board=osaka", house).options
    assert (options.board, options.players, options.boxes, options.starts) == (
        "osaka",
        0,
        (),
        "any",
    )
    house = ShownOptions(kingdom=("tokyo-first-game",), victory=("base",))
    options = read_options("boxes=rising-sun", house).options
    assert (options.board, options.players, options.kingdom, options.victory) == ("", 0, (), ())


def test_how_a_table_is_played_is_told_in_words() -> None:
    assert in_words(ShownOptions()) == [
        "eight cards drawn from base",
        "turn order drawn",
        "sealed reactions",
        "120 s a turn and 60 s in reserve",
    ]
    options = ShownOptions(
        boxes=("base", "rising-sun"),
        kingdom=("osaka-first-game",),
        victory=("base",),
        bonuses=True,
        starts="marked",
        order="seats",
        reactions="fast",
        turn_ms=0,
    )
    assert in_words(options) == [
        "the set osaka-first-game from base and rising-sun",
        "victory cards base",
        "route bonuses",
        "first rails in marked cities",
        "turn order as seated",
        "fast reactions",
        "no clock",
    ]
    named = ShownOptions(kingdom=("dump-site", "tunnel"))
    assert in_words(named)[0] == "dump site, tunnel from base"


def test_times_are_said_in_seconds() -> None:
    options = read_options("turn=90 reserve=none window=0").options
    assert (options.turn_ms, options.reserve_ms, options.window_ms) == (90_000, 0, 0)
    assert read_options("turn=86400").options.turn_ms == 86_400_000
    assert read_options("", ShownOptions(turn_ms=5)).options.turn_ms == 5


def test_every_option_that_makes_the_game_can_be_said() -> None:
    said = set(OPTIONS)
    options = set(TableOptions.__struct_fields__)
    assert set(engine.Setup.__struct_fields__) & options <= said
    times = {name for name, word in OPTIONS.items() if word.seconds}
    assert said - {"title", "watch", "password", *times} <= options
    assert {f"{name}_ms" for name in times} <= options
