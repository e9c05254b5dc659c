"""Setting up a game with Rising Sun, alone or mixed with the base box (rules, section 2)."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

import engine
from engine.scenario import Scenario, SeatGiven, position
from engine.scoring import results
from engine.types import Observation
from tests.engine.games import EIGHT, cards_of, catalogue_of, play_on

RISING_SUN = ("rising-sun",)
BOTH = ("base", "rising-sun")
SET = (
    "biofuel-train",
    "outdated-train",
    "distant-partners",
    "engineer",
    "junk-yard",
    "limited-partnership",
    "strategy-meeting",
    "upgrade",
)
"""Rising Sun first game (rules, section 13)."""
BASE_TRIO = ("apartment", "tower", "skyscraper")
RISING_SUN_TRIO = ("office-building", "distribution-center", "stadium")
TIERS = list(zip(BASE_TRIO, RISING_SUN_TRIO, strict=True))
FIRST = ("normal-train",) * 7 + ("lay-rails",) * 2 + ("station-expansion",)
BOARDS = {
    # board: (boxes, players, rails of each player, stations)
    "tokyo": (BOTH, (2, 3, 4), 20, 30),
    "osaka": (BOTH, (2, 3, 4), 20, 30),
    "nagoya": (RISING_SUN, (3, 4), 20, 30),
    "chiba": (RISING_SUN, (2,), 16, 16),
    "kyushu": (RISING_SUN, (2,), 16, 19),
}
BONUSES = {
    "tokyo": ("northern-gate", "yokohama-line", "inner-loop", "northern-arc", "bay-shore"),
    "osaka": ("yodo-bank", "takarazuka-line", "kyoto-line", "yamato-arc", "three-capitals"),
    "nagoya": ("chuo-line", "pilgrims-line", "mikawa-coast", "tokaido-line", "two-bays"),
    "chiba": ("cross-boso", "narita-line", "uchibo-line", "sotobo-line", "bay-arc"),
    "kyushu": ("nagasaki-line", "ariake-bay", "far-south", "kagoshima-line", "nippo-line"),
}
SEEDS = range(1, 129)
TABLES = [(board, players) for board, facts in BOARDS.items() for players in facts[1]]


def game_on(board: str, players: int, number: int = 1, **options: Any) -> engine.Game:
    """A game on a board, with as few boxes as it needs unless they are named."""
    return engine.Game.new(
        engine.Setup(
            seed=number.to_bytes(32, "big"),
            players=players,
            board=board,
            **{"boxes": BOARDS[board][0], **options},
        )
    )


def view_of(game: engine.Game) -> Observation:
    return game.observe(engine.SPECTATOR)


def hexes_offered(game: engine.Game) -> list[str]:
    (decision,) = game.decisions
    assert decision.kind == "start-rail"
    return [option.key.removeprefix("hex:") for option in decision.options]


# ------------------------------------------------------------------------ boards and their players


@pytest.mark.parametrize(("board", "players"), TABLES)
def test_a_board_takes_its_numbers_of_players(board: str, players: int) -> None:
    view = view_of(game_on(board, players))
    assert len(view.seats) == players
    assert view.stations_left == BOARDS[board][3]
    assert {seat.rails_left for seat in view.seats.values()} == {BOARDS[board][2]}
    assert (view.phase, view.asked) == ("start", [0])


@pytest.mark.parametrize(
    ("board", "players"),
    [(b, n) for b, facts in BOARDS.items() for n in range(6) if n not in facts[1]],
)
def test_and_no_others(board: str, players: int) -> None:
    with pytest.raises(engine.SetupError) as caught:
        game_on(board, players)
    text, allowed = str(caught.value), BOARDS[board][1]
    assert board.capitalize() in text
    assert str(players) in text
    for number in (min(allowed), max(allowed)):
        assert str(number) in text


@pytest.mark.parametrize("board", ["nagoya", "chiba", "kyushu"])
def test_a_board_needs_its_box(board: str) -> None:
    with pytest.raises(engine.SetupError, match=board):
        game_on(board, BOARDS[board][1][0], boxes=("base",))


@pytest.mark.parametrize("board", ["tokyo", "osaka"])
def test_the_base_boards_are_not_in_rising_sun(board: str) -> None:
    with pytest.raises(engine.SetupError, match=board):
        game_on(board, 2, boxes=RISING_SUN)


@pytest.mark.parametrize(("board", "players"), TABLES)
def test_the_piles(board: str, players: int) -> None:
    """16 in all; on the boards for two each is cut to seven, but for the Waste."""
    game = game_on(board, players, kingdom=SET, victory=("rising-sun",))
    supply = view_of(game).supply
    full = {
        "express-train": 20,
        "limited-express-train": 10,
        "lay-rails": 20 - 2 * players,
        "station-expansion": 20 - players,
        **dict.fromkeys((*RISING_SUN_TRIO, *SET), 10),
    }
    if board in ("chiba", "kyushu"):
        full = dict.fromkeys(full, 7)
    assert supply == {**full, "waste": 70}
    assert len(supply) == 16


@pytest.mark.parametrize(("board", "players"), TABLES)
def test_the_first_decks(board: str, players: int) -> None:
    game = game_on(board, players)
    for seat in range(players):
        own = game.observe(seat).own
        assert Counter(own.hand) + Counter(own.deck) == Counter(FIRST)  # type: ignore[union-attr]
        public = view_of(game).seats[str(seat)]
        assert (public.hand, public.deck, public.discard, public.score) == (5, 5, 0, 0)


@pytest.mark.parametrize(("board", "players"), TABLES)
def test_no_card_is_lost_or_made_by_the_cut(board: str, players: int) -> None:
    copies = {card.id: card.copies for card in catalogue_of(game_on(board, players)).cards}
    assert cards_of(game_on(board, players)) == copies


# ------------------------------------------------------------------------------------- start rails


@pytest.mark.parametrize("board", ["nagoya", "chiba", "kyushu"])
def test_starts_anywhere_on_land_that_is_not_remote(board: str) -> None:
    game = game_on(board, BOARDS[board][1][0])
    taken: list[str] = []
    allowed = [
        name
        for name, info in catalogue_of(game).board.hexes.items()
        if info.terrain not in ("sea", "remote")
    ]
    for _ in range(BOARDS[board][1][0]):
        assert hexes_offered(game) == [name for name in allowed if name not in taken]
        taken.append(hexes_offered(game)[-1])
        game.answer(game.decisions[0].id, [f"hex:{taken[-1]}"])
    view = view_of(game)
    assert {name: there.rails for name, there in view.hexes.items()} == {
        name: [seat] for seat, name in enumerate(taken)
    }
    assert {seat.rails_left for seat in view.seats.values()} == {BOARDS[board][2] - 1}
    assert view.supply["waste"] == 70
    assert view.phase == "turn"


def test_marked_starts_of_chiba() -> None:
    """Tateyama, Kamogawa and Katsuura, each for one player."""
    game = game_on("chiba", 2, starts="marked")
    board = catalogue_of(game).board
    assert {board.hexes[name].title for name in board.starts} == {
        "Tateyama",
        "Kamogawa",
        "Katsuura",
    }
    assert {*hexes_offered(game)} == {"H1", "H3", "G5"} == {*board.starts}
    game.answer(game.decisions[0].id, ["hex:H3"])
    assert {*hexes_offered(game)} == {"H1", "G5"}
    with pytest.raises(engine.AnswerError):
        game.answer(game.decisions[0].id, ["hex:H3"])
    with pytest.raises(engine.AnswerError):
        game.answer(game.decisions[0].id, ["hex:D2"])
    game.answer(game.decisions[0].id, ["hex:G5"])
    assert {name: there.rails for name, there in view_of(game).hexes.items()} == {
        "H3": [0],
        "G5": [1],
    }


@pytest.mark.parametrize("board", ["tokyo", "osaka", "nagoya", "kyushu"])
def test_other_boards_have_no_marked_starts(board: str) -> None:
    with pytest.raises(engine.SetupError, match=board.capitalize()):
        game_on(board, BOARDS[board][1][0], starts="marked")


def test_unknown_starts_are_refused() -> None:
    with pytest.raises(engine.SetupError, match="north.*any.*marked"):
        game_on("chiba", 2, starts="north")


# ---------------------------------------------------------------------------------- victory piles


def trio_of(game: engine.Game) -> list[str]:
    supply = view_of(game).supply
    return [card for card in supply if card in BASE_TRIO + RISING_SUN_TRIO]


def test_a_box_alone_has_its_own_trio() -> None:
    for number in SEEDS[:10]:
        assert {*trio_of(game_on("tokyo", 2, number, boxes=("base",)))} == {*BASE_TRIO}
        assert {*trio_of(game_on("chiba", 2, number))} == {*RISING_SUN_TRIO}


def test_mixed_boxes_draw_each_tier_on_its_own() -> None:
    """Over many seeds every one of the eight mixtures is seen."""
    seen = set()
    for number in SEEDS:
        trio = trio_of(game_on("tokyo", 2, number))
        assert len(trio) == 3
        choice = tuple(tier[1] in trio for tier in TIERS)
        for pile, (base, rising_sun) in zip(choice, TIERS, strict=True):
            assert (base in trio, rising_sun in trio) == (not pile, pile)
        seen.add(choice)
    assert len(seen) == 8


@pytest.mark.parametrize(("box", "trio"), [("base", BASE_TRIO), ("rising-sun", RISING_SUN_TRIO)])
def test_the_host_may_fix_either_trio(box: str, trio: tuple[str, ...]) -> None:
    for number in SEEDS[:20]:
        assert {*trio_of(game_on("chiba", 2, number, boxes=BOTH, victory=(box,)))} == {*trio}


@pytest.mark.parametrize(
    ("boxes", "victory"),
    [
        (RISING_SUN, ("base",)),
        (("base",), ("rising-sun",)),
        (BOTH, ("common",)),
        (BOTH, ("moon",)),
        (RISING_SUN, BASE_TRIO),
        (BOTH, ("apartment", "office-building", "stadium")),
        (BOTH, ("tower", "apartment", "skyscraper")),
        (BOTH, ("apartment", "tower")),
        (BOTH, ("base", "rising-sun")),
        (BOTH, ("lay-rails", "tower", "stadium")),
    ],
)
def test_victory_piles_that_cannot_be(boxes: tuple[str, ...], victory: tuple[str, ...]) -> None:
    board = "tokyo" if "base" in boxes else "chiba"
    with pytest.raises(engine.SetupError) as caught:
        game_on(board, 2, boxes=boxes, victory=victory)
    assert "victory" in str(caught.value)
    for name in victory:
        assert name in str(caught.value)
    for box in boxes:
        assert box in str(caught.value)


# --------------------------------------------------------------------------------- mixing the boxes


@pytest.mark.parametrize("boxes", [("base",), RISING_SUN, BOTH])
def test_eight_piles_out_of_all_that_the_boxes_have(boxes: tuple[str, ...]) -> None:
    board = "tokyo" if "base" in boxes else "chiba"
    drawn: Counter[str] = Counter()
    origin: dict[str, str] = {}
    for number in SEEDS:
        game = game_on(board, 2, number, boxes=boxes)
        kingdom = game.setup.kingdom
        assert len({*kingdom}) == 8
        assert {*kingdom} <= {*view_of(game).supply}
        drawn.update(kingdom)
        origin.update((card.id, card.box) for card in catalogue_of(game).cards)
    expected = {"base": 30, "rising-sun": 29}
    for box, piles in expected.items():
        seen = {card for card in drawn if origin[card] == box}
        assert len(seen) == (piles if box in boxes else 0)


def test_the_order_in_which_boxes_are_named_does_not_matter() -> None:
    one, other = (game_on("kyushu", 2, 9, boxes=boxes) for boxes in (BOTH, BOTH[::-1]))
    assert one.setup.kingdom == other.setup.kingdom
    assert view_of(one) == view_of(other)


def test_piles_of_both_boxes_can_be_named() -> None:
    mixed = (*EIGHT[:4], *SET[:4])
    assert {*mixed} <= {*view_of(game_on("osaka", 2, kingdom=mixed)).supply}


@pytest.mark.parametrize(
    ("boxes", "board", "kingdom", "wrong"),
    [
        (("base",), "tokyo", (*EIGHT[:7], "engineer"), "engineer"),
        (RISING_SUN, "chiba", (*SET[:7], "landfill"), "landfill"),
        (RISING_SUN, "chiba", (*SET[:7], "stadium"), "stadium"),
    ],
)
def test_a_pile_of_a_box_that_is_not_there_is_refused(
    boxes: tuple[str, ...], board: str, kingdom: tuple[str, ...], wrong: str
) -> None:
    with pytest.raises(engine.SetupError, match=wrong):
        game_on(board, 2, boxes=boxes, kingdom=kingdom)


# ---------------------------------------------------------------------------------- route bonuses


@pytest.mark.parametrize(("board", "players"), TABLES)
def test_as_many_bonuses_as_players(board: str, players: int) -> None:
    all_five = {f"{board}-{name}" for name in BONUSES[board]}
    seen: set[str] = set()
    sets = set()
    for number in SEEDS[:40]:
        revealed = view_of(game_on(board, players, number, bonuses=True)).bonuses
        assert len(revealed) == players
        assert {*revealed} <= all_five
        assert all((bonus.holder, bonus.used) == (-1, False) for bonus in revealed.values())
        seen |= {*revealed}
        sets.add(frozenset(revealed))
    assert seen == all_five
    assert len(sets) > 3


@pytest.mark.parametrize(("board", "players"), TABLES)
def test_none_unless_the_host_wants_them(board: str, players: int) -> None:
    assert view_of(game_on(board, players)).bonuses == {}


@pytest.mark.parametrize("board", BOARDS)
def test_every_board_has_five_bonuses_of_real_cities(board: str) -> None:
    catalogue = catalogue_of(game_on(board, BOARDS[board][1][0], bonuses=True))
    assert {bonus.id for bonus in catalogue.bonuses} == {f"{board}-{n}" for n in BONUSES[board]}
    for bonus in catalogue.bonuses:
        assert len({*bonus.cities}) == len(bonus.cities) >= 2
        assert {catalogue.board.hexes[name].terrain for name in bonus.cities} == {"city"}
        assert 1 <= bonus.vp <= 5
        assert bonus.text
        assert bonus.house


@pytest.mark.parametrize("board", ["tokyo", "osaka"])
def test_bonuses_need_the_box_that_has_them(board: str) -> None:
    with pytest.raises(engine.SetupError, match="bonuses"):
        game_on(board, 2, boxes=("base",), bonuses=True)


def test_the_start_token_counts_for_a_bonus() -> None:
    """Played from the setup on: seat 0 starts in Kisarazu and lays rails to Mobara."""
    number = next(
        n
        for n in SEEDS
        if "chiba-cross-boso" in view_of(game_on("chiba", 2, n, bonuses=True)).bonuses
    )
    game = game_on("chiba", 2, number, bonuses=True)
    game.answer(game.decisions[0].id, ["hex:F1"])
    game.answer(game.decisions[0].id, ["hex:H3"])
    wanted = ["lay:E2", "lay:E3", "lay:E4"]
    for _ in range(200):
        (decision,) = game.decisions
        offered = [option.key for option in decision.options]
        plays = [key for key in offered if key in ("play:normal-train", "play:lay-rails")]
        if decision.seat == 0 and wanted and wanted[0] in offered:
            assert view_of(game).seats["0"].score == 0
            game.answer(decision.id, [wanted.pop(0)])
        elif not wanted:
            break
        else:
            game.answer(decision.id, [plays[0] if plays and decision.seat == 0 else "end-turn"])
    view = view_of(game)
    assert wanted == []
    assert (view.seats["0"].score, view.seats["1"].score) == (1, 0)
    assert view.bonuses["chiba-cross-boso"].holder == 0
    assert view.seats["0"].rails_left == 16 - 4


# ---------------------------------------------------------------------------- fixed by its seed


@pytest.mark.parametrize("board", BOARDS)
def test_a_seed_gives_one_game(board: str) -> None:
    players = BOARDS[board][1][0]
    one, same, other = (
        game_on(board, players, n, boxes=BOTH, bonuses=True, reactions="sealed") for n in (5, 5, 6)
    )
    assert one.setup == same.setup
    for audience in (engine.SPECTATOR, *range(players)):
        assert one.observe(audience) == same.observe(audience)
    assert one.setup != other.setup
    assert view_of(one).supply != view_of(other).supply


def test_a_setup_survives_json_with_all_its_choices() -> None:
    setup = engine.Setup(
        seed=bytes(range(32)),
        boxes=BOTH,
        board="chiba",
        victory=("apartment", "distribution-center", "skyscraper"),
        bonuses=True,
        starts="marked",
        reactions="sealed",
    )
    again = engine.Setup.from_plain(json.loads(json.dumps(setup.to_plain())))
    assert again == setup
    assert engine.Game.new(again).observe(0) == engine.Game.new(setup).observe(0)


def test_a_complete_setup_leads_to_the_same_game() -> None:
    for number in SEEDS[:8]:
        game = game_on("nagoya", 3, number, boxes=BOTH, bonuses=True)
        again = engine.Game.new(game.setup)
        assert again.setup == game.setup
        assert view_of(again) == view_of(game)


@pytest.mark.parametrize("board", BOARDS)
def test_a_game_can_be_played_to_its_end(board: str) -> None:
    """At random; nothing is lost on the way, and the bonuses' VP are on the track."""
    players = BOARDS[board][1][-1]
    game = game_on(board, players, 3, boxes=BOTH, bonuses=True)
    before = cards_of(game)
    for _ in play_on(game, 3):
        pass
    assert game.over
    assert cards_of(game) == before
    assert view_of(game).ended_by in ("piles", "rails", "stations")


