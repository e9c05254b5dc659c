"""The options of a new table, from words: ``players=3 board=tokyo kingdom=dump-site,landfill``.

Whether they make sense together is the server's to say; here only their form is checked, so that
nothing is sent that cannot be a message.  Every complaint is one sentence in plain words.
"""

from __future__ import annotations

from hashlib import sha256

import msgspec

from protocol.messages import ShownOptions, TableOptions
from protocol.names import shorten

NAME_CHARACTERS = 64
"""Characters that the name of anything may have (``protocol.messages.Name``), and a title."""

KINGDOM_NAMES = 16

OPTION_WORDS = (
    "players=3, board=tokyo, kingdom=CARD,CARD... (or the name of a set, or random), order=seats, "
    "seed=TEXT, watch, and last title=TEXT"
)

ORDERS = ("random", "seats")
USUAL = ShownOptions()


def read_options(words: str, defaults: ShownOptions = USUAL) -> tuple[str, TableOptions, bool]:
    """Title, options and whether to watch; what is not said is as in ``defaults`` (the server's).
    Raises ValueError with one clear sentence."""
    given: dict[str, str] = {}
    watch = False
    title = ""
    rest = words.split()
    while rest:
        word = rest.pop(0)
        name, equals, value = word.partition("=")
        if word == "watch":
            watch = True
        elif name == "title" and equals:
            title = " ".join([value, *rest])
            break
        elif equals and name in {"players", "board", "kingdom", "order", "seed"}:
            given[name] = value
        else:
            shown = shorten(word, 40)
            raise ValueError(f"create does not know “{shown}”; options are {OPTION_WORDS}.")
    players = given.get("players", str(defaults.players))
    if players not in {"2", "3", "4"}:
        raise ValueError(f"players is 2, 3 or 4, not “{shorten(players, 20)}”.")
    order = given.get("order", defaults.order)
    if order not in ORDERS:
        raise ValueError(f"order is {' or '.join(ORDERS)}, not “{shorten(order, 20)}”.")
    options = make_options(
        board=given.get("board", defaults.board),
        players=int(players),
        kingdom=_kingdom(given["kingdom"]) if "kingdom" in given else defaults.kingdom,
        seed=given.get("seed", ""),
        order=order,
        reactions=defaults.reactions,
    )
    if len(title) > NAME_CHARACTERS or not _is_printable(title):
        raise ValueError(
            f"title wants at most {NAME_CHARACTERS} printable characters, "
            f"not “{shorten(title, 40)}”."
        )
    return title, options, watch


def split_kingdom(text: str) -> tuple[str, ...]:
    """Card ids out of a list with commas; names with capitals and blanks do too."""
    parts = (part.strip().lower().replace(" ", "-").replace("_", "-") for part in text.split(","))
    return tuple(part for part in parts if part)


def read_kingdom(text: str) -> tuple[str, ...]:
    """The same where a kingdom was asked for; raises ValueError if nothing is named."""
    names = split_kingdom(text)
    if not names:
        raise ValueError("kingdom wants names with commas between them, or one suggested set.")
    return names


def _kingdom(text: str) -> tuple[str, ...]:
    """What ``create`` may say: names, or ``random`` for eight piles drawn anew."""
    return () if text == "random" else read_kingdom(text)


def check_name(what: str, name: str) -> str:
    """The name of a board, a bot, a pile; raises ValueError unless it can be sent as one."""
    if not 1 <= len(name) <= NAME_CHARACTERS or not _is_printable(name):
        shown = f"“{shorten(name, 40)}”" if name else "nothing"
        raise ValueError(
            f"{what} wants a name of 1 to {NAME_CHARACTERS} printable characters, not {shown}."
        )
    return name


def _is_printable(text: str) -> bool:
    return all(char.isprintable() or char.isspace() for char in text) and "\n" not in text


def make_options(
    *,
    board: str,
    players: int,
    kingdom: tuple[str, ...],
    seed: str,
    order: str = "random",
    reactions: str = "sealed",
) -> TableOptions:
    """The options, checked as the server will; raises ValueError with one clear sentence."""
    check_name("board", board)
    if len(kingdom) > KINGDOM_NAMES:
        raise ValueError(f"kingdom wants at most {KINGDOM_NAMES} names, not {len(kingdom)}.")
    for name in kingdom:
        check_name("kingdom", name)
    options = TableOptions(
        board=board.lower(),
        players=players,
        kingdom=kingdom,
        seed=wire_seed(seed) if seed else "",
        order=order,
        reactions=reactions,
    )
    try:
        return msgspec.convert(msgspec.to_builtins(options), TableOptions)
    except msgspec.ValidationError:
        raise ValueError("board, kingdom or seed cannot be sent.") from None


def wire_seed(text: str) -> str:
    """64 hex digits as they are; any other text stands for its SHA-256."""
    lower = text.lower()
    if len(lower) == 64 and set(lower) <= set("0123456789abcdef"):
        return lower
    return sha256(text.encode("utf-8", "replace")).hexdigest()
