"""The unit of a report: chosen, and every value converted to it from SI."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from minerva_desktop.domains import PropertySpec
from minerva_desktop.errors import UsageError
from minerva_desktop.language.quantities.convert import to_unit
from minerva_desktop.language.units import Unit, dimension_vector, parse_unit
from minerva_desktop.language.units.dimensions import pure_kinds, shown_units
from minerva_desktop.records import Quantity

_DIGITS = 9
_MOST_UNITS = 14
_NO_UNIT = frozenset({"", "1"})


@dataclass(frozen=True, slots=True)
class Scale:
    """A unit in which values are told; ``unit`` is "" for pure numbers. ``dimensions`` are what it can measure."""

    unit: str
    dimension: str
    dimensions: frozenset[str]

    def fits(self, quantity: Quantity) -> bool:
        """Whether a quantity can be told in this unit."""
        if quantity.dimension in self.dimensions:
            return True
        if self.dimension in pure_kinds() or quantity.dimension in pure_kinds():
            return self.dimension in pure_kinds() and quantity.dimension in pure_kinds() and not self.dimensions
        return dimension_vector(quantity.dimension) == dimension_vector(self.dimension) is not None and (
            "difference" not in quantity.dimension
        )

    def of(self, si_value: float) -> float:
        """A value in SI in this unit."""
        return float(f"{to_unit(si_value, '', self.unit):.{_DIGITS}g}")

    def width(self, si_width: float) -> float:
        """A difference or an uncertainty in SI in this unit: without the zero point of °C."""
        known = parse_unit(self.unit) if self.unit not in _NO_UNIT else None
        return float(f"{si_width / (known.factor if known else 1.0):.{_DIGITS}g}")


def scale_for(spec: PropertySpec | None, quantities: Sequence[Quantity], unit: str | None = None) -> Scale:
    """The scale of a report: the unit asked for, else the property's own, else the one that most values are written in.

    Where no value fits the property's own unit, but they fit another, that is taken: a report is never empty because papers
    write an energy in kJ/mol.

    Raises:
        UsageError: the unit is not known.
    """
    allowed = frozenset((spec.dimension, *spec.other_dimensions) if spec else ()) - {""}
    if unit is not None and unit.strip() not in _NO_UNIT:
        known = parse_unit(unit)
        if known is None:
            raise UsageError(
                f"“{unit}” is not a unit that is known.", hint="Write, for example, eV, nm, S/cm or W/(m K)."
            )
        return _scale(unit.strip(), known, allowed)
    own = spec.unit if spec and spec.dimension else ""
    if unit is None and own:
        known = parse_unit(own)
        if known is not None:
            scale = _scale(own, known, allowed)
            if not quantities or any(scale.fits(item) for item in quantities):
                return scale
    usual = Counter(item.unit for item in quantities if item.unit and parse_unit(item.unit)).most_common()
    if unit is None and usual and not (spec and _is_pure(spec.dimension)):
        best = min((name for name, count in usual if count == usual[0][1]), default="")
        known = parse_unit(best)
        if known is not None:
            return _scale(best, known, allowed)
    return Scale("", "dimensionless", frozenset(item for item in allowed if _is_pure(item)) | pure_kinds())


def units_for(scale: Scale, spec: PropertySpec | None, quantities: Iterable[Quantity]) -> tuple[str, ...]:
    """Units in which the values can be had, each once however it is written: the property's, usual ones, those of papers."""
    named = [scale.unit, *([spec.unit] if spec else ())]
    dimensions = [scale.dimension, *([spec.dimension, *spec.other_dimensions] if spec else ())]
    dimensions = [item for item in dict.fromkeys(dimensions) if item]
    for dimension in dimensions:
        named += shown_units(dimension)
    written = Counter(item.unit for item in quantities if item.unit)
    named += sorted(written, key=lambda name: (-written[name], name))
    found: dict[tuple[object, ...], str] = {}
    vectors = {dimension_vector(item) for item in dimensions}
    for name in named:
        known = parse_unit(name) if name else None
        if known is not None and known.vector in vectors and not known.ambiguous:
            found.setdefault((round(known.factor, 15) or known.factor, known.vector, known.offset), name)
    return tuple(found.values())[:_MOST_UNITS]


def _scale(text: str, unit: Unit, allowed: frozenset[str]) -> Scale:
    same = frozenset(item for item in allowed if dimension_vector(item) == unit.vector)
    if _is_pure(unit.dimension):
        same |= frozenset(pure_kinds())
    return Scale(text, unit.dimension, same | {unit.dimension})


def _is_pure(dimension: str) -> bool:
    return dimension in pure_kinds()
