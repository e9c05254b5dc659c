"""From what somebody typed to the keys of an answer, by the options of the decision alone.

An option can be named by the number that is shown before it, by its key (``buy:express-train``), or
by words of its name that fit no other option: ``buy exp``, ``exp``, ``b exp``, ``C5``, ``shibuya``.
To play a card without its effect has to be said with ``plain``: ``plain lay rails``.
Where several may be picked they stand side by side, separated by blanks or commas, and an option
that may be picked twice is named twice.  Everything here is a pure function of text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from client.plain import counting
from engine.types import Decision, Option
from protocol.matching import begins, begins_inside, words_of

NOTHING = frozenset({"none", "nothing", "-"})
"""Words for the empty answer, wherever ``min`` is 0."""

END = "end-turn"

VERBS = frozenset({"play", "buy", "lay", "bonus"})
"""What can be done in a turn: alone, such a word means that and nothing else."""

PLAIN = "play-plain"
PLAIN_WORD = "plain"
"""Without this word nobody means to play a card without its effect."""

_NUMBER = re.compile(r"[0-9]{1,6}\.?")


class BadAnswerError(ValueError):
    """What was typed is no answer; the text says why and what is allowed."""


class NoSuchOptionError(BadAnswerError):
    """``words`` name none of the options, which ``how`` says how to pick."""

    def __init__(self, words: str, how: str) -> None:
        super().__init__(f"“{words}” is none of the options: {how}.")
        self.words = words


class Question:
    """A decision with the words its options go by.

    ``titles`` maps ids and hexes to names; ``numbers`` are those that are shown, with the options
    they stand before (by default all options from 1 on, as they come).
    """

    def __init__(
        self,
        decision: Decision,
        titles: Mapping[str, str] | None = None,
        numbers: Mapping[int, Option] | None = None,
    ) -> None:
        self.decision = decision
        self.titles = titles or {}
        self.numbers = dict(enumerate(decision.options, 1)) if numbers is None else numbers
        self._phrases = {option.key: self._names(option.key) for option in decision.options}

    def names_of(self, option: Option) -> list[list[str]]:
        """The phrases, as lists of lower-case words, that name an option in full."""
        return self._phrases[option.key]

    def subjects(self, option: Option) -> list[list[str]]:
        """The names of what an option is about, without what is done with it."""
        _, colon, subject = option.key.partition(":")
        names = {subject, self.titles.get(subject, subject)} if colon else set()
        return [words_of(name) for name in names]

    def _names(self, key: str) -> list[list[str]]:
        verb, colon, subject = key.partition(":")
        if not colon:
            return [words_of(key)]
        leads = [[PLAIN_WORD], words_of(verb)] if verb == PLAIN else [words_of(verb), []]
        phrases = [[key.lower()]]
        for name in {subject: None, self.titles.get(subject, subject): None}:
            words = words_of(name)
            for lead in leads:
                phrases.append([*lead, *words])
                if len(words) > 1:
                    phrases.append([*lead, "-".join(words)])
        return phrases

    def completion(self, option: Option, typed: str) -> str:
        """A line that means this option alone, if the typed beginning may become it; else none."""
        verb, colon, subject = option.key.partition(":")
        if not colon:
            whole = "end" if option.key == END else option.key
            return whole if whole.startswith(typed) else ""
        lead = "" if verb in {"card", "hex"} else f"{PLAIN_WORD if verb == PLAIN else verb} "
        whole = lead + subject
        starts = [whole.lower(), *(" ".join(words) for words in self.names_of(option))]
        starts += [whole.lower().removeprefix(lead), self.titles.get(subject, subject).lower()]
        if typed and verb != PLAIN:
            starts += [
                " ".join(name[n:]) for name in self.subjects(option) for n in range(len(name))
            ]
        return whole if any(start.startswith(typed) for start in starts) else ""

    def name(self, option: Option) -> str:
        """An option as a reader knows it, and might type it."""
        verb, colon, subject = option.key.partition(":")
        if not colon:
            return "end" if option.key == END else option.key.replace("-", " ")
        title = self.titles.get(subject, subject)
        lead = PLAIN_WORD if verb == PLAIN else verb
        return title if verb in {"card", "hex"} else f"{lead} {title}"


def find(question: Question, words: Sequence[str]) -> list[Option]:
    """The options that these words may mean; exactly one means that they are clear."""
    if len(words) == 1 and _NUMBER.fullmatch(words[0]):
        option = question.numbers.get(int(words[0].rstrip(".")))
        return [option] if option is not None else []
    joined = " ".join(words)
    options = question.decision.options
    for option in options:  # a key is always clear, whatever else begins with it
        if joined == option.key:
            return [option]
    typed = [word for word in (part.lower() for part in words) if word]
    split = words_of(joined)
    if not split:
        return []
    if len(split) == 1 and split[0] in VERBS and any(option.key == END for option in options):
        # ``lay`` means to lay a rail, not the first word of a card to be played
        return [option for option in options if option.key.startswith(f"{split[0]}:")]
    whole, begun, inside = [], [], []
    for option in options:
        if option.key == END and len(joined) < len("end"):
            continue  # a turn is not ended by the slip of one finger
        if option.key.startswith(f"{PLAIN}:") and PLAIN_WORD not in split:
            continue
        phrases = question.names_of(option)
        if any(phrase in (typed, split) for phrase in phrases):
            whole.append(option)
        if any(begins(typed, phrase) or begins(split, phrase) for phrase in phrases):
            begun.append(option)
        elif _begins_later(question, option, split):
            inside.append(option)
    return whole if len(whole) == 1 else begun or inside


def _begins_later(question: Question, option: Option, split: Sequence[str]) -> bool:
    """Whether these words, perhaps after the verb, begin words of the name that are not its first:
    ``shibuya``, ``lay shibuya``."""
    verb = option.key.partition(":")[0]
    verb = PLAIN_WORD if verb == PLAIN else verb
    names = question.subjects(option)
    if verb != PLAIN_WORD and any(begins_inside(split, name) for name in names):
        return True
    rest = split[1:]
    return bool(rest) and verb.startswith(split[0]) and any(begins_inside(rest, n) for n in names)


def parse(question: Question, line: str) -> tuple[str, ...]:
    """The keys that a line picks; raises :class:`BadAnswerError` with one clear sentence.

    What it returns is legal as far as the decision says: number of picks, counts.
    """
    if counting.counts(question.decision):
        return _how_many(question, line)
    return _picked(question, line)


def _how_many(question: Question, line: str) -> tuple[str, ...]:
    """The keys where there is one thing to pick, as often as the line says."""
    decision = question.decision
    (option,) = decision.options
    number = counting.number(decision, line, lambda it: find(question, it.split()) == [option])
    if number is None:
        try:
            return _picked(question, line)
        except BadAnswerError:
            raise NoSuchOptionError(line.strip(), counting.allowed(decision)) from None
    if not decision.min <= number <= decision.max:
        raise BadAnswerError(f"{number} is not possible: {counting.allowed(decision)}.")
    return (option.key,) * number


def _picked(question: Question, line: str) -> tuple[str, ...]:
    decision = question.decision
    stripped = line.strip()
    if decision.min == 0 and stripped.lower() in NOTHING and not find(question, stripped.split()):
        keys: list[str] = []
    else:
        keys = [
            key for part in stripped.split(",") if part.strip() for key in _picks(question, part)
        ]
        if not keys:
            raise BadAnswerError(f"Nothing picked: {allowed(question)}.")
    _check_numbers(decision, keys, question)
    return tuple(keys)


def _picks(question: Question, part: str) -> list[str]:
    """The keys of one stretch between commas: a phrase, or several side by side."""
    words = part.split()
    if question.decision.max <= 1:
        return [_one(question, words)]
    keys: list[str] = []
    while words:
        for length in range(len(words), 0, -1):
            if len(find(question, words[:length])) == 1:
                keys.append(find(question, words[:length])[0].key)
                words = words[length:]
                break
        else:
            keys.append(_one(question, words[:1]))  # raises: says what is wrong with it
    return keys


def _one(question: Question, words: Sequence[str]) -> str:
    found = find(question, words)
    shown = " ".join(words)
    if len(found) == 1:
        return found[0].key
    if not found:
        raise NoSuchOptionError(shown, allowed(question))
    names = " or ".join(question.name(option) for option in found[:4])
    more = f" (or {len(found) - 4} others)" if len(found) > 4 else ""
    tail = ", or its number" if question.numbers else ""
    raise BadAnswerError(f"“{shown}” could mean {names}{more}: type more of it{tail}.")


def _check_numbers(decision: Decision, keys: Sequence[str], question: Question) -> None:
    if not decision.min <= len(keys) <= decision.max:
        raise BadAnswerError(f"You picked {len(keys)}: {allowed(question)}.")
    for option in decision.options:
        if keys.count(option.key) > option.count:
            name = question.name(option)
            times = "once" if option.count == 1 else f"{option.count} times"
            raise BadAnswerError(f"{name} can be picked {times} at most.")


def shown_numbers(question: Question) -> str:
    """The numbers that may be typed, as ``1 to 5, or 0``; empty if none are shown."""
    numbers = sorted(question.numbers)
    from_one = [number for number in numbers if number]
    last = len(from_one)
    parts = [] if not last else ["1"] if last == 1 else [f"1 to {last}"]
    return ", or ".join(parts + (["0"] if 0 in numbers else []))


def allowed(question: Question) -> str:
    """How many may be picked, and from which numbers, as the tail of a sentence."""
    decision = question.decision
    numbers = shown_numbers(question)
    if decision.max <= 1:
        none = ", or “none”" if decision.min == 0 else ""
        if not numbers:
            return f"type the words of an option{none}"
        return f"type a number from {numbers}, or the words of an option{none}"
    if decision.min == decision.max:
        how_many = f"exactly {decision.max}"
    elif decision.min == 0:
        how_many = f"up to {decision.max}, or “none”"
    else:
        how_many = f"{decision.min} to {decision.max}"
    source = f" from {numbers}" if numbers else ""
    return f"pick {how_many}{source}, separated by blanks"


def harmless_default(decision: Decision) -> tuple[str, ...] | None:
    """What an empty line answers: only what leaves all as it is, never the end of a turn, never a
    sacrifice.

    None means that an empty line answers nothing.
    """
    if decision.default == () and decision.min == 0:
        return ()
    if decision.default in {("no",), ("pass",), ("keep",), ("gained",)}:
        return decision.default
    return None


def shortest(question: Question, option: Option, reserved: frozenset[str]) -> str:
    """The shortest text that means this option and no other, and is no command."""
    candidates = []
    for phrase in question.names_of(option):
        for length in range(1, len(phrase) + 1):
            last = phrase[length - 1]
            candidates += [
                " ".join([*phrase[: length - 1], last[:letters]])
                for letters in range(1, len(last) + 1)
            ]
    for candidate in sorted(candidates, key=lambda text: (len(text), text)):
        first = candidate.split()[0] if candidate.split() else ""
        if first in reserved or candidate in NOTHING or "," in candidate:
            continue
        if _NUMBER.fullmatch(candidate):
            continue
        if find(question, candidate.split()) == [option]:
            return candidate
    return option.key
