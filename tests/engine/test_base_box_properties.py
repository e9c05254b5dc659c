"""Random games of the base box, answered at random: what must be so after every answer, and that
every effect of every card is met.

``SENRO_RANDOM_GAMES`` asks for the long form of the search for effects, and says how many games
it plays (2000, say); there the eight are drawn by the game, while the short form deals the
Stationmaster Office into every game, to meet all that it can copy.
"""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.text import Words
from engine.types import Decision, Event, Observation

LONG = "SENRO_RANDOM_GAMES" in os.environ
GAMES = int(os.environ.get("SENRO_RANDOM_GAMES", "300"))
WORDS = Words()
LIMIT = 6000
"""More answers than any random game needs; one that goes on longer is a failure."""


def new_game(seed: int, board: str, players: int, kingdom: tuple[str, ...] = ()) -> engine.Game:
    setup = engine.Setup(
        seed=seed.to_bytes(32, "big"), board=board, players=players, kingdom=kingdom
    )
    return engine.Game.new(setup)


def random_keys(rng: random.Random, decision: Decision, *, wanted: str = "") -> list[str]:
    """A legal answer at random, with the wanted key in it."""
    pool = [option.key for option in decision.options for _ in range(option.count)]
    picked = [wanted] if wanted else []
    for key in picked:
        pool.remove(key)
    least = max(decision.min, len(picked))
    count = rng.randint(least, max(least, decision.max))
    picked += rng.sample(pool, count - len(picked))
    rng.shuffle(picked)
    return picked


def random_answer(rng: random.Random, decision: Decision) -> list[str]:
    """A legal answer.  In a turn mostly all cards are played before something dear is bought, so
    that dear cards are met in a few hundred games."""
    plays = [o.key for o in decision.options if o.key.startswith("play")]
    buys = [o for o in decision.options if o.key.startswith("buy:")]
    if plays and rng.random() < 0.95:
        return [rng.choice(plays)]
    if buys and rng.random() < 0.8:
        return [rng.choices([o.key for o in buys], [o.money**6 for o in buys])[0]]
    return random_keys(rng, decision)


def zones(game: engine.Game) -> Iterator[list[int]]:
    state = game.state
    yield from (state.supply, state.trash, state.removed)
    for seat in state.seats:
        deck = [0] * len(state.supply)
        for card in seat.deck:
            deck[card] += 1
        yield from (deck, seat.hand, seat.discard, seat.play, seat.gained, seat.aside)


def cards_of(game: engine.Game) -> list[int]:
    """How many there are of each card, wherever they are."""
    return [sum(counts) for counts in zip(*zones(game), strict=True)]


class Knowledge:
    """What a seat must know of the top of its own deck: worked out from the events it is told."""

    def __init__(self) -> None:
        self.top: list[str] = []

    def hear(self, seat: int, event: Event) -> None:
        if event.seat != seat:
            return
        if event.type == "shuffled":
            self.top = []  # what was drawn before the shuffle is told with the rest afterwards
        elif event.type == "drew":
            self._gone(event.count)
        elif event.type == "looked":
            assert isinstance(event.cards, dict)
            assert event.count == 1  # one look is enough to know the order
            self.top = self.top or list(event.cards)
        elif event.type == "revealed" and event.to == "deck":
            self._gone(1)
        elif event.type == "discarded" and event.to == "deck":
            self._gone(event.count)
        elif event.type == "put-back":
            assert isinstance(event.order, list)
            self.top = [*event.order, *self.top]
        elif event.type == "put-on-deck":
            assert isinstance(event.card, str)
            self.top = [event.card, *self.top]

    def _gone(self, count: object) -> None:
        assert isinstance(count, int)
        self.top = self.top[count:]


def check_state(game: engine.Game, whole: list[int]) -> None:
    state, spec = game.state, game.setting.board.spec
    assert cards_of(game) == whole
    assert all(count >= 0 for zone in zones(game) for count in zone)
    assert state.money >= 0
    assert state.rail_points >= 0
    assert sum(state.stations) + state.stations_left == spec.stations
    for seat in state.seats:
        assert len(seat.laid) == len(set(seat.laid)) <= spec.rails
        assert 0 <= seat.known <= len(seat.deck)
        assert seat.score >= 0
    for i, count in enumerate(state.stations):
        assert 0 <= count <= game.setting.board.slots[i]
    assert game.over is (not game.decisions)
    if game.over or all(d.kind == "turn" for d in game.decisions):
        assert not any(any(seat.aside) for seat in state.seats)


