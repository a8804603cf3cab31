"""Whether a text says the answer that was expected: numbers with their unit converted, names word by word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from minerva_desktop.bench._ask_set import Expected
from minerva_desktop.language.quantities import find_quantities, parse_value
from minerva_desktop.language.quantities.convert import to_unit
from minerva_desktop.records import Answer, AnswerSentence, Quantity

_COMPARING = re.compile(
    r"\b(?:than|more|most|better|best|larg(?:er|est)|high(?:er|est)|great(?:er|est)|dens(?:er|est)|stiff(?:er|est)|yes)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\w.])[-−]?\d+(?:\.\d+)?(?![\w]|\.\d)")
_CASED = 3
"""Names up to this length are symbols ("Si", "SiC", "Po"), whose capitals count."""


def said(sentence: AnswerSentence) -> str:
    """What a sentence says by itself: the titles of what it cites are not its words."""
    text = sentence.text
    for title in {item.title for item in sentence.citations if item.title}:
        text = text.replace(f"“{title}”", "“”")
    return text


def is_exact(answer: Answer, expected: Expected) -> bool:
    """Whether the answer says the expected thing, and says it first.

    Number: the answer's own value or else the first quantity of its kind in the first sentence is it. With ``also``: all of
    the values stand in the answer, and the first is one of them. Names: the first sentence names one (all: the answer names
    each). Comparison: the first sentence that compares names the winner, and before any loser.
    """
    if not answer.found:
        return False
    texts = [said(item) for item in answer.sentences]
    if expected.numeric:
        first = _first_value(answer, texts, expected)
        wanted = [_points(expected, number) for number in _wanted(expected)]
        return any(_same(first, item, expected) for item in wanted) and is_stated(answer, expected)
    if expected.all_of:
        return is_stated(answer, expected)
    if expected.against:
        return _wins(texts, expected)
    return bool(texts) and names_in(texts[0], expected.names)


def is_stated(answer: Answer, expected: Expected) -> bool:
    """Whether the expected thing stands anywhere in the answer."""
    if not answer.found:
        return False
    texts = [said(item) for item in answer.sentences]
    if expected.numeric:
        told = [value for text in texts for value in values_in(text, expected)]
        if answer.value is not None:
            told += values_in(f"{answer.value!r} {answer.unit}", expected)
        return all(
            any(_same(value, _points(expected, number), expected) for value in told) for number in _wanted(expected)
        )
    if expected.all_of:
        return all(any(names_in(text, (name,)) for text in texts) for name in expected.all_of)
    return any(names_in(text, expected.names) for text in texts)


def states(text: str, expected: Expected) -> bool:
    """Whether one sentence says a part of the expected answer: one of its values or names."""
    if expected.numeric:
        told = values_in(text, expected)
        return any(_same(value, _points(expected, number), expected) for value in told for number in _wanted(expected))
    return names_in(text, (*expected.names, *expected.all_of))


def names_in(text: str, names: Iterable[str]) -> bool:
    return any(_place_of(text, name) >= 0 for name in names)


def values_in(text: str, expected: Expected) -> list[tuple[float, ...]]:
    """The quantities of a text that have the expected dimension, in the expected unit: (value,) or (low, high)."""
    wanted = _quantity(expected)
    if wanted is None:
        return [(float(item.group().replace("−", "-")),) for item in _NUMBER.finditer(text)]
    found = []
    for item in find_quantities(text):
        quantity = item.quantity
        if not quantity.ok or quantity.dimension != wanted.dimension:
            continue
        for numbers in _si(quantity):
            found.append(tuple(to_unit(number, quantity.dimension, wanted.unit) for number in numbers))
    return found


def _si(quantity: Quantity) -> list[tuple[float, ...]]:
    if quantity.si_low is not None and quantity.si_high is not None:
        return [(quantity.si_low, quantity.si_high)]
    if quantity.si_values:
        return [(value,) for value in quantity.si_values]
    single = quantity.si_value if quantity.si_value is not None else quantity.si_low or quantity.si_high
    return [] if single is None else [(single,)]


def _quantity(expected: Expected) -> Quantity | None:
    """The expected unit as the parser reads it; None for a number without one.

    Raises:
        ValueError: there is no such unit.
    """
    if not expected.unit:
        return None
    found = parse_value(f"1 {expected.unit}")
    if not found.ok or not found.dimension:
        raise ValueError(f"“{expected.unit}” is no unit")
    return found


def _wanted(expected: Expected) -> list[float | None]:
    return [expected.value, *expected.also]


def _points(expected: Expected, value: float | None) -> tuple[float, ...]:
    if value is not None:
        return (value,)
    return (expected.low or 0.0, expected.high or 0.0)


def _first_value(answer: Answer, texts: Sequence[str], expected: Expected) -> tuple[float, ...]:
    if answer.value is not None:
        own = values_in(f"{answer.value!r} {answer.unit}", expected)
        if own:
            return own[0]
    return next((value for text in texts[:1] for value in values_in(text, expected)), ())


def _same(told: tuple[float, ...], wanted: tuple[float, ...], expected: Expected) -> bool:
    if len(told) != len(wanted):
        return False
    return all(abs(a - b) <= expected.tolerance * abs(b) + 1e-12 * abs(b) for a, b in zip(told, wanted, strict=True))


def _wins(texts: Sequence[str], expected: Expected) -> bool:
    for text in texts:
        winner = _first_place(text, expected.names)
        loser = _first_place(text, expected.against)
        if winner < 0 and loser < 0:
            continue
        if not _COMPARING.search(text):
            continue
        return winner >= 0 and (loser < 0 or winner < loser)
    return False


def _first_place(text: str, names: Iterable[str]) -> int:
    places = [place for name in names if (place := _place_of(text, name)) >= 0]
    return min(places, default=-1)


def _place_of(text: str, name: str) -> int:
    long = len(name) > _CASED
    plural = "s?" if long and name[-1:].isalpha() else ""  # "fuel cells" names the fuel cell
    found = re.search(rf"(?<!\w){re.escape(name)}{plural}(?!\w)", text, re.IGNORECASE if long else 0)
    return found.start() if found else -1
