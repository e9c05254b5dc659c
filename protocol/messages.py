"""The messages of the wire, as typed records, and nothing about how they are moved.

Every message is one msgpack map with its name in ``type``.  Requests carry an ``id`` of the
client's choosing and get exactly one :class:`Ok` or :class:`Error` with the same id in ``re``.
The server refuses unknown fields; the client ignores unknown fields and message types.
``docs/protocol.md`` says the same in prose.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from engine.types import Catalogue, Decision, Event

Name = Annotated[str, Meta(min_length=1, max_length=64)]
Key = Annotated[str, Meta(min_length=1, max_length=80)]
RequestId = Annotated[int, Meta(ge=0, le=2**53 - 1)]
Password = Annotated[str, Meta(max_length=64)]
Milliseconds = Annotated[int, Meta(ge=0, le=86_400_000)]


# ------------------------------------------------------------------ from client to server


class FromClient(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """Base of all that a client may send."""


class Hello(FromClient, frozen=True, tag="hello"):
    """The first message.  ``versions`` is the lowest and the highest protocol version spoken.
    ``resume`` is the token of a session that is to be taken up again; its name counts then.
    ``unanswered`` are the ids of requests that have got no reply and will be sent again.
    ``password`` is that of the whole server, where one is needed."""

    versions: tuple[int, int]
    name: Name
    client: Annotated[str, Meta(max_length=64)] = ""
    language: Annotated[str, Meta(max_length=16)] = "en"
    resume: Annotated[str, Meta(max_length=64)] = ""
    unanswered: Annotated[tuple[RequestId, ...], Meta(max_length=64)] = ()
    password: Annotated[str, Meta(max_length=256)] | UnsetType = UNSET

    def __repr__(self) -> str:
        """Without what has to stay secret."""
        return f"Hello(versions={self.versions!r}, name={self.name!r}, client={self.client!r})"


class Bye(FromClient, frozen=True, tag="bye"):
    """The client leaves for good; the server closes the connection."""


class Request(FromClient, frozen=True):
    """Base of all that wants an answer."""

    id: RequestId


class Ping(Request, frozen=True, tag="ping"):
    """Are you there?  Answered by :class:`Ok`."""


class ShownOptions(Struct, frozen=True):
    """How a table is played, as a server shows it: a reader ignores options it does not know.

    ``kingdom`` names the eight randomizer piles, or one suggested set; empty draws them at random.
    ``victory`` names a box whose victory piles are played with, or one pile of each tier; empty
    draws each tier between the boxes.  ``bonuses`` says that route bonuses are revealed, ``starts``
    whether a game begins ``any``-where or on the board's ``marked`` cities.
    ``seed`` (64 hex digits) makes a game that its host can foretell, and is shown as such.
    ``order`` is ``random`` or ``seats``.  A turn has ``turn_ms``, and each player a reserve of
    ``reserve_ms`` for the whole game besides (``turn_ms`` 0: turns have no clock); a window, in
    which others than the one whose turn it is are asked, ends after ``window_ms`` (0: it does not
    end by itself), and at a sealed table never before ``sealed_min_ms``.  ``absence_ms`` is how
    long a disconnected player is waited for before a bot plays for them.
    A ``private`` table is in no list.  ``spectators`` says whether others may watch: ``off``,
    ``on``, or ``delayed``, and then they see the game as it stood ``delay_turns`` turns ago.
    """

    board: Name = "tokyo"
    players: Annotated[int, Meta(ge=2, le=4)] = 2
    boxes: Annotated[tuple[Name, ...], Meta(min_length=1, max_length=8)] = ("base",)
    kingdom: Annotated[tuple[Name, ...], Meta(max_length=16)] = ()
    victory: Annotated[tuple[Name, ...], Meta(max_length=3)] = ()
    bonuses: bool = False
    starts: Annotated[str, Meta(pattern="^(any|marked)$")] = "any"
    seed: Annotated[str, Meta(max_length=64)] = ""
    order: Annotated[str, Meta(pattern="^(random|seats)$")] = "random"
    reactions: Annotated[str, Meta(pattern="^(sealed|fast)$")] = "sealed"
    turn_ms: Milliseconds = 120_000
    reserve_ms: Milliseconds = 60_000
    window_ms: Milliseconds = 15_000
    sealed_min_ms: Milliseconds = 2_000
    absence_ms: Milliseconds = 60_000
    loaded_ms: Milliseconds = 10_000
    private: bool = False
    spectators: Annotated[str, Meta(pattern="^(off|on|delayed)$")] = "on"
    delay_turns: Annotated[int, Meta(ge=1, le=20)] = 2


class TableOptions(ShownOptions, frozen=True, forbid_unknown_fields=True):
    """How a table is to be played, as its host asks for it: every option has to be known.

    Boxes, board, cards and sets may be named by the beginning of their name.  ``board`` "",
    ``players`` 0 and no ``boxes`` leave it to the server what goes with the rest.
    """

    board: Annotated[str, Meta(max_length=64)] = ""
    players: Annotated[int, Meta(ge=0, le=4)] = 0
    boxes: Annotated[tuple[Name, ...], Meta(max_length=8)] = ()


class _WithPassword(Request, frozen=True):
    """Base of requests that hold the password of a table."""

    def __repr__(self) -> str:
        """Without the password."""
        shown = (f"{n}={getattr(self, n)!r}" for n in self.__struct_fields__ if n != "password")
        return f"{type(self).__name__}({', '.join(shown)})"


class ListTables(Request, frozen=True, tag="list"):
    """Which tables are there (but for private ones that you are not at)?  Ok carries ``tables``, a
    list of :class:`TableInfo`, oldest first, and ``next``: what to say in ``after`` to get those
    that follow, or 0 when there are no more."""

    after: Annotated[int, Meta(ge=0, le=2**53 - 1)] = 0
    limit: Annotated[int, Meta(ge=1, le=100)] = 50


class Create(_WithPassword, frozen=True, tag="create"):
    """Open a table.  With ``watch`` its creator takes no seat.  Without ``options`` it is played
    as the server's host has set (``defaults`` in :class:`Welcome`).  Who joins has to know the
    ``password``, if there is one.  Ok carries ``table``."""

    title: Annotated[str, Meta(max_length=64)] = ""
    options: TableOptions | UnsetType = UNSET
    watch: bool = False
    password: Password = ""


class Join(_WithPassword, frozen=True, tag="join"):
    """Take a free seat at a table that has not started (or just watch it, at any time)."""

    table: Name
    watch: bool = False
    password: Password = ""


class Leave(Request, frozen=True, tag="leave"):
    """Leave a table.  In a running game a bot plays for the seat from then on."""

    table: Name


class Ready(Request, frozen=True, tag="ready"):
    """Say whether you are ready.  A table starts by its host's ``start``."""

    table: Name
    ready: bool = True


