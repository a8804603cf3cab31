"""Comparisons: which of two materials has more of a property, and which of all has the most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from minerva_desktop.domains import Domain
from minerva_desktop.questions.citing import Citer
from minerva_desktop.questions.wording import WAITS, listed, value_text
from minerva_desktop.records import AnswerSentence, Fact

LEAST = frozenset({"lowest", "smallest", "least"})
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class _Span:
    low: float
    high: float
    facts: tuple[Fact, ...]


def compare(
    materials: Sequence[str],
    properties: Sequence[str],
    facts: Sequence[Fact],
    words: Sequence[str],
    domain: Domain,
    citer: Citer,
) -> list[AnswerSentence]:
    """One sentence for each property that can be compared by its numbers."""
    found: list[AnswerSentence] = []
    for item in properties:
        spans = _spans(item, facts)
        spec = domain.property(item)
        label = spec.label if spec else item.replace("_", " ")
        if len(materials) > 1:
            found += _of_named(label, [name for name in materials if name in spans], spans, citer)
        elif len(spans) > 1:
            found += _of_all(label, spans, bool(LEAST & set(words)), citer)
    return found


def _spans(property_id: str, facts: Sequence[Fact]) -> dict[str, _Span]:
    """The interval of each material's values in SI; bounds and unclear values do not count."""
    by_material: dict[str, list[Fact]] = {}
    for fact in facts:
        quantity = fact.quantity
        usable = quantity is not None and quantity.ok and quantity.kind in {"value", "range"}
        if fact.type == "HAS_VALUE" and fact.property_id == property_id and usable and fact.modality == "reported":
            by_material.setdefault(fact.source.key[1], []).append(fact)
    spans: dict[str, _Span] = {}
    for name, members in by_material.items():
        numbers = [number for fact in members for number in _numbers(fact)]
        dimensions = {fact.quantity.dimension for fact in members if fact.quantity}
        if numbers and len(dimensions) == 1:
            spans[name] = _Span(min(numbers), max(numbers), tuple(members))
    return spans


def _numbers(fact: Fact) -> list[float]:
    quantity = fact.quantity
    assert quantity is not None
    return [item for item in (quantity.si_value, quantity.si_low, quantity.si_high) if item is not None]


def _of_named(label: str, names: Sequence[str], spans: Mapping[str, _Span], citer: Citer) -> list[AnswerSentence]:
    if len(names) < 2:
        return []
    ordered = sorted(names, key=lambda name: (-spans[name].high, name))
    first, second = ordered[0], ordered[1]
    shown = listed([f"{name} {_shown(spans[name])}" for name in ordered])
    facts = [fact for name in ordered for fact in spans[name].facts]
    if spans[first].low > spans[second].high:
        whose = "higher" if len(ordered) == 2 else "highest"
        return [_sentence(f"{first} has the {whose} {label}: {shown}", facts, citer)]
    if spans[first].low == spans[first].high == spans[second].low == spans[second].high and len(ordered) == 2:
        return [_sentence(f"{first} and {second} have the same {label}: {shown}", facts, citer)]
    return [_sentence(f"The values of the {label} overlap, so neither is clearly higher: {shown}", facts, citer)]


def _of_all(label: str, spans: Mapping[str, _Span], least: bool, citer: Citer) -> list[AnswerSentence]:
    sign = 1 if least else -1
    ordered = sorted(spans, key=lambda name: (sign * (spans[name].low if least else spans[name].high), name))[:_SHOWN]
    shown = [f"{name} ({_shown(spans[name])})" for name in ordered]
    degree = "lowest" if least else "highest"
    text = f"Among the facts of your library, {shown[0]} has the {degree} {label}, before {listed(shown[1:])}"
    return [_sentence(text, [fact for name in ordered for fact in spans[name].facts], citer)]


def _shown(span: _Span) -> str:
    return " or ".join(dict.fromkeys(value_text(fact) for fact in span.facts[:2]))


def _sentence(text: str, facts: Sequence[Fact], citer: Citer) -> AnswerSentence:
    citations = citer.facts(facts)
    if any(fact.decision.status == "waiting" for fact in facts):
        return AnswerSentence(f"{text}; a value in it {WAITS}.", "paper", "waiting", citations)
    return AnswerSentence(f"{text}.", "graph", "accepted", citations)
