"""Comparisons by numbers: which of two has more of a property, which of all has the most, which are above a bound.

Values come from facts and from the sentences of papers and textbooks; they are compared in SI.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from minerva_desktop.domains import Domain
from minerva_desktop.language.elements import SYMBOLS
from minerva_desktop.language.formulas import parse_formula
from minerva_desktop.language.quantities import canonical_value
from minerva_desktop.questions.citing import Citer, distinct
from minerva_desktop.questions.judging import is_part_of_name
from minerva_desktop.questions.need import Need, points
from minerva_desktop.questions.passages import Quoted
from minerva_desktop.questions.wording import WAITS, listed, value_text
from minerva_desktop.records import AnswerSentence, Citation, Fact, Quantity

_SHOWN = 3
_REFERENCE = re.compile(r"\[\d[\d,–\- ]*\]|\bet al\b")
"""A sentence with a mark of a reference may tell another paper's value."""
_MOST_LISTED = 12
_ANION = {"oxide": "O", "nitride": "N", "carbide": "C", "boride": "B", "sulfide": "S", "sulphide": "S", "fluoride": "F"}
_NO_METALS = frozenset("H He B C N O F Ne Si P S Cl Ar Ge As Se Br Kr Te I Xe At Rn".split())


@dataclass(frozen=True, slots=True)
class Valued:
    """A value of a property of a material. ``status``: of a fact; None for what stands in a sentence only."""

    material: str
    property_id: str
    quantity: Quantity
    text: str
    citations: tuple[Citation, ...]
    status: str | None
    methods: frozenset[str] = frozenset()

    @property
    def written(self) -> str:
        """The value in its own unit, with its conditions."""
        canonical = canonical_value(self.quantity)
        if not self.text.removeprefix("about ").startswith(canonical):
            return self.text  # it is told in the unit of the question already
        if self.quantity.approximate:
            canonical = f"about {canonical}" if self.text.startswith("about ") else canonical
        return self.text.replace(canonical, self.quantity.text, 1) if canonical and self.quantity.text else self.text


@dataclass(frozen=True, slots=True)
class _Span:
    low: float
    high: float
    values: tuple[Valued, ...]


def values_of(
    facts: Iterable[Fact],
    quoted: Iterable[Quoted],
    properties: Sequence[str],
    citer: Citer,
    made: Mapping[str, frozenset[str]],
    unit: str = "",
) -> list[Valued]:
    """The values of these properties that are reported, each once; those of facts first. ``made``: by which methods a
    paper made the material; ``unit``: the one that values are told in, where they can be."""
    found: dict[tuple[str, str, str], Valued] = {}

    def add(item: Valued) -> None:
        found.setdefault((item.material, item.property_id, canonical_value(item.quantity)), item)

    for fact in facts:
        if fact.type == "HAS_VALUE" and fact.property_id in properties and _usable(fact.quantity, fact.modality):
            assert fact.quantity is not None
            own = {item.evidence.paper for item in fact.evidence if not _REFERENCE.search(item.evidence.sentence)}
            how = frozenset().union(*(made.get(paper, frozenset()) for paper in own))
            status, places = fact.decision.status, citer.fact(fact)
            text = value_text(fact, unit)
            add(Valued(fact.source.key[1], fact.property_id, fact.quantity, text, places, status, how))
    for item in quoted:
        for relation in item.relations:
            usable = relation.type == "HAS_VALUE" and _usable(relation.quantity, relation.modality)
            usable = usable and not is_part_of_name(item.text, relation.source.name)
            if usable and relation.property_id in properties:
                assert relation.quantity is not None
                how = frozenset() if _REFERENCE.search(item.text) else made.get(item.passage.source, frozenset())
                text = value_text(relation, unit)
                name, quantity = relation.source.key[1], relation.quantity
                add(Valued(name, relation.property_id, quantity, text, (item.citation,), None, how))
    return list(found.values())


def _usable(quantity: Quantity | None, modality: str) -> bool:
    """Bounds and unclear values do not count, nor what is only supposed."""
    return quantity is not None and quantity.ok and quantity.kind in {"value", "range"} and modality == "reported"


