"""Two games that differ only in what is hidden from an audience tell it the same bytes.

The pairs have the same seed, the same ids and the same clock, and get the same answers.  In the
second game the cards of seat 0 that others cannot see (in its hand, deck and discard pile)
have changed places; all that happens openly is the same.  What
the other seats and the spectators are told from there on must be the same to the byte, for as
long as the same answers can be given: as soon as an answer is not open in the second game, or a
different question is put to seat 0 (rules, section 12: what is played is open), the pair is over.
"""

from __future__ import annotations

import msgspec
from hypothesis import event, given, settings
from hypothesis import strategies as st

import engine
from engine.text import Words
from engine.types import SPECTATOR
from server.audience import Views
from tests.engine.games import examples

HIDER = 0
NAMES = ["Anna", "Ben", "Cleo"]


def permute_hidden(game: engine.Game, order: list[int]) -> engine.Game:
    """A copy in which seat 0's hidden cards lie in other places, by this order."""
    saved = game.save()
    seat = saved["state"]["seats"][HIDER]
    zones = [seat["hand"], seat["discard"]]
    cards = [i for zone in zones for i, n in enumerate(zone) for _ in range(n)] + seat["deck"]
    sizes = [sum(zone) for zone in zones]
    shuffled = [card for _, card in sorted(zip(_keys(order, len(cards)), cards, strict=True))]
    for zone, size in zip(zones, sizes, strict=True):
        zone[:] = [0] * len(zone)
        for card in shuffled[:size]:
            zone[card] += 1
        del shuffled[:size]
    seat["deck"] = shuffled
    other = engine.Game.restore(msgspec.json.decode(msgspec.json.encode(saved)))
    other.facts = list(game.facts)
    return other


def _keys(order: list[int], count: int) -> list[tuple[int, int]]:
    return [(order[i % len(order)], i) for i in range(count)]


def watch(game: engine.Game) -> Views:
    views = Views("t1", game, Words(), NAMES[: game.setup.players], range(game.setup.players))
    views.snapshot(SPECTATOR)
    views.ask()
    return views


def others(players: int) -> list[int]:
    return [*range(1, players), SPECTATOR]


def answerable(decision: engine.types.Decision | None, keys: list[str]) -> bool:
    if decision is None or not decision.min <= len(keys) <= decision.max:
        return False
    counts = {option.key: option.count for option in decision.options}
    return all(keys.count(key) <= counts.get(key, 0) for key in keys)


def pick(data: st.DataObject, decision: engine.types.Decision) -> list[str]:
    picks = [option.key for option in decision.options for _ in range(option.count)]
    count = data.draw(st.integers(decision.min, min(decision.max, decision.min + 3)))
    return data.draw(st.permutations(picks))[:count]


KINGDOM = (
    "legal-counsel",
    "regulations",
    "unhappy-passengers",
    "politician",
    "protesters",
    "roundhouse",
    "surveyor",
    "dispatcher",
)
"""Every attack, the reaction, and what looks at hidden cards."""

HIDDEN_ANSWERS = ("hand-to-deck", "discard-down")
"""What seat 0 answers here is hidden: the second game may answer something else."""


def attacking_game(seed: bytes, players: int) -> engine.Game:
    """A sealed game in which everybody owns all attacks and two reactions."""
    setup = engine.Setup(
        seed=seed,
        players=players,
        boxes=("base", "rising-sun"),
        kingdom=KINGDOM,
        reactions="sealed",
    )
    game = engine.Game.new(setup)
    for me in game.state.seats:
        for card in (*KINGDOM, "legal-counsel"):
            me.discard[game.setting.index[card]] += 1
    return game


@settings(max_examples=examples(2))
@given(
    data=st.data(),
    seed=st.binary(min_size=32, max_size=32),
    players=st.integers(2, 3),
    before=st.integers(0, 60),
    order=st.lists(st.integers(0, 99), min_size=3, max_size=20),
    attacks=st.booleans(),
)
def test_what_is_hidden_from_an_audience_never_reaches_it(
    *, data: st.DataObject, seed: bytes, players: int, before: int, order: list[int], attacks: bool
) -> None:
    if attacks:
        one = attacking_game(seed, players)
    else:
        one = engine.Game.new(engine.Setup(seed=seed, players=players))
    rng = engine.chance.Stream(seed, "test")
    for _ in range(before):  # some way into the game, at random
        if one.over:
            return
        decision = one.decisions[-1]
        one.answer(decision.id, engine.bots.random.random_answer(rng, decision))
    other = permute_hidden(one, order)
    views = watch(one), watch(other)
    for audience in others(players):
        assert views[0].snapshot(audience) == views[1].snapshot(audience)
    compared = windows = 0
    while compared < 40 and not one.over:
        first, second = one.decisions[0], (other.decisions or (None,))[0]
        if one.state.active != HIDER:  # who is asked in a window is open: it must be the same
            assert asked(one) == asked(other)
            windows += first.seat == HIDER
        # Seat 0's own answers are taken from what both games offer it.
        if second is None or (first.id, first.kind) != (second.id, second.kind):
            break
        keys = pick(data, first)
        others_keys = keys
        if not answerable(second, keys):
            keys = list(first.default)
            others_keys = list(second.default) if first.kind in HIDDEN_ANSWERS else keys
            if not answerable(second, others_keys):
                break
        told = []
        for game, seen, picks in ((one, views[0], keys), (other, views[1], others_keys)):
            facts = game.answer(first.id, picks)
            told.append(seen.step(facts))
        if effects(one) != effects(other):
            return  # a played effect was possible in one hand only, and that is open
        for audience in others(players):
            assert told[0].get(audience) == told[1].get(audience)
        compared += 1
    event(f"compared {compared // 10 * 10} answers or more")
    event(f"seat 0 was asked in {min(windows, 3)} windows{' or more' * (windows >= 3)}")
    for audience in others(players):
        assert views[0].history(audience, 0, 10_000, 10**9) == views[1].history(
            audience, 0, 10_000, 10**9
        )
        assert views[0].snapshot(audience) == views[1].snapshot(audience)


def asked(game: engine.Game) -> list[tuple[str, int, str]]:
    return [(d.id, d.seat, d.kind) for d in game.decisions]


def effects(game: engine.Game) -> list[tuple[object, ...]]:
    """What the last answer openly did."""
    return [
        fact[:3] if fact[0] in engine.events.PRIVATE - {"played"} else fact for fact in game.facts
    ]
