"""One table: who is at it, who holds its seats, and what its lobby may do.

Everything here happens at once (no waiting): a method either changes the table and writes that
into the journal, or raises :class:`Refusal` and changes nothing.  Telling others comes
afterwards, by :meth:`Table.tell` and its like, so that whoever asked gets their answer first.  The
running game is :mod:`server.play`'s.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec
import trio

import engine
from engine.boxes import Box
from engine.chance import Stream, commitment
from engine.types import SPECTATOR
from protocol.codec import encode_frame
from protocol.messages import ChatLine, Closed, Lobby, TableInfo, TableOptions
from protocol.names import name_key
from server.chatter import SERVER, Chatter
from server.journal import SCHEMA, Journal, JournalError
from server.log.lines import BotSeat, HumanSeat
from server.oplog import Log
from server.options import GameFactory, bare, make_game, to_setup
from server.password import Hash
from server.play import Past, Play
from server.refusal import Refusal
from server.seating import BOT, HUMAN, Seat, free_color, free_seat
from server.session import Session
from server.settings import Settings
from server.tally import Tally
from server.windows import ASK

if TYPE_CHECKING:
    from server.recovery import Unfinished

SessionOf = Callable[[str, bytes], Session | None]
"""The session of a name and the hash of its token; None if nobody can have it any more."""


class Member:
    """Somebody at a table: on a seat, or watching (``seat`` is :data:`SPECTATOR`).  ``muted`` are
    those whom they do not want to hear, by the keys of their names."""

    __slots__ = ("loaded", "muted", "refresh", "seat", "session", "since")

    def __init__(self, session: Session, seat: int, since: int) -> None:
        self.session = session
        self.seat = seat
        self.since = since  # the number of the last line of chat before they came
        self.muted: dict[str, str] = {}
        self.loaded = False
        self.refresh: Callable[[], bytes] | None = None  # the view of a running game, whole


class Table:
    """A table, from its creation on.

    ``number`` counts the tables of a server from 1.  ``state`` is lobby, playing, over or broken;
    ``play`` is there from the start of the game on.
    """

    def __init__(
        self,
        table_id: str,
        title: str,
        options: TableOptions,
        seed: bytes,
        journal: Journal,
        *,
        number: int,
        settings: Settings,
        log: Log,
        own: tuple[Box, ...] = (),
        game_factory: GameFactory,
        tally: Tally,
    ) -> None:
        self.id = table_id
        self.number = number
        self.title = title
        self.options = options
        self.seed = seed
        self.journal = journal
        self.settings = settings
        self.log = log.bind(table=table_id)
        self.tally = tally
        self.own = tuple(box for box in own if box.id in options.boxes)
        self.state = "lobby"
        self.seats: list[Seat] = [Seat() for _ in range(options.players)]
        self.members: dict[Session, Member] = {}
        self.host: Session | None = None
        self.play: Play | None = None
        self.password: Hash | None = None
        self.chatter = Chatter(table_id, settings.chat_kept)
        self._kicked: dict[bytes, str] = {}  # their names by the hashes of their tokens
        self._game_factory = game_factory

    def begin(self, creator: Session, watch: bool, password: Hash | None) -> None:
        """Write the header and let the creator in.  Raises :class:`JournalError`, or Refusal."""
        self._write_header(creator)
        self.host = creator
        self.password = password
        self.enter(creator, watch)
        if watch:  # who takes no seat is noted all the same: they are the host
            self._note_seats()

    def begin_again(self, journal: Journal, seed: bytes) -> None:
        """Back to the lobby with everybody who is here, for another game with the same options;
        a seed that its host has chosen is not played twice.  Raises :class:`JournalError`, and
        changes nothing then."""
        before = self.journal, self.options, self.seats
        self.journal = journal
        self.options = msgspec.structs.replace(self.options, seed="")
        # those who have left for good have no seat any more, and nobody is ready
        self.seats = [
            replace(seat, ready=False) if seat.kind == BOT or seat.session else Seat()
            for seat in self.seats
        ]
        try:
            assert self.host is not None
            self._write_header(self.host)
            self._note_seats()
        except JournalError:
            self.journal, self.options, self.seats = before
            raise
        self.seed = seed
        self.state = "lobby"
        self.play = None
        for member in self.members.values():
            member.loaded = False
            member.refresh = None

    def _write_header(self, creator: Session) -> None:
        self.journal.line(
            "table",
            schema=SCHEMA,
            rules=engine.RULES_VERSION,
            boxes=self._boxes(),
            table=self.id,
            title=self.title,
            options=msgspec.to_builtins(msgspec.structs.replace(self.options, seed="")),
            seeded=bool(self.options.seed),
            creator=creator.name,
            **({"seed": self.seed.hex()} if self.options.seed else {}),
        )

    def take_up(self, found: Unfinished, who: SessionOf, pulse: Mapping[str, int]) -> None:
        """Go on where the journal of an earlier run ends: with its seats, which wait for their
        players, and its game.  ``who`` finds the session of a name and a token's hash; ``pulse`` is
        how the clocks stood (:meth:`server.play.Play.pulse`)."""
        story = found.story
        lobby, start, game = story.lobby, story.start, story.game
        saved = start.seats if start is not None else lobby.seats if lobby is not None else ()
        gone = story.timing.left if story.timing is not None else set()
        for number, seat in enumerate(saved):
            if isinstance(seat, BotSeat):
                self.seats[number] = Seat(BOT, seat.name, level=seat.level, color=seat.color or "")
            elif isinstance(seat, HumanSeat):
                session = None
                if seat.token and number not in gone:
                    session = who(seat.name, bytes.fromhex(seat.token))
                if session is not None:
                    self._member_again(session, number)
                if session is not None or start is not None:
                    color = seat.color or ""
                    self.seats[number] = Seat(HUMAN, seat.name, session=session, color=color)
        if lobby is not None:
            self.password = Hash.parse(lobby.password) if lobby.password else None
            self._kicked = {bytes.fromhex(one.token): one.name for one in lobby.kicked or ()}
        if lobby is not None and lobby.host_token:
            self.host = who(lobby.host, bytes.fromhex(lobby.host_token))
            if self.host is not None and self.host not in self.members:
                self._member_again(self.host, SPECTATOR)
        if game is not None and story.timing is not None:
            self.state = "playing"
            self.play = Play(self, game, self.seats, Past(story.facts, story.timing, pulse))

    def _member_again(self, session: Session, seat: int) -> None:
        self.members[session] = Member(session, seat, self.chatter.last)
        session.tables[self.id] = self

    def _boxes(self) -> dict[str, object]:
        """The boxes as the journal keeps them: the host's own ones whole, since nobody else has
        them."""
        names = self.options.boxes
        boxes: dict[str, object] = {"names": names, "hash": engine.box_hash(names, self.own)}
        if self.own:
            boxes["own"] = msgspec.to_builtins(self.own)
        return boxes

    # ------------------------------------------------------------------ what others see

    def info(self) -> TableInfo:
        """The table as the lobby sees it; the seed only once the game is over."""
        started = self.state != "lobby"
        seeded = bool(self.options.seed)
        return TableInfo(
            table=self.id,
            title=self.title,
            state=self.state,
            host=self.host.name if self.host else "",
            options=msgspec.structs.replace(self.options, seed="") if seeded else self.options,
            seats=[seat.info() for seat in self.seats],
            watchers=sum(m.seat == SPECTATOR for m in self.members.values()),
            commitment=commitment(self.seed) if started and not seeded else "",
            seeded=seeded,
            seed=self.seed.hex() if self.state == "over" else "",
            locked=self.password is not None,
            muted=list(self.chatter.silenced.values()),
        )

    def tell(self) -> None:
        """Tell everybody at the table how its lobby stands."""
        if not self.members:
            return
        info = self.info()
        topic = f"lobby {self.id}"
        frames: dict[tuple[int, tuple[str, ...]], bytes] = {}
        for session, member in self.members.items():
            audience = member.seat, tuple(member.muted)
            frame = frames.get(audience)
            if frame is None:
                frame = frames[audience] = self._lobby(info, member)
            session.outbox.update(topic, frame, self._lobby_of(session))

    def tell_one(self, session: Session) -> None:
        """Tell somebody at the table how its lobby stands for them."""
        refresh = self._lobby_of(session)
        session.outbox.update(f"lobby {self.id}", refresh(), refresh)

    def _lobby(self, info: TableInfo, member: Member) -> bytes:
        reactions = self.play.preference(member.seat) if self.play is not None else ASK
        return encode_frame(Lobby(info, member.seat, reactions, list(member.muted.values())))

    def _lobby_of(self, session: Session) -> Callable[[], bytes]:
        def refresh() -> bytes:
            member = self.members.get(session)
            return self._lobby(self.info(), member) if member else b""

        return refresh

    def close(self, reason: str) -> None:
        """Tell everybody that the table is gone, and forget them."""
        frame = encode_frame(Closed(self.id, reason))
        for session in list(self.members):
            session.outbox.put(frame)
            session.tables.pop(self.id, None)
        self.members.clear()

    def chat(self, session: Session, text: str) -> None:
        """Tell everybody at the table what one of them says (a cleaned text)."""
        self.chatter.say(session.name, text, self.members.values())

    def check_chat(self, session: Session) -> None:
        """Raises Refusal if the host does not let somebody chat."""
        if session.key in self.chatter.silenced:
            raise Refusal("muted", "the host of this table does not let you chat")

    def announce(self, text: str) -> None:
        """Tell everybody at the table something in the server's own name."""
        self.chatter.say(SERVER, text, self.members.values())

    def whisper(self, seat: int, text: str) -> None:
        """Tell the player of a seat something in the server's own name, if they are there."""
        session = self.seats[seat].session
        if session is not None:
            session.send(ChatLine(self.id, SERVER, text))

    # ------------------------------------------------------------------ coming and going

    def enter(self, session: Session, watch: bool) -> Member:
        """Let somebody sit down or watch."""
        self.check_entering(session)
        if watch:
            self.check_watching()
            seat = SPECTATOR
        else:
            if self.state != "lobby":
                raise Refusal("wrong-state", "the game has begun; you can watch it")
            free = free_seat(self.seats)
            if free is None:
                raise Refusal("table-full", "no seat is free; you can watch")
            with self.noted():
                self.seats[free] = self.new_seat(session)
            seat = free
        member = self.members[session] = Member(session, seat, self.chatter.last)
        session.tables[self.id] = self
        if self._find_host() and self.state == "lobby":
            self._note_seats_if_possible()
        return member

    def check_entering(self, session: Session) -> None:
        """Raises Refusal if somebody is here already, or was put out."""
        if session in self.members:
            raise Refusal("already-here", "you are at this table already; leave it first")
        names = map(name_key, self._kicked.values())
        if session.token_hash in self._kicked or session.key in names:
            raise Refusal("not-admitted", "the host has put you out of this table")

    def check_watching(self) -> None:
        """Raises Refusal if nobody can watch, or nobody more."""
        if self.options.spectators == "off":
            raise Refusal("no-watching", "nobody may watch at this table")
        watching = sum(m.seat == SPECTATOR for m in self.members.values())
        if watching >= self.settings.watchers:
            raise Refusal("too-many", f"{watching} people watch already; no more can")

    def new_seat(self, session: Session) -> Seat:
        """The seat of somebody who sits down."""
        return Seat(HUMAN, session.name, session=session, color=free_color(self.seats))

    def kick(self, session: Session) -> None:
        """Put somebody out, who is told so; they cannot come back."""
        self._kicked[session.token_hash] = session.name
        self.leave(session)
        session.send(Closed(self.id, "the host has put you out of this table"))

    def leave(self, session: Session) -> None:
        """Somebody goes for good.  Never refuses."""
        member = self.members.pop(session, None)
        session.tables.pop(self.id, None)
        if member is None:
            return
        self.log.info("left", name=session.name, seat=member.seat, state=self.state)
        if member.seat != SPECTATOR:
            seat = Seat()
            if self.state != "lobby":
                seat = replace(self.seats[member.seat], session=None)
            self.seats[member.seat] = seat
        moved = self._find_host()
        if self.state == "lobby" and (moved or member.seat != SPECTATOR):
            self._note_seats_if_possible()
        if self.play is not None:
            self.play.look()

    @property
    def attended(self) -> bool:
        """Whether anybody here has a connection."""
        return any(session.connected for session in self.members)

    def needs(self, session: Session) -> bool:
        """Whether somebody holds a seat in the running game, which is kept for them."""
        return self.state == "playing" and self.members[session].seat != SPECTATOR

    def look_around(self) -> None:
        """Somebody here has lost the connection, or has been away for long."""
        if self._find_host() and self.state == "lobby":
            self._note_seats_if_possible()
        self.tell()
        if self.play is not None:
            self.play.look()

    def welcome_back(self, session: Session) -> None:
        """Somebody here has a connection again: show them everything anew."""
        self.look_around()
        if self.play is not None:
            self.play.show(session)
        missed = self.chatter.missed(self.members[session])
        if missed:
            session.outbox.put(missed)

    def _find_host(self) -> bool:
        """See that the table has a host, one who is here or was not long ago if there is any; says
        whether that is somebody else now."""
        host = self.host
        if host in self.members and trio.current_time() < host.away_since + self.settings.grace:
            return False
        seated = [seat.session for seat in self.seats if seat.session is not None]
        here = [session for session in (*seated, *self.members) if session.connected]
        away = [host] if host in self.members else seated
        self.host = next(iter([*here, *away, *self.members]), None)
        return self.host is not host

    def member(self, session: Session) -> Member:
        """Somebody who is at the table.  Raises Refusal if they are not."""
        member = self.members.get(session)
        if member is None:
            raise Refusal("not-here", "you are not at this table")
        return member

    # ------------------------------------------------------------------ the journal of the lobby

    @contextmanager
    def noted(self) -> Iterator[None]:
        """What happens to the lobby inside goes into the journal, or has not happened.  Raises
        Refusal."""
        seats, host, password = list(self.seats), self.host, self.password
        places = [(member, member.seat) for member in self.members.values()]
        yield
        try:
            self._note_seats()
        except JournalError as error:
            self.seats, self.host, self.password = seats, host, password
            for member, seat in places:
                member.seat = seat
            self.log.warning("journal not written", reason=str(error))
            raise Refusal("busy", "the journal cannot be written now; try again later") from None

    def _note_seats(self) -> None:
        host = self.host
        self.journal.line(
            "seats",
            seats=[seat.to_plain() for seat in self.seats],
            host=host.name if host else "",
            host_token=host.token_hash.hex() if host else "",
            password=str(self.password or ""),
            kicked=[{"name": name, "token": digest.hex()} for digest, name in self._kicked.items()],
        )

    def _note_seats_if_possible(self) -> None:
        """Nobody who goes can be held back; the next line says it too."""
        try:
            self._note_seats()
        except JournalError as error:
            self.log.warning("journal line lost", reason=str(error))

    # ------------------------------------------------------------------ the game

    def start(self) -> Play:
        """Begin the game, if :func:`server.lobby.check_start` lets it; its task is still to be run
        and its members to be told.  Raises Refusal."""
        seats = list(self.seats)
        if self.options.order == "random":
            Stream(self.seed, "seats").shuffle(seats)
        game = make_game(self._game_factory, to_setup(self.options, self.seed, self.own))
        play = Play(self, game, seats)
        play.views.check()
        facts = engine.events_for(game.setting, game.facts, engine.RECORD)
        try:
            self.journal.line(
                "start",
                setup=bare(game.setup),
                seats=[seat.to_plain() for seat in seats],
                commitment=commitment(self.seed),
                events=facts,
                digest=game.digest(),
            )
        except JournalError as error:
            self.log.warning("journal not written", reason=str(error))
            raise Refusal("busy", "the journal cannot be written now; try again later") from None
        self.seats = seats
        for number, seat in enumerate(seats):
            if seat.session is not None:
                self.members[seat.session].seat = number
        self.state = "playing"
        self.play = play
        self.log.info("game begins", board=self.options.board, seats=[s.name for s in seats])
        return play

    def end(self, kind: str, **fields: str) -> None:
        """Write a last line, if it can be written, and close the journal."""
        with suppress(JournalError):
            self.journal.line(kind, **fields)
        self.journal.close()