def check_decisions(game: engine.Game) -> None:
    seats = [decision.seat for decision in game.decisions]
    assert len(set(seats)) == len(seats)
    for decision in game.decisions:
        keys = [option.key for option in decision.options]
        room = sum(option.count for option in decision.options)
        assert keys
        assert len(set(keys)) == len(keys)
        assert all(option.count >= 1 for option in decision.options)
        assert 0 <= decision.min <= decision.max <= room
        assert decision.kind == "turn" or (decision.min, len(keys)) != (decision.max, 1)
        assert all(o.money <= game.state.money for o in decision.options)
        game.copy().answer(decision.id, decision.default)


def check_offered(game: engine.Game, rng: random.Random, whole: list[int]) -> None:
    """Every key that is offered is accepted; the copy that is answered leaves the game alone."""
    before = game.digest()
    for decision in game.decisions:
        for option in decision.options:
            copy = game.copy()
            copy.answer(decision.id, random_keys(rng, decision, wanted=option.key))
            assert cards_of(copy) == whole
    assert game.digest() == before


def check_refused(game: engine.Game, rng: random.Random) -> None:
    """Keys of the setting that are not offered are refused, without a change."""
    before, open_now = game.digest(), game.decisions
    for decision in open_now:
        offered = {option.key for option in decision.options}
        others = [key for key in game.setting.actions if key not in offered]
        for key in [*rng.sample(others, 8), "", "play:", "lay:Z99", "card:nothing"]:
            wrong = [*decision.default[1:], key]
            with pytest.raises(engine.AnswerError) as caught:
                game.answer(decision.id, wrong)
            assert caught.value.code == "illegal-answer"
        with pytest.raises(engine.AnswerError) as caught:
            game.answer(f"{decision.id}0", decision.default)
        assert caught.value.code == "unknown-decision"
    assert game.digest() == before
    assert game.decisions == open_now


def without_secrets(rng: random.Random, game: engine.Game, seat: int) -> engine.Game:
    """The same game with other cards in the hidden zones of all seats but one: each one's hand,
    deck and discard pile mixed, and some of them exchanged for cards of the supply's kinds."""
    other = game.copy()
    for number, me in enumerate(other.state.seats):
        if number == seat:
            continue
        cards = [*me.deck]
        for zone in (me.hand, me.discard):
            cards += [card for card, count in enumerate(zone) for _ in range(count)]
        cards = [rng.choice([card, rng.randrange(len(me.hand))]) for card in cards]
        rng.shuffle(cards)
        sizes = sum(me.hand), sum(me.discard)
        me.hand, me.discard = [0] * len(me.hand), [0] * len(me.hand)
        for zone, size in zip((me.hand, me.discard), sizes, strict=True):
            for card in cards[:size]:
                zone[card] += 1
            del cards[:size]
        me.deck = cards
    return other


def check_hidden(game: engine.Game, rng: random.Random) -> None:
    """No audience's observation depends on what is hidden from it."""
    for audience in (engine.SPECTATOR, *range(len(game.state.seats))):
        seen = game.observe(audience)
        assert without_secrets(rng, game, audience).observe(audience) == seen
        check_numbers(game, seen)
        if audience >= 0:
            me = game.state.seats[audience]
            assert not isinstance(seen.own, engine.types.UnsetType)
            ids = [game.setting.cards[card].id for card in reversed(me.deck)]
            assert seen.own.top == ids[: me.known]
            assert seen.own.deck == Counter(ids)


def check_numbers(game: engine.Game, seen: Observation) -> None:
    """All cards but those removed can be accounted for by numbers that everybody is shown."""
    shown = sum(seen.supply.values()) + sum(seen.trash.values())
    for seat in seen.seats.values():
        shown += seat.hand + seat.deck + seat.discard
        shown += sum(sum(zone.values()) for zone in (seat.play, seat.gained, seat.revealed))
    assert shown == sum(cards_of(game)) - sum(game.state.removed)


HIDDEN_KINDS = {"shuffled", "drew", "looked", "put-back", "fetched", "cleaned-up"}


