"""The turn of a player: what may be done, and the doing (rules, sections 3 and 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.effects.base import feasible, forecast_now
from engine.effects.money import earn
from engine.effects.rails import gain_rail_points
from engine.movement import (
    clean_up,
    draw,
    gain_waste,
    put_on_deck,
    return_waste,
    take_from_supply,
    waste_to_come,
)
from engine.rails import lay, lay_options, rails_left
from engine.running import (
    BUY_TO_DECK,
    DISCOUNT,
    MONEY_PER_RAIL_CARD,
    NEXT_BUY_DISCOUNT,
    NEXT_BUY_TO_DECK,
    RAIL_CARD_MONEY,
    RAIL_CARD_POINT,
)
from engine.scoring import ended_by
from engine.state import Task
from engine.types import Option

if TYPE_CHECKING:
    from engine.game import Game
    from engine.setting import Card

HAND = 5
CLEAR_WASTE = Option("clear-waste")
END_TURN = Option("end-turn")


def turn_options(game: Game, seat: int) -> list[Option]:
    """Everything the seat may do now: play, buy, lay, clear Waste, end the turn."""
    state, setting = game.state, game.setting
    hand = state.seats[seat].hand
    options: list[Option] = []
    for card in setting.playable:
        if hand[card.index]:
            usable = card.always or can_use(game, seat, card)
            options += card.usable if usable else card.unusable
    options += setting.buy_options(
        state.money, game.masks.piles, waste_to_come(game, seat), _discount(game)
    )
    if state.rail_points and rails_left(game, seat):
        options += lay_options(game, seat)
    if state.bonuses:
        options += ability_options(game, seat)
    if not state.acted and hand[setting.waste]:
        options.append(CLEAR_WASTE)
    options.append(END_TURN)
    return options


def can_use(game: Game, seat: int, card: Card) -> bool:
    """Whether the effect of a card in the seat's hand can be carried out in full if it is played
    now: a fold over its effects, each asked for what those before it leave (rules, section 3)."""
    forecast = forecast_now(game, seat)
    forecast.hand[card.index] -= 1
    forecast.play[card.index] += 1
    forecast.size -= 1
    forecast.money += card.value
    return feasible(game, seat, forecast, card.operations)


def begin_turn(game: Game, seat: int) -> None:
    """Seat's turn: everything that belonged to the last one is gone."""
    state = game.state
    state.phase = "turn"
    state.turn += 1
    state.active = seat
    state.money = state.rail_points = 0
    state.running = [0] * len(state.running)
    state.acted = False
    game.facts.append(("turn", seat, state.turn))
    state.stack.append(Task("turn", seat))


def act(game: Game, task: Task, key: str) -> None:
    """Carry out one thing of a turn, and leave the rest of the turn to be done."""
    verb, index = game.setting.actions[key]
    if verb == "end-turn":
        end_turn(game, task.seat)
        return
    if verb == "clear-waste":
        me = game.state.seats[task.seat]
        return_waste(game, task.seat, me.hand, "hand", me.hand[game.setting.waste])
        end_turn(game, task.seat)
        return
    game.state.acted = True
    game.state.stack.append(task)
    if verb == "lay":
        lay(game, task.seat, index)
    elif verb == "buy":
        buy(game, task.seat, game.setting.cards[index])
    elif verb == "bonus":
        use_ability(game, task.seat, index)
    else:
        play(game, task.seat, game.setting.cards[index], use=verb == "play")


def play(game: Game, seat: int, card: Card, *, use: bool) -> None:
    """From hand to the play area, for its value and, if it is used and can be, its effect."""
    state = game.state
    me = state.seats[seat]
    if not card.operations:
        effect = ""
    elif not use:
        effect = "refused"
    else:
        effect = "used" if card.always or can_use(game, seat, card) else "impossible"
    me.hand[card.index] -= 1
    me.play[card.index] += 1
    state.money += card.value
    # Why an effect was not used can tell what else is in the hand: only its owner knows that.
    seen = effect if effect in ("", "used") else "unused"
    game.facts.append(("played", seat, card.index, card.value, seen, effect))
    if card.type == "rail" and state.running[RAIL_CARD_MONEY]:
        earn(game, seat, MONEY_PER_RAIL_CARD * state.running[RAIL_CARD_MONEY])
    if effect == "used":
        if card.type == "rail" and state.running[RAIL_CARD_POINT]:
            gain_rail_points(game, seat, state.running[RAIL_CARD_POINT])
        state.stack += card.tasks[seat]


def buy(game: Game, seat: int, card: Card) -> None:
    """Pay and gain; a victory card brings a Waste along (rules, section 3)."""
    running, me = game.state.running, game.state.seats[seat]
    price = max(0, card.cost - _discount(game))
    game.state.money -= price
    take_from_supply(game, card.index)
    me.gained[card.index] += 1
    game.facts.append(("bought", seat, card.index, price, "gained"))
    if card.type == "victory":
        gain_waste(game, seat)
    to_deck = running[NEXT_BUY_TO_DECK]
    running[NEXT_BUY_TO_DECK] = running[NEXT_BUY_DISCOUNT] = 0
    if to_deck:
        put_on_deck(game, seat, card.index, me.gained, "gained")
    elif running[BUY_TO_DECK]:
        game.state.stack.append(Task("place-purchase", seat, -1, card.index))


def ability_options(game: Game, seat: int) -> list[Option]:
    """The route bonuses of the seat whose ability is left, and can be carried out in full, now
    (rules, section 8)."""
    options = []
    for held in game.state.bonuses:
        if held.holder == seat and not held.used:
            bonus = game.setting.bonuses[held.bonus]
            if feasible(game, seat, forecast_now(game, seat), bonus.operations):
                options.append(bonus.option)
    return options


def use_ability(game: Game, seat: int, index: int) -> None:
    """The bonus leaves the game; its VP stay."""
    bonus = game.setting.bonuses[index]
    for held in game.state.bonuses:
        if held.bonus == index:
            held.used = True
    game.facts.append(("bonus-used", seat, bonus.id))
    game.state.stack += bonus.tasks[seat]


def _discount(game: Game) -> int:
    """What is taken off the cost of the next purchase."""
    return DISCOUNT * game.state.running[NEXT_BUY_DISCOUNT]


def end_turn(game: Game, seat: int) -> None:
    """Clean up, draw the next hand, and see whether the game is over."""
    state = game.state
    clean_up(game, seat)
    draw(game, seat, HAND)
    state.ended_by = ended_by(game)
    if state.ended_by:
        state.phase = "over"
        state.money = state.rail_points = 0
        state.running = [0] * len(state.running)
        game.facts.append(("over", state.ended_by))
    else:
        begin_turn(game, (seat + 1) % len(state.seats))
