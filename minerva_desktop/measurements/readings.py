"""Facts become values: one for each paper that states it, in the unit of the report, with how it was measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

from minerva_desktop.domains.pack import Comparison
from minerva_desktop.extraction.modality import speaks_of_own
from minerva_desktop.language.citations import NUMBER, citation_strength
from minerva_desktop.measurements.circumstances import circumstances_of
from minerva_desktop.measurements.listed import conditions_by_item
from minerva_desktop.measurements.scales import Scale
from minerva_desktop.records import Condition, EvidenceRecord, Fact, MeasuredValue, Paper, Quantity
from minerva_desktop.records.values import ValueKind

_PLACES = ("RESULTS", "DISCUSSION", "CONCLUSION", "ABSTRACT", "OTHER", "METHODS", "INTRO", "REFERENCES")
_VERDICTS = ("CONTRADICTED", "SUPPORTED", "INSUFFICIENT", "")
NOT_USABLE = "can be read in more than one way"
SUPPOSED = "only supposed by the paper"
DENIED = "said by the paper not to hold"


@dataclass(frozen=True, slots=True)
class Sources:
    """The papers that facts come from: by id, which of them were retracted, and of which work each is a version."""

    papers: Mapping[str, Paper]
    withdrawn: Set[str] = frozenset()
    work_of: Mapping[str, str] | None = None

    def work(self, paper: str) -> str:
        return (self.work_of or {}).get(paper, paper)


@dataclass(frozen=True, slots=True)
class Reading:
    """A value with the quantity it was read as (in SI), by which it is compared, and its place in the paper's text."""

    value: MeasuredValue
    quantity: Quantity
    sentence_index: int = -1


@dataclass(frozen=True, slots=True)
class Unused:
    """A value that is in no report: why, and how it is written."""

    reason: str
    written: str


def readings_of(
    facts: Sequence[Fact], sources: Sources, scale: Scale, rules: Comparison
) -> tuple[list[Reading], list[Unused]]:
    """The values of facts of one property, and what cannot be used of them.

    What one paper says twice, once with fewer circumstances, is one value; the fuller one stands for both.
    """
    found: list[Reading] = []
    unused: list[Unused] = []
    for fact in facts:
        quantity = fact.quantity
        if quantity is None or not quantity.ok:
            unused.append(Unused(NOT_USABLE, quantity.text if quantity else fact.target.name))
        elif not scale.fits(quantity):
            kind = quantity.dimension.replace("_", " ") or "nothing that is known"
            unused.append(Unused(f"{kind} cannot be told in {scale.unit or 'pure numbers'}", quantity.text))
        else:
            for paper, records in _by_paper(fact).items():
                stated = [item for item in records if item.modality in ("reported", "cited")]
                if stated:
                    found += _readings(fact, quantity, paper, stated, sources, scale, rules)
                else:
                    why = DENIED if any(item.modality == "negated" for item in records) else SUPPOSED
                    unused.append(Unused(why, quantity.text))
    return _without_repetition(found), unused


def _by_paper(fact: Fact) -> dict[str, list[EvidenceRecord]]:
    found: dict[str, list[EvidenceRecord]] = {}
    for item in fact.evidence:
        if item.critic.accepted:
            found.setdefault(item.evidence.paper, []).append(item)
    return found


def _readings(
    fact: Fact,
    quantity: Quantity,
    paper: str,
    records: Sequence[EvidenceRecord],
    sources: Sources,
    scale: Scale,
    rules: Comparison,
) -> list[Reading]:
    """The readings of one fact in one paper: one, or one for each value of a list."""
    best = min(records, key=_order)
    evidence = best.evidence
    around = circumstances_of(evidence.sentence, evidence.target_span, best.method, fact.property_id, rules)
    described = sources.papers.get(paper)
    kelvin, at_room = _temperature(fact.conditions)
    verdicts = {item.verdict.verdict for item in records if item.verdict}
    kind: ValueKind = quantity.kind if quantity.kind in ("range", "bound", "list") else "value"
    whole = MeasuredValue(
        id=f"{fact.id}:{paper[:12]}",
        facts=(fact.id,),
        material=fact.source.key[1],
        kind=kind,
        written=quantity.text,
        comparator=quantity.comparator if kind == "bound" else "",
        approximate=quantity.approximate,
        conditions=fact.conditions,
        temperature=kelvin,
        at_room=at_room,
        method=best.method,
        approaches=around.approaches,
        form="" if best.form in rules.forms_alike else best.form,
        phase=around.phase,
        doping=around.doping,
        aspects=around.aspects,
        status=fact.decision.status,
        verdict=next(name for name in _VERDICTS if name in verdicts or not name),
        modality=best.modality,
        own=any(_own(item) for item in records),
        paper=paper,
        work=sources.work(paper),
        title=(described.title or described.file_name) if described else paper[:8],
        year=described.year if described else None,
        withdrawn=paper in sources.withdrawn,
        page=evidence.page,
        boxes=evidence.boxes,
        quote=evidence.sentence,
        evidence_ids=tuple(item.id for item in sorted(records, key=_order)),
    )
    return [
        Reading(value, one, evidence.sentence_index)
        for value, one in _numbers(whole, best.quantity or quantity, quantity, scale)
    ]


