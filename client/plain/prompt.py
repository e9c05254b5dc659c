"""How a question looks: its options, numbered and grouped, and the line that asks.

The options of a turn are first put into the order in which their groups are shown
(:func:`arranged`), so that the numbers, which are their places, run on as they are read.  Playing
without effect comes last and is shown in one line.
"""

from __future__ import annotations

import msgspec

from client.model import TableModel
from client.plain import counting
from client.plain.answers import PLAIN, Question, harmless_default
from client.plain.board import rails_text
from client.plain.lines import WIDTH, Line, clip, columns_of, grid, plain, safe, wrap
from client.plain.table import cards_text, points, status
from engine.types import Decision, Option

OTHER = "Other"
WASTE_NOTE = "    (w: a Waste comes with it)"
_GROUP_OF = {"play": "Play", "lay": "Lay", "buy": "Buy", PLAIN: PLAIN}
_GROUPS = ("Play", "Lay", "Buy", OTHER, PLAIN)

MANY_HEXES = 24
"""From this number on hexes are listed by name only, the named places first."""


def ask(model: TableModel, decision: Decision, *, hints: bool = True) -> list[Line]:
    """Everything to be read before answering; ``hints`` says how to answer."""
    lines: list[Line] = []
    if is_turn(decision):
        lines += status(model)
        if model.view is not None and model.view.own:
            held = cards_text(model, model.view.own.hand) or "no cards"
            lines += wrap(f"In hand: {held}.", indent="  ")
    else:
        lines += asking(model, decision)
    lines += option_lines(model, decision)
    if hints:
        if is_turn(decision):
            lines += plain_line(model, decision)
        lines += wrap(hint(decision), indent="  ")
    return lines


def arranged(decision: Decision) -> Decision:
    """The same decision, its options in the order in which they are shown."""
    if not is_turn(decision):
        return decision
    ordered = sorted(decision.options, key=lambda option: _GROUPS.index(_group(option)))
    return msgspec.structs.replace(decision, options=tuple(ordered))


def _group(option: Option) -> str:
    return _GROUP_OF.get(option.key.partition(":")[0], OTHER)


def is_turn(decision: Decision) -> bool:
    """Whether this is the free choice of the own turn."""
    return any(option.key == "end-turn" for option in decision.options)


def question_text(model: TableModel, decision: Decision) -> str:
    """The sentence that asks, with the card that wants to know and the cards that it is about."""
    sentence = safe(decision.text, 300) or f"Choose ({safe(decision.kind, 40)})."
    about = [safe(model.card_name(card), 40) for card in decision.cards]
    if not all(name in sentence for name in about):
        sentence = f"{', '.join(about)}: {sentence}"
    cause = safe(model.card_name(decision.cause), 40) if decision.cause else ""
    return f"{cause}: {sentence}" if cause and cause not in sentence else sentence


def asking(model: TableModel, decision: Decision) -> list[Line]:
    """The question after the text of the card that asks it."""
    card = model.cards.get(decision.cause)
    question = question_text(model, decision)
    if card is None or not card.text:
        return [[("class:question", line[0][1])] for line in wrap(question)]
    name = safe(card.name, 40)
    copies = f"{safe(model.card_name(decision.copied_by), 40)} copies " * bool(decision.copied_by)
    said = wrap(f"{copies}{name}: {safe(card.text, 400)}", indent="  ")
    asked = wrap(question.removeprefix(f"{name}: "))
    return said + [[("class:question", line[0][1])] for line in asked]


def option_lines(model: TableModel, decision: Decision) -> list[Line]:
    """The numbered options; those of a turn in groups, others as one list."""
    if len(decision.options) > MANY_HEXES and not is_turn(decision):
        names = [option.key.removeprefix("hex:") for option in decision.options]
        if all(option.key.startswith("hex:") for option in decision.options):
            return _hex_lines(model, names)
    groups: dict[str, list[Line]] = {}
    for number, option in enumerate(decision.options, 1):
        group = _group(option) if is_turn(decision) else ""
        if group != PLAIN:
            groups.setdefault(group, []).append(_item(model, decision, number, option))
    lines: list[Line] = []
    for group in [*_GROUPS, ""]:
        if group in groups:
            lines += grid(groups[group], f"{group:<6}" if group else "  ")
    if any(option.waste and _group(option) in {"Lay", "Buy"} for option in decision.options):
        if columns_of(plain(lines[-1])) + len(WASTE_NOTE) > WIDTH:
            lines.append([])
        lines[-1].append(("class:hint", WASTE_NOTE))
    return lines


