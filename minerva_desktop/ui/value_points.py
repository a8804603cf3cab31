"""What a plot of values shows: dots along an axis, by material or against a condition. No painting."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, field

from minerva_desktop.records import MeasuredValue, ValuesReport
from minerva_desktop.ui.value_axes import Axis, axis_for

BY_MATERIAL, BY_YEAR = "material", "year"
_AXIS_NAMES = {
    "temperature": "Temperature (K)",
    "pressure": "Pressure (GPa)",
    "magnetic_field": "Magnetic field (T)",
    "frequency": "Frequency (Hz)",
    "composition": "x",
    "electric_field": "Electric field (V/m)",
}
_ROOM = 295.0
_SCALES = {"pressure": 1e-9}


@dataclass(frozen=True, slots=True)
class Dot:
    """One value. ``along`` is where it stands on the axis of values (its ends for a range or an uncertainty), ``across``
    the row of its material or its value of the condition."""

    value: MeasuredValue
    along: float
    low: float | None
    high: float | None
    across: float


@dataclass(frozen=True, slots=True)
class Plot:
    """What is drawn. ``rows`` are materials (empty when it is drawn against a condition); ``aside`` values lack the
    condition and are not drawn; ``marked`` are ids of values on which papers disagree; ``medians`` by row."""

    label: str = ""
    unit: str = ""
    by: str = BY_MATERIAL
    across_label: str = ""
    dots: tuple[Dot, ...] = ()
    rows: tuple[str, ...] = ()
    medians: tuple[float | None, ...] = ()
    axis: Axis = field(default_factory=lambda: Axis(0.0, 1.0))
    across: Axis = field(default_factory=lambda: Axis(0.0, 1.0))
    aside: int = 0
    marked: frozenset[str] = frozenset()


def plot_of(
    report: ValuesReport,
    *,
    materials: Set[str] = frozenset(),
    by: str = BY_MATERIAL,
    log: bool | None = None,
    marked: Set[str] = frozenset(),
) -> Plot:
    """The plot of a report; of these materials only, where some are named."""
    groups = [group for group in report.materials if not materials or group.material in materials]
    dots: list[Dot] = []
    aside = 0
    for row, group in enumerate(groups):
        for value in group.values:
            across = float(row) if by == BY_MATERIAL else across_of(value, by)
            middle = value.middle
            if across is None or middle is None:
                aside += 1
            else:
                dots.append(Dot(value, middle, *_ends(value), across))
    numbers = [number for dot in dots for number in (dot.along, dot.low, dot.high) if number is not None]
    # An error bar that reaches below zero must not forbid a logarithmic axis.
    if log is not False and dots and min(dot.along for dot in dots) > 0:
        numbers = [number for number in numbers if number > 0]
    return Plot(
        report.label,
        report.unit,
        by,
        "" if by == BY_MATERIAL else axis_name(by),
        tuple(dots),
        tuple(group.material for group in groups) if by == BY_MATERIAL else (),
        tuple(group.median if group.count > 1 else None for group in groups) if by == BY_MATERIAL else (),
        axis_for(numbers, log=log),
        axis_for([dot.across for dot in dots], log=False if by in (BY_MATERIAL, BY_YEAR, "composition") else None),
        aside,
        frozenset(marked),
    )


def axes_of(values: Sequence[MeasuredValue]) -> list[str]:
    """What values can be drawn against: the material, the year, and each condition that two of them state."""
    found = [BY_MATERIAL]
    names = [item.name for value in values for item in value.conditions]
    for name in dict.fromkeys(("temperature", *sorted(set(names)))):
        if name in _AXIS_NAMES and len({across_of(value, name) for value in values} - {None}) > 1:
            found.append(name)
    if len({value.year for value in values} - {None}) > 1:
        found.append(BY_YEAR)
    return found


def axis_name(by: str) -> str:
    return "Year" if by == BY_YEAR else _AXIS_NAMES.get(by, by.replace("_", " ").capitalize())


def across_of(value: MeasuredValue, by: str) -> float | None:
    """The number by which a value is drawn against a condition; None when it is not stated as one."""
    if by == BY_YEAR:
        return float(value.year) if value.year else None
    if by == "temperature":
        return _ROOM if value.at_room and value.temperature is None else value.temperature
    si_value = next((item.si_value for item in value.conditions if item.name == by), None)
    return None if si_value is None else si_value * _SCALES.get(by, 1.0)


def _ends(value: MeasuredValue) -> tuple[float | None, float | None]:
    if value.kind == "range":
        return value.low, value.high
    if value.uncertainty is not None and value.value is not None:
        return value.value - value.uncertainty, value.value + value.uncertainty
    return None, None
