"""A game: its state, its open decisions, and the one way in.

``answer`` is the only thing that changes a game.  It checks the answer, notes it on the prompt,
and when every prompt of the moment is answered works the stack off until somebody has to be asked
again.  Several seats may be asked at the same time; their answers are carried out in seat order
from the active player on, whatever order they came in.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

import msgspec

from engine.effects import OPERATIONS, Ask, Choice
from engine.errors import AnswerError, SavedGameError
from engine.events import Fact
from engine.masks import Masks, masks_of
from engine.movement import draw, shuffle
from engine.observation import observe
from engine.scoring import results
from engine.setting import Setting
from engine.setup import Setup, check_decks, complete, first_state, reveal_bonuses, setting_of
from engine.state import Prompt, State, Task
from engine.turn import HAND
from engine.types import Decision, Observation, Option, Result

RULES_VERSION = 3
"""Raised whenever the meaning of a rule or an effect changes, so that old journals say so."""


class Game:
    """A game of Trains.

    ``facts`` are those of the last answer (of the setup, for a new game); ``setup`` is complete,
    its kingdom drawn.
    """

    __slots__ = ("_open", "facts", "masks", "setting", "setup", "state")

    def __init__(self, setup: Setup, setting: Setting, state: State, masks: Masks) -> None:
        self.setup = setup
        self.setting = setting
        self.state = state
        self.masks = masks
        self.facts: list[Fact] = []
        self._open: dict[str, Decision] = {}

    # ------------------------------------------------------------------ coming into being

    @classmethod
    def new(cls, setup: Setup) -> Game:
        """A game ready for its first start rail.  Raises SetupError."""
        setup = complete(setup)
        setting = setting_of(setup)
        state = first_state(setting, setup.players)
        state.bonuses = reveal_bonuses(setting, setup)
        game = cls(setup, setting, state, masks_of(state, setting.board))
        game.facts.append(("begun", setup.players))
        prepared = check_decks(setting, setup) if setup.decks is not None else None
        for seat, me in enumerate(state.seats):
            if prepared is None:
                shuffle(game, seat)
            else:
                me.deck, me.discard = prepared[seat], [0] * len(setting.cards)
            draw(game, seat, HAND)
        state.stack.append(Task("begin-turns", 0))
        state.stack += [Task("start-rail", seat) for seat in reversed(range(setup.players))]
        game.resume()
        return game

    def copy(self) -> Game:
        """An independent copy; what never changes is shared."""
        other = Game(self.setup, self.setting, self.state.copy(), self.masks.copy())
        other._open = self._open.copy()
        return other

    def save(self) -> dict[str, Any]:
        """The game as JSON-able data."""
        return {
            "rules": RULES_VERSION,
            "setup": self.setup.to_plain(),
            "state": msgspec.to_builtins(self.state),
        }

    @classmethod
    def restore(cls, saved: dict[str, Any]) -> Game:
        """A saved game.  Raises SavedGameError if it is none, or of other rules."""
        if saved.get("rules") != RULES_VERSION:
            raise SavedGameError(f"this is no game saved under rules version {RULES_VERSION}")
        for part in ("setup", "state"):
            if part not in saved:
                raise SavedGameError(f"the saved game has no {part}")
        setup = Setup.from_plain(saved["setup"])
        setting = setting_of(setup)
        try:
            state = msgspec.convert(saved["state"], State)
        except msgspec.ValidationError as error:
            raise SavedGameError(f"the saved state cannot be read: {error}") from error
        game = cls(setup, setting, state, masks_of(state, setting.board))
        game.reopen()
        return game

    def digest(self) -> str:
        """A short hash of the whole state, 16 hex digits."""
        return blake2b(msgspec.json.encode(self.state), digest_size=8).hexdigest()

    # ------------------------------------------------------------------ looking

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The open decisions that are still unanswered, at most one for each seat."""
        return tuple(self._open.values())

    @property
    def over(self) -> bool:
        return self.state.phase == "over"

    @property
    def results(self) -> list[Result]:
        """The final account by seat; empty until the game is over."""
        return results(self) if self.over else []

    def observe(self, audience: int) -> Observation:
        """All that a seat, or ``SPECTATOR``, may know."""
        return observe(self, audience)

    # ------------------------------------------------------------------ answering

    def answer(self, decision_id: str, keys: Sequence[str]) -> list[Fact]:
        """Answer an open decision; returns what happened.

        Raises AnswerError, and changes nothing, if the decision is not open or these picks are
        not allowed.
        """
        decision = self._open.get(decision_id)
        if decision is None:
            raise AnswerError("unknown-decision", f"no decision {decision_id!r} is open")
        check_answer(decision, keys)
        self.facts = []
        prompts = self.state.prompts
        for prompt in prompts:
            if prompt.task.seat == decision.seat:
                prompt.keys = list(keys)
        del self._open[decision_id]
        if not self._open:
            self._close(prompts)
            self.resume()
        return self.facts

    def ask(self, tasks: list[Task]) -> None:
        """Put a choice to the seats of some tasks at the same time, where there is one to make, or,
        outside the own turn of a sealed game, where others may think so."""
        state = self.state
        sealed = self.setup.reactions == "sealed" and state.phase == "turn"
        for task in tasks:
            choice = _choice(task)
            ask = choice.ask(self, task)
            # what is asked outside the own turn must not tell who had a choice (rules, section 7)
            forced = sealed and task.seat != state.active and choice.may_choose(self, task)
            only = None if forced or task.op == "turn" else only_answer(ask)
            if only is not None:
                state.prompts.append(Prompt(task, -1, only))
                continue
            seat = state.seats[task.seat]
            state.prompts.append(Prompt(task, seat.asked))
            self._open_decision(task, seat.asked, ask)
            seat.asked += 1
        if not self._open:
            self._close(state.prompts)

    def resume(self) -> None:
        """Work the stack off until somebody has to be asked."""
        stack = self.state.stack
        while stack and not self._open:
            item = stack.pop()
            if isinstance(item, Prompt):
                task = item.task
                _choice(task).resolve(self, task, item.keys or [])
            else:
                OPERATIONS[item.op].run(self, item)

    def reopen(self) -> None:
        """Work out the open decisions again from the state's prompts."""
        self._open = {}
        for prompt in self.state.prompts:
            if prompt.keys is None:
                task = prompt.task
                self._open_decision(task, prompt.number, _choice(task).ask(self, task))

    def _open_decision(self, task: Task, number: int, ask: Ask) -> None:
        decision_id = f"{task.seat}-{number}"
        cards, choice = self.setting.cards, _choice(task)
        self._open[decision_id] = Decision(
            decision_id,
            task.seat,
            choice.kind,
            ask.min,
            ask.max,
            ask.options,
            ask.default,
            ask.ordered,
            cards[task.source].id if task.source >= 0 else "",
            ask.cards,
            copied_by=cards[task.card].id if task.copied >= 0 else "",
            operation={} if choice.of_rules else {task.op: task.arg},
        )

    def _close(self, prompts: list[Prompt]) -> None:
        """All are answered: put them on the stack, the active player's first to be done."""
        state = self.state
        state.prompts = []
        if len(prompts) > 1:
            seats = len(state.seats)
            prompts = sorted(prompts, key=lambda p: (p.task.seat - state.active) % seats)
        state.stack += reversed(prompts)