def check_events(
    game: engine.Game, facts: list[tuple[object, ...]], knowing: list[Knowledge]
) -> None:
    """Others are told the number of hidden cards and no more; each seat hears what it must know."""
    setting = game.setting
    record = engine.events_for(setting, facts, engine.RECORD)
    for audience in (engine.SPECTATOR, *range(len(knowing))):
        events = engine.events_for(setting, facts, audience)
        assert [event.type for event in events] == [event.type for event in record]
        for event in events:
            if event.seat == audience and audience >= 0:
                assert event.type != "shuffled" or event.order is engine.types.UNSET
            else:
                assert event.cards is engine.types.UNSET
                assert event.order is engine.types.UNSET
                assert event.type not in HIDDEN_KINDS or event.card is engine.types.UNSET
        if audience >= 0:
            for event in events:
                knowing[audience].hear(audience, event)
            assert knowing[audience].top == game.observe(audience).own.top


def check_sentences(game: engine.Game) -> None:
    """Whatever is asked or told has a sentence."""
    names = [f"player {seat}" for seat in range(len(game.state.seats))]
    for decision in game.decisions:
        said = WORDS.decision(game.setting, decision)
        texts = [said.text, *(option.text for option in said.options)]
        assert all(texts)
        assert len(set(texts[1:])) == len(texts) - 1
    for audience in (engine.RECORD, engine.SPECTATOR, *range(len(names))):
        for event in engine.events_for(game.setting, game.facts, audience):
            assert WORDS.event(game.setting, event, names)


@settings(max_examples=20)
@given(
    seed=st.integers(0, 2**64),
    board=st.sampled_from(["tokyo", "osaka"]),
    players=st.integers(2, 4),
    look=st.integers(20, 60),
)
def test_a_random_game_keeps_its_invariants(seed: int, board: str, players: int, look: int) -> None:
    game, rng = new_game(seed, board, players), random.Random(seed)
    whole = cards_of(game)
    knowing = [Knowledge() for _ in range(players)]
    check_events(game, game.facts, knowing)
    for number in range(LIMIT):
        check_state(game, whole)
        if game.over:
            break
        for decision in game.decisions:
            if number % look == 0 or (decision.kind != "turn" and rng.random() < 0.2):
                check_decisions(game)
                check_offered(game, rng, whole)
                check_refused(game, rng)
                check_hidden(game, rng)
        if number % look == 0 or game.decisions[0].kind != "turn":
            restored = engine.Game.restore(json.loads(json.dumps(game.save())))
            assert restored.digest() == game.digest()
            assert restored.decisions == game.decisions
            check_sentences(game)
        decision = rng.choice(game.decisions)
        facts = game.answer(decision.id, random_answer(rng, decision))
        check_events(game, facts, knowing)
    assert game.over


# ------------------------------------------------------------------ every effect is met

COPIED = "stationmaster-office"
VICTORY = ("apartment", "tower", "skyscraper")


def wanted_effects(cards: list[engine.cards.CardSpec]) -> set[tuple[str, ...]]:
    """What must be seen of every card: its effect used, refused, copied if it has the icon; and
    the ways in which the effects that have several can go."""
    wanted: set[tuple[str, ...]] = set()
    for card in cards:
        if card.effects:
            wanted |= {(card.id, "used"), (card.id, "refused")}
            if card.action and card.id != COPIED:
                wanted.add((card.id, "copied"))
        if card.type == "victory":
            wanted.add((card.id, "bought with Waste"))
    wanted |= {(card, "impossible") for card in ("pulling", "switchback", COPIED)}
    wanted |= {("station-crew", key) for key in ("draw", "money", "return-waste")}
    wanted |= {("signals", key) for key in ("keep", "discard")}
    wanted |= {("holiday-timetable", key) for key in ("yes", "no")}
    wanted |= {(COPIED, key) for key in ("yes", "no")}
    wanted |= {("early-train", key) for key in ("deck", "gained")}
    wanted |= {("bullet-train", "earned"), ("ironworks", "earned"), ("tourist-train", "scored")}
    wanted |= {("command-central", "took"), ("command-central", "missed")}
    wanted |= {("information-central", "took"), ("information-central", "left")}
    wanted.add(("temporary-timetable", "took"))
    wanted |= {("freight-train", key) for key in ("returned", "returned none")}
    wanted |= {("maintenance-factory", key) for key in ("gained", "gained none")}
    wanted |= {("wagon-factory", "gained"), ("pulling", "fetched"), ("switchback", "put-on-deck")}
    for effect in ("waive-river", "waive-mountain", "waive-city", "waive-money", "waive-opponents"):
        wanted.add((effect, "laid"))
    wanted.add(("waive-opponents", "no Waste"))
    wanted.add(("no-waste", "no Waste"))
    return wanted