def plain_line(model: TableModel, decision: Decision) -> list[Line]:
    """How to play cards without their effects, in one sentence with the numbers."""
    items = [
        f"{number} {safe(model.card_name(option.key.partition(':')[2]), 40)}"
        for number, option in enumerate(decision.options, 1)
        if _group(option) == PLAIN
    ]
    words = f"plain NAME plays a card without its effect: {', '.join(items)}."
    return wrap("  " + words, indent="  ") if items else []


def _hex_lines(model: TableModel, names: list[str]) -> list[Line]:
    """Many hexes: the places with a name in columns, the others in a row."""
    titles = {name: safe(model.hex_title(name), 40) for name in names}
    named: list[Line] = [
        [("class:number", f"{name:<3}"), ("", clip(title, 15))]
        for name, title in titles.items()
        if title
    ]
    others = " ".join(safe(name, 8) for name, title in titles.items() if not title)
    return grid(named) + (wrap(f"Or {others}", indent="   ") if others else [])


def _item(model: TableModel, decision: Decision, number: int, option: Option) -> Line:
    shown = "" if counting.counts(decision) else f"{number:>2} "
    return [("class:number", shown), ("", option_label(model, decision, option))]


def option_label(model: TableModel, decision: Decision, option: Option) -> str:
    """An option in few words: names and prices in a turn and for hexes, sentences elsewhere."""
    verb, _, subject = option.key.partition(":")
    times = f" ×{option.count}" if option.count > 1 else ""
    if verb in {"play", "play-plain"}:
        gain = f" +{option.gain}" if option.gain else ""
        tail = {"refused": " without effect", "impossible": ", value only"}.get(option.effect, "")
        return safe(model.card_name(subject), 40) + gain + tail + times
    if verb == "buy":
        return f"{safe(model.card_name(subject), 40)} {price(option)}"
    if verb in {"lay", "hex"}:
        title = safe(model.hex_title(subject), 40)
        tail = f" {price(option)}" if verb == "lay" else _lies_there(model, subject)
        return f"{safe(subject, 8)}{f' {title}' if title else ''}{tail}{times}"
    if verb == "card":
        return safe(model.card_name(subject), 40) + times
    if option.key == "end-turn":
        return "end - end your turn"
    sentence = safe(option.text, 70).rstrip(".")
    word = safe(option.key, 40)
    if not sentence or sentence.lower() == word:
        return word + times
    return f"{word} - {sentence}{times}" if len(decision.options) <= 8 else sentence + times


def _lies_there(model: TableModel, name: str) -> str:
    """Stations of slots in a city, and whose rails lie there: `` 1/2 aB``."""
    info = model.catalogue.board.hexes.get(name) if model.catalogue else None
    lies = model.view.hexes.get(name) if model.view else None
    city = f" {lies.stations if lies else 0}/{info.slots}" if info and info.slots else ""
    return city + (f" {rails_text(lies.rails, model.seat)}" if lies and lies.rails else "")


def owners(model: TableModel, name: str) -> str:
    """Whose rails lie on a hex, as letters."""
    lies = model.view.hexes.get(name) if model.view else None
    return rails_text(lies.rails, model.seat) if lies else ""


def price(option: Option) -> str:
    """``$2``, and ``w`` where a Waste comes with it."""
    return f"${option.money}" + "w" * min(option.waste, 2)


def hint(decision: Decision) -> str:
    """What may be typed."""
    if is_turn(decision):
        return "A number or words (buy exp). “end” ends your turn. Also: help, cards, trains."
    if decision.kind == "start-rail":
        return "Name a hex or place: C5, or kichi. New here? help rules"
    if counting.counts(decision):
        return counting.hint(decision)
    most = decision.max
    words = "A number or a word"
    if most > 1:
        how_many = f"up to {most}" if decision.min == 0 else f"{decision.min} to {most}"
        if decision.min == most:
            how_many = f"exactly {most}"
        words = f"Numbers or words, {how_many}, separated by blanks"
        if any(option.count > 1 for option in decision.options):
            words += "; what you want twice you name twice"
        if decision.ordered:
            words += "; the first comes on top"
    default = harmless_default(decision)
    if default == ():
        words += "; Enter alone picks none"
    elif default:
        words += f"; Enter alone means {default[0]}"
    elif decision.min == 0:
        words += "; “none” picks none"
    return words + "."


def prompt_text(model: TableModel, decision: Decision | None) -> str:
    """The short text before the cursor."""
    view = model.view
    if decision is None or view is None:
        return "> "
    if is_turn(decision):
        return f"{view.turn.money} money, {points(view.turn.rail_points)} > "
    return "answer > "


def question_of(model: TableModel, decision: Decision) -> Question:
    """The decision with the names that its options go by."""
    return Question(decision, model.titles)