def _choice(task: Task) -> Choice:
    return OPERATIONS[task.op]  # type: ignore[return-value]  # only choices are ever asked


def only_answer(ask: Ask) -> list[str] | None:
    """The one legal answer of a choice that has no other; None if there is a choice."""
    if ask.max == 0:
        return []
    if ask.min != ask.max:
        return None
    options: tuple[Option, ...] = ask.options
    if len(options) == 1:
        return [options[0].key] * ask.max
    if ask.ordered or sum(option.count for option in options) > ask.max:
        return None
    return [option.key for option in options for _ in range(option.count)]


def check_answer(decision: Decision, keys: Sequence[str]) -> None:
    """Raise AnswerError unless these picks answer the decision."""
    if not decision.min <= len(keys) <= decision.max:
        wanted = (
            f"exactly {decision.min}"
            if decision.min == decision.max
            else f"{decision.min} to {decision.max}"
        )
        raise AnswerError("illegal-answer", f"pick {wanted} of the options, not {len(keys)}")
    for key in keys:
        for option in decision.options:
            if option.key == key:
                break
        else:
            allowed = ", ".join(option.key for option in decision.options)
            raise AnswerError("illegal-answer", f"{key!r} is not offered; allowed are {allowed}")
        if option.count < len(keys) and keys.count(key) > option.count:
            raise AnswerError(
                "illegal-answer", f"{key!r} can be picked {option.count} times at most"
            )
