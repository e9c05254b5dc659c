from __future__ import annotations

from client.model import LoggedEvent
from client.plain import board
from client.plain.history import Teller, paragraphs
from client.plain.lines import ASCII, plain
from engine.types import Event
from tests.client.games import model_of, opening, play_on

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
    assert tell(teller, *TURN)[0].startswith("-- Turn 7: Anna - Your turn ---")
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


def test_a_turn_in_which_nothing_is_done_is_told_as_such() -> None:
    for whole in (True, False):
        teller = Teller(ASCII, whole=lambda _, whole=whole: whole)
        tell(teller, TURN[0])
        tell(teller, *TURN[6:])
        following = tell(teller, event("turn", 1, "Turn 8: Ben.", count=8))
        assert following[0] == "  Anna does nothing."
    teller = Teller(ASCII, whole=lambda _: False)
    tell(teller, *TURN)
    assert tell(teller, event("turn", 1, "Turn 8: Ben.", count=8))[0].startswith("--")


def test_a_sentence_that_goes_on_has_no_capital_but_in_names() -> None:
    def after_another(words: str) -> str:
        events = [TURN[1].event, event("this-turn", 0, words).event]
        return plain(paragraphs(MODEL, events)[0]).partition("; ")[2]

    assert after_another("Rivers are free for Anna this turn.").startswith("rivers are free for An")
    assert after_another("Ben looks on.") == "Ben looks on."
    assert after_another("Anna looks on.") == "looks on."


def test_headlines_name_whose_turn_and_scores_are() -> None:
    model = model_of(play_on(opening(2), [20, 40]), 0)
    assert model.view is not None
    model.view.seats["1"].score = 2
    number = model.view.turn.number
    teller = Teller(ASCII, whole=lambda _: False)

    def heading(seat: int) -> str:
        told = LoggedEvent(number, Event("turn", seat=seat, count=number, text=f"Turn 1: {seat}."))
        return plain(teller.tell(model, [told])[-1])

    assert heading(0).startswith("-- Turn 1: 0 - Your turn (A 0  b 2) --")
    assert heading(1).startswith("-- Turn 1: 1 (A 0  b 2) --")
    assert [board.letter_of(seat, 0) for seat in (0, 1)] == ["A", "b"]


def test_what_is_scored_is_told_once() -> None:
    model = model_of(play_on(opening(2), [20, 40]), 0)
    assert model.view is not None
    teller = Teller(ASCII, whole=lambda _: False)
    assert teller.tell(model, []) == []
    model.view.seats["0"].rails_vp = 4
    assert [plain(line) for line in teller.tell(model, [])] == ["  Anna now has 4."]
    assert teller.tell(model, []) == []
    model.view.seats["0"].score = 1
    model.view.seats["1"].rails_vp = 2
    assert [plain(line) for line in teller.tell(model, [])] == ["  Anna now has 5, Ben now has 2."]


def test_events_without_words_and_from_the_future_are_passed_over_or_told_as_they_are() -> None:
    teller = Teller(ASCII, whole=lambda seat: False)
    assert tell(teller, LoggedEvent(1, Event("news"))) == []
    assert tell(teller, LoggedEvent(1, Event("news", text="A train\x1b[2J whistles."))) == [
        "  A train[2J whistles."
    ]


def told(*events: LoggedEvent) -> list[str]:
    return [plain(line) for line in paragraphs(MODEL, [one.event for one in events])]


def card(kind: str, seat: int, text: str, name: str) -> LoggedEvent:
    return LoggedEvent(1, Event(kind, seat=seat, text=text, card=name))


def test_cards_of_a_row_are_told_in_one_and_counted() -> None:
    waste = card("revealed", 0, "Anna reveals Waste.", "waste")
    train = card("revealed", 0, "Anna reveals Normal Train.", "normal-train")
    gained = card("gained", 0, "Anna gains Waste.", "waste")
    assert told(waste, train, waste) == ["  Anna reveals 2 Waste, Normal Train."]
    assert told(waste, gained, gained) == ["  Anna reveals Waste; gains 2 Waste."]
    assert told(gained, TURN[1], gained) == [
        "  Anna gains Waste; plays Normal Train for 1 money; gains Waste."
    ]
    ben = card("revealed", 1, "Ben reveals Waste.", "waste")
    assert told(waste, ben, waste) == [
        "  Anna reveals Waste.",
        "  Ben reveals Waste.",
        "  Anna reveals Waste.",
    ]


def test_a_row_of_somebody_elses_trains_is_told_when_it_is_over() -> None:
    teller = Teller(ASCII, whole=lambda _: False)
    tell(teller, event("turn", 1, "Turn 8: Ben.", count=8))
    train = LoggedEvent(1, Event("played", seat=1, what="", text="Ben plays Normal Train."))
    rails = LoggedEvent(1, Event("played", seat=1, what="used", text="Ben plays Lay Rails."))
    assert tell(teller, train) == []
    assert tell(teller, train) == []
    assert tell(teller, rails) == ["  Ben plays Normal Train (×2); plays Lay Rails."]
    assert tell(teller, rails, train) == ["  Ben plays Lay Rails."]
    following = tell(teller, event("turn", 0, "Turn 9: Anna.", count=9))
    assert following[0] == "  Ben plays Normal Train."
    own = LoggedEvent(1, Event("played", seat=0, what="", text="Anna plays Normal Train."))
    assert tell(teller, own) == ["  Anna plays Normal Train."]


def test_after_the_end_nothing_more_is_told() -> None:
    model = model_of(play_on(opening(2), [20, 40]), 0)
    assert model.view is not None
    for whole in (True, False):
        teller = Teller(ASCII, whole=lambda _, whole=whole: whole)
        teller.tell(model, [])
        model.view.seats["0"].rails_vp += 4
        over = LoggedEvent(1, Event("over", what="piles", text="The game is over."))
        lines = [*teller.tell(model, [TURN[5], over]), *teller.flush(model)]
        score = f"  Anna now has {model.view.seats['0'].rails_vp}."
        assert [plain(line) for line in lines] == [
            "  Anna buys Lay Rails for 3.",
            score,
            "  The game is over.",
        ]
        assert teller.tell(model, []) == []
        assert teller.flush(model) == []
