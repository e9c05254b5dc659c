"""What the client knows of one table: it merges what the server sends and answers questions.

Pure: messages go in by :meth:`TableModel.apply`, which returns what changed; nothing is read,
written or drawn here.  It trusts the server with the facts but not with their form: a view that
does not fit its type counts as a gap and is asked for again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from engine.types import BonusInfo, CardInfo, Catalogue, Decision, Event, Observation
from protocol import patch
from protocol.messages import (
    ChatLine,
    Clocks,
    Closed,
    FromServer,
    Lobby,
    Snapshot,
    TableCatalogue,
    TableInfo,
    Update,
)

LOG_LIMIT = 2000


@dataclass(frozen=True)
class LoggedEvent:
    """An event with the number of the turn in which it was told."""

    turn: int
    event: Event


@dataclass
class Change:
    """What one message changed, for whoever shows it."""

    events: list[LoggedEvent] = field(default_factory=list)
    chat: ChatLine | None = None
    clocks: bool = False
    clocks_before: Clocks | None = None
    lobby_before: TableInfo | None = None
    lobby: bool = False
    rematch: bool = False
    """The game that was over is gone, and the table is in its lobby again."""
    catalogue: bool = False
    view: bool = False
    questions: bool = False
    closed: str | None = None
    snapshot_wanted: bool = False
    """There was a gap: ask for a snapshot.  Updates are ignored until it comes."""
    history_wanted: tuple[int, int] | None = None
    """Events were missed: ask for the history from the first number up to the second."""
    first: bool = False
    """This is the first view of the table."""


class TableModel:
    """One table as its audience sees it.

    ``seat`` is -1 for a watcher.  ``view`` is None until the first snapshot, ``catalogue`` until
    it was sent.  ``seq`` is the number of the last update or snapshot taken in, ``next_event``
    the number of events known so far, ``last_line`` that of the last line of chat.  ``clocks`` are
    as the server told them last, ``reactions`` is what the reader prefers when others attack.
    """

    def __init__(self, table: str) -> None:
        self.table = table
        self.info: TableInfo | None = None
        self.seat = -1
        self.muted: tuple[str, ...] = ()
        self.reactions = "ask"
        self.clocks: Clocks | None = None
        self.catalogue: Catalogue | None = None
        self.view: Observation | None = None
        self.decisions: tuple[Decision, ...] = ()
        self.seq = -1
        self.next_event = 0
        self.last_line = 0
        self.waiting_for_snapshot = False
        self.log: deque[LoggedEvent] = deque(maxlen=LOG_LIMIT)
        self.cards: dict[str, CardInfo] = {}
        self._raw: dict[str, Any] = {}

    # ---------------------------------------------------------------------- what comes in

    def apply(self, message: FromServer) -> Change:
        """Take a message in; one about another table, or of an unknown kind, changes nothing."""
        if isinstance(message, Lobby):
            return self._lobby(message) if message.info.table == self.table else Change()
        if getattr(message, "table", None) != self.table:
            return Change()
        if isinstance(message, TableCatalogue):
            self.catalogue = message.catalogue
            self.cards = {card.id: card for card in message.catalogue.cards}
            return Change(catalogue=True)
        if isinstance(message, Snapshot):
            return self._snapshot(message)
        if isinstance(message, Update):
            return self._update(message)
        if isinstance(message, ChatLine):
            if 0 < message.number <= self.last_line:
                return Change()  # told already, before the connection was lost
            self.last_line = max(self.last_line, message.number)
            return Change(chat=message)
        if isinstance(message, Clocks):
            change = Change(clocks=True, clocks_before=self.clocks)
            self.clocks = message
            return change
        if isinstance(message, Closed):
            self.decisions = ()
            return Change(closed=message.reason, questions=True)
        return Change()

    def _lobby(self, message: Lobby) -> Change:
        before = self.info
        self.info = message.info
        self.seat = message.seat
        self.muted = tuple(message.muted)
        self.reactions = message.reactions
        change = Change(lobby=True, lobby_before=before)
        if message.info.state == "lobby" and self.view is not None:
            self._forget_game()
            change.rematch = True
        return change

    def _forget_game(self) -> None:
        """There will be another game at this table."""
        self.catalogue = None
        self.view = None
        self.clocks = None
        self.decisions = ()
        self.seq = -1
        self.next_event = 0
        self.waiting_for_snapshot = False
        self.log.clear()
        self.cards = {}
        self._raw = {}

    def _snapshot(self, message: Snapshot) -> Change:
        first = self.view is None
        if not self._take_view(message.view):
            # Asking once more would bring the same again, so the old view stands.
            return Change()
        self.seq = message.seq
        self.waiting_for_snapshot = False
        change = Change(view=True, first=first, questions=self._ask(message.decisions))
        if message.next_event > self.next_event:
            change.history_wanted = (self.next_event, message.next_event)
        self.next_event = message.next_event
        return change

    def _update(self, message: Update) -> Change:
        if self.waiting_for_snapshot or message.seq <= self.seq:
            return Change()  # the snapshot that is on its way holds it, or the last one did
        if message.seq != self.seq + 1 or self.view is None:
            return self._gap()
        if message.patch and not self._take_patch(message.patch):
            return self._gap()
        self.seq = message.seq
        change = Change(view=bool(message.patch))
        if message.decisions is not msgspec.UNSET:
            change.questions = self._ask(message.decisions)
        change.events = self.keep(message.events)
        self.next_event += len(message.events)
        return change

    @staticmethod
    def read_history(result: Mapping[str, Any]) -> list[Event]:
        """The events in the answer to a request for history; none if it makes no sense."""
        try:
            return msgspec.convert(result.get("events", []), list[Event])
        except (msgspec.ValidationError, RecursionError):
            return []

    def _gap(self) -> Change:
        self.waiting_for_snapshot = True
        return Change(snapshot_wanted=True)

    def _take_patch(self, changes: dict[str, Any]) -> bool:
        try:
            return self._take_view(patch.apply(self._raw, changes))
        except RecursionError:
            return False

    def _take_view(self, raw: dict[str, Any]) -> bool:
        try:
            self.view = msgspec.convert(raw, Observation)
        except (msgspec.ValidationError, RecursionError):
            return False
        self._raw = raw
        return True

    def _ask(self, decisions: Sequence[Decision]) -> bool:
        asked = tuple(decisions)
        changed = [one.id for one in asked] != [one.id for one in self.decisions]
        self.decisions = asked
        return changed

    def keep(self, events: Sequence[Event]) -> list[LoggedEvent]:
        """Put events into the log, those of an update or of the history that was asked for."""
        turn = self.turn
        kept = []
        for event in events:
            turn = turn_after(event, turn)
            kept.append(LoggedEvent(turn, event))
        self.log.extend(kept)
        return kept

    # ------------------------------------------------------------------- what is known

    @property
    def turn(self) -> int:
        """The number of the last turn that the log tells of; 0 before the first."""
        return self.log[-1].turn if self.log else 0

    @property
    def names(self) -> list[str]:
        """The players' names by seat."""
        if self.info is None:
            return []
        return [seat.name or f"seat {n + 1}" for n, seat in enumerate(self.info.seats)]

    def name(self, seat: int) -> str:
        names = self.names
        return names[seat] if 0 <= seat < len(names) else f"seat {seat + 1}"

    def card_name(self, card: str) -> str:
        info = self.cards.get(card)
        return info.name if info else card

    def hex_title(self, name: str) -> str:
        """The city or remote location on a hex, or nothing."""
        info = self.catalogue.board.hexes.get(name) if self.catalogue else None
        return info.title if info else ""

    def terrain(self, name: str) -> str:
        """The terrain of a hex."""
        info = self.catalogue.board.hexes.get(name) if self.catalogue else None
        return info.terrain if info else ""

    @property
    def starts(self) -> list[str]:
        """The marked cities, if the game begins in them."""
        if self.catalogue is None or self.info is None or self.info.options.starts != "marked":
            return []
        return self.catalogue.board.starts

    @property
    def bonuses(self) -> dict[str, BonusInfo]:
        """The board's route bonuses by id, whether in this game or not."""
        return {one.id: one for one in self.catalogue.bonuses} if self.catalogue else {}

    @property
    def titles(self) -> dict[str, str]:
        """Names by id: of the cards, of those hexes that have one, and of the route bonuses."""
        found = {card.id: card.name for card in self.cards.values()}
        if self.catalogue:
            found |= {k: h.title for k, h in self.catalogue.board.hexes.items() if h.title}
            found |= {bonus.id: bonus.name for bonus in self.catalogue.bonuses}
        return found

    @property
    def playing(self) -> bool:
        """Whether a game is running; the view knows of its end before the lobby does."""
        return self.info is not None and self.info.state == "playing" and not self.over

    @property
    def over(self) -> bool:
        return self.view is not None and self.view.phase == "over"


def turn_after(event: Event, turn: int) -> int:
    """The number of the turn that is running once this event was told."""
    if event.type != "turn":
        return turn
    return event.count if isinstance(event.count, int) else turn + 1
