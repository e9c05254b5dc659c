"""Operations on this turn's money and on the score track."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from engine.effects.base import Forecast, Step

if TYPE_CHECKING:
    from engine.game import Game
    from engine.state import Task


class Earn(Step):
    """``earn = n``: +n money this turn."""

    always = True

    def forecast(self, game: Game, seat: int, forecast: Forecast, arg: Any) -> bool:
        forecast.money += arg
        return True

    def run(self, game: Game, task: Task) -> None:
        earn(game, task.seat, task.arg)


class EarnIfInPlay(Step):
    """``earn-if-in-play = {card = id, money = n}``: +n money if such a card lies in the play area
    now."""

    always = True

    def check(self, arg: Any) -> None:
        if not (
            isinstance(arg, dict) and {*arg} == {"card", "money"} and isinstance(arg["card"], str)
        ):
            raise ValueError(f'wants {{card = "id", money = n}}, not {arg!r}')
        super().check(arg["money"])

    def run(self, game: Game, task: Task) -> None:
        card = game.setting.index.get(task.arg["card"], -1)
        if card >= 0 and game.state.seats[task.seat].play[card]:
            earn(game, task.seat, task.arg["money"])


class EarnIfOnlyTrain(Step):
    """``earn-if-only-train = n``: +n money if the card being played is the only Train in the play
    area now."""

    always = True

    def run(self, game: Game, task: Task) -> None:
        trains, play = game.setting.of_type["train"], game.state.seats[task.seat].play
        if task.card in trains and sum(play[card] for card in trains) == 1:
            earn(game, task.seat, task.arg)


class EarnPer(Step):
    """``earn-per = {what = rails, of = n, most = m}``: +1 money for every n own rails of a kind,
    m at most.  ``what`` is ``mountain`` (rails on a mountain) or ``station`` (rails in a city that
    holds a station)."""

    always = True

    def check(self, arg: Any) -> None:
        if not isinstance(arg, dict) or {*arg} != {"what", "of", "most"}:
            raise ValueError(f"wants what, of and most, not {arg!r}")
        if arg["what"] not in COUNTED:
            raise ValueError(f"what is {arg['what']!r}; allowed are {', '.join(COUNTED)}")
        for field in ("of", "most"):
            super().check(arg[field])

    def run(self, game: Game, task: Task) -> None:
        counts = COUNTED[task.arg["what"]]
        rails = sum(counts(game, i) for i in game.state.seats[task.seat].laid)
        money = min(rails // task.arg["of"], task.arg["most"])
        if money:
            earn(game, task.seat, money)


class Pay(Step):
    """``pay = n``: pay n of this turn's money; with less it cannot be carried out."""

    def forecast(self, game: Game, seat: int, forecast: Forecast, arg: Any) -> bool:
        forecast.money -= arg
        return forecast.money >= 0

    def run(self, game: Game, task: Task) -> None:
        game.state.money -= task.arg
        game.facts.append(("paid", task.seat, task.arg))


class Score(Step):
    """``score = n``: n VP at once, on the score track."""

    always = True

    def run(self, game: Game, task: Task) -> None:
        game.state.seats[task.seat].score += task.arg
        game.facts.append(("scored", task.seat, task.arg))


def earn(game: Game, seat: int, money: int) -> None:
    """Add to the turn's money and say so."""
    game.state.money += money
    game.facts.append(("earned", seat, money))


def _on_mountain(game: Game, i: int) -> bool:
    return game.setting.board.terrain[i] == "mountain"


def _at_station(game: Game, i: int) -> bool:
    return game.state.stations[i] > 0


COUNTED: dict[str, Callable[[Game, int], bool]] = {
    "mountain": _on_mountain,
    "station": _at_station,
}
"""The kinds of hexes that ``earn-per`` counts."""
