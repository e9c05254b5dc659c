"""The flags that say how new tables are played if their creators say nothing else."""

from __future__ import annotations

import argparse

import engine
from engine.chance import SEED_BYTES
from protocol.messages import TableOptions
from server.flags import Parser, whole
from server.options import make_game, to_setup
from server.refusal import Refusal


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    usual = TableOptions()
    group = parser.add_argument_group("tables whose creators say nothing else")
    add = group.add_argument
    add("--board", choices=engine.known_boards(), default=usual.board, help="default: %(default)s")
    add("--players", type=whole(2, 4), default=usual.players, metavar="N", help="default: 2")
    add(
        "--kingdom",
        type=lambda text: tuple(card for card in text.split(",") if card),
        default=usual.kingdom,
        metavar="CARD,...",
        help="the eight random piles, or a suggested set such as tokyo-first-game; "
        "default: drawn anew for each table",
    )
    add("--order", choices=["random", "seats"], default=usual.order, help="default: %(default)s")
    add(
        "--reactions",
        choices=["sealed", "fast"],
        default=usual.reactions,
        help="default: %(default)s",
    )


def read_flags(parser: Parser, flags: argparse.Namespace) -> TableOptions:
    """The options that the flags say; exits with one line if they cannot be played."""
    options = TableOptions(
        board=flags.board,
        players=flags.players,
        kingdom=flags.kingdom,
        order=flags.order,
        reactions=flags.reactions,
    )
    try:
        make_game(engine.Game.new, to_setup(options, bytes(SEED_BYTES)))
    except Refusal as no:
        parser.error(no.text)
    return options