# ------------------------------------------------------------------ what the new boards are worth

REMOTES = {
    "nagoya": {
        "Takayama": ("A7", 4),
        "Nakatsugawa": ("A10", 4),
        "Maibara": ("B1", 3),
        "Iga": ("G1", 3),
        "Central Japan Airport": ("G4", 2),
        "Hamamatsu": ("G10", 3),
        "Ise": ("H3", 3),
        "Irago": ("H7", 2),
    },
    "chiba": {"Kashima": ("A6", 4), "Tokyo": ("C1", 3), "Choshi": ("C6", 3), "Otaki": ("F3", 2)},
    "kyushu": {
        "Shimonoseki": ("A5", 3),
        "Amakusa": ("E2", 2),
        "Takachiho": ("E5", 4),
        "Ibusuki": ("H2", 3),
    },
}


def with_rails(board: str, rails: list[str]) -> engine.Game:
    scenario = Scenario("", board, BOARDS[board][1][0], boxes=["rising-sun"])
    scenario.given.seats = [SeatGiven(rails=rails)]
    return position(scenario)


@pytest.mark.parametrize("board", REMOTES)
def test_the_remote_locations_and_their_vp(board: str) -> None:
    hexes = catalogue_of(with_rails(board, [])).board.hexes
    assert {
        info.title: (name, info.value) for name, info in hexes.items() if info.terrain == "remote"
    } == REMOTES[board]
    for name, value in REMOTES[board].values():
        game = with_rails(board, [name])
        assert view_of(game).seats["0"].rails_vp == value
        assert results(game)[0].total == value