def compare(
    names: Sequence[str],
    properties: Sequence[str],
    values: Sequence[Valued],
    need: Need,
    domain: Domain,
    yes_no: bool = False,
) -> list[AnswerSentence]:
    """One sentence for each property that can be compared by its numbers. ``names``: the materials of the question;
    ``yes_no``: whether it is the first of them that has more, or whether they are the same, is to be said first."""
    found: list[AnswerSentence] = []
    for item in properties:
        spans = _spans([value for value in values if value.property_id == item and is_a(value.material, need.noun)])
        if len(names) > 1:
            known = [name for name in names if name in spans]
            told = _of_named(_label(item, domain), known, spans, need.lesser)
            found += [_said_first(one, names[0], "same" in need.words) for one in told] if yes_no else told
        elif len(spans) > 1:
            found += _of_all(_label(item, domain), spans, need.lesser)
    return found


def _said_first(sentence: AnswerSentence, name: str, same: bool) -> AnswerSentence:
    """A comparison with "Yes" or "No" before it: whether ``name`` is the one, or all are the same; as it is when it is open."""
    alike, winning = " have the same " in sentence.text, re.search(r" has the (?:high|low)e(?:r|st) ", sentence.text)
    if not alike and not winning:
        return sentence
    yes = alike if same else sentence.text.startswith(f"{name} has ")
    return replace(sentence, text=f"{'Yes' if yes else 'No'}: {sentence.text}")


def compare_methods(
    methods: Sequence[str], properties: Sequence[str], values: Sequence[Valued], need: Need, domain: Domain
) -> list[AnswerSentence]:
    """Which of several ways of making one material gives more of a property."""
    found: list[AnswerSentence] = []
    for item in properties:
        by_method: dict[str, list[Valued]] = {}
        for value in values:
            how = value.methods & set(methods)
            if value.property_id == item and len(how) == 1:
                by_method.setdefault(next(iter(how)), []).append(value)
        spans = {name: span for name, members in by_method.items() if (span := _span(members)) is not None}
        named = [name for name in methods if name in spans]
        whose = listed(sorted({value.material for value in values}))
        found += _of_named(f"{_label(item, domain)} of {whose}", named, spans, need.lesser)
    return found


def above_or_below(
    properties: Sequence[str], values: Sequence[Valued], need: Need, domain: Domain
) -> list[AnswerSentence]:
    """The materials whose value is on the asked side of a bound, counted and listed by size."""
    bound = need.bound
    limits = points(bound) if bound is not None else []
    if bound is None or not limits:
        return []
    for item in properties:
        mine = [value for value in values if value.property_id == item and value.quantity.dimension == bound.dimension]
        spans = _spans([value for value in mine if is_a(value.material, need.noun)])
        above = bound.kind == "range" or bound.comparator.startswith(">")
        fitting = [name for name, span in spans.items() if _is_within(span, bound, limits)]
        if not fitting:
            continue
        fitting.sort(key=lambda name: (-spans[name].high if above else spans[name].low, name))
        own = _alike(spans[name] for name in fitting)
        shown = [f"{name} ({_shown(spans[name], own)})" for name in fitting]
        noun = need.noun or "material"
        head = f"{len(fitting)} {noun}s have" if len(fitting) > 1 else f"1 {noun} has"
        text = f"By the values in your library, {head} a {_label(item, domain)} {bound.text}"
        text = f"{text}: {listed(shown, most=_MOST_LISTED)}"
        return [sentence_of(text, [value for name in fitting[:_MOST_LISTED] for value in spans[name].values])]
    return []


def _is_within(span: _Span, bound: Quantity, limits: Sequence[float]) -> bool:
    if bound.kind == "range":
        return min(limits) <= span.low and span.high <= max(limits)
    if bound.comparator.startswith(">"):
        return span.low >= limits[0] if "=" in bound.comparator else span.low > limits[0]
    return span.high <= limits[0] if "=" in bound.comparator else span.high < limits[0]


def lacking(names: Sequence[str], properties: Sequence[str], values: Sequence[Valued], domain: Domain) -> str:
    """Why materials cannot be compared, as one clause; "" when each has a value."""
    for item in properties:
        having = [
            name for name in names if any(value.material == name and value.property_id == item for value in values)
        ]
        if having and len(having) < len(names):
            missing = [name for name in names if name not in having]
            return (
                f"there is the {_label(item, domain)} of {listed(having)} but not that of {listed(missing)}, "
                "so they cannot be compared"
            )
    return ""


# ----------------------------------------------------------------------------------------------------- helpers
def _label(property_id: str, domain: Domain) -> str:
    spec = domain.property(property_id)
    return spec.label if spec else property_id.replace("_", " ")


