from __future__ import annotations

from client.model import LoggedEvent
from client.plain.history import Teller
from client.plain.lines import ASCII, plain
from engine.types import Event
from tests.client.games import model_of, opening

MODEL = model_of(opening(2))


def event(kind: str, seat: int, text: str, **fields: int) -> LoggedEvent:
    return LoggedEvent(1, Event(kind, seat=seat, text=text, **fields))


TURN = [
    event("turn", 0, "Turn 7: Anna.", count=7),
    event("played", 0, "Anna plays Normal Train for 1 money."),
    event("played", 0, "Anna plays Normal Train for 1 money."),
    event("drew", 0, "Anna draws 2 cards."),
    event("discarded", 1, "Ben discards 1 card."),
    event("bought", 0, "Anna buys Lay Rails for 3."),
    event("cleaned-up", 0, "Anna cleans up with 1 card left in hand."),
    event("shuffled", 0, "Anna shuffles a deck of 9 cards."),
    event("drew", 0, "Anna draws 5 cards."),
]
TOLD = [
    "  Anna plays Normal Train for 1 money (×2); draws 2 cards.",
    "  Ben discards 1 card.",
    "  Anna buys Lay Rails for 3.",
]


def tell(teller: Teller, *events: LoggedEvent) -> list[str]:
    return [plain(line) for line in teller.tell(MODEL, events)]


def test_a_turn_is_told_in_one_piece_when_it_is_over() -> None:
    teller = Teller(ASCII, whole=lambda seat: True)
    assert tell(teller, *TURN)[0].startswith("-- Turn 7: Anna ---")
    assert tell(teller) == []
    following = tell(teller, event("turn", 1, "Turn 8: Ben.", count=8))
    assert following[:-1] == TOLD
    assert following[-1].startswith("-- Turn 8: Ben ---")


def test_what_people_do_is_told_at_once() -> None:
    teller = Teller(ASCII, whole=lambda seat: seat == 1)
    assert tell(teller, *TURN)[1:] == TOLD
    assert tell(teller, TURN[1]) == ["  Anna plays Normal Train for 1 money."]
    assert len(tell(teller, event("turn", 1, "Turn 8: Ben.", count=8))) == 1
    bought = event("bought", 1, "Ben buys Lay Rails for 3.")
    assert tell(teller, bought) == []
    assert [plain(line) for line in teller.flush(MODEL)] == ["  Ben buys Lay Rails for 3."]
    assert teller.flush(MODEL) == []


def test_events_without_words_and_from_the_future_are_passed_over_or_told_as_they_are() -> None:
    teller = Teller(ASCII, whole=lambda seat: False)
    assert tell(teller, LoggedEvent(1, Event("news"))) == []
    assert tell(teller, LoggedEvent(1, Event("news", text="A train\x1b[2J whistles."))) == [
        "  A train[2J whistles."
    ]