@pytest.mark.parametrize("board", REMOTES)
def test_a_rail_in_a_city_counts_by_its_stations(board: str) -> None:
    hexes = catalogue_of(with_rails(board, [])).board.hexes
    for name, info in hexes.items():
        if info.terrain != "city":
            continue
        for stations, vp in enumerate((0, 2, 4, 8)[: info.slots + 1]):
            scenario = Scenario("", board, BOARDS[board][1][0], boxes=["rising-sun"])
            scenario.given.seats = [SeatGiven(rails=[name])]
            scenario.given.stations = {name: stations}
            assert view_of(position(scenario)).seats["0"].rails_vp == vp


@pytest.mark.parametrize("board", REMOTES)
def test_a_rail_on_open_land_counts_nothing(board: str) -> None:
    hexes = catalogue_of(with_rails(board, [])).board.hexes
    for name, info in hexes.items():
        if info.terrain in ("plain", "river", "mountain"):
            assert view_of(with_rails(board, [name])).seats["0"].rails_vp == 0


def test_bonus_vp_are_part_of_the_final_score() -> None:
    scenario = Scenario("", "chiba", 2, boxes=["rising-sun"])
    scenario.given.seats = [SeatGiven(rails=["E2", "E3", "F1"], deck=["stadium"], score=1)]
    scenario.given.stations = {"F1": 1}
    scenario.given.turn.money = scenario.given.turn.rail_points = 1
    scenario.given.bonuses = ["chiba-cross-boso"]
    game = position(scenario)
    game.answer(game.decisions[0].id, ["lay:E4"])
    (first, _) = results(game)
    assert (first.track, first.rails_vp, first.cards_vp, first.total) == (2, 2, 4, 8)
