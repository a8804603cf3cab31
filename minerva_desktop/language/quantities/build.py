"""From numbers and a unit to a :class:`Quantity` in coherent SI."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from minerva_desktop.language.quantities.numbers import Number
from minerva_desktop.language.units import Unit, dimension_vector, si_unit_of
from minerva_desktop.language.units.grammar import as_celsius
from minerva_desktop.records import Quantity

Comparator = Literal["", "<", "<=", ">", ">="]
Shape = Literal["value", "range", "list"]

_SHARES = frozenset({"fraction", "mass_fraction", "atomic_fraction", "amount_fraction", "volume_fraction"})
_MAGNETIC = frozenset({"magnetic_flux_density", "magnetic_field_strength", "magnetization"})


@dataclass(frozen=True, slots=True)
class Reading:
    """What an expression says: its numbers, each with the unit it was written with (or the shared one)."""

    shape: Shape
    numbers: tuple[Number, ...]
    units: tuple[Unit | None, ...]
    comparator: Comparator = ""
    approximate: bool = False
    flags: tuple[str, ...] = ()
    problem: str = ""
    relative: float | None = None  # "± 5 %" of the value


def quantity_of(reading: Reading, text: str, expected: str | None = None) -> Quantity:
    """The quantity of a reading. Ambiguous or unusable readings come back with ``ok`` false and the reason."""
    reading, note = _resolve_celsius(reading, expected)
    unit = reading.units[-1]
    flags = tuple(dict.fromkeys([*reading.flags, *(flag for number in reading.numbers for flag in number.flags)]))
    error = next((number.error for number in reading.numbers if number.error), "")
    problem = reading.problem or next((number.problem for number in reading.numbers if number.problem), "") or note
    base = Quantity(
        ok=False,
        text=text,
        kind="bound" if reading.comparator and reading.shape == "value" else reading.shape,
        comparator=reading.comparator,
        approximate=reading.approximate,
        flags=flags,
        unit=unit.text if unit else "",
        dimension=unit.dimension if unit else "dimensionless",
        si_unit=unit.si_unit if unit else "1",
    )
    if error:
        return replace(base, reason=f"Not a value: {error}.", kind="value", comparator="")
    if problem:
        return replace(base, ambiguous=True, reason=f"Ambiguous: {problem}.")
    filled = _filled(base, reading)
    if filled.reason:
        return filled
    return _against(replace(filled, ok=True), expected)


def _resolve_celsius(reading: Reading, expected: str | None) -> tuple[Reading, str]:
    """A lone "C" is decided by what the property measures; without a property it stays open."""
    unit = reading.units[-1]
    if unit is None or not unit.ambiguous:
        return reading, ""
    other = as_celsius(unit)
    wanted = dimension_vector(expected) if expected else None
    if wanted == unit.vector:
        return reading, ""
    if other is not None and wanted == other.vector:
        return replace(reading, units=tuple(other if item else None for item in reading.units)), ""
    return reading, f"“{unit.text}” may be {unit.ambiguous}"


def _filled(base: Quantity, reading: Reading) -> Quantity:
    unit = reading.units[-1]
    values = [_in_unit(number.value, own, unit) for number, own in zip(reading.numbers, reading.units, strict=True)]
    if unit is not None and unit.offset == 0 and unit.dimension == "temperature" and min(values) < 0:
        return replace(base, reason="Not a value: a temperature below absolute zero.")
    if unit is not None and unit.offset and min(_si(value, unit) for value in values) < 0:
        return replace(base, reason="Not a value: a temperature below absolute zero.")
    if any(not math.isfinite(_si(value, unit)) for value in values):
        return replace(base, reason="Not a value: the number is too large to be a value.")
    if reading.shape == "range":
        return _range(base, reading, values, unit)
    if reading.shape == "list":
        return replace(base, values=tuple(values), si_values=tuple(_si(value, unit) for value in values))
    return _single(base, reading, values[0], unit)


def _range(base: Quantity, reading: Reading, values: Sequence[float], unit: Unit | None) -> Quantity:
    low, high = min(values), max(values)
    flags = base.flags if values[0] <= values[-1] else (*base.flags, "descending")
    if reading.comparator:
        reason = "Ambiguous: a bound and a range at the same time."
        return replace(base, reason=reason, ambiguous=True, low=low, high=high)
    return replace(base, low=low, high=high, si_low=_si(low, unit), si_high=_si(high, unit), flags=flags)


def _single(base: Quantity, reading: Reading, value: float, unit: Unit | None) -> Quantity:
    number = reading.numbers[0]
    si_value = _si(value, unit)
    width = number.uncertainty
    if reading.relative is not None:
        width = abs(value) * reading.relative
    filled = replace(base, value=value, si_value=si_value, uncertainty=width, si_uncertainty=_si_width(width, unit))
    if number.up is not None and number.down is not None:
        width = max(number.up, number.down)
        low, high = _tidy(value - number.down), _tidy(value + number.up)
        filled = replace(
            filled,
            uncertainty=width,
            si_uncertainty=_si_width(width, unit),
            low=low,
            high=high,
            si_low=_si(low, unit),
            si_high=_si(high, unit),
            flags=(*filled.flags, "asymmetric_uncertainty"),
        )
    if reading.comparator in {"<", "<="}:
        return replace(filled, high=value, si_high=si_value)
    if reading.comparator:
        return replace(filled, low=value, si_low=si_value)
    return filled


# ------------------------------------------------------------------------------------------------ expected dimension
def _against(quantity: Quantity, expected: str | None) -> Quantity:
    """Holds a quantity against the dimension its property has."""
    if not expected:
        if quantity.dimension == "dimensionless" and not quantity.unit:
            return replace(quantity, ok=False, reason="Not a value: a number without a unit.")
        return quantity
    if quantity.dimension == expected:
        return quantity
    if quantity.dimension == "dimensionless" and not quantity.unit:
        return _bare(quantity, expected)
    vector, wanted = dimension_vector(quantity.dimension), dimension_vector(expected)
    pure = expected in _SHARES or expected in {"dimensionless", "count", "angle", "level"}
    if vector is not None and vector == wanted and not pure:
        return _renamed(quantity, expected)
    if expected == "dimensionless" and (quantity.dimension in _SHARES or quantity.dimension == "count"):
        return quantity
    if expected == "fraction" and quantity.dimension in _SHARES | {"dimensionless"}:
        return quantity
    if expected in _SHARES and quantity.dimension == "fraction":
        return replace(quantity, flags=(*quantity.flags, "share_of_what_unstated"))
    if {expected, quantity.dimension} <= _MAGNETIC:
        return replace(quantity, flags=(*quantity.flags, "not_converted_between_b_and_h"))
    reason = f"“{quantity.unit}” is a unit of {spoken(quantity.dimension)}, not of {spoken(expected)}."
    return replace(quantity, ok=False, reason=reason)


def _bare(quantity: Quantity, expected: str) -> Quantity:
    """A number without a unit: only for properties that have none."""
    if expected in {"dimensionless", "count"}:
        return replace(quantity, dimension=expected)
    numbers = [n for n in (quantity.value, quantity.low, quantity.high, *quantity.values) if n is not None]
    if expected in _SHARES and numbers and all(0 <= number <= 1 for number in numbers):
        return replace(quantity, dimension=expected)
    return replace(quantity, ok=False, reason=f"A {spoken(expected)} needs a unit.")


def _renamed(quantity: Quantity, expected: str) -> Quantity:
    """The same physical dimension under the property's name; a difference of temperatures has no offset."""
    renamed = replace(quantity, dimension=expected, si_unit=si_unit_of(expected))
    if expected != "temperature_difference" or quantity.dimension != "temperature":
        return renamed
    from minerva_desktop.language.units import parse_unit

    unit = parse_unit(quantity.unit)
    if unit is None or not unit.offset:
        return renamed
    step = replace(unit, offset=0.0)
    return replace(
        renamed,
        si_value=None if quantity.value is None else _si(quantity.value, step),
        si_low=None if quantity.low is None else _si(quantity.low, step),
        si_high=None if quantity.high is None else _si(quantity.high, step),
        si_values=tuple(_si(value, step) for value in quantity.values),
    )


def spoken(dimension: str) -> str:
    """A dimension's name as words."""
    return dimension.replace("_", " ") if dimension else "an unknown dimension"


# -------------------------------------------------------------------------------------------------------- numbers
def _in_unit(value: float, own: Unit | None, unit: Unit | None) -> float:
    """A value in the shared unit: "20 mK to 4 K" has its low end in kelvin too."""
    if own is None or unit is None or own is unit or (own.factor, own.offset) == (unit.factor, unit.offset):
        return value
    return _tidy((value * own.factor + own.offset - unit.offset) / unit.factor)


def _si(value: float, unit: Unit | None) -> float:
    if unit is None:
        return value
    if unit.offset:  # what is left of a difference is no millionth of a millionth of a kelvin
        return _tidy(round(value * unit.factor + unit.offset, 9))
    return _tidy(value * unit.factor)


def _si_width(width: float | None, unit: Unit | None) -> float | None:
    if width is None:
        return None
    return width if unit is None else _tidy(width * unit.factor)


def _tidy(value: float) -> float:
    return float(f"{value:.13g}") if math.isfinite(value) else value
