"""Numbers across papers: the values of a property, and where papers disagree on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from minerva_desktop import measurements
from minerva_desktop.domains import PropertySpec
from minerva_desktop.errors import NotFound, UsageError
from minerva_desktop.events import CancelToken
from minerva_desktop.language.units import using_units
from minerva_desktop.measurements import Reading, Sources
from minerva_desktop.measurements.readings import Unused
from minerva_desktop.measurements.scales import Scale, units_for
from minerva_desktop.records import (
    Disagreement,
    DisagreementsReport,
    Fact,
    LeftOut,
    MeasuredValue,
    ValuesReport,
)
from minerva_desktop.workbench.asked import Asked

STATUSES = {"accepted": ("accepted",), "waiting": ("waiting",), "all": ("accepted", "waiting")}
OF_A_SAMPLE = "two samples or devices may have different ones, and both papers be right"


@dataclass(frozen=True, slots=True)
class MeasuredProperty:
    """A property of which the library has values: how many facts, of how many materials."""

    id: str
    label: str
    unit: str
    values: int
    materials: int


class Numbers(Asked):
    """Looking at measured values. What waits for review is among them, and says so."""

    def measured_properties(self) -> list[MeasuredProperty]:
        """The properties of which there are values, those with most first."""
        domain = self.domain
        found = []
        for name, values, materials in self.library.catalog.measured_properties():
            spec = domain.property(name)
            label = spec.label if spec else name.replace("_", " ")
            found.append(MeasuredProperty(name, label, spec.unit if spec else "", values, materials))
        return found

    def property_named(self, name: str) -> str:
        """The id of the property that is called so: its id, its label, a synonym or a symbol.

        Raises:
            NotFound: there is none.
        """
        wanted = " ".join(name.replace("_", " ").split()).casefold()
        domain = self.domain
        known = [item for item, _, _ in self.library.catalog.measured_properties()]
        for item in domain.properties:
            if wanted in (item.id.replace("_", " ").casefold(), item.label.casefold()):
                return item.id
        for item in domain.properties:
            if wanted in (word.casefold() for word in item.synonyms) or name.strip() in item.case_sensitive:
                return item.id
        if wanted.replace(" ", "_") in known:
            return wanted.replace(" ", "_")
        some = ", ".join(known[:8])
        raise NotFound(
            f"There is no property “{name}”.",
            hint=f"This library has values of: {some}." if some else "This library has no measured values yet.",
        )

    def values(
        self, name: str, materials: Sequence[str] = (), *, unit: str | None = None, status: str = "all"
    ) -> ValuesReport:
        """All values of a property, by material, in one unit. ``status``: accepted, waiting or all (both).

        Raises:
            NotFound: there is no such property, or no such material.
            UsageError: there is no such unit or status.
        """
        return self.compared_values(name, materials, unit=unit, status=status, compare=False)[0]

    def compared_values(
        self,
        name: str,
        materials: Sequence[str] = (),
        *,
        unit: str | None = None,
        status: str = "all",
        compare: bool = True,
    ) -> tuple[ValuesReport, list[Disagreement]]:
        """The report of :meth:`values`, and the disagreements among these values, in the same unit; read once."""
        if status not in STATUSES:
            raise UsageError(f"There is no status “{status}”.", hint="Use accepted, waiting or all.")
        property_id = self.property_named(name)
        with using_units(self.domain.units):
            spec, scale, readings, unused, units = self._read(property_id, materials, unit, STATUSES[status])
            report = measurements.values_report(property_id, spec, scale, units, readings, unused)
            if not compare:
                return report, []
            rules = self.domain.comparison
            found = measurements.disagreements_of(property_id, spec, scale, readings, rules, self._marks())
        return report, [item for item in found if item.pairs]

    def disagreements(
        self, name: str | None = None, *, accepted_only: bool = False, cancel: CancelToken | None = None
    ) -> DisagreementsReport:
        """The materials on whose values of a property (or of any) papers disagree, by the rule of
        ``measurements/disagreeing.py``, and those whose values differ because their circumstances do.

        Raises:
            NotFound: there is no such property.
            Cancelled: the person stopped it.
        """
        statuses = STATUSES["accepted" if accepted_only else "all"]
        rules = self.domain.comparison
        names = [self.property_named(name)] if name else [item.id for item in self.measured_properties()]
        kept = [item for item in names if item not in rules.of_a_sample]
        found = []
        with using_units(self.domain.units):
            marks, sources = self._marks(), self._sources()
            for property_id in kept:
                if cancel is not None:
                    cancel.check()
                spec, scale, readings, _, _ = self._read(property_id, (), None, statuses, sources=sources)
                found += measurements.disagreements_of(property_id, spec, scale, readings, rules, marks)
        aside = [item for item in names if item not in kept]
        labels = tuple(spec.label for item in aside if (spec := self.domain.property(item)))
        return DisagreementsReport(
            tuple(item for item in found if item.pairs),
            tuple(item for item in found if not item.pairs),
            (LeftOut(OF_A_SAMPLE, len(aside), labels),) if aside else (),
        )

    def other_values(self, fact_id: str) -> tuple[str, list[MeasuredValue]]:
        """(unit, values): what other papers say of the material and the property of a measured fact."""
        fact = self.library.catalog.fact(fact_id)
        if fact.type != "HAS_VALUE" or not fact.property_id:
            return "", []
        with using_units(self.domain.units):
            _, scale, readings, _, _ = self._read(fact.property_id, (), None, STATUSES["all"], key=fact.source.key)
        return scale.unit, measurements.other_values(readings, (fact.id,), fact.source.key[1])

    # ------------------------------------------------------------------------------------------------ internals
    def _read(
        self,
        property_id: str,
        materials: Sequence[str],
        unit: str | None,
        statuses: Sequence[str],
        *,
        key: tuple[str, str] | None = None,
        sources: Sources | None = None,
    ) -> tuple[PropertySpec | None, Scale, list[Reading], list[Unused], tuple[str, ...]]:
        spec = self.domain.property(property_id)
        facts = self._measured(property_id, materials, statuses, key)
        quantities = [fact.quantity for fact in facts if fact.quantity and fact.quantity.ok]
        scale = measurements.scale_for(spec, quantities, unit)
        readings, unused = measurements.readings_of(facts, sources or self._sources(), scale, self.domain.comparison)
        return spec, scale, readings, unused, units_for(scale, spec, quantities)

    def _measured(
        self, property_id: str, materials: Sequence[str], statuses: Sequence[str], key: tuple[str, str] | None
    ) -> list[Fact]:
        catalog = self.library.catalog
        for material in materials:
            if not catalog.entity_ids(material):
                raise NotFound(f"There is no material “{material}” in this library.", hint="“graph nodes” lists names.")
        wanted: list[str | tuple[str, str] | None] = [key] if key else list(materials) or [None]
        found: dict[str, Fact] = {}
        for entity in wanted:
            for status in statuses:
                facts = catalog.facts(status=status, type="HAS_VALUE", property_id=property_id, entity=entity)
                found.update((fact.id, fact) for fact in facts)
        return list(found.values())

    def _sources(self) -> Sources:
        withdrawn, versions = self.library.catalog.standing()
        return Sources({paper.id: paper for paper in self.library.catalog.papers()}, withdrawn, versions)

    def _marks(self) -> Callable[[str, int], float]:
        """How surely a sentence cites by the marks in its file; documents are looked at only where papers differ."""
        catalog = self.library.catalog

        @lru_cache(maxsize=512)
        def strengths(paper: str) -> tuple[float, ...]:
            return tuple(item.citation for item in catalog.document(paper).sentences)

        def marks(paper: str, index: int) -> float:
            found = strengths(paper)
            return found[index] if 0 <= index < len(found) else 0.0

        return marks


__all__ = ["MeasuredProperty", "Numbers"]
