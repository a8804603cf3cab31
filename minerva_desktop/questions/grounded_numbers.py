"""Whether the numbers of a sentence stand in its evidence: compared in SI, as precisely as they are written.

A model may round or change the unit; it may not calculate, and it may not be more precise than its evidence.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from minerva_desktop.language.quantities import find_quantities
from minerva_desktop.records import Quantity

MOST_ROUNDING = 0.02
"""The share that rounding may change; "3 eV" for 3.4 eV is no rounding but another value."""
_ABOUT = 0.05
_NUMBER = re.compile(r"\d[\d\s\u2009,]*(?:\.\d+)?|\.\d+")
_LOOSE = re.compile(r"[⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+|\d+(?:[.,]\d+)*")
_UNCOUNTED = frozenset({"count", "dimensionless", ""})


@dataclass(frozen=True, slots=True)
class _Point:
    """A single number: SI value, half the width that its digits leave open, dimension."""

    value: float
    half: float
    dimension: str


def missing_number(
    sentence: str, units: Sequence[str], covered: Iterable[tuple[int, int]] = (), counted: Collection[int] = ()
) -> str:
    """The first number of a sentence that stands in none of the units, as it is written; "" when all do.

    ``covered`` are places of names ("MgB2"), whose digits are no numbers. ``counted``: numbers of what the sentence itself
    names or cites, which it may say in words ("two papers").
    """
    written = find_quantities(sentence)
    known = [item.quantity for unit in units for item in find_quantities(unit)]
    for item in written:
        in_words = item.quantity.kind == "count" and not any(map(str.isdigit, sentence[item.start : item.end]))
        if in_words and item.quantity.value in counted:
            continue
        if not stands(item.quantity, known) and not _verbatim(sentence[item.start : item.end], units):
            return sentence[item.start : item.end].strip()
    spans = [*covered, *((item.start, item.end) for item in written)]
    loose = {match.group() for unit in units for match in _LOOSE.finditer(unit)}
    for match in _LOOSE.finditer(sentence):
        if not any(start <= match.start() < end for start, end in spans) and match.group() not in loose:
            return match.group()
    return ""


def _verbatim(text: str, units: Iterable[str]) -> bool:
    """What the parser does not take for a usable number still stands there when it stands there as written."""
    found = find_quantities(text)
    usable = bool(found) and all(item.quantity.ok for item in found)
    return not usable and any(text.strip() in unit for unit in units)


def stands(quantity: Quantity, known: Sequence[Quantity]) -> bool:
    """Whether a quantity is one of those that are known, at most rounded."""
    if not quantity.ok:
        return False
    if quantity.kind == "bound":
        mine = _points(quantity)
        return any(
            other.kind == "bound" and other.comparator[:1] == quantity.comparator[:1] and _all(mine, _points(other))
            for other in known
        )
    points = [point for other in known if other.ok and other.kind not in {"bound", "range"} for point in _points(other)]
    if quantity.kind == "range":
        return any(_all(_points(quantity), _points(other)) for other in known if other.kind == "range") or _all(
            _points(quantity), points
        )
    if quantity.si_uncertainty and not any(_same_width(quantity.si_uncertainty, item.si_uncertainty) for item in known):
        return False
    mine = _points(quantity)
    return bool(mine) and _all(mine, points)


def _same_width(mine: float, other: float | None) -> bool:
    return other is not None and math.isclose(mine, other, rel_tol=0.05)


def _all(mine: Sequence[_Point], others: Sequence[_Point]) -> bool:
    return bool(mine) and all(any(_same(one, other) for other in others) for one in mine)


def _same(mine: _Point, other: _Point) -> bool:
    alike = mine.dimension == other.dimension or {mine.dimension, other.dimension} <= _UNCOUNTED
    return alike and abs(mine.value - other.value) <= max(mine.half, 1e-9 * abs(mine.value))


def _points(quantity: Quantity) -> list[_Point]:
    """The single numbers of a quantity in SI."""
    pairs: list[tuple[float | None, float | None]]
    if quantity.kind == "range":
        pairs = [(quantity.low, quantity.si_low), (quantity.high, quantity.si_high)]
    elif quantity.si_values:
        pairs = list(zip(quantity.values or quantity.si_values, quantity.si_values, strict=True))
    else:
        pairs = [(quantity.value, quantity.si_value)]
    return [
        _Point(si, _half(quantity, value, si), quantity.dimension)
        for value, si in pairs
        if si is not None and value is not None
    ]


def _half(quantity: Quantity, value: float, si: float) -> float:
    """How far a number may be from its evidence, in SI: half of its last written digit, and no more than a small share."""
    scale = 1.0 if quantity.dimension == "temperature" else abs(si / value) if value else 0.0
    digits = 0.0
    for match in _NUMBER.finditer(quantity.text):
        text = re.sub(r"[\s\u2009,]", "", match.group())
        mantissa = float(text)
        if mantissa and _is_mantissa(mantissa, abs(value)):
            _, _, decimals = text.partition(".")
            last = 10.0 ** -len(decimals)
            if quantity.approximate and not decimals:
                last = 10.0 ** (len(text) - len(text.rstrip("0")))
            digits = 0.5 * last * abs(value) / mantissa * scale
            break
    most = abs(si) * (_ABOUT if quantity.approximate else MOST_ROUNDING)
    return min(digits, most) * (1 + 1e-6)


def _is_mantissa(mantissa: float, value: float) -> bool:
    """Whether a value is written with this mantissa: they differ by a power of ten."""
    power = math.log10(value / mantissa) if value > 0 else 0.0
    return abs(power - round(power)) < 1e-9


def found_in(quantity: Quantity, unit: str) -> bool:
    """Whether a quantity stands in a text, at most rounded."""
    return stands(quantity, [item.quantity for item in find_quantities(unit)])