class AddBot(Request, frozen=True, tag="add-bot"):
    """Host only: let a bot take a free seat.  ``level`` names a bot."""

    table: Name
    level: Name = "greedy"


class RemoveBot(Request, frozen=True, tag="remove-bot"):
    """Host only: free a seat that a bot holds."""

    table: Name
    seat: Annotated[int, Meta(ge=0, le=3)]


class Sit(Request, frozen=True, tag="sit"):
    """Take another seat in the lobby, a free one; -1 gives up the seat and watches."""

    table: Name
    seat: Annotated[int, Meta(ge=-1, le=3)]


class Swap(Request, frozen=True, tag="swap"):
    """Host only, in the lobby: whoever is on these two seats changes places."""

    table: Name
    seat: Annotated[int, Meta(ge=0, le=3)]
    other: Annotated[int, Meta(ge=0, le=3)]


class ChooseColor(Request, frozen=True, tag="color"):
    """Choose the colour of the own rails in the lobby, one that nobody else has."""

    table: Name
    color: Annotated[str, Meta(pattern="^(blue|yellow|red|green)$")]


class SetPassword(_WithPassword, frozen=True, tag="set-password"):
    """Host only: who joins from now on has to know this password; empty: none is needed."""

    table: Name
    password: Password


class Kick(Request, frozen=True, tag="kick"):
    """Host only: put somebody out; they cannot come back to this table."""

    table: Name
    name: Name


class GiveHost(Request, frozen=True, tag="give-host"):
    """Host only: make somebody else at the table its host."""

    table: Name
    name: Name


