"""Conversion to and from SI, and the one canonical text of a physical value."""

from __future__ import annotations

import math

from minerva_desktop.language.units import Unit, dimension_vector, parse_unit
from minerva_desktop.language.units.dimensions import shown_units
from minerva_desktop.records import Quantity

_DIGITS = 6
"""Significant digits of a canonical value: more than a paper states, less than floating point blurs."""

_NO_UNIT = frozenset({"", "1"})


def to_unit(si_value: float, dimension: str, unit: str) -> float:
    """An SI value in another unit: ``to_unit(298.15, "temperature", "°C")`` is 25.0.

    Raises:
        ValueError: the unit is unknown, or it does not measure that dimension.
    """
    known = _unit_for(dimension, unit)
    if known is None:
        return si_value
    return _tidy((si_value - _offset(known, dimension)) / known.factor)


def from_unit(value: float, dimension: str, unit: str) -> float:
    """A value in some unit as SI: ``from_unit(25, "temperature", "°C")`` is 298.15.

    Raises:
        ValueError: the unit is unknown, or it does not measure that dimension.
    """
    known = _unit_for(dimension, unit)
    if known is None:
        return value
    return _tidy(value * known.factor + _offset(known, dimension))


def dimension_of_unit(unit: str) -> str:
    """The dimension a unit measures: "energy" for "eV"; "" when it is no unit; "dimensionless" for no unit at all."""
    if unit.strip() in _NO_UNIT:
        return "dimensionless"
    known = parse_unit(unit)
    return known.dimension if known else ""


def _offset(unit: Unit, dimension: str) -> float:
    return 0.0 if dimension == "temperature_difference" else unit.offset


def _unit_for(dimension: str, unit: str) -> Unit | None:
    if unit.strip() in _NO_UNIT:
        return None
    known = parse_unit(unit)
    if known is None:
        raise ValueError(f"“{unit}” is not a unit")
    wanted = dimension_vector(dimension)
    if wanted is not None and wanted != known.vector:
        raise ValueError(f"“{unit}” does not measure {dimension or 'this'}")
    return known


def canonical_value(quantity: Quantity) -> str:
    """One text per physical value: "39 K" for 39 K, 39.0 K and 39K; "0.27 nm" and "2.7 Å" give the same text.

    Ranges are written "10–20 K", bounds "< 2 K", lists "16, 39 K". Uncertainty and "about" belong to the reading, not
    to the value, and are left out; negative observations are bounds with "not found". What is not ``ok`` is its own
    text.
    """
    if not quantity.ok:
        return " ".join(quantity.text.split())
    numbers = _si_numbers(quantity)
    if not numbers:
        return " ".join(quantity.text.split())
    if quantity.kind == "count" or not quantity.dimension:
        return _joined(quantity, [_text(number) for number in numbers], quantity.unit)
    unit_text, unit = _display(quantity.dimension, quantity.si_unit, numbers)
    shown = [_text((number - (unit.offset if unit else 0.0)) / (unit.factor if unit else 1.0)) for number in numbers]
    return _joined(quantity, shown, unit_text)


def _si_numbers(quantity: Quantity) -> list[float]:
    if quantity.kind == "list":
        return list(quantity.si_values)
    if quantity.kind == "range":
        ends = (quantity.si_low, quantity.si_high)
        return [end for end in ends if end is not None]
    if quantity.si_value is not None:
        return [quantity.si_value]
    return [] if quantity.value is None else [quantity.value]


def _display(dimension: str, si_unit: str, numbers: list[float]) -> tuple[str, Unit | None]:
    """The unit of the dimension's ladder that fits: the largest in which the number is at least one."""
    ladder = shown_units(dimension) or ((si_unit,) if si_unit not in _NO_UNIT else ())
    size = max(abs(number) for number in numbers)
    best: tuple[str, Unit | None] = ("", None)
    for text in ladder:
        unit = parse_unit(text) if text else None
        if best[1] is None or (unit is not None and size >= unit.factor * (1 - 1e-9)):
            best = (text, unit)
    return best if best[1] is not None else (si_unit if si_unit not in _NO_UNIT else "", None)


def _joined(quantity: Quantity, numbers: list[str], unit: str) -> str:
    tail = "%" if unit == "%" else f" {unit}" if unit else ""
    if quantity.kind == "range" and len(numbers) == 2:
        return f"{numbers[0]}–{numbers[1]}{tail}"
    if quantity.kind == "list":
        return f"{', '.join(numbers)}{tail}"
    sign = {"<=": "≤ ", ">=": "≥ ", "<": "< ", ">": "> "}.get(quantity.comparator, "")
    text = f"{sign}{numbers[0]}{tail}"
    return f"not found, {text}" if quantity.kind == "negative" else text


def _text(number: float) -> str:
    """Six significant digits, no trailing zeros, "1.2e+18" only for what is long."""
    if number == 0 or not math.isfinite(number):
        return "0" if number == 0 else str(number)
    rounded = float(f"{number:.{_DIGITS}g}")
    if 1e-4 <= abs(rounded) < 1e7:
        return f"{rounded:.{_DIGITS + 4}f}".rstrip("0").rstrip(".")
    mantissa, _, exponent = f"{rounded:.{_DIGITS - 1}e}".partition("e")
    return f"{mantissa.rstrip('0').rstrip('.')}e{int(exponent)}"


def _tidy(value: float) -> float:
    return float(f"{value:.13g}") if math.isfinite(value) else value
