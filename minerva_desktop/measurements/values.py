"""The values of a property by material: how many, from how many independent papers, their median and range."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import median

from minerva_desktop.domains import PropertySpec
from minerva_desktop.measurements.readings import Reading, Unused
from minerva_desktop.measurements.scales import Scale
from minerva_desktop.records import LeftOut, MaterialValues, MeasuredValue, ValuesReport

_EXAMPLES = 3


def values_report(
    property_id: str,
    spec: PropertySpec | None,
    scale: Scale,
    units: tuple[str, ...],
    readings: Sequence[Reading],
    unused: Iterable[Unused],
) -> ValuesReport:
    """The report; materials with most papers first, values of a material from small to large."""
    groups: dict[str, list[MeasuredValue]] = {}
    for item in readings:
        groups.setdefault(item.value.material, []).append(item.value)
    materials = [_material(name, values) for name, values in groups.items()]
    materials.sort(key=lambda group: (-group.works, -group.count, group.material.casefold(), group.material))
    label = spec.label if spec else property_id.replace("_", " ")
    return ValuesReport(property_id, label, scale.unit, units, tuple(materials), left_out(unused))


def left_out(unused: Iterable[Unused]) -> tuple[LeftOut, ...]:
    """What is not in a report, by reason, the most frequent first."""
    items = list(unused)
    reasons = Counter(item.reason for item in items)
    return tuple(
        LeftOut(
            reason,
            reasons[reason],
            tuple(dict.fromkeys(item.written for item in items if item.reason == reason))[:_EXAMPLES],
        )
        for reason in sorted(reasons, key=lambda name: (-reasons[name], name))
    )


def _material(name: str, values: Sequence[MeasuredValue]) -> MaterialValues:
    ordered = sorted(values, key=lambda item: (item.middle if item.middle is not None else 0.0, item.title, item.id))
    stated = [item for item in ordered if item.kind != "bound"]
    middles = [item.middle for item in stated if item.middle is not None]
    ends = [end for item in stated for end in (item.value, item.low, item.high) if end is not None]
    return MaterialValues(
        name,
        len(ordered),
        len({item.work for item in ordered}),
        float(f"{median(middles):.9g}") if middles else None,
        min(ends, default=None),
        max(ends, default=None),
        tuple(ordered),
    )