class Mute(Request, frozen=True, tag="mute"):
    """Hear nothing of what somebody says at this table, or hear it again; with ``everybody`` (host
    only) they may say nothing here."""

    table: Name
    name: Name
    muted: bool = True
    everybody: bool = False


class Start(Request, frozen=True, tag="start"):
    """Host only: begin the game.  All seats must be taken and all people ready."""

    table: Name


class Rematch(Request, frozen=True, tag="rematch"):
    """Host only: once the game is over, back to the lobby with the same people on the same seats
    and the same options, for another game."""

    table: Name


class Chat(Request, frozen=True, tag="chat"):
    """Say something at a table."""

    table: Name
    text: Annotated[str, Meta(min_length=1, max_length=600)]


class Loaded(Request, frozen=True, tag="loaded"):
    """The table is on my screen; clocks and questions may begin."""

    table: Name


class Answer(Request, frozen=True, tag="answer"):
    """Answer an open decision with keys out of its options."""

    table: Name
    decision: Annotated[str, Meta(min_length=1, max_length=32)]
    keys: Annotated[tuple[Key, ...], Meta(max_length=300)]


class Prefer(Request, frozen=True, tag="prefer"):
    """Say what is to happen when others attack you, for the rest of the game: ``ask`` (be asked),
    ``always`` (reveal a reaction card if there is one) or ``never`` (let it come)."""

    table: Name
    reactions: Annotated[str, Meta(pattern="^(ask|always|never)$")]


class Pause(Request, frozen=True, tag="pause"):
    """Say that you would like a pause, or that the game is to go on.  It pauses when all players
    who are connected would like it, and goes on as soon as one of them says so."""

    table: Name
    pause: bool


class GetSnapshot(Request, frozen=True, tag="get-snapshot"):
    """Send the whole view of a table again, as a :class:`Snapshot`."""

    table: Name


class GetCatalogue(Request, frozen=True, tag="get-catalogue"):
    """Send the catalogue of a table again, as a :class:`TableCatalogue`."""

    table: Name


class GetHistory(Request, frozen=True, tag="get-history"):
    """Events of a table from number ``since`` on.  Ok carries ``events`` and ``next``: the
    number to ask for next, or 0 when there is no more now."""

    table: Name
    since: Annotated[int, Meta(ge=0, le=2**53 - 1)] = 0
    limit: Annotated[int, Meta(ge=1, le=500)] = 200


ClientMessage = (
    Hello
    | Bye
    | Ping
    | ListTables
    | Create
    | Join
    | Leave
    | Ready
    | AddBot
    | RemoveBot
    | Sit
    | Swap
    | ChooseColor
    | SetPassword
    | Kick
    | GiveHost
    | Mute
    | Start
    | Rematch
    | Chat
    | Loaded
    | Answer
    | Prefer
    | Pause
    | GetSnapshot
    | GetCatalogue
    | GetHistory
)


# ------------------------------------------------------------------ from server to client


class FromServer(Struct, frozen=True, omit_defaults=True, tag_field="type"):
    """Base of all that a server may send."""


class Welcome(FromServer, frozen=True, tag="welcome"):
    """The answer to hello: the version spoken from now on, and the name as others see it.
    ``defaults`` is how new tables are played if their creator says nothing else.  ``token`` takes
    the session up again over another connection; it is told once, with a new session.  ``resumed``
    says that this is a session from before, and ``tables`` at which tables it is."""

    version: int
    name: str
    server: str
    frame_limit: int
    bots: list[str]
    boards: list[str]
    defaults: ShownOptions = ShownOptions()
    token: str = ""
    resumed: bool = False
    tables: list[str] = []

    def __repr__(self) -> str:
        """Without the token: who has it has the seat."""
        return f"Welcome(name={self.name!r}, server={self.server!r}, resumed={self.resumed!r})"


class Ok(FromServer, frozen=True, tag="ok"):
    """The request ``re`` was carried out; ``result`` is what it returns, if anything."""

    re: int
    result: dict[str, Any] = {}


class Error(FromServer, frozen=True, tag="error"):
    """Something was refused: a stable ``code`` (see :mod:`protocol.errors`) and a sentence.
    Without ``re`` it concerns the connection, which closes after it; only ``bad-message`` for a
    message without a usable id leaves an open connection open."""

    code: str
    text: str
    re: int | UnsetType = UNSET


