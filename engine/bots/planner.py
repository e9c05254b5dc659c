"""The bot that plans: it imagines how games might go on, and does what went best.

In its turn it takes the acts that look worthwhile, tries each in the same few imagined games (see
:mod:`engine.bots.imagine`) played on by a quick player, and picks the one after which it did best
against the best of the others.  Its budget is counted in simulated answers, so that the same game
is the same again on any machine.  Everything else it leaves to the greedy bot.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

from engine.bots.greedy import GreedyBot
from engine.bots.imagine import Imagination
from engine.bots.playout import Playout
from engine.bots.valuation import Valuation
from engine.boxes import Box
from engine.chance import Stream
from engine.scoring import results
from engine.types import Catalogue, Decision, Observation, Option

if TYPE_CHECKING:
    from engine.game import Game

BUDGET = 10_000
"""Simulated answers for one decision: some tenths of a second of them."""

CANDIDATES = 6
COSTLY = ("rail", "station")
"""Types of cards that bring Waste when their effect is used."""

HORIZON = 400
"""Answers after which an imagined game is judged as it stands."""

SLICE = 20
"""Simulated answers between two yields: well below 2 milliseconds of them."""

SURE = 2.0
"""So many standard errors an act has to be better by than the greedy bot's."""


class PlannerBot:
    """Plays for one seat."""

    def __init__(
        self,
        stream: Stream,
        seat: int,
        catalogue: Catalogue,
        budget: int | None = None,
        own: tuple[Box, ...] = (),
    ) -> None:
        self._stream = stream
        self._seat = seat
        self._greedy = GreedyBot(stream, seat, catalogue)
        self._value = Valuation(seat, catalogue)
        self._imagination = Imagination(seat, catalogue, own)
        self._playout = Playout(self._imagination.setting)
        self._budget = BUDGET if budget is None else budget

    def choose(self, observation: Observation, decision: Decision) -> tuple[str, ...]:
        """The answer, thought through at once."""
        thinking = self.think(observation, decision)
        while True:
            try:
                next(thinking)
            except StopIteration as done:
                answer: tuple[str, ...] = done.value
                return answer

    def think(
        self, observation: Observation, decision: Decision
    ) -> Generator[None, None, tuple[str, ...]]:
        """Think in slices: yields after a few simulated answers, so that others can do something
        in between; the generator's return value is the answer."""
        quick = self._greedy.choose(observation, decision)
        if decision.kind != "turn":
            return quick
        candidates = self._candidates(observation, decision, quick[0])
        if len(candidates) < 2:
            return quick
        lead: dict[str, list[float]] = {key: [] for key in candidates}
        acted = not any(option.key == "clear-waste" for option in decision.options)
        spent = 0
        while spent < self._budget:
            world = self._imagination.game(observation, self._stream, acted=acted)
            for key in candidates:
                game = world.copy()
                game.answer(game.decisions[0].id, (key,))
                given = 1
                while given < HORIZON and not game.over:
                    given += self._playout.finish(game, SLICE)
                    yield
                lead[key].append(self._worth(game))
                spent += given
        return (_surely_better(candidates, lead),)

    def _candidates(self, view: Observation, decision: Decision, quick: str) -> list[str]:
        """The acts worth trying, the greedy bot's first; just that one where it plays a card that
        brings no Waste."""
        verb, _, card = quick.partition(":")
        if verb == "play" and self._value.cards[card].type not in COSTLY:
            return [quick]
        worth = {option.key: self._promise(view, option) for option in decision.options}
        ranked = sorted((key for key in worth if worth[key] > 0.0), key=lambda key: -worth[key])
        return [quick, *[key for key in ranked if key != quick][: CANDIDATES - 1]]

    def _promise(self, view: Observation, option: Option) -> float:
        """What an act promises at first sight."""
        verb, _, what = option.key.partition(":")
        if verb == "lay":
            return self._value.rail(view, what, option.money, option.waste)
        if verb == "buy":
            return self._value.purchase(view, what)
        if verb == "play" and option.effect == "used":
            return 1.0 if self._value.cards[what].type in COSTLY else 3.0
        return 0.1 if verb in ("end-turn", "clear-waste") else 0.0

    def _worth(self, game: Game) -> float:
        """How a game went for the seat: by how much it leads the best of the others."""
        totals = [result.total for result in results(game)]
        mine = totals.pop(self._seat)
        lead = mine - max(totals)
        return float(lead)


def _surely_better(candidates: list[str], lead: dict[str, list[float]]) -> str:
    """The candidate that did best, if it beat the first one by more than chance explains."""
    first = candidates[0]
    best, best_gain = first, 0.0
    for key in candidates[1:]:
        gains = [a - b for a, b in zip(lead[key], lead[first], strict=True)]
        mean = sum(gains) / len(gains)
        spread = (sum((gain - mean) ** 2 for gain in gains) / max(1, len(gains) - 1)) ** 0.5
        sure = mean - SURE * spread / len(gains) ** 0.5
        if len(gains) > 1 and sure > best_gain:
            best, best_gain = key, sure
    return best