class Before(NamedTuple):
    """What has to be known of the game before an answer to tell what the answer showed."""

    running: dict[str, int]
    crowd: list[int]
    waste_left: int


def before_answer(game: engine.Game) -> Before:
    running = dict(zip(engine.running.RUNNING, game.state.running, strict=True))
    left = game.state.supply[game.setting.waste]
    return Before({k: n for k, n in running.items() if n}, game.masks.crowd.copy(), left)


def seen_effects(
    game: engine.Game, before: Before, decision: Decision, keys: list[str]
) -> Iterator[tuple[str, ...]]:
    """What an answer showed, out of what is wanted."""
    events = engine.events_for(game.setting, game.facts, engine.RECORD)
    kinds = Counter(event.type for event in events)
    play = next((event for event in events if event.type == "played"), None)
    card = ""
    if play is not None:
        card = str(play.card)
        yield card, str(play.what)
        if game.setting.cards[game.setting.index[card]].type == "rail" and kinds["earned"]:
            yield "ironworks", "earned"
    elif decision.kind not in ("turn", "start-rail"):
        card = decision.cause or "early-train"
        yield from ((card, key) for key in keys)
        if decision.kind == "reveal-and-take" and not keys:
            yield card, "left"
    yield from ((str(event.card), "copied") for event in events if event.type == "copied")
    yield from ((card, kind) for kind in kinds)
    if card == "command-central" and kinds["named"] and kinds["revealed"] and not kinds["took"]:
        yield card, "missed"
    if card == "freight-train" and any(e.type == "returned" and not e.count for e in events):
        yield card, "returned none"
    if card == "maintenance-factory" and kinds["revealed"] and not kinds["gained"]:
        yield card, "gained none"
    gained_waste = any(e.type == "gained" and e.card == "waste" for e in events)
    for event in events:
        if event.type == "bought":
            if gained_waste:
                yield str(event.card), "bought with Waste"
            elif event.card in VICTORY and before.waste_left and "no-waste" in before.running:
                yield "no-waste", "no Waste"
        elif event.type == "laid":
            i = game.setting.board.index[str(event.hex)]
            terrain = game.setting.board.terrain[i]
            if event.money == 0 and terrain != "plain":
                yield from (
                    (effect, "laid")
                    for effect in (f"waive-{terrain}", "waive-money")
                    if effect in before.running
                )
            if before.crowd[i] and "waive-opponents" in before.running:
                yield "waive-opponents", "laid"
                if before.waste_left and not gained_waste:
                    yield "waive-opponents", "no Waste"


@pytest.mark.timeout(900)  # the long form
def test_random_games_use_every_effect_of_every_card() -> None:
    cards = [card for box in engine.boxes.load_boxes(("base",)) for card in box.cards]
    others = [card.id for card in cards if card.role == "randomizer" and card.id != COPIED]
    missing, wanted = set(), wanted_effects(cards)
    seen: Counter[tuple[str, ...]] = Counter()
    played = 0
    while played < GAMES:
        board, players = ("tokyo", "osaka")[played % 2], 2 + played % 3
        rng = random.Random(played)
        kingdom = () if LONG else (COPIED, *rng.sample(others, 7))
        game = new_game(played, board, players, kingdom)
        for _ in range(LIMIT):
            if game.over:
                break
            decision = rng.choice(game.decisions)
            keys = random_answer(rng, decision)
            before = before_answer(game)
            game.answer(decision.id, keys)
            seen.update(seen_effects(game, before, decision, keys))
        assert game.over
        played += 1
        missing = wanted - seen.keys()
        if not missing and not LONG:
            break
    assert not missing, f"not seen in {played} random games: {sorted(missing)}"
    print(f"{played} random games used all {len(wanted)} effects")