class SeatInfo(Struct, frozen=True, omit_defaults=True):
    """Who holds a seat: ``kind`` is open, human or bot.  A player who is not ``connected`` may come
    back, unless they have ``left``.  ``color`` is that of the rails: blue, yellow, red or green."""

    kind: str
    name: str = ""
    ready: bool = False
    connected: bool = False
    level: str = ""
    left: bool = False
    color: str = ""


class TableInfo(Struct, frozen=True, omit_defaults=True):
    """A table as the lobby sees it.  ``state`` is lobby, playing, over or broken; ``host`` the
    name of the player who may change it; ``commitment`` the SHA-256 of the seed once the game
    runs (empty if the host chose the seed); ``seed`` is shown when the game is over.  A ``locked``
    one has a password; ``muted`` are those whom the host does not let chat."""

    table: str
    title: str
    state: str
    host: str
    options: ShownOptions
    seats: list[SeatInfo]
    watchers: int = 0
    commitment: str = ""
    seeded: bool = False
    seed: str = ""
    locked: bool = False
    muted: list[str] = []


class Lobby(FromServer, frozen=True, tag="lobby"):
    """Something about a table you are at has changed.  ``seat`` is yours, -1 if you watch;
    ``reactions`` is what you prefer to happen when others attack (see :class:`Prefer`), ``muted``
    whom you do not want to hear.  In ``state`` lobby there is no game: what was known of an earlier
    one at this table is void."""

    info: TableInfo
    seat: int = -1
    reactions: str = "ask"
    muted: list[str] = []


class ChatLine(FromServer, frozen=True, tag="chat-line"):
    """Somebody said something at a table.  The name ``*``, too short for a player, is the
    server's own.  ``number`` rises from line to line at a table: after a session was taken up
    again, one that is known already may come a second time."""

    table: str
    name: str
    text: str
    number: int = 0


class Notice(FromServer, frozen=True, tag="notice"):
    """Whoever runs the server tells everybody something: ``text`` is a sentence."""

    text: str


class TableCatalogue(FromServer, frozen=True, tag="catalogue"):
    """The cards and the board of a table, once; ``hash`` names the content."""

    table: str
    hash: str
    catalogue: Catalogue


class Snapshot(FromServer, frozen=True, tag="snapshot"):
    """Everything you may know of a table now: the observation as plain data (see
    :class:`engine.types.Observation`), your open decisions, and the number of the last update.
    ``next_event`` is how many events you have been entitled to so far."""

    table: str
    seq: int
    view: dict[str, Any]
    decisions: list[Decision]
    next_event: int


class Update(FromServer, frozen=True, tag="update"):
    """One step of a table: ``patch`` (RFC 7396) brings the view up to date, ``events`` tell what
    happened, ``decisions``, if there, replaces your open decisions.  ``seq`` is one more than
    that of the update or snapshot before; after a gap ask for a snapshot."""

    table: str
    seq: int
    patch: dict[str, Any] = {}
    events: list[Event] = []
    decisions: list[Decision] | UnsetType = UNSET


class Clocks(FromServer, frozen=True, tag="clocks"):
    """Whose time runs at a table, the same for all who are at it; it replaces the one before.

    In a ``window`` all of ``seats`` are asked at the same time because of ``card`` and have ``ms``
    left; until it closes nobody is told who has answered.  Otherwise it is the turn of the one seat
    in ``seats``: ``ms`` are left of the turn's own time, and after that its reserve in
    ``reserve_ms``.  Without ``ms`` there is no end, without ``seats`` no clock runs.  In a pause
    all of it stands still.  ``autopilot`` are seats that a bot plays for until their players are
    back.  ``warning``: what runs will soon be over.
    """

    table: str
    window: bool = False
    card: str = ""
    seats: list[int] = []
    ms: int | UnsetType = UNSET
    reserve_ms: dict[str, int] = {}
    paused: bool = False
    autopilot: list[int] = []
    warning: bool = False


class Closed(FromServer, frozen=True, tag="closed"):
    """The table is gone, or you are no longer at it: ``reason`` is a sentence."""

    table: str
    reason: str


ServerMessage = (
    Welcome
    | Ok
    | Error
    | Lobby
    | ChatLine
    | Notice
    | TableCatalogue
    | Snapshot
    | Update
    | Clocks
    | Closed
)
