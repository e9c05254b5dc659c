"""What each audience of a table is told, as encoded frames.

An audience is a seat or, in common, all who hold none.  For each one that anybody belongs to,
:class:`Views` remembers the view as last told, the number of the last update, the events so far and
the open decisions, and turns a step of the game into one update: the public part is worked out once
and shared, the private part per seat.  An audience to whom nothing happened is told nothing, and
nothing here counts what an audience may not know of.  It knows neither connections nor tasks: give
it a game, and it gives back bytes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET, Raw, UnsetType
from msgspec.structs import replace

import engine
from engine.text import Words
from engine.types import SPECTATOR, Catalogue, Decision, Event
from protocol.codec import encode_frame
from protocol.messages import Snapshot, TableCatalogue, Update
from protocol.patch import diff
from server.lag import Lag, Sight
from server.pages import page

Plain = dict[str, Any]
MEMO_LIMIT = 10_000
"""How many facts keep their encoded events; the same things happen again and again."""


_to_msgpack = msgspec.msgpack.Encoder().encode
_to_json = msgspec.json.Encoder().encode


def catalogue_frame(table: str, catalogue: Catalogue) -> bytes:
    """A catalogue as it is sent, with a hash that names its content.  Raises LocalError if it is
    too long."""
    content = sha256(msgspec.msgpack.encode(catalogue)).hexdigest()[:16]
    return encode_frame(TableCatalogue(table, content, catalogue))


class _News(NamedTuple):
    """The events of one fact, encoded: for the journal, and with sentences for everybody and for
    the seat that it happened to, which may know more."""

    record: Raw
    public: Raw
    owner: int
    own: Raw


class _Audience:
    """What one audience has been told so far."""

    __slots__ = ("decisions", "events", "own", "seq", "viewer")

    def __init__(self, viewer: int, own: Plain | None, events: list[Raw]) -> None:
        self.viewer = viewer
        self.own = own
        self.events = events  # encoded, with their sentences
        self.seq = 0
        self.decisions: list[Decision] = []


class Views:
    """All audiences of one game.

    ``names`` are the players' names by seat; ``seats`` those whose holders look (bots do not).
    Spectators are added when the first one asks for a snapshot; with a ``delay`` in turns they see
    the game as it stood then, and get a snapshot whenever they may see more.  Until :meth:`ask` is
    called nobody is shown a decision.  ``past`` are all facts of a game that is not new.  The game
    is looked at only in the constructor, :meth:`ask` and :meth:`step`, so between a game's move and
    :meth:`step` nobody can see the move.
    """

    def __init__(
        self,
        table: str,
        game: engine.Game,
        words: Words,
        names: list[str],
        seats: Iterable[int] = (),
        *,
        past: Sequence[engine.Fact] | None = None,
        delay: int = 0,
    ) -> None:
        self.table = table
        self._game = game
        self._setting = game.setting
        self._words = words
        self._names = names
        self._facts: list[engine.Fact] = list(game.facts if past is None else past)
        self._observer = engine.Observer(game)
        self._public = self._observer.public()
        self._asking = False
        self._catalogue: bytes | None = None
        seats = sorted(seats)
        self._known: dict[engine.Fact, _News] = {}
        self._lines: dict[engine.Fact, Raw] = {}
        self._audiences = {seat: _Audience(seat, self._observer.own(seat), []) for seat in seats}
        self._lag = self._begin_lag(delay) if delay else None
        self._tell(self._facts)

    def _begin_lag(self, delay: int) -> Lag:
        """The spectators' delay.  Of a game that was taken up in the middle they see no more than
        its opening at first: what was a few turns ago is not known any more."""
        self._audiences[SPECTATOR] = _Audience(SPECTATOR, None, [])
        turn = self._turn
        if not turn:
            return Lag(delay, Sight(self._public, len(self._facts)), turn)
        opening = engine.Game.new(self._game.setup)
        view = engine.Observer(opening).public()
        return Lag(delay, Sight(view, len(opening.facts)), turn)

    @property
    def _turn(self) -> int:
        number: int = self._public["turn"]["number"]
        return number

    @property
    def delayed(self) -> bool:
        """Whether spectators are some turns behind."""
        return self._lag is not None

    def catalogue(self) -> bytes:
        """The frame with the cards and the board, the same for everybody."""
        if self._catalogue is None:
            setup = self._game.setup
            catalogue = self._setting.catalogue(self._words, setup.boxes, setup.reactions)
            self._catalogue = catalogue_frame(self.table, catalogue)
        return self._catalogue

    def check(self) -> None:
        """Make everything that is sent at the start.  Raises LocalError if some of it is too long
        for a frame: such a game is better not begun."""
        self.catalogue()
        for viewer in self._audiences:
            self.snapshot(viewer)

    # ------------------------------------------------------------------ one audience

    def _audience(self, viewer: int) -> _Audience:
        """The audience; an unknown one is the spectators', never more than that."""
        audience = self._audiences.get(viewer)
        if audience is None:
            audience = self._audiences.get(SPECTATOR)
        if audience is None:
            audience = self._audiences[SPECTATOR] = _Audience(SPECTATOR, None, [])
            audience.events += [self._news(fact).public for fact in self._facts]
        return audience

    def snapshot(self, viewer: int) -> bytes:
        """The frame with everything this audience may know now."""
        audience = self._audience(viewer)
        view, count = self._public, len(audience.events)
        if audience.own is not None:
            view = {**view, "own": audience.own}
        elif self._lag is not None:
            view, count = self._lag.shown
        return encode_frame(Snapshot(self.table, audience.seq, view, audience.decisions, count))

    def history(self, viewer: int, since: int, limit: int, room: int) -> tuple[list[Raw], int]:
        """Events of this audience from number ``since`` on, at most ``limit`` and no more than fit
        into ``room`` bytes, and the number to ask for next (0: there are no more now)."""
        audience = self._audience(viewer)
        events = audience.events
        if audience.own is None and self._lag is not None:
            events = events[: self._lag.shown.events]
        found = page(events[since : since + limit], limit, room)
        end = since + len(found)
        return found, end if end < len(events) else 0

    # ------------------------------------------------------------------ a step of the game

    def ask(self) -> dict[int, bytes]:
        """Begin to show decisions; returns the updates that do it, by audience."""
        self._asking = True
        return self._updates({}, (), set())

    def record(self, facts: Sequence[engine.Fact]) -> list[Raw]:
        """What happened, all of it, as JSON for the journal; nobody is told."""
        return [self._news(fact).record for fact in facts]

    def step(
        self, facts: Sequence[engine.Fact], answered: Collection[int] = ()
    ) -> dict[int, bytes]:
        """The game has moved on by these facts; returns the updates to send, by audience.

        ``answered`` are seats whose open decisions have their answers already, though the game
        does not know them yet: they are not shown any more."""
        self._facts.extend(facts)
        touched = engine.seats_in(facts)
        public = self._observer.public(touched)
        patch = diff(self._public, public)
        self._public = public
        return self._updates(patch, facts, touched, answered)

    def close(self, seat: int) -> bytes:
        """A seat's decision has its answer, though the game does not know it yet; returns the
        update for this seat alone."""
        audience = self._audiences[seat]
        audience.seq += 1
        audience.decisions = []
        return encode_frame(Update(self.table, audience.seq, {}, [], []))

    def _updates(
        self,
        patch: Plain,
        facts: Sequence[engine.Fact],
        touched: set[int],
        answered: Collection[int] = (),
    ) -> dict[int, bytes]:
        asked = {d.seat: d for d in self._game.decisions} if self._asking else {}
        for seat in answered:
            asked.pop(seat, None)
        self._tell(facts)
        count = len(facts)
        frames: dict[int, bytes] = {}
        for viewer, audience in self._audiences.items():
            if audience.own is None and self._lag is not None:
                now = Sight(self._public, len(audience.events))
                if self._lag.see(now, self._turn, self._game.over):
                    audience.seq += 1
                    frames[viewer] = self.snapshot(viewer)
                continue
            events: list[Any] = audience.events[-count:] if count else []  # encoded already
            changed = self._ask(audience, asked.get(viewer))
            part = patch
            if audience.own is not None and viewer in touched:
                own = self._observer.own(viewer)
                if own is not audience.own:
                    part = {**patch, "own": diff(audience.own, own)}
                    audience.own = own
            if part or events or changed:
                audience.seq += 1
                decisions: list[Decision] | UnsetType = audience.decisions if changed else UNSET
                update = Update(self.table, audience.seq, part, events, decisions)
                frames[viewer] = encode_frame(update)
        return frames

    def _tell(self, facts: Sequence[engine.Fact]) -> None:
        """Add the events of these facts to what each audience has been told: one for each fact."""
        for fact in facts:
            _, public, owner, own = self._news(fact)
            for viewer, audience in self._audiences.items():
                audience.events.append(own if viewer == owner else public)

    def _news(self, fact: engine.Fact) -> _News:
        """A fact as it is told; remembered, because the same things happen again and again."""
        news = self._known.get(fact)
        if news is None:
            if len(self._known) >= MEMO_LIMIT:
                self._known.clear()
                self._lines.clear()
            news = self._known[fact] = self._make_news(fact)
        return news

    def _make_news(self, fact: engine.Fact) -> _News:
        whole = engine.event_of(self._setting, fact)
        public = own = self._line(engine.part_for(fact, SPECTATOR), fact, whole)
        owner = engine.owner_of(fact)
        if owner in self._audiences:
            own = self._line(engine.part_for(fact, owner), fact, whole)
        return _News(Raw(_to_json(whole)), public, owner, own)

    def _line(self, part: engine.Fact, fact: engine.Fact, whole: Event) -> Raw:
        """The event of a part of a fact with its sentence, encoded; ``whole`` is that of all of
        it.  Many facts have the same public part."""
        line = self._lines.get(part)
        if line is None:
            event = whole if part is fact else engine.event_of(self._setting, part)
            text = self._words.event(self._setting, event, self._names)
            line = self._lines[part] = Raw(_to_msgpack(replace(event, text=text)))
        return line

    def _ask(self, audience: _Audience, decision: Decision | None) -> bool:
        """Set the audience's open decision; says whether that is news to it."""
        told = audience.decisions
        if decision is None:
            audience.decisions = []
            return bool(told)
        if told and told[0].id == decision.id:
            return False
        audience.decisions = [self._words.decision(self._setting, decision)]
        return True
