"""Where papers disagree on a number.

The rule, in this order:

1. Only what a paper says of its own work counts: values of sentences that cite others are left aside, and so are those of
   retracted papers, suppositions, bounds ("up to", "below") and lists. Versions of one work are one voice.
2. Properties that a sample or a device has for itself (grain size, power density) are not compared: the pack says which.
3. Two values are comparable when nothing that their sentences say tells their circumstances apart: the same composition (x
   of a solid solution stated and equal, no family name that leaves it open), temperature within the pack's bound (not
   stated counts as room temperature), the same pressure, field, frequency, atmosphere, form, phase, doping, class of method
   and meaning of the property's name. What a property depends on strongly must be stated on both sides.
4. Two comparable values disagree when they lie farther apart than twice their combined stated uncertainties; where not
   both state one, than the pack's tolerance for the property, and than what their last digits leave open.
5. Two works disagree when they have two such values and neither has another, comparable value that fits: a paper on three
   samples does not disagree with one on the third.

Values that differ under different circumstances are listed as explained, where two works have no comparable ones at all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

from minerva_desktop.domains import PropertySpec
from minerva_desktop.domains.pack import Comparison
from minerva_desktop.measurements.comparing import DEVIATIONS, Difference, apart, difference_of
from minerva_desktop.measurements.readings import Reading, cites
from minerva_desktop.measurements.scales import Scale
from minerva_desktop.measurements.tables import number_words, unit_words
from minerva_desktop.records import Apart, Disagreement, MeasuredValue, ValuePair

Marks = Callable[[str, int], float]
"""(paper, number of the sentence) → how surely the file says that the sentence cites others."""

MOST_PAIRS = 60


@dataclass(frozen=True, slots=True)
class _Held:
    one: Reading
    other: Reading
    difference: Difference
    apart: tuple[Apart, ...]


def disagreements_of(
    property_id: str,
    spec: PropertySpec | None,
    scale: Scale,
    readings: Sequence[Reading],
    rules: Comparison,
    marks: Marks | None = None,
) -> list[Disagreement]:
    """The materials on whose values works disagree by the rule of this module, or differ with a reason, by name."""
    if property_id in rules.of_a_sample:
        return []
    tolerance = rules.tolerances.get(property_id, rules.tolerance)
    materials: dict[str, list[Reading]] = {}
    for item in readings:
        value = item.value
        if value.own and not value.withdrawn and value.kind in ("value", "range"):
            materials.setdefault(value.material, []).append(item)
    found = []
    for name in sorted(materials, key=lambda item: (item.casefold(), item)):
        pairs, explained = _confirmed(materials[name], property_id, tolerance, rules, marks)
        if pairs or explained:
            works = {work for held in pairs or explained for work in (held.one.value.work, held.other.value.work)}
            label = spec.label if spec else property_id.replace("_", " ")
            told = [_told(held, scale, label, tolerance) for held in pairs]
            found.append(
                Disagreement(
                    property_id,
                    label,
                    scale.unit,
                    name,
                    len(works),
                    tuple(sorted(told, key=_farthest)[:MOST_PAIRS]),
                    tuple(
                        sorted((_told(held, scale, label, tolerance) for held in explained), key=_farthest)[:MOST_PAIRS]
                    ),
                    max(0, len(told) - MOST_PAIRS),
                )
            )
    return found


def other_values(readings: Sequence[Reading], facts: Sequence[str], material: str) -> list[MeasuredValue]:
    """What works say of a material that do not state these facts: their own values, small to large."""
    here = {item.value.work for item in readings if set(item.value.facts) & set(facts)}
    others = [
        item.value
        for item in readings
        if item.value.material == material and item.value.own and item.value.work not in here
    ]
    return sorted(others, key=lambda item: (item.middle if item.middle is not None else 0.0, item.id))


def _farthest(pair: ValuePair) -> tuple[float, str, str]:
    return -pair.relative, pair.first.id, pair.second.id


def _confirmed(
    readings: Sequence[Reading], property_id: str, tolerance: float, rules: Comparison, marks: Marks | None
) -> tuple[list[_Held], list[_Held]]:
    """Pairs whose values are their papers' own also by the marks in the file: raised numbers that the text has lost."""
    left = list(readings)
    while True:
        pairs, explained = _held(left, property_id, tolerance, rules)
        if marks is None:
            return pairs, explained
        cited = {
            item.value.id
            for held in (*pairs, *explained)
            for item in (held.one, held.other)
            if item.sentence_index >= 0 and cites(item.value.quote, marks(item.value.paper, item.sentence_index))
        }
        if not cited:
            return pairs, explained
        left = [item for item in left if item.value.id not in cited]


def _held(
    readings: Sequence[Reading], property_id: str, tolerance: float, rules: Comparison
) -> tuple[list[_Held], list[_Held]]:
    """(pairs that disagree, pairs that differ with a reason): at most one of a kind for two works."""
    works: dict[str, list[Reading]] = {}
    for item in readings:
        works.setdefault(item.value.work, []).append(item)
    pairs: list[_Held] = []
    explained: list[_Held] = []
    for first, second in combinations(sorted(works), 2):
        held = [
            _Held(one, other, difference, apart(one.value, other.value, property_id, rules))
            for one in works[first]
            for other in works[second]
            if (difference := difference_of(one, other, tolerance)) is not None
        ]
        alike = [item for item in held if not item.apart]
        fitting = {end.value.id for item in alike if not item.difference.too_far for end in (item.one, item.other)}
        against = [
            item for item in alike if item.difference.too_far and not fitting & {item.one.value.id, item.other.value.id}
        ]
        far = [item for item in held if item.difference.too_far]
        if against:  # the nearest of them: even these cannot both hold
            pairs.append(
                min(against, key=lambda item: (item.difference.relative, item.one.value.id, item.other.value.id))
            )
        elif not alike and far:
            explained.append(
                min(
                    far,
                    key=lambda item: (
                        len(item.apart),
                        item.difference.relative,
                        item.one.value.id,
                        item.other.value.id,
                    ),
                )
            )
    return pairs, explained


def _told(held: _Held, scale: Scale, label: str, tolerance: float) -> ValuePair:
    difference = held.difference
    one, other = held.one.value, held.other.value
    around = held.apart
    if (one.middle or 0.0, one.id) > (other.middle or 0.0, other.id):  # the smaller one is told first
        one, other = other, one
        around = tuple(Apart(item.name, item.second, item.first) for item in around)
    unit = f" {unit_words(scale.unit)}" if scale.unit else ""
    points, allowed = scale.width(difference.points), scale.width(difference.allowed)
    if held.apart:
        reason = f"They differ by {_share(difference.relative)}, and so do their circumstances."
    elif difference.by_uncertainty:
        far, most = f"{number_words(points, 3)}{unit}", f"{number_words(allowed, 2)}{unit}"
        reason = f"They differ by {far}; {DEVIATIONS:g} times their combined uncertainty is {most}."
    else:
        reason = (
            f"They differ by {_share(difference.relative)}; up to {_share(tolerance)} is taken for the same {label}."
        )
    relative = float(f"{difference.relative:.6g}")
    return ValuePair(one, other, points, allowed, relative, reason, around)


def _share(part: float) -> str:
    """A share of one as a percentage with two digits: 0.054 → "5.4 %"."""
    return f"{part * 100:.2g} %" if part < 1 else f"{part * 100:.0f} %"
