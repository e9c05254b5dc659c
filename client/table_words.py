"""The options of a new table, from words: ``players=3 board=tokyo kingdom=dump-site,landfill``.

Whether they make sense together is the server's to say; here only their form is checked.
"""

from __future__ import annotations

from hashlib import sha256

import msgspec

from protocol.messages import ShownOptions, TableOptions

OPTION_WORDS = (
    "players=3, board=tokyo, kingdom=CARD,CARD... (or the name of a set), order=seats, seed=TEXT, "
    "watch, and last title=TEXT"
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
            raise ValueError(f"create does not know “{word}”; options are {OPTION_WORDS}.")
    players = given.get("players", str(defaults.players))
    if players not in {"2", "3", "4"}:
        raise ValueError(f"players is 2, 3 or 4, not “{players}”.")
    order = given.get("order", defaults.order)
    if order not in ORDERS:
        raise ValueError(f"order is {' or '.join(ORDERS)}, not “{order}”.")
    options = make_options(
        board=given.get("board", defaults.board),
        players=int(players),
        kingdom=split_kingdom(given["kingdom"]) if "kingdom" in given else defaults.kingdom,
        seed=given.get("seed", ""),
        order=order,
        reactions=defaults.reactions,
    )
    return title, options, watch


def split_kingdom(text: str) -> tuple[str, ...]:
    """Card ids out of a list with commas; names with capitals and blanks do too."""
    parts = (part.strip().lower().replace(" ", "-").replace("_", "-") for part in text.split(","))
    return tuple(part for part in parts if part)


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
    except msgspec.ValidationError as error:
        raise ValueError(f"These options cannot be sent: {error}") from None


def wire_seed(text: str) -> str:
    """64 hex digits as they are; any other text stands for its SHA-256."""
    lower = text.lower()
    if len(lower) == 64 and set(lower) <= set("0123456789abcdef"):
        return lower
    return sha256(text.encode("utf-8", "replace")).hexdigest()