def _numbers(
    whole: MeasuredValue, read: Quantity, quantity: Quantity, scale: Scale
) -> list[tuple[MeasuredValue, Quantity]]:
    """The value with its numbers in the report's unit; each item of a list by itself."""
    if quantity.kind == "list":
        around = conditions_by_item(whole.quote, whole.conditions, len(quantity.si_values))
        return [
            (_item(whole, place, scale.of(number), around[place]), quantity)
            for place, number in enumerate(quantity.si_values)
        ]
    ends = [None if number is None else scale.of(number) for number in (quantity.si_low, quantity.si_high)]
    point = quantity.si_value
    if quantity.kind == "range":
        point = None
    elif quantity.kind == "bound":
        ends = [
            scale.of(point) if point is not None and sign in quantity.comparator else end
            for sign, end in zip("><", ends, strict=True)
        ]
        point = None
    if point is None and ends == [None, None]:
        return []
    spread = read.si_uncertainty if read.si_uncertainty is not None else quantity.si_uncertainty
    value = replace(
        whole,
        value=None if point is None else scale.of(point),
        low=ends[0] if point is None else None,
        high=ends[1] if point is None else None,
        uncertainty=None if spread is None else scale.width(spread),
    )
    return [(value, quantity)]


def _item(whole: MeasuredValue, place: int, number: float, conditions: tuple[Condition, ...]) -> MeasuredValue:
    """One value of a list, with the conditions that are its own."""
    kelvin, at_room = _temperature(conditions)
    return replace(
        whole,
        id=f"{whole.id}:{place}",
        value=number,
        conditions=conditions,
        temperature=kelvin,
        at_room=at_room,
    )


def _order(item: EvidenceRecord) -> tuple[bool, int, int, str]:
    """The evidence that is shown: the paper's own finding, where results stand, first."""
    return not _own(item), _PLACES.index(item.evidence.imrad), item.evidence.start, item.id


def _own(item: EvidenceRecord) -> bool:
    """Whether a sentence states the paper's own finding. One that cites others does not, unless the authors speak of
    themselves in it, which is what the reader of its modality has looked for."""
    return item.modality == "reported" and not cites(item.evidence.sentence)


def cites(sentence: str, marks: float = 0.0) -> bool:
    """Whether a sentence has what it says from others. ``marks``: how surely it cites by marks that its text has lost."""
    return max(citation_strength(sentence), marks) >= NUMBER and not speaks_of_own(sentence)


def _temperature(conditions: Sequence[Condition]) -> tuple[float | None, bool]:
    """(kelvin, in words): the temperature at which a value holds."""
    for item in conditions:
        if item.name == "temperature":
            return item.si_value, item.si_value is None and _says_room(item.text)
    return None, False


def _says_room(text: str) -> bool:
    return any(word in text.casefold() for word in ("room", "ambient")) or "RT" in text


# ---------------------------------------------------------------------------------------------------- repetition
def _without_repetition(readings: Sequence[Reading]) -> list[Reading]:
    kept: list[Reading] = []
    places: dict[tuple[object, ...], list[int]] = {}
    for item in sorted(readings, key=lambda one: (-len(_said(one.value)), not one.value.own)):
        value = item.value
        key = (value.work, value.material, value.kind, value.comparator, value.value, value.low, value.high)
        same = next((at for at in places.get(key, ()) if _said(value) <= _said(kept[at].value)), None)
        if same is None or value.kind == "list":
            places.setdefault(key, []).append(len(kept))
            kept.append(item)
        else:
            kept[same] = replace(kept[same], value=_joined(kept[same].value, value))
    order = {item.value.id: place for place, item in enumerate(readings)}
    return sorted(kept, key=lambda item: order[item.value.id])


def _said(value: MeasuredValue) -> frozenset[tuple[str, str]]:
    """What must not differ between two mentions of one value."""
    stated = {
        (item.name, f"{item.si_value:.6g}" if item.si_value is not None else item.text) for item in value.conditions
    }
    marks = {("form", value.form)} if value.form else set()
    marks |= {("phase", item) for item in value.phase} | {("doping", item) for item in value.doping}
    return frozenset(stated | marks | {("aspect", item) for item in value.aspects})


def _joined(kept: MeasuredValue, other: MeasuredValue) -> MeasuredValue:
    status = "accepted" if "accepted" in (kept.status, other.status) else kept.status
    verdict = next(name for name in _VERDICTS if name in (kept.verdict, other.verdict))
    return replace(
        kept,
        facts=tuple(dict.fromkeys((*kept.facts, *other.facts))),
        evidence_ids=tuple(dict.fromkeys((*kept.evidence_ids, *other.evidence_ids))),
        uncertainty=kept.uncertainty if kept.uncertainty is not None else other.uncertainty,
        approaches=tuple(sorted({*kept.approaches, *other.approaches})),
        own=kept.own or other.own,
        status=status,
        verdict=verdict,
    )
