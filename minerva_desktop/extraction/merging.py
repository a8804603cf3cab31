"""What the rules read and what a model read, as one: a fact that both found counts once, and more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from minerva_desktop.extraction.entities import Entities
from minerva_desktop.extraction.extractor import Extraction
from minerva_desktop.records import Quantity, Relation

BOTH = "rules+model"
MOST_SURE = 0.99

FactKey = tuple[object, ...]


def fact_key(relation: Relation) -> FactKey:
    """What makes two readings the same fact of the same sentence. Conditions do not: who saw more of them read better."""
    return (
        relation.evidence.sentence_index,
        relation.evidence.start,
        relation.type,
        relation.source.key,
        relation.target.key,
        relation.property_id,
        _numbers(relation.quantity),
    )


def _numbers(quantity: Quantity | None) -> tuple[object, ...]:
    if quantity is None:
        return ()
    sizes = (quantity.si_value, quantity.si_low, quantity.si_high, *quantity.si_values)
    return tuple(None if size is None else float(f"{size:.9g}") for size in sizes)


def merged(rules: Extraction, read: Sequence[Relation]) -> Extraction:
    """The rules' candidates and a model's.

    A fact that the rules have too stays as they have it, with a higher confidence: the two err for different reasons, so
    both being wrong is taken to be as unlikely as the product of each being wrong. What the model alone found stands behind,
    in the order of the document, once each. The order of ``read`` does not matter.
    """
    found: dict[FactKey, Relation] = {}
    for relation in sorted(read, key=_order):
        found.setdefault(fact_key(relation), relation)
    known: dict[FactKey, list[int]] = {}
    for number, relation in enumerate(rules.relations):
        known.setdefault(fact_key(relation), []).append(number)
    relations = list(rules.relations)
    for key, same in known.items():
        if key in found:
            number = _best(same, relations, found[key])
            relations[number] = _agreed(relations[number], found[key])
    new = [relation for key, relation in found.items() if key not in known]
    entities = Entities(rules.entities)
    for relation in new:
        entities.add(relation.source)
        entities.add(relation.target)
    return Extraction(tuple(entities), (*relations, *new), rules.dropped)


def agreeing(rules: Extraction, read: Iterable[Relation]) -> int:
    """How many of the model's facts the rules have too."""
    known = {fact_key(relation) for relation in rules.relations}
    return len({fact_key(relation) for relation in read} & known)


def _best(same: Sequence[int], relations: Sequence[Relation], other: Relation) -> int:
    """Of the rules' readings with one key the one with the model's conditions, else the first."""
    return next((number for number in same if relations[number].conditions == other.conditions), same[0])


def _agreed(one: Relation, other: Relation) -> Relation:
    both = 1.0 - (1.0 - one.confidence) * (1.0 - other.confidence)
    return replace(one, extractor=BOTH, confidence=max(one.confidence, round(min(MOST_SURE, both), 3)))


def _order(relation: Relation) -> tuple[object, ...]:
    """By place in the document, then by what it says; of the same fact the surest and most circumstantial first."""
    evidence = relation.evidence
    return (
        evidence.start,
        evidence.sentence_index,
        evidence.target_span or (0, 0),
        evidence.source_span or (-1, -1),
        relation.type,
        relation.property_id,
        relation.source.key,
        relation.target.key,
        -relation.confidence,
        -len(relation.conditions),
        repr(relation.conditions),
    )
