"""The final account of a game, as lines."""

from __future__ import annotations

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


def journal_line(folder: str) -> Line:
    """Where the game's journal is: whole, however long, since it is to be copied."""
    return text(f"The journal is in {safe(folder, 1000)}")


def _by_rails(model: TableModel) -> str:
    """Whether the winner's total was equalled, so that rails decided."""
    assert model.view is not None
    assert model.view.results is not UNSET
    totals = [one.total for one in model.view.results]
    return ", by more rails on the board" if totals.count(max(totals)) > 1 else ""
