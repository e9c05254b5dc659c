"""What can be known of a table's cards and board before its game begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.boxes import load_boxes
from engine.chance import SEED_BYTES
from engine.setting import compile_setting
from engine.setup import complete
from engine.text import Words
from engine.types import Catalogue
from server.audience import catalogue_frame
from server.options import to_setup

if TYPE_CHECKING:
    from server.table import Table


def catalogue_of(table: Table, words: Words) -> Catalogue:
    """The catalogue that the game will have, as far as its options say: what is still to be drawn
    is there in full, all piles that may be drawn."""
    options = table.options
    setup = complete(to_setup(options, bytes(SEED_BYTES), table.own))
    kingdom = setup.kingdom
    if not options.kingdom:
        cards = [card for box in load_boxes(setup.boxes, setup.own) for card in box.cards]
        kingdom = tuple(card.id for card in cards if card.role == "randomizer")
    setting = compile_setting(
        setup.boxes,
        setup.board,
        setup.players,
        kingdom,
        victory=setup.victory if options.victory else (),
        own=setup.own,
    )
    return setting.catalogue(words, setup.boxes, setup.reactions)


def preview(table: Table) -> bytes:
    """The frame with it.  It tells nothing of the seed."""
    return catalogue_frame(table.id, catalogue_of(table, Words()))
