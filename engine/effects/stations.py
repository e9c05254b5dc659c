"""Operations on stations (rules, section 6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.effects.base import Ask, Choice, Forecast

if TYPE_CHECKING:
    from engine.game import Game
    from engine.state import Task


class PlaceStation(Choice):
    """``place-station = 1``: put a station on any city with a free slot; none is needed of one's
    own rails there."""

    kind = "place-station"

    def check(self, arg: Any) -> None:
        self.check_one(arg)

    def forecast(self, game: Game, seat: int, forecast: Forecast, arg: Any) -> bool:
        forecast.station_tokens -= 1
        return forecast.station_tokens >= 0 and game.masks.open_cities != 0

    def ask(self, game: Game, task: Task) -> Ask:
        options = game.setting.hex_options(game.masks.open_cities)
        return Ask(options, 1, 1, (options[0].key,))

    def resolve(self, game: Game, task: Task, keys: list[str]) -> None:
        state, board = game.state, game.setting.board
        i = game.setting.hex_of(keys[0])
        state.stations[i] += 1
        state.stations_left -= 1
        if state.stations[i] == board.slots[i]:
            game.masks.open_cities &= ~(1 << i)
        game.facts.append(("station", task.seat, i, state.stations[i]))
