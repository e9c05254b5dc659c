"""The final account of a game, as lines."""

from __future__ import annotations

import glob
import shlex
from pathlib import Path

from msgspec import UNSET

from client.model import TableModel
from client.plain.lines import WIDTH, Glyphs, Line, clip, pad, rule, safe, text, wrap


def final_table(model: TableModel, glyphs: Glyphs, width: int = WIDTH) -> list[Line]:
    """Rank, track + rails + cards = total for every seat, best first; nothing before the end."""
    view = model.view
    if view is None or view.results is UNSET:
        return []
    results = sorted(view.results, key=lambda one: (one.rank, one.seat))
    lines = [rule("Final scores", glyphs, width)]
    room = max(4, min(20, width - 42))
    laid = "rails on the board" if width >= room + 54 else "laid"
    head = f"{'':4}{'':{room}} {'track':>6} + {'rails':>5} + {'cards':>5} = {'total':>5}"
    lines.append([("class:label", f"{head}   {laid}")])
    for one in results:
        name = pad(clip(safe(model.name(one.seat), 40), room), room)
        line = f"{one.rank:>2}. {name} {one.track:>6} + {one.rails_vp:>5} + {one.cards_vp:>5}"
        line += f" = {one.total:>5}   {one.rails:>{len(laid)}}"
        lines.append([("class:own" if one.seat == model.seat else "", line)])
    winners = [safe(model.name(one.seat), 20) for one in results if one.rank == 1]
    if len(winners) == 1:
        lines += wrap(f"{winners[0]} wins{_by_rails(model)}.", width)
    else:
        lines += wrap(f"{' and '.join(winners)} share the victory.", width)
    return lines


def journal_lines(folder: str, table: str) -> list[Line]:
    """How to look at a game's journal: a line to be copied, and so whole, however long it is."""
    file = next(iter(sorted(Path(folder).glob(f"*-{glob.escape(table)}.jsonl"))), None)
    if file is None:
        return [text(f"The journal is in {safe(folder, 1000)}")]
    return [text(f"Turn by turn: senro-log show {shlex.quote(safe(file, 1000))}")]


def seed_line(seed: str, *, flag: bool) -> Line:
    """The seed of a game that is over, and how to use it."""
    again = f"--seed {seed}" if flag else f"create seed={seed}"
    return text(f"The same shuffles again: {again}")


def _by_rails(model: TableModel) -> str:
    """Whether the winner's total was equalled, so that rails decided."""
    assert model.view is not None
    assert model.view.results is not UNSET
    totals = [one.total for one in model.view.results]
    return ", by more rails on the board" if totals.count(max(totals)) > 1 else ""
