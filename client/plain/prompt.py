"""How a question looks: its options, numbered and grouped, and the line that asks.

The options of a turn are first put into the order in which their groups are shown
(:func:`arranged`), so that the numbers run on as they are read.  A number can be typed exactly if
it is shown (:func:`numbers_of`): 0 always ends a turn, playing without effect has none, and neither
have the hexes of a long list.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from client.model import TableModel
from client.plain import counting
from client.plain.answers import END, PLAIN, BadAnswerError, Question, harmless_default, parse
from client.plain.labels import item
from client.plain.lines import WIDTH, Line, columns_of, grid, plain, safe, wrap
from client.plain.table import cards_text, points, status
from engine.types import Decision, Option

OTHER = "Other"
WASTE_NOTE = "    (w: a Waste comes with it)"
_GROUP_OF = {"play": "Play", "lay": "Lay", "buy": "Buy", "bonus": "Bonus", PLAIN: PLAIN}
_GROUPS = ("Play", "Lay", "Buy", "Bonus", OTHER, PLAIN)
_LABEL = 7
"""Columns of the names of the groups."""

MANY_HEXES = 24
"""From this number on hexes are listed by name only, the named places first."""


def ask(
    model: TableModel, decision: Decision, *, hints: bool = True, width: int = WIDTH
) -> list[Line]:
    """Everything to be read before answering; ``hints`` says how to answer."""
    lines: list[Line] = []
    if is_turn(decision):
        lines += status(model, width)
        if model.view is not None and model.view.own:
            held = cards_text(model, model.view.own.hand) or "no cards"
            lines += wrap(f"In hand: {held}.", width, "  ")
    else:
        lines += asking(model, decision, width)
    lines += option_lines(model, decision, width)
    if hints:
        if is_turn(decision):
            lines += plain_line(model, decision, width)
        lines += wrap(hint(model, decision), width, "  ")
    return lines


def arranged(decision: Decision) -> Decision:
    """The same decision, its options in the order in which they are shown."""
    if not is_turn(decision):
        return decision
    ordered = sorted(
        decision.options,
        key=lambda option: (_GROUPS.index(_group(option)), option.key == END),
    )
    return msgspec.structs.replace(decision, options=tuple(ordered))


def numbers_of(decision: Decision) -> dict[int, Option]:
    """The options with a number before them, as they are shown."""
    if not is_turn(decision):
        unnumbered = _by_name_only(decision) or counting.counts(decision)
        return {} if unnumbered else dict(enumerate(decision.options, 1))
    shown = tuple(o for o in decision.options if o.key != END and _group(o) != PLAIN)
    ends = [option for option in decision.options if option.key == END]
    return dict(enumerate(shown, 1)) | dict.fromkeys([0], *ends)


def _by_name_only(decision: Decision) -> bool:
    return len(decision.options) > MANY_HEXES and all(
        option.key.startswith("hex:") for option in decision.options
    )


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


def asking(model: TableModel, decision: Decision, width: int = WIDTH) -> list[Line]:
    """The question after the text of the card that asks it."""
    card = model.cards.get(decision.cause)
    question = question_text(model, decision)
    if card is None or not card.text:
        return [[("class:question", line[0][1])] for line in wrap(question, width)]
    name = safe(card.name, 40)
    copies = f"{safe(model.card_name(decision.copied_by), 40)} copies " * bool(decision.copied_by)
    said = wrap(f"{copies}{name}: {safe(card.text, 400)}", width, "  ")
    asked = wrap(question.removeprefix(f"{name}: "), width)
    return said + [[("class:question", line[0][1])] for line in asked]


def option_lines(model: TableModel, decision: Decision, width: int = WIDTH) -> list[Line]:
    """The numbered options; those of a turn in groups, others as one list."""
    if _by_name_only(decision):
        return _hex_lines(model, [o.key.removeprefix("hex:") for o in decision.options], width)
    if counting.counts(decision):
        return [[("", "  "), *item(model, decision, None, decision.options[0])]]
    turn = is_turn(decision)
    groups: dict[str, list[Line]] = {}
    for number, option in numbers_of(decision).items():
        group = _group(option) if turn else ""
        groups.setdefault(group, []).append(item(model, decision, number, option))
    lines: list[Line] = []
    for group in [*_GROUPS, ""]:
        if group in groups:
            label = group.ljust(_LABEL) if group else "  "
            lines += grid(groups[group], label, width)
    if any(option.waste and _group(option) in {"Lay", "Buy"} for option in decision.options):
        if columns_of(plain(lines[-1])) + len(WASTE_NOTE) > width:
            lines.append([])
        lines[-1].append(("class:hint", WASTE_NOTE))
    return lines


def plain_line(model: TableModel, decision: Decision, width: int = WIDTH) -> list[Line]:
    """How to play cards without their effects, in one sentence with what to type."""
    question = question_of(model, decision)
    forms = [safe(question.name(o), 50) for o in decision.options if _group(o) == PLAIN]
    words = f"For its value alone, without its effect: {_or(forms)}."
    return wrap("  " + words, width, "  ") if forms else []


def _or(forms: list[str]) -> str:
    return " or ".join([", ".join(forms[:-1]), forms[-1]] if forms[1:] else forms)


def _hex_lines(model: TableModel, names: list[str], width: int) -> list[Line]:
    """Many hexes: the places with a name in columns, the others by terrain."""
    named: list[Line] = []
    others: dict[str, list[str]] = {}
    for name in names:
        title = safe(model.hex_title(name), 40)
        if title:
            named.append([("class:label", f"{safe(name, 8):<4}"), ("", title)])
        else:
            others.setdefault(model.terrain(name) or "others", []).append(safe(name, 8))
    lines = grid(named, width=width)
    for terrain, some in others.items():
        lines += wrap(f"{safe(terrain, 20)}: {' '.join(some)}", width, "   ")
    return lines


def hint(model: TableModel, decision: Decision) -> str:
    """What may be typed."""
    if is_turn(decision):
        return "A number or words (buy exp). 0 or “end” ends your turn. Also: help, cards, trains."
    if decision.kind == "start-rail":
        first = " or ".join(_examples(model, decision))
        number = "A number, or a" if numbers_of(decision) else "Name a"
        return f"{number} hex or place{f': {first}' if first else ''}. New here? help rules"
    if counting.counts(decision):
        return counting.hint(decision)
    most = decision.max
    words = "A number or a word" if numbers_of(decision) else "Name a hex or place"
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


def _examples(model: TableModel, decision: Decision) -> Iterable[str]:
    """A hex and a named place of the question, as they could be typed."""
    question = question_of(model, decision)
    names = [option.key.removeprefix("hex:") for option in decision.options]
    yield from [name for name in names if not model.hex_title(name)][:1]
    for option in decision.options:
        for word in model.hex_title(option.key.removeprefix("hex:")).split():
            try:
                if parse(question, word) == (option.key,):
                    yield safe(word.lower(), 20)
                    return
            except BadAnswerError:
                continue


def prompt_text(model: TableModel, decision: Decision | None) -> str:
    """The short text before the cursor."""
    view = model.view
    if decision is None or view is None:
        return "> "
    if is_turn(decision):
        return f"{view.turn.money} money, {points(view.turn.rail_points)} > "
    return "answer > "


def question_of(model: TableModel, decision: Decision) -> Question:
    """The decision with the names and numbers that its options go by."""
    return Question(decision, model.titles, numbers_of(decision))
