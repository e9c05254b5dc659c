"""Makes the test vectors in tests/vectors/: run it after a change of the protocol, read the diff.

python tests/protocol/make_vectors.py

The files are for people who write clients and servers in other languages; docs/protocol.md
explains them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgpack
import msgspec
from msgspec.structs import replace

import protocol
from engine.types import (
    BoardInfo,
    CardInfo,
    Catalogue,
    Decision,
    Event,
    HexInfo,
    HexView,
    Observation,
    Option,
    OwnView,
    Result,
    SeatView,
    TurnView,
)
from protocol import MAGIC, messages
from protocol.codec import Message
from protocol.frames import frame

FOLDER = Path(__file__).parents[1] / "vectors"

HELLO = messages.Hello(versions=(1, 1), name="Ann", client="example/1")
TOKEN = "nQ1cS0Yk3rBvX7mZ5tLw9aHd2fGj4eKp6uRi8oTy-_A"
WELCOME = messages.Welcome(
    version=1, name="Ann", server="senro", frame_limit=8192, bots=["greedy"], boards=["tokyo"]
)

DECISION = Decision(
    id="d7",
    seat=0,
    kind="turn",
    min=1,
    max=1,
    options=(
        Option(key="play:lay-rails", gain=1, effect="used"),
        Option(key="buy:express-train", money=3),
        Option(key="lay:C4", money=1, waste=1),
        Option(key="end-turn", text="End your turn"),
    ),
    default=("end-turn",),
    text="Your turn",
)
PICK = Decision(
    id="d8",
    seat=0,
    kind="discard-any",
    min=0,
    max=3,
    options=(Option(key="card:waste", count=3),),
    ordered=True,
    cause="holiday-timetable",
)
VIEW = Observation(
    phase="turn",
    turn=TurnView(number=3, seat=0, money=2, rail_points=0, effects={"waive-river": 1}),
    asked=[0],
    seats={
        "0": SeatView(
            hand=4,
            deck=3,
            discard=2,
            play={"normal-train": 1},
            gained={},
            rails_left=18,
            score=0,
            rails_vp=2,
        ),
        "1": SeatView(
            hand=5, deck=0, discard=5, play={}, gained={}, rails_left=18, score=1, rails_vp=0
        ),
    },
    hexes={"C4": HexView(rails=[0, 1]), "D5": HexView(rails=[1], stations=1)},
    supply={"normal-train": 12, "waste": 69},
    trash={},
    stations_left=29,
    own=OwnView(hand={"lay-rails": 1, "waste": 3}, deck={"normal-train": 3}, discard={"waste": 2}),
)
OVER = Observation(
    phase="over",
    turn=TurnView(number=41, seat=1, money=0, rail_points=0, effects={}),
    asked=[],
    seats={},
    hexes={},
    supply={},
    trash={},
    stations_left=0,
    results=[Result(seat=0, track=4, rails_vp=20, cards_vp=6, total=30, rails=17, rank=1)],
    ended_by="stations",
)
CATALOGUE = Catalogue(
    boxes=["base"],
    players=2,
    cards=[
        CardInfo(id="waste", name="Waste", box="base", type="waste", cost=0),
        CardInfo(
            id="lay-rails",
            name="Lay Rails",
            box="base",
            type="rail",
            cost=3,
            value=1,
            action=True,
            copies=20,
            text="1 rail point.",
            rulings="It may be spent at any moment of the turn.",
            source="rulebook",
            house=True,
        ),
        CardInfo(id="tower", name="Tower", box="base", type="victory", cost=8, vp=4),
    ],
    supply=["waste", "lay-rails", "tower"],
    board=BoardInfo(
        id="example",
        name="Example",
        stations=30,
        rails=20,
        hexes={
            "A1": HexInfo(terrain="plain"),
            "A2": HexInfo(terrain="city", title="Town", slots=3),
            "B1": HexInfo(terrain="remote", title="Far", value=4),
        },
        barriers=[["A1", "A2"]],
        source="rulebook",
        house=True,
    ),
    reactions="sealed",
)
OPTIONS = messages.TableOptions(
    players=3, kingdom=("landfill", "dump-site"), bonuses=True, order="seats", reactions="fast"
)
SHOWN = messages.ShownOptions(
    board="chiba",
    players=2,
    boxes=("base", "rising-sun"),
    victory=("rising-sun",),
    starts="marked",
    order="seats",
)
INFO = messages.TableInfo(
    table="kq7mz",
    title="Ann's table",
    state="over",
    host="Ann",
    options=SHOWN,
    seats=[
        messages.SeatInfo(kind="human", name="Ann", ready=True, connected=True, color="blue"),
        messages.SeatInfo(kind="bot", name="Greedy", level="greedy", color="green"),
        messages.SeatInfo(kind="open"),
    ],
    watchers=1,
    commitment="ab" * 32,
    seeded=True,
    seed="00" * 32,
    locked=True,
    muted=["Ben"],
)
EVENTS = [
    Event(
        type="played", seat=0, card="lay-rails", value=1, what="used", text="Ann plays Lay Rails."
    ),
    Event(type="laid", seat=0, hex="C4", money=1),
    Event(type="drew", seat=1, count=2),
    Event(type="drew", seat=0, count=2, cards={"waste": 2}),
    Event(type="shuffled", seat=0, count=2, order=["waste", "waste"]),
    Event(type="bought", seat=0, card="tower", money=8, to="gained"),
]

MESSAGES: dict[str, Message] = {
    "the first message": HELLO,
    "hello with a password": messages.Hello((1, 1), "Ann", password="open sesame"),
    "hello with everything": messages.Hello(
        versions=(1, 3), name="線路", client="x", language="cs", resume=TOKEN, unanswered=(7, 8)
    ),
    "the last message": messages.Bye(),
    "the smallest id": messages.Ping(id=0),
    "the largest id": messages.Ping(id=2**53 - 1),
    "list": messages.ListTables(id=1),
    "create": messages.Create(id=2, title="Ann's table", options=OPTIONS, watch=False),
    "join": messages.Join(id=3, table="kq7mz"),
    "watch": messages.Join(id=3, table="kq7mz", watch=True),
    "leave": messages.Leave(id=4, table="kq7mz"),
    "ready": messages.Ready(id=5, table="kq7mz"),
    "add a bot": messages.AddBot(id=6, table="kq7mz", level="greedy"),
    "remove a bot": messages.RemoveBot(id=7, table="kq7mz", seat=1),
    "a table with a password": messages.Create(
        id=2, options=replace(OPTIONS, private=True, spectators="delayed"), password="shinjuku"
    ),
    "join with a password": messages.Join(id=3, table="kq7mz", password="shinjuku"),
    "sit down elsewhere": messages.Sit(id=18, table="kq7mz", seat=2),
    "stand up": messages.Sit(id=18, table="kq7mz", seat=-1),
    "swap seats": messages.Swap(id=19, table="kq7mz", seat=0, other=1),
    "choose a colour": messages.ChooseColor(id=20, table="kq7mz", color="green"),
    "set a password": messages.SetPassword(id=21, table="kq7mz", password="線路"),
    "put somebody out": messages.Kick(id=22, table="kq7mz", name="Ben"),
    "make somebody else host": messages.GiveHost(id=23, table="kq7mz", name="Ben"),
    "mute": messages.Mute(id=24, table="kq7mz", name="Ben"),
    "unmute": messages.Mute(id=25, table="kq7mz", name="Ben", muted=False),
    "let nobody hear": messages.Mute(id=26, table="kq7mz", name="Ben", everybody=True),
    "start": messages.Start(id=8, table="kq7mz"),
    "rematch": messages.Rematch(id=27, table="kq7mz"),
    "chat": messages.Chat(id=9, table="kq7mz", text="ready? 🚂"),
    "loaded": messages.Loaded(id=10, table="kq7mz"),
    "answer": messages.Answer(id=11, table="kq7mz", decision="d7", keys=("lay:C4",)),
    "an empty answer": messages.Answer(id=12, table="kq7mz", decision="d8", keys=()),
    "prefer": messages.Prefer(id=16, table="kq7mz", reactions="always"),
    "pause": messages.Pause(id=17, table="kq7mz", pause=True),
    "get a snapshot": messages.GetSnapshot(id=13, table="kq7mz"),
    "get the catalogue": messages.GetCatalogue(id=14, table="kq7mz"),
    "get history": messages.GetHistory(id=15, table="kq7mz", since=40, limit=100),
    "welcome": WELCOME,
    "welcome to a new session": replace(WELCOME, token=TOKEN),
    "welcome back": replace(WELCOME, resumed=True, tables=["kq7mz"]),
    "ok": messages.Ok(re=1),
    "ok with a result": messages.Ok(re=2, result={"table": "kq7mz"}),
    "ok with events": messages.Ok(
        re=15, result={"events": [{"type": "turn", "seat": 1, "count": 4}], "next": 0}
    ),
    "a request refused": protocol.error("illegal-answer", "lay:Z9 is not offered", 11),
    "another connection has the session": protocol.error("replaced"),
    "the connection refused": protocol.error("version", "this server speaks versions 1 to 1"),
    "lobby": messages.Lobby(info=INFO, seat=0, muted=["Ben"]),
    "a line of chat": messages.ChatLine(table="kq7mz", name="Ann", text="ready? 🚂", number=3),
    "a notice": messages.Notice(text="the server ends in 5 minutes"),
    "the catalogue": messages.TableCatalogue(
        table="kq7mz", hash="0123456789abcdef", catalogue=CATALOGUE
    ),
    "snapshot": messages.Snapshot(
        table="kq7mz",
        seq=5,
        view=msgspec.to_builtins(VIEW),
        decisions=[DECISION, PICK],
        next_event=23,
    ),
    "snapshot at the end": messages.Snapshot(
        table="kq7mz", seq=99, view=msgspec.to_builtins(OVER), decisions=[], next_event=700
    ),
    "update": messages.Update(
        table="kq7mz",
        seq=6,
        patch={"turn": {"money": 1}, "hexes": {"C4": {"rails": [0, 1]}}, "ended_by": None},
        events=EVENTS,
        decisions=[],
    ),
    "an update that leaves the decisions open": messages.Update(table="kq7mz", seq=7),
    "the clock of a turn": messages.Clocks(
        table="kq7mz", seats=[1], ms=120_000, reserve_ms={"0": 60_000, "1": 41_500}, autopilot=[0]
    ),
    "a window": messages.Clocks(
        table="kq7mz",
        window=True,
        card="regulations",
        seats=[1, 2],
        ms=10_000,
        reserve_ms={"0": 0, "1": 60_000, "2": 60_000},
        warning=True,
    ),
    "a pause, and no end": messages.Clocks(table="kq7mz", window=True, seats=[0], paused=True),
    "closed": messages.Closed(table="kq7mz", reason="nobody is here"),
}

SESSION: list[tuple[str, Message]] = [
    ("client", messages.Hello(versions=(1, 1), name="Ann")),
    (
        "server",
        messages.Welcome(
            version=1, name="Ann", server="senro", frame_limit=8192, bots=[], boards=[]
        ),
    ),
    ("client", messages.Ping(id=1)),
    ("server", messages.Ok(re=1)),
    ("client", messages.Answer(id=2, table="kq7mz", decision="d9", keys=("lay:C4",))),
    ("server", messages.Error(code="no-such-table", text="there is no table kq7mz", re=2)),
    ("client", messages.Bye()),
]


def raw(data: Any) -> bytes:
    return frame(msgpack.packb(data), 2**32 - 1)


HELLO_FRAME = protocol.encode_frame(HELLO)
PING = {"type": "ping", "id": 9}

REFUSED: list[tuple[str, bytes, bool, str, bool]] = [
    # what, the bytes, whether hello went before, code, whether it ends the connection
    ("an HTTP request", b"GET / HTTP/1.1\r\n\r\n", False, "not-senro", True),
    ("line ends changed on the way", MAGIC.replace(b"\r", b"") + b"\0", False, "not-senro", True),
    ("TLS where none is spoken", b"\x16\x03\x01\x00\x05\x01\x00", False, "no-tls", True),
    (
        "no common version",
        MAGIC + raw({"type": "hello", "versions": [2, 4]}),
        False,
        "version",
        True,
    ),
    (
        "an unknown field in hello",
        MAGIC + raw({"type": "hello", "versions": [1, 1], "name": "Ann", "x": 1}),
        False,
        "bad-message",
        True,
    ),
    ("no hello", MAGIC + raw(PING), False, "unexpected-message", True),
    ("hello again", HELLO_FRAME, True, "unexpected-message", True),
    ("a frame over the limit", b"\x00\x00\x20\x01", True, "frame-too-long", True),
    ("an empty frame", b"\x00\x00\x00\x00", True, "bad-frame", True),
    ("no msgpack", b"\x00\x00\x00\x01\xc1", True, "bad-frame", True),
    ("no map", raw([1]), True, "bad-frame", True),
    ("bytes after the map", b"\x00\x00\x00\x02\x80\x80", True, "bad-frame", True),
    ("half a map", b"\x00\x00\x00\x03\x82\xa1a", True, "bad-frame", True),
    ("equal keys", b"\x00\x00\x00\x07\x82\xa1a\x01\xa1a\x02", True, "bad-frame", True),
    ("a key that is no text", raw({1: 1}), True, "bad-frame", True),
    ("binary", raw({"a": b"x"}), True, "bad-frame", True),
    ("an extension", raw({"a": msgpack.ExtType(5, b"x")}), True, "bad-frame", True),
    ("not a number", raw({"a": float("nan")}), True, "bad-frame", True),
    ("infinity", raw({"a": float("inf")}), True, "bad-frame", True),
    ("text that is not UTF-8", b"\x00\x00\x00\x05\x81\xa1a\xa1\xff", True, "bad-frame", True),
    ("nested too deep", frame(b"\x81\xa1a" * 16 + b"\x80", 99), True, "bad-frame", True),
    ("an unknown type", raw({"type": "dance", "id": 9}), True, "bad-message", False),
    ("no type", raw({"id": 9}), True, "bad-message", False),
    ("an unknown field", raw({**PING, "x": 1}), True, "bad-message", False),
    ("a missing field", raw({"type": "join", "id": 9}), True, "bad-message", False),
    ("an id out of range", raw({"type": "ping", "id": 2**53}), True, "bad-message", False),
    ("a float for an integer", raw({"type": "ping", "id": 9.0}), True, "bad-message", False),
    (
        "an unknown option",
        raw({"type": "create", "id": 9, "options": {"bored": "tokyo"}}),
        True,
        "bad-message",
        False,
    ),
]

PATCHES: list[tuple[str, Any, Any, Any]] = [
    ("maps merge", {"a": {"b": 1, "c": 2}}, {"a": {"b": 3}}, {"a": {"b": 3, "c": 2}}),
    ("lists are replaced whole", {"a": [1, 2]}, {"a": [3]}, {"a": [3]}),
    ("null deletes", {"a": 1, "b": 2}, {"a": None}, {"b": 2}),
    ("null for what is not there", {"a": 1}, {"b": None}, {"a": 1}),
    ("a map replaces what is none", {"a": 1}, {"a": {"b": 2, "c": None}}, {"a": {"b": 2}}),
    ("an empty map changes nothing", {"a": {"b": 1}}, {"a": {}}, {"a": {"b": 1}}),
    ("an empty map appears", {}, {"a": {}}, {"a": {}}),
]


def build() -> dict[str, list[dict[str, Any]]]:
    """The content of every file, by its name."""
    return {
        "messages.json": [
            {
                "name": name,
                "from": "client" if isinstance(message, messages.FromClient) else "server",
                "message": msgspec.to_builtins(message, str_keys=True),
                "hex": protocol.encode_frame(message).hex(),
            }
            for name, message in MESSAGES.items()
        ],
        "refused.json": [
            {"name": name, "after_hello": greeted, "hex": data.hex(), "code": code, "fatal": fatal}
            for name, data, greeted, code, fatal in REFUSED
        ],
        "session.json": [
            {
                "from": sender,
                "message": msgspec.to_builtins(message),
                "hex": ((MAGIC if i < 2 else b"") + protocol.encode_frame(message)).hex(),
            }
            for i, (sender, message) in enumerate(SESSION)
        ],
        "patches.json": [
            {"name": name, "old": old, "patch": patch, "new": new}
            for name, old, patch, new in PATCHES
        ],
    }


def text(content: list[dict[str, Any]]) -> str:
    """A file as it stands in the repository: one line for each vector."""
    lines = ",\n".join("  " + json.dumps(item, ensure_ascii=True) for item in content)
    return f"[\n{lines}\n]\n"


if __name__ == "__main__":
    for file, content in build().items():
        (FOLDER / file).write_text(text(content), encoding="utf-8")
        print(f"{file}: {len(content)}")
