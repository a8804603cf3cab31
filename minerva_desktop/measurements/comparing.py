"""Two values of one material held against each other: in which circumstances they differ, and whether their numbers can
both hold."""

from __future__ import annotations

from dataclasses import dataclass

from minerva_desktop.checks.compare import Interval, intervals
from minerva_desktop.domains.pack import Comparison
from minerva_desktop.measurements.circumstances import formula_variables, open_composition
from minerva_desktop.measurements.readings import Reading
from minerva_desktop.records import Apart, Condition, MeasuredValue

ROOM = (283.0, 308.0)
"""K: what "room temperature" can be, and what a paper may leave out."""

DEVIATIONS = 2.0
"""How many combined standard uncertainties two values may lie apart: 95 % of honest ones do not lie farther."""

_SAME_CONDITION = 0.05  # relative
_OXYGEN = {"air", "ambient air", "static air", "in air", "air atmosphere"}
_UNSTATED = "not stated"
_UNIMPORTANT = frozenset({"temperature", "composition", "atmosphere"})


@dataclass(frozen=True, slots=True)
class Difference:
    """How far two values lie apart, in SI: ``points`` between the values or the nearest ends of ranges, ``allowed`` of it,
    ``scale`` the larger of both."""

    points: float
    allowed: float
    scale: float
    by_uncertainty: bool

    @property
    def relative(self) -> float:
        return self.points / self.scale if self.scale else 0.0

    @property
    def too_far(self) -> bool:
        return self.points > self.allowed * (1 + 1e-9)


def difference_of(one: Reading, other: Reading, tolerance: float) -> Difference | None:
    """How two values or ranges lie to each other; None where one is a bound or an item of a list.

    Where both state an uncertainty, they may lie :data:`DEVIATIONS` times the root of the sum of its squares apart. Else
    they may differ by the largest of these: ``tolerance`` of the larger one; what the last digits of both leave open ("3 eV"
    may be 3.4); that many times the one uncertainty that is stated.
    """
    if {one.value.kind, other.value.kind} - {"value", "range"}:
        return None
    first, second = _interval(one), _interval(other)
    if first is None or second is None:
        return None
    ends = (_ends(one, first), _ends(other, second))
    points = max(ends[1][0] - ends[0][1], ends[0][0] - ends[1][1], 0.0)
    scale = max(abs(low + high) / 2 for low, high in ends)
    spreads = [item.quantity.si_uncertainty for item in (one, other) if item.quantity.si_uncertainty]
    if len(spreads) == 2:
        return Difference(points, DEVIATIONS * (spreads[0] ** 2 + spreads[1] ** 2) ** 0.5, scale, True)
    open_digits = sum(
        (item.high - item.low - (high - low)) / 2 for item, (low, high) in zip((first, second), ends, strict=True)
    )
    allowed = max(tolerance * scale, open_digits, DEVIATIONS * spreads[0] if spreads else 0.0)
    return Difference(points, allowed, scale, False)


def _interval(item: Reading) -> Interval | None:
    found = intervals(item.quantity)
    return found[0] if len(found) == 1 and not found[0].bound else None


def _ends(item: Reading, interval: Interval) -> tuple[float, float]:
    """The value, or the ends of its range, as they are written."""
    quantity = item.quantity
    if quantity.kind == "range" and quantity.si_low is not None and quantity.si_high is not None:
        return quantity.si_low, quantity.si_high
    middle = quantity.si_value if quantity.si_value is not None else (interval.low + interval.high) / 2
    return middle, middle


def apart(one: MeasuredValue, other: MeasuredValue, property_id: str, rules: Comparison) -> tuple[Apart, ...]:
    """The circumstances in which two values of one material differ, or of which too little is said to compare them."""
    found = [
        *_composition(one, other, rules),
        *_temperature(one, other, rules),
        *_conditions(one, other),
        *_approach(one, other, rules),
        *_marks("phase", one.phase, other.phase),
        *_doping(one, other),
        *_aspects(one, other, property_id, rules),
    ]
    if one.form != other.form:
        found.append(Apart("form", one.form or _UNSTATED, other.form or _UNSTATED))
    needed = [name for name, properties in sorted(rules.needs.items()) if property_id in properties]
    for name in needed:
        sides = [_stated(item, name) for item in (one, other)]
        if _UNSTATED in sides and all(item.name != name for item in found):
            found.append(Apart(name, *sides))
    return tuple(found)


def _stated(value: MeasuredValue, name: str) -> str:
    return next((item.text for item in value.conditions if item.name == name), _UNSTATED)


