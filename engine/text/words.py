"""The sentences of one language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.board import Board
from engine.cards import CardSpec
from engine.text.board import board_text
from engine.text.catalogue import LANGUAGES, Translator
from engine.text.decisions import Said, decision_text, option_text
from engine.text.effects import card_text, effects_text
from engine.text.events import event_text
from engine.types import CardInfo, Decision, Event, Option

if TYPE_CHECKING:
    from engine.setting import Setting

__all__ = ["LANGUAGES", "Words"]


class Words:
    """Composes sentences in a language (``en`` if that one is not there)."""

    def __init__(self, language: str = "en") -> None:
        self._translator = Translator(language)
        self._setting: Setting | None = None  # the one of which is remembered what was said
        self._said = Said()

    @property
    def language(self) -> str:
        return self._translator.language

    def card(self, card: CardSpec) -> CardInfo:
        """A card as shown to players, with its text."""
        return CardInfo(
            id=card.id,
            name=card.name,
            box=card.box,
            type=card.type,
            cost=card.cost,
            value=card.value,
            vp=card.vp,
            action=card.action,
            reaction=card.reaction,
            copies=card.copies,
            text=card_text(self._translator, card),
            rulings=card.rulings,
            source=card.source,
            house=card.house,
        )

    def effects(self, effects: list[dict[str, Any]]) -> str:
        """What some effects do, as a card or a route bonus says it."""
        return effects_text(self._translator, effects)

    def board(self, board: Board) -> list[str]:
        """The lines that draw a board and name its places."""
        return board_text(self._translator, board)

    def decision(self, setting: Setting, decision: Decision) -> Decision:
        """The decision with a question, and every option with a sentence."""
        if setting is not self._setting:
            self._setting, self._said = setting, Said()
        return decision_text(self._translator, setting, decision, self._said)

    def option(self, setting: Setting, option: Option) -> str:
        """One line for an option, with its price."""
        return option_text(self._translator, setting, option)

    def event(self, setting: Setting, event: Event, names: list[str]) -> str:
        """One sentence about an event; ``names`` are the players' names by seat."""
        return event_text(self._translator, setting, event, names)
