"""The options of a new table, as words of ``create`` or as flags of ``senro play``.

``players=3 board=nagoya kingdom=dump site, landfill, ... title=Friday night``: an option takes the
words up to the next one.  What names mean and whether options go together is the server's to say;
here only their form is checked, so that nothing is sent that cannot be a message.  Every complaint
is one sentence that begins with the option.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec

from protocol.messages import ShownOptions, TableOptions
from protocol.names import shorten

NAME_CHARACTERS = 64
"""Characters that the name of anything may have (``protocol.messages.Name``), and a title."""


@dataclass(frozen=True)
class Word:
    """An option as it is written: what stands after ``name=``, and a sentence about it.

    ``choices`` are all it may be; ``names`` is how many names with commas between them it takes;
    a ``free`` one takes any text, a ``switch`` is said alone, ``seconds`` are a
    number or ``none``.  Without any of them it is one name.
    """

    value: str
    about: str
    choices: tuple[str, ...] = ()
    names: int = 0
    free: bool = False
    switch: bool = False
    seconds: bool = False

    @property
    def takes_blanks(self) -> bool:
        return self.free or bool(self.names)


OPTIONS: dict[str, Word] = {
    "players": Word("N", "seats: 2, 3 or 4; chiba and kyushu are for 2, nagoya is for 3 or 4"),
    "board": Word("NAME", "tokyo, osaka, chiba, kyushu, nagoya, or another that the server has"),
    "boxes": Word(
        "BOX,...",
        "where cards and boards come from: base, rising-sun, or both; if left out, those that "
        "board and kingdom need",
        names=8,
    ),
    "kingdom": Word(
        "CARD,...",
        "eight cards by name, or one set such as tokyo-first-game, or random (the default)",
        names=16,
    ),
    "victory": Word(
        "BOX", "the box whose victory cards are in the game, or three of them by name", names=3
    ),
    "bonuses": Word("", "play with route bonuses; rising-sun has them", switch=True),
    "starts": Word(
        "any|marked",
        "marked: the first rails go to the cities marked S (chiba)",
        choices=("any", "marked"),
    ),
    "order": Word("random|seats", "who begins: drawn, or as you sit", choices=("random", "seats")),
    "reactions": Word(
        "sealed|fast",
        "when an attack comes, ask all who could have a reaction (sealed), or only who has one in "
        "hand: fast, but others notice",
        choices=("sealed", "fast"),
    ),
    "turn": Word("SECONDS|none", "the time of a turn", seconds=True),
    "reserve": Word("SECONDS|none", "what each has for the whole game besides", seconds=True),
    "window": Word("SECONDS|none", "the time to react to others", seconds=True),
    "spectators": Word(
        "off|on|delayed",
        "whether others may watch; delayed: they see the game as it was some turns ago",
        choices=("off", "on", "delayed"),
    ),
    "delay_turns": Word("N", "how many turns ago that is, 1 to 20 (2)"),
    "private": Word("", "in no list: others join by the table's name", switch=True),
    "password": Word("TEXT", "what others have to say to join", free=True),
    "seed": Word("TEXT", "the same text gives the same shuffles", free=True),
    "title": Word("TEXT", "what the list of tables shows", free=True),
    "watch": Word("", "open the table without sitting down", switch=True),
}
"""What ``create`` understands, in the order in which it is told."""

YES, NO = frozenset({"", "yes", "on", "true"}), frozenset({"no", "off", "false"})
USUAL = ShownOptions()
RANDOM = "random"
"""What says of a list of names that it is drawn."""

LONGEST = 86_400
"""Seconds that a clock may run, a day."""

_TOKEN = re.compile(r'[^\s"]*"[^"]*"|\S+')


class NewTable(NamedTuple):
    """What ``create`` says: the last three are no options of the table."""

    options: TableOptions
    title: str
    watch: bool
    password: str


def read_options(words: str, defaults: ShownOptions = USUAL) -> NewTable:
    """The table that is wanted; what is not said is as in ``defaults`` (the server's).
    Raises ValueError with one clear sentence."""
    given = split_options(words)
    title = given.pop("title", "")
    password = check_password(given.pop("password", ""))
    watch = _switch("watch", given.pop("watch", "no"))
    if len(title) > NAME_CHARACTERS or not _is_printable(title):
        raise ValueError(
            f"title wants at most {NAME_CHARACTERS} printable characters, "
            f"not “{shorten(title, 40)}”."
        )
    return NewTable(make_options(given, defaults), title, watch, password)


def split_options(words: str) -> dict[str, str]:
    """The options and what is said of each; what stands in double quotes belongs together.
    Raises ValueError for a word that is no option and belongs to none."""
    given: dict[str, str] = {}
    current = ""
    tokens = _TOKEN.findall(words)
    for place, token in enumerate(tokens):
        name, equals, value = token.partition("=")
        name = name.lower()
        inside = OPTIONS[current] if current else None
        free = inside is not None and inside.free
        if name in OPTIONS and (equals or (OPTIONS[name].switch and not free)):
            current = name
            given[name] = value.replace('"', "") if equals else "yes"
        elif free and _are_switches(tokens[place:]):
            current = name
            given[name] = "yes"
        elif inside is not None and inside.takes_blanks and (free or not equals):
            given[current] = f"{given[current]} {token}".replace('"', "").strip()
        else:
            raise ValueError(_unknown(token, name))
    return given


def _are_switches(tokens: Sequence[str]) -> bool:
    """Whether nothing but switches comes before the next option, or the end: then they are no part
    of the text that they stand behind."""
    for token in tokens:
        name, equals, _ = token.lower().partition("=")
        if name in OPTIONS and equals:
            return True
        if name not in OPTIONS or not OPTIONS[name].switch:
            return False
    return True


def _unknown(token: str, name: str) -> str:
    close = get_close_matches(name, OPTIONS, 1)
    hint = f"is it {close[0]}?" if close else "help create lists the options."
    return f"“{shorten(token, 40)}” is no option of a table; {hint}"


def make_options(given: Mapping[str, str], defaults: ShownOptions = USUAL) -> TableOptions:
    """The options that are said, the others as in ``defaults``; boxes, board and players that are
    not said are left to the server.  Raises ValueError with one clear sentence."""
    said: dict[str, Any] = {one: getattr(defaults, one) for one in ShownOptions.__struct_fields__}
    if given.keys() & {"players", "board", "boxes", "kingdom", "victory"}:
        said |= {"board": "", "players": 0, "boxes": ()}
    if "boxes" in given:
        said |= {"kingdom": (), "victory": ()}  # other boxes do not have those
    if "board" in given:
        said["starts"] = "any"
    said["seed"] = ""
    for name, text in given.items():
        field = f"{name}_ms" if OPTIONS[name].seconds else name
        said[field] = _value(name, text)
    try:
        return msgspec.convert(msgspec.to_builtins(TableOptions(**said)), TableOptions)
    except msgspec.ValidationError:
        raise ValueError("board, kingdom or seed cannot be sent.") from None


def _value(name: str, text: str) -> object:
    word = OPTIONS[name]
    if name == "players":
        if text not in {"2", "3", "4"}:
            raise ValueError(f"players is 2, 3 or 4, not “{shorten(text, 20)}”.")
        return int(text)
    if name == "delay_turns":
        if not (text.isascii() and text.isdecimal() and 1 <= int(text[:4]) <= 20):
            raise ValueError(f"delay_turns is 1 to 20, not “{shorten(text, 20)}”.")
        return int(text[:4])
    if name == "seed":
        return wire_seed(text) if text else ""
    if word.switch:
        return _switch(name, text)
    if word.seconds:
        return _milliseconds(name, text)
    if word.choices:
        if text.lower() not in word.choices:
            allowed = " or ".join(word.choices)
            raise ValueError(f"{name} is {allowed}, not “{shorten(text, 20)}”.")
        return text.lower()
    if word.names:
        return () if text.strip().lower() == RANDOM else _names(name, text, word.names)
    return check_name(name, text)


def _milliseconds(name: str, text: str) -> int:
    if text.lower() in NO | {"none", "0"}:
        return 0
    if not (text.isascii() and text.isdecimal() and 0 < int(text[:6]) <= LONGEST):
        raise ValueError(
            f"{name} is a number of seconds from 1 to {LONGEST}, or none, "
            f"not “{shorten(text, 20)}”."
        )
    return int(text) * 1000


def _switch(name: str, text: str) -> bool:
    if text.lower() not in YES | NO:
        raise ValueError(f"{name} is yes or no, not “{shorten(text, 20)}”.")
    return text.lower() in YES


def _names(option: str, text: str, most: int) -> tuple[str, ...]:
    names = tuple(part.strip() for part in text.split(",") if part.strip())
    if not names:
        raise ValueError(f"{option} wants names with commas between them.")
    if len(names) > most:
        raise ValueError(f"{option} wants at most {most} names, not {len(names)}.")
    for name in names:
        check_name(option, name)
    return names


def check_name(what: str, name: str) -> str:
    """The name of a board, a bot, a pile; raises ValueError unless it can be sent as one."""
    if not 1 <= len(name) <= NAME_CHARACTERS or not _is_printable(name):
        shown = f"“{shorten(name, 40)}”" if name else "nothing"
        raise ValueError(
            f"{what} wants a name of 1 to {NAME_CHARACTERS} printable characters, not {shown}."
        )
    return name


def check_password(text: str) -> str:
    """The password of a table; raises ValueError, without showing it, unless it can be sent."""
    if len(text) > NAME_CHARACTERS or not _is_printable(text):
        raise ValueError(f"password wants at most {NAME_CHARACTERS} printable characters.")
    return text


def _is_printable(text: str) -> bool:
    return all(char.isprintable() or char.isspace() for char in text) and "\n" not in text


def wire_seed(text: str) -> str:
    """64 hex digits as they are; any other text stands for its SHA-256."""
    lower = text.lower()
    if len(lower) == 64 and set(lower) <= set("0123456789abcdef"):
        return lower
    return sha256(text.encode("utf-8", "replace")).hexdigest()


def in_words(options: ShownOptions) -> list[str]:
    """What a table is played with, besides board and seats, a phrase each."""
    kingdom = options.kingdom
    if len(kingdom) == 1:
        words = [f"the set {shorten(kingdom[0], 40)}"]
    elif kingdom:
        words = [", ".join(shorten(card.replace("-", " "), 30) for card in kingdom)]
    else:
        words = ["eight cards drawn"]
    words[0] += f" from {' and '.join(shorten(box, 20) for box in options.boxes)}"
    if options.victory:
        words.append(f"victory cards {', '.join(shorten(one, 20) for one in options.victory)}")
    if options.bonuses:
        words.append("route bonuses")
    if options.starts == "marked":
        words.append("first rails in marked cities")
    words.append("turn order as seated" if options.order == "seats" else "turn order drawn")
    words.append(f"{shorten(options.reactions, 10)} reactions")
    if options.turn_ms:
        turn, reserve = options.turn_ms / 1000, options.reserve_ms / 1000
        words.append(f"{turn:g} s a turn and {reserve:g} s in reserve")
    else:
        words.append("no clock")
    if options.private:
        words.append("private")
    if options.spectators == "delayed":
        turns = "1 turn" if options.delay_turns == 1 else f"{options.delay_turns} turns"
        words.append(f"watched {turns} late")
    elif options.spectators == "off":
        words.append("nobody may watch")
    return words
