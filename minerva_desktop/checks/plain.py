"""Entities and relations from plain data, as a model or a file gives them: nothing is trusted, everything is named.

Confidence: missing is 0.7; a number above 1 is taken as 1 and one below 0 as 0, with a warning; what is no number, or not
finite, is a fault with the rule id "confidence".
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, cast, get_args

from minerva_desktop.checks import entities as names
from minerva_desktop.checks.lexicon import lexicon_of
from minerva_desktop.domains.pack import Domain
from minerva_desktop.records import Entity, Evidence, Modality, Relation

DEFAULT_CONFIDENCE = 0.7


def read_confidence(value: Any) -> tuple[float, str, str]:
    """(confidence, fault, warning): see the policies above."""
    if value is None:
        return DEFAULT_CONFIDENCE, "", ""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return 0.0, f"The confidence “{names.shown(str(value))}” is not a number.", ""
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        return 0.0, "The confidence is not a finite number.", ""
    clamped = min(1.0, max(0.0, number))
    warning = "" if clamped == number else f"The confidence {number:g} was taken as {clamped:g}."
    return clamped, "", warning


def entity_of(item: Any) -> tuple[Entity, str, str]:
    """(entity, fault, warning); a fault is "rule: reason"."""
    if not isinstance(item, dict):
        return (
            Entity("", names.shown(str(item))),
            "entity-type: An entity must be an object with a name and a type.",
            "",
        )
    name, kind = item.get("name"), item.get("type")
    if not isinstance(name, str) or not isinstance(kind, str):
        shown = Entity(kind if isinstance(kind, str) else "", name if isinstance(name, str) else names.shown(str(name)))
        return shown, "entity-type: An entity must have a name and a type, both texts.", ""
    _, fault, warning = read_confidence(item.get("confidence"))
    return Entity(kind, name), f"confidence: {fault}" if fault else "", warning


def relation_of(item: Any, domain: Domain) -> tuple[Relation, str, str]:
    """(relation, fault, warning); a fault of the confidence begins with its rule id."""
    blank = Evidence("", None, (), 0, 0, "")
    if not isinstance(item, dict):
        return Relation("", Entity("", ""), Entity("", ""), blank), "A relation must be an object.", ""
    texts = {key: item.get(key) for key in ("source", "relation", "target", "source_type", "target_type", "evidence")}
    if any(not isinstance(texts[key], str) for key in ("source", "relation", "target")):
        return (
            Relation("", Entity("", ""), Entity("", ""), blank),
            "A relation must name source, relation and target.",
            "",
        )
    confidence, fault, warning = read_confidence(item.get("confidence"))
    sentence = texts["evidence"] if isinstance(texts["evidence"], str) else ""
    modality = item.get("modality")
    property_id = item.get("property")
    relation = Relation(
        type=str(texts["relation"]),
        source=Entity(str(texts["source_type"] or ""), str(texts["source"])),
        target=Entity(str(texts["target_type"] or ""), str(texts["target"])),
        evidence=replace(blank, end=len(sentence), sentence=sentence),
        property_id=_property_id(property_id, domain) if isinstance(property_id, str) else "",
        modality=cast(Modality, modality) if modality in get_args(Modality) else "reported",
        confidence=confidence,
    )
    return relation, f"confidence: {fault}" if fault else "", warning


def _property_id(written: str, domain: Domain) -> str:
    spec = domain.property(written) or lexicon_of(domain).property(written)
    return spec.id if spec is not None else ""
