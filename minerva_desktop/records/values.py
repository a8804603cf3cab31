"""Measured values of one property across papers, in one unit, and where papers disagree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from minerva_desktop.records.documents import Box
from minerva_desktop.records.facts import Condition, FactStatus, Modality

ValueKind = Literal["value", "range", "bound", "list"]


@dataclass(frozen=True, slots=True)
class MeasuredValue:
    """What one paper says of a property of a material, in the unit of the report that it stands in.

    ``id`` tells it from others of the report; ``facts`` and ``evidence_ids`` are the library's, those shown first. A value has ``value``, a
    range ``low`` and ``high``, a bound one of them with ``comparator``; each value of a list is one of its own, of kind
    "list". ``uncertainty`` is in the same unit. ``temperature`` is in K; ``at_room`` where it is said in words.
    ``approaches`` (classes of methods), ``phase``, ``doping``, ``aspects`` (as "direct" of a gap) are what the sentence says
    of how and of what it was measured; "" or empty where it does not. ``own``: the paper's own finding, not one that it
    cites. ``work`` is the paper of which this is a version, or the paper itself.
    """

    id: str
    facts: tuple[str, ...]
    material: str
    kind: ValueKind
    written: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    uncertainty: float | None = None
    comparator: str = ""
    approximate: bool = False
    conditions: tuple[Condition, ...] = ()
    temperature: float | None = None
    at_room: bool = False
    method: str = ""
    approaches: tuple[str, ...] = ()
    form: str = ""
    phase: tuple[str, ...] = ()
    doping: tuple[str, ...] = ()
    aspects: tuple[str, ...] = ()
    status: FactStatus = "waiting"
    verdict: str = ""
    modality: Modality = "reported"
    own: bool = True
    paper: str = ""
    work: str = ""
    title: str = ""
    year: int | None = None
    withdrawn: bool = False
    page: int | None = None
    boxes: tuple[Box, ...] = ()
    quote: str = ""
    evidence_ids: tuple[str, ...] = ()

    @property
    def middle(self) -> float | None:
        """The number by which it is sorted and drawn: the value, the middle of a range, the number of a bound."""
        if self.value is not None:
            return self.value
        if self.low is not None and self.high is not None:
            return (self.low + self.high) / 2
        return self.low if self.low is not None else self.high


@dataclass(frozen=True, slots=True)
class MaterialValues:
    """The values of one material. ``count`` is of ``values``, ``works`` of independent papers; ``median`` of single values
    and middles of ranges; ``low`` and ``high`` are the extremes of values and ranges. Bounds count in neither."""

    material: str
    count: int
    works: int
    median: float | None
    low: float | None
    high: float | None
    values: tuple[MeasuredValue, ...]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Values that are not in a report: how many, why, and some of them as written."""

    reason: str
    count: int
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ValuesReport:
    """All values of a property in ``unit`` ("" for pure numbers), by material, those with most papers first.

    ``units`` are others in which they can be had."""

    property_id: str
    label: str
    unit: str
    units: tuple[str, ...] = ()
    materials: tuple[MaterialValues, ...] = ()
    left_out: tuple[LeftOut, ...] = ()

    @property
    def values(self) -> tuple[MeasuredValue, ...]:
        return tuple(value for group in self.materials for value in group.values)


@dataclass(frozen=True, slots=True)
class Apart:
    """A circumstance that two values do not share: ``name`` (temperature, method, …) and what each says of it."""

    name: str
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class ValuePair:
    """Two values of one material from two independent works. ``difference`` is in the unit of the report, ``allowed`` how
    much of it is no disagreement, ``relative`` the difference as a share of the larger value; ``reason`` says it in a
    sentence. ``apart`` are the circumstances in which they differ; empty for a disagreement."""

    first: MeasuredValue
    second: MeasuredValue
    difference: float
    allowed: float
    relative: float
    reason: str
    apart: tuple[Apart, ...] = ()


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A property of a material of which independent works say different things.

    ``pairs`` are values under the same circumstances that cannot both hold, the farthest apart first; ``explained`` are
    values that differ and so do their circumstances, which is no disagreement. ``more`` pairs are not shown.
    """

    property_id: str
    label: str
    unit: str
    material: str
    works: int
    pairs: tuple[ValuePair, ...] = ()
    explained: tuple[ValuePair, ...] = ()
    more: int = 0


@dataclass(frozen=True, slots=True)
class DisagreementsReport:
    """``disagreements`` have pairs; ``explained`` are materials whose works differ only under different circumstances.
    ``not_compared`` says which properties were left aside and why."""

    disagreements: tuple[Disagreement, ...] = ()
    explained: tuple[Disagreement, ...] = ()
    not_compared: tuple[LeftOut, ...] = ()