def is_a(material: str, noun: str) -> bool:
    """Whether a formula may be called so: an oxide holds oxygen, a metal is an element that is one."""
    formula = parse_formula(material)
    if noun in _ANION:
        return formula.ok and _ANION[noun] in formula.elements and len(formula.elements) > 1
    if noun == "element":
        return material in SYMBOLS
    if noun == "metal":
        return (material in SYMBOLS and material not in _NO_METALS) or not formula.ok
    if noun == "compound":
        return material not in SYMBOLS
    return True


def is_surely_a(material: str, noun: str) -> bool:
    """Whether the formula itself says that a material may be called so."""
    if noun == "metal":
        return material in SYMBOLS and material not in _NO_METALS
    return noun in _ANION and is_a(material, noun)


def _spans(values: Iterable[Valued]) -> dict[str, _Span]:
    by_material: dict[str, list[Valued]] = {}
    for value in values:
        by_material.setdefault(value.material, []).append(value)
    return {name: span for name, members in by_material.items() if (span := _span(members)) is not None}


def _span(values: Sequence[Valued]) -> _Span | None:
    """The interval of values in SI, None when they are not of one dimension."""
    numbers = [number for value in values for number in points(value.quantity)]
    if not numbers or len({value.quantity.dimension for value in values}) != 1:
        return None
    return _Span(min(numbers), max(numbers), tuple(values))


def _of_named(label: str, names: Sequence[str], spans: Mapping[str, _Span], lesser: bool) -> list[AnswerSentence]:
    if len(names) < 2:
        return []
    ordered = sorted(names, key=lambda name: (spans[name].low if lesser else -spans[name].high, name))
    first, second = spans[ordered[0]], spans[ordered[1]]
    if len({spans[name].values[0].quantity.dimension for name in ordered}) > 1:
        return []
    own = _alike(spans[name] for name in ordered)
    shown = [f"{name} {_shown(spans[name], own)}" for name in ordered]
    values = [value for name in ordered for value in spans[name].values]
    if first.high < second.low if lesser else first.low > second.high:
        degree = ("lower" if lesser else "higher") if len(ordered) == 2 else ("lowest" if lesser else "highest")
        text = f"{ordered[0]} has the {degree} {label}: {shown[0]} against {listed(shown[1:])}"
        return [sentence_of(text, values)]
    if first.low == first.high == second.low == second.high and len(ordered) == 2:
        return [sentence_of(f"{ordered[0]} and {ordered[1]} have the same {label}: {listed(shown)}", values)]
    text = f"The values of the {label} overlap, so none is clearly {'lower' if lesser else 'higher'}: {listed(shown)}"
    return [sentence_of(text, values)]


def _of_all(label: str, spans: Mapping[str, _Span], least: bool) -> list[AnswerSentence]:
    ordered = sorted(spans, key=lambda name: (spans[name].low if least else -spans[name].high, name))[:_SHOWN]
    own = _alike(spans[name] for name in ordered)
    shown = [f"{name} ({_shown(spans[name], own)})" for name in ordered]
    degree = "lowest" if least else "highest"
    text = f"Among the values in your library, {shown[0]} has the {degree} {label}, before {listed(shown[1:])}"
    return [sentence_of(text, [value for name in ordered for value in spans[name].values])]


def _shown(span: _Span, own_units: bool) -> str:
    texts = (value.written if own_units else value.text for value in span.values)
    return ", elsewhere ".join(list(dict.fromkeys(texts))[:_SHOWN])


def _alike(spans: Iterable[_Span]) -> bool:
    """Whether all values have one unit, so that they can be shown as they are written."""
    return len({value.quantity.unit for span in spans for value in span.values}) == 1


def sentence_of(text: str, values: Sequence[Valued]) -> AnswerSentence:
    """What was concluded from values, with where each of them stands. ``text`` has no full stop."""
    citations = distinct([value.citations[0] for value in values if value.citations])
    if any(value.status == "waiting" for value in values):
        return AnswerSentence(f"{text}; a value in it {WAITS}.", "paper", "waiting", citations)
    if any(value.status == "accepted" for value in values):
        return AnswerSentence(f"{text}.", "graph", "accepted", citations)
    source = citations[0].source if citations else "textbook"
    return AnswerSentence(f"{text}.", source, None, citations)
