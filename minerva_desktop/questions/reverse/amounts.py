"""A value with its unit: how papers may write it, and whether another value is the same amount."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from minerva_desktop.language.quantities import FoundQuantity, find_quantities
from minerva_desktop.language.units import Relative, parse_unit, relatives
from minerva_desktop.language.units.dimensions import same_physical_dimension
from minerva_desktop.library.words import query_terms, stems
from minerva_desktop.records import Quantity, QuoteHow

_CLOSE = 1e-6
_MOST_WORDS = 4
"""More words beside a value make a sentence of it."""
_SMALLEST, _LARGEST = 1e-6, 1e9
_BARE = re.compile(r"[-−+~≈]?\s*\d[\d.,\s]*(?:\s*[×x]\s*10\s*[\^]?\s*[-−⁻]?[\d⁰¹²³⁴⁵⁶⁷⁸⁹]+|[eE][-−+]?\d+)?")
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_GLUED = re.compile(r"[a-z]{1,4}")

Ends = tuple[float, float]
Group = Sequence[Sequence[str]]


def bare_number(text: str) -> str:
    """The number, where the text is nothing else; "" otherwise."""
    plain = text.strip(" \t\r\n\"'“”‘’.,;:")
    return plain if _BARE.fullmatch(plain) else ""


def value_in(text: str) -> tuple[FoundQuantity, list[str]] | None:
    """The one quantity with a unit that a short text is about, and the terms beside it; None where it is a sentence."""
    found = [item for item in find_quantities(text) if item.quantity.dimension and item.unit_text]
    if len(found) != 1:
        return None
    rest = f"{text[: found[0].start]} {text[found[0].end :]}"
    if len(re.findall(r"[^\W\d_]{2,}", rest)) > _MOST_WORDS:
        return None
    return found[0], query_terms(rest)


def ends_of(quantity: Quantity) -> list[Ends]:
    """What a quantity spans, in SI: a value one point, with an uncertainty or as a range its ends, a list several."""
    if quantity.kind == "list":
        return [(value, value) for value in quantity.si_values]
    if quantity.kind == "range" and quantity.si_low is not None and quantity.si_high is not None:
        return [(quantity.si_low, quantity.si_high)]
    value = quantity.si_value
    if value is None:
        return []
    spread = quantity.si_uncertainty or 0.0
    return [(value - spread, value + spread)]


def agreement(asked: Quantity, other: Quantity) -> QuoteHow | None:
    """How another quantity is the amount that was asked for: as ``value``, ``rounded`` or ``within``; None when it is not."""
    if not other.ok or not same_physical_dimension(asked.dimension, other.dimension):
        return None
    wanted, there = _centres(asked), _centres(other)
    if not wanted or not there:
        return None
    if asked.kind == other.kind == "range":
        if all(_equal(*pair) for pair in zip(wanted[0], there[0], strict=True)):
            return "value"
    elif any(_equal(*one, *other_one) for one in wanted for other_one in there if _point(one) and _point(other_one)):
        return "value"
    if _rounds_to(asked, other):
        return "rounded"
    if any(_inside(one, two) or _inside(two, one) for one in ends_of(asked) for two in ends_of(other)):
        return "within"
    return None


def _centres(quantity: Quantity) -> list[Ends]:
    if quantity.kind in {"list", "range"}:
        return ends_of(quantity)
    return [] if quantity.si_value is None else [(quantity.si_value, quantity.si_value)]


def _point(ends: Ends) -> bool:
    return ends[0] == ends[1]


def _equal(*values: float) -> bool:
    return all(math.isclose(values[0], value, rel_tol=_CLOSE, abs_tol=0.0) for value in values[1:])


def _inside(inner: Ends, outer: Ends) -> bool:
    slack = _CLOSE * max(map(abs, outer))
    return not _point(outer) and outer[0] - slack <= inner[0] and inner[1] <= outer[1] + slack


def _rounds_to(asked: Quantity, other: Quantity) -> bool:
    """Whether one is the other converted and rounded, where the units differ by more than a power of ten."""
    one, two = parse_unit(asked.unit), parse_unit(other.unit)
    if one is None or two is None or asked.si_value is None or other.si_value is None:
        return False
    if one.offset == two.offset and _power_of_ten(one.factor / two.factor):
        return False
    for exact, unit, rounded in ((asked, two, other), (other, one, asked)):
        if exact.si_value is None or rounded.value is None:
            continue
        places = _decimals(rounded.text)
        if round((exact.si_value - unit.offset) / unit.factor, places) == round(rounded.value, places):
            return True
    return False


def _power_of_ten(ratio: float) -> bool:
    power = math.log10(abs(ratio)) if ratio else 0.5
    return abs(power - round(power)) < 1e-9


def _decimals(text: str) -> int:
    match = _DIGITS.search(text)
    return len(match.group().partition(".")[2]) if match and "," not in match.group() else 0


# ------------------------------------------------------------------------------------------------------ writings
def writings(quantity: Quantity, text: str) -> tuple[list[Group], set[str]]:
    """How papers may write the quantity: groups of terms of the word index (one of each list must stand in a passage),
    and the digits, without point and zeros at the ends, one of which stands in every such sentence.

    Args:
        text: the quantity as it was pasted.
    """
    numbers = [value for ends in _centres(quantity) for value in dict.fromkeys(ends)]
    digits = max((len(_mantissa(match)) for match in _DIGITS.findall(text)), default=1)
    family = relatives(quantity.unit)
    groups: list[Group] = []
    mantissas: set[str] = set()
    for relative in family:
        written = [list(_numbers(value, relative, quantity, digits)) for value in numbers]
        if not all(written):
            continue
        mantissas |= {_mantissa(number) for variants in written for number in variants}
        symbols = list(dict.fromkeys(" ".join(stems(symbol)) for symbol in relative.symbols))
        glued = [f"{number}{symbol}" for symbol in symbols if _GLUED.fullmatch(symbol) for number in written[-1]]
        listed = [_terms(variants) for variants in written]
        groups.append([*listed, symbols] if all(symbols) else listed)
        if glued:
            groups.append([*listed[:-1], glued])
    if not family:
        # A unit of several symbols: any power of ten may be meant, so the digits as they are, wherever the point stands.
        shifted = [_terms(_shifted(match)) for match in _DIGITS.findall(text)[: max(1, len(numbers))]]
        mantissas |= {_mantissa(match) for match in _DIGITS.findall(text)}
        groups.append(shifted)
    return groups, {mantissa for mantissa in mantissas if mantissa}


def _numbers(value: float, relative: Relative, quantity: Quantity, digits: int) -> Iterator[str]:
    number = (value - relative.offset) / relative.factor
    if not _SMALLEST <= abs(number) < _LARGEST:
        return
    yield _plain(float(f"{abs(number):.10g}"))
    own = parse_unit(quantity.unit)
    exact = own is not None and own.offset == relative.offset and _power_of_ten(own.factor / relative.factor)
    if exact:
        return
    for count in range(max(1, digits - 2), digits + 3):
        yield _plain(float(f"{abs(number):.{count}g}"))


def _plain(number: float) -> str:
    text = format(Decimal(repr(number)), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _terms(numbers: Sequence[str]) -> list[str]:
    """The numbers as terms: with zeros behind, with groups of thousands, with a decimal comma."""
    found: list[str] = []
    for number in numbers:
        whole, _, part = number.partition(".")
        found += [number, *(f"{whole}.{part}{'0' * zeros}" for zeros in (1, 2))]
        if part:
            found += [f"{whole} {part}"]
        elif len(whole) > 3:
            found.append(f"{int(whole):,}".replace(",", " "))
    return list(dict.fromkeys(found))


def _shifted(number: str) -> list[str]:
    value = Decimal(number.replace(",", ""))
    return [_plain(float(value.scaleb(power))) for power in range(-6, 7)]


def _mantissa(number: str) -> str:
    return re.sub(r"\D", "", number).strip("0")


__all__ = ["agreement", "bare_number", "ends_of", "value_in", "writings"]
