"""Whose time runs at a table, in words: what there is to tell, and what there is to look at.

The server says what was left at the moment it spoke; how many seconds have passed since then is for
the caller to know.
"""

from __future__ import annotations

from msgspec import UNSET

from client.model import TableModel
from client.plain.lines import safe
from protocol.messages import Clocks

SHORT = 30
"""Seconds from which on the time that is left is shown all the time."""


def left(clocks: Clocks, passed: float) -> tuple[float, float] | None:
    """The seconds left of what runs, and of the reserve behind it; None if it has no end."""
    if clocks.ms is UNSET or not clocks.seats:
        return None
    own, reserve = clocks.ms / 1000, 0.0
    if not clocks.window:
        reserve = clocks.reserve_ms.get(str(clocks.seats[0]), 0) / 1000
    if not clocks.paused:
        over = max(0.0, passed - own)
        own, reserve = max(0.0, own - passed), max(0.0, reserve - over)
    return own, reserve


def running_out(clocks: Clocks | None, passed: float) -> str:
    """The time that is left, if that is not much, for the prompt; else nothing."""
    found = left(clocks, passed) if clocks is not None and not clocks.paused else None
    if found is None or sum(found) > SHORT:
        return ""
    return f"{round(sum(found))} s"


def lasting(seconds: float) -> str:
    """A length of time: ``0:09``, ``12:34``."""
    whole = round(seconds)
    return f"{whole // 60}:{whole % 60:02}"


def clock_lines(model: TableModel, passed: float) -> list[str]:
    """What the clocks say, a sentence each."""
    clocks = model.clocks
    if clocks is None:
        return ["No clock runs at this table."]
    told = [_running(model, clocks, passed)]
    reserves = [
        f"{_name(model, int(seat))} {lasting(ms / 1000)}"
        for seat, ms in clocks.reserve_ms.items()
        if seat.isdecimal() and (clocks.window or int(seat) not in clocks.seats)
    ]
    if reserves:
        told.append(f"In reserve for the rest of the game: {', '.join(reserves)}.")
    told += [f"A bot plays for {_name(model, seat)}." for seat in clocks.autopilot]
    if clocks.paused:
        told.append("The game is paused; resume lets it go on.")
    return told


def _running(model: TableModel, clocks: Clocks, passed: float) -> str:
    found = left(clocks, passed)
    names = ", ".join(_name(model, seat) for seat in clocks.seats)
    if clocks.window:
        card = f" because of {safe(model.card_name(clocks.card), 40)}" if clocks.card else ""
        time = f"{lasting(found[0])} left" if found else "as long as they like"
        return f"Asked{card}: {names}; {time}."
    if found is None:
        return "No clock runs now."
    return f"Turn of {names}: {lasting(found[0])} left, {lasting(found[1])} in reserve."


def news(model: TableModel, before: Clocks | None, now: Clocks) -> list[str]:
    """What is to be told of a change of the clocks, a sentence each; ``before`` is None if there
    were none."""
    told = []
    mine = model.seat in now.seats and bool(model.decisions)
    found = left(now, 0)
    if found is not None and mine:
        if now.warning:
            told.append(f"{round(sum(found))} seconds left to answer.")
        elif now.window and not (before is not None and before.window):
            told.append(f"{round(found[0])} seconds to answer.")
    was = before.autopilot if before is not None else []
    for seat in now.autopilot:
        if seat not in was:
            until = "you answer something" if seat == model.seat else "they are back"
            told.append(f"A bot plays for {_name(model, seat)} until {until}.")
    told += [
        f"No bot plays for {_name(model, seat)} any more."
        for seat in was
        if seat not in now.autopilot
    ]
    return told


def _name(model: TableModel, seat: int) -> str:
    return "you" if seat == model.seat else safe(model.name(seat), 20)