def _composition(one: MeasuredValue, other: MeasuredValue, rules: Comparison) -> list[Apart]:
    """x of a solid solution, and families whose composition a name leaves open: never compared unless it is the same."""
    first, second = (_condition(item, "composition") for item in (one, other))
    said = tuple(item.text if item else _UNSTATED for item in (first, second))
    if first is not None and second is not None:
        return [] if _same(first, second, 1e-9) and said[0][:1] == said[1][:1] else [Apart("composition", *said)]
    if open_composition(one.material, rules):
        if one.doping and one.doping == other.doping and not formula_variables(one.material):
            return []
        return [Apart("composition", *said)]
    return [Apart("composition", *said)] if first is not None or second is not None else []


def _temperature(one: MeasuredValue, other: MeasuredValue, rules: Comparison) -> list[Apart]:
    sides = []
    for item in (one, other):
        stated = _condition(item, "temperature")
        room = item.at_room or (item.temperature is not None and ROOM[0] <= item.temperature <= ROOM[1])
        sides.append((stated, item.temperature, room or stated is None))
    (first, kelvin, usual), (second, other_kelvin, other_usual) = sides
    if usual and other_usual:
        return []
    if kelvin is not None and other_kelvin is not None and abs(kelvin - other_kelvin) <= rules.temperature:
        return []
    if first is not None and second is not None and kelvin is other_kelvin is None and first.text == second.text:
        return []
    return [Apart("temperature", first.text if first else _UNSTATED, second.text if second else _UNSTATED)]


def _conditions(one: MeasuredValue, other: MeasuredValue) -> list[Apart]:
    """Pressure, fields, frequency, atmosphere: the same where both say it, and unsaid on both sides. Air is what is left
    unsaid; how a sample was treated counts only where both say it."""
    found = []
    names = {item.name for value in (one, other) for item in value.conditions}
    for name in sorted(names - _UNIMPORTANT):
        first, second = _condition(one, name), _condition(other, name)
        if first is not None and second is not None and _same(first, second):
            continue
        if (first is None or second is None) and name.startswith("processing"):
            continue
        found.append(Apart(name, first.text if first else _UNSTATED, second.text if second else _UNSTATED))
    airs = [(_condition(item, "atmosphere") or Condition("atmosphere", "air")).text.casefold() for item in (one, other)]
    if airs[0] != airs[1] and not set(airs) <= _OXYGEN:
        found.append(Apart("atmosphere", _stated(one, "atmosphere"), _stated(other, "atmosphere")))
    return found


def _approach(one: MeasuredValue, other: MeasuredValue, rules: Comparison) -> list[Apart]:
    first, second = set(one.approaches), set(other.approaches)
    said = {item.name for item in rules.approaches if item.said}
    differ = (first & said) != (second & said) or (first and second and not first & second)
    return [Apart("method", _listed(first), _listed(second))] if differ else []


def _marks(name: str, one: tuple[str, ...], other: tuple[str, ...]) -> list[Apart]:
    """Where both say something, and nothing of it is the same."""
    return [Apart(name, _listed(one), _listed(other))] if one and other and not set(one) & set(other) else []


def _doping(one: MeasuredValue, other: MeasuredValue) -> list[Apart]:
    """A doped sample is compared only with one doped alike; "undoped" is what is left unsaid."""
    first, second = set(one.doping) - {"undoped"}, set(other.doping) - {"undoped"}
    return [Apart("doping", _listed(one.doping), _listed(other.doping))] if first != second else []


def _aspects(one: MeasuredValue, other: MeasuredValue, property_id: str, rules: Comparison) -> list[Apart]:
    found = []
    for aspect in rules.aspects:
        if property_id not in aspect.properties:
            continue
        first, second = ([item for item in value.aspects if item in aspect.kinds] for value in (one, other))
        if (first and second and first != second) or (aspect.needed and not (first and second)):
            found.append(Apart("what is meant", _listed(first), _listed(second)))
    return found


def _condition(value: MeasuredValue, name: str) -> Condition | None:
    return next((item for item in value.conditions if item.name == name), None)


def _same(one: Condition, other: Condition, relative: float = _SAME_CONDITION) -> bool:
    if one.si_value is None or other.si_value is None:
        return " ".join(one.text.casefold().split()) == " ".join(other.text.casefold().split())
    return abs(one.si_value - other.si_value) <= relative * max(abs(one.si_value), abs(other.si_value), 1e-12)


def _listed(names: set[str] | tuple[str, ...] | list[str]) -> str:
    return ", ".join(sorted(names)) or _UNSTATED
