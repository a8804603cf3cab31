"""The critic: seven rules and a few more, without any model, that drop what is malformed before anything else looks at it.

A pure function of entities and relations: the result for one entry does not depend on the order of the others. One bad
entry drops itself and the relations that name it, nothing else. Every refusal has a rule id and one sentence of reason.

Policies, where the rules leave a choice (those for names are in :mod:`minerva_desktop.checks.entities`):

* Relation types are compared after "has property", "has-property" and "HAS_PROPERTY" are made one; anything else that is
  not exactly a type is refused and never reaches a query. Entity types are compared without case.
* An endpoint that stands under two types is taken as the one that makes the triple legal (MgB2 as Material and Formula).
* Self-loops compare (type, canonical name): MgB2 HAS_FORMULA MgB2 stands; "Si HAS_PROPERTY silicon" falls, since both
  names are one material.
* Confidence: missing is 0.7; a number above 1 is taken as 1 and one below 0 as 0, with a warning; what is no number, or
  not finite, is refused with the rule id "confidence".
* Evidence is searched in the text after Unicode, case and white space are evened out. When a text is given, a relation
  without evidence is ungrounded. A sentence that gives orders to its reader is no evidence.
* A name on a person's blacklist is refused as blacklist, by its written and by its canonical form, whatever else holds.
* A denied statement is refused as negated, unless the relation itself says that it is a negative one. A supposition
  passes, marked hypothetical; the gate lets it wait.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from minerva_desktop.checks import entities as names
from minerva_desktop.checks.evidence import EvidenceText, locate, stated_otherwise, supposes
from minerva_desktop.checks.lexicon import Lexicon, fold_name, lexicon_of
from minerva_desktop.checks.plain import DEFAULT_CONFIDENCE, entity_of, read_confidence, relation_of
from minerva_desktop.domains.pack import Domain
from minerva_desktop.errors import UsageError
from minerva_desktop.records import CriticResult, Entity, Relation

__all__ = ["DEFAULT_CONFIDENCE", "EntityCheck", "check_json", "check_paper", "read_confidence", "relation_type"]


@dataclass(frozen=True, slots=True)
class EntityCheck:
    """One entity as it would be stored, and whether it may be. ``warnings`` are rewrites and clamped numbers."""

    entity: Entity
    accepted: bool
    rule: str = ""
    reason: str = ""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Endpoint:
    """A declared entity that a relation's end refers to."""

    check: EntityCheck
    key: str


def check_paper(
    entities: Sequence[Entity],
    relations: Sequence[Relation],
    domain: Domain,
    *,
    text: str | None,
    known_materials: frozenset[str] = frozenset(),
) -> tuple[list[EntityCheck], list[CriticResult]]:
    """What the critic says of each entity and each relation of a paper, in their order.

    Args:
        text: the paper's text, for grounding; None = evidence is not searched.
        known_materials: names of materials besides the paper's own (the graph's, the gazetteer's), as written.
    """
    lexicon = lexicon_of(domain)
    known = _known(entities, known_materials, lexicon)
    dimensions = _dimensions(relations, lexicon)
    checks = [_check_entity(entity, lexicon, known, dimensions) for entity in entities]
    rules = _Rules(lexicon, checks, known, EvidenceText(text) if text is not None else None)
    return checks, [rules.check(relation) for relation in relations]


def _known(entities: Sequence[Entity], others: frozenset[str], lexicon: Lexicon) -> frozenset[str]:
    """Identities of the materials that are known, the paper's own accepted ones included."""
    own = {
        names.material_key(entity.name[: names.LONGEST_NAME], lexicon)
        for entity in entities
        if entity.type == "Material" and not names.check_name("Material", entity.name, lexicon, frozenset()).rule
    }
    return frozenset(own | {names.material_key(name, lexicon) for name in others}) - {""}


def _dimensions(relations: Sequence[Relation], lexicon: Lexicon) -> dict[str, frozenset[str]]:
    """For each value's name, the dimensions of the properties it is used with."""
    found: dict[str, set[str]] = {}
    for relation in relations:
        spec = lexicon.specs.get(relation.property_id)
        if relation.type == "HAS_VALUE" and spec is not None:
            found.setdefault(relation.target.name, set()).update({spec.dimension, *spec.other_dimensions} - {""})
    return {name: frozenset(items) for name, items in found.items()}


def _check_entity(
    entity: Entity, lexicon: Lexicon, known: frozenset[str], dimensions: dict[str, frozenset[str]]
) -> EntityCheck:
    kinds = {kind.name.casefold(): kind.name for kind in lexicon.domain.entity_types}
    kind = kinds.get(names.clean_name(entity.type[: names.LONGEST_NAME]).casefold())
    if kind is None:
        shown = replace(entity, name=names.shown(entity.name), type=names.shown(entity.type))
        reason = f"“{shown.type}” is not one of the entity types {', '.join(sorted(kinds.values()))}."
        return EntityCheck(shown, False, "entity-type", reason)
    outcome = names.check_name(kind, entity.name, lexicon, known, dimensions.get(entity.name, frozenset()))
    if not outcome.rule and entity.canonical:
        outcome = names.ruled_out(kind, lexicon, entity.canonical) or outcome
    stored = names.with_outcome(replace(entity, type=kind), outcome)
    warnings = (outcome.note,) if outcome.note else ()
    return EntityCheck(stored, not outcome.rule, outcome.rule, outcome.reason, warnings)


class _Rules:
    """The relation rules over one paper's declared entities."""

    def __init__(
        self, lexicon: Lexicon, checks: Sequence[EntityCheck], known: frozenset[str], text: EvidenceText | None
    ) -> None:
        self.lexicon = lexicon
        self.known = known
        self.text = text
        self.declared: dict[str, list[EntityCheck]] = {}
        for check in checks:
            for name in {
                *_spellings(check.entity.name, check.entity),
                *_spellings(check.entity.canonical, check.entity),
            }:
                self.declared.setdefault(name, []).append(check)
            if check.entity.type == "Material" and check.accepted:
                self.declared.setdefault(f"@{self._identity(check.entity)}", []).append(check)

    def check(self, relation: Relation) -> CriticResult:
        """The first rule that the relation breaks, or acceptance."""
        kind = relation_type(relation.type, self.lexicon.domain)
        if not kind:
            return CriticResult(
                False, "relation-type", f"“{names.shown(relation.type)}” is not one of this field's relation types."
            )
        sources, targets = self._endpoints(relation.source), self._endpoints(relation.target)
        for end, found in (("source", sources), ("target", targets)):
            if not found:
                missing = relation.source if end == "source" else relation.target
                typed = f" as a {missing.type}" if missing.type else ""
                return CriticResult(
                    False,
                    "undeclared-endpoint",
                    f"Endpoint undeclared: “{names.shown(missing.name)}” is not in the entities{typed}.",
                )
        source, target = self._pair(kind, sources, targets)
        return self._check_pair(kind, relation, source, target)

    def _endpoints(self, entity: Entity) -> list[EntityCheck]:
        found: list[EntityCheck] = []
        for name in [*_tiers(entity), f"@{self._identity(entity)}"]:
            found = [
                check
                for check in self.declared.get(name, [])
                if not entity.type or check.entity.type.casefold() == entity.type.casefold()
            ]
            if found:
                break
        return found

    def _pair(
        self, kind: str, sources: Sequence[EntityCheck], targets: Sequence[EntityCheck]
    ) -> tuple[EntityCheck, EntityCheck]:
        """The declared pair that serves the relation best: a legal triple of accepted entities, if there is one."""
        legal = self.lexicon.domain.legal
        return max(
            ((source, target) for source in sources for target in targets),
            key=lambda pair: (
                legal(pair[0].entity.type, kind, pair[1].entity.type),
                pair[0].accepted and pair[1].accepted,
                pair[0].accepted,
                pair[1].accepted,
                pair[0].entity.key,
                pair[1].entity.key,
                pair[0].rule,
                pair[1].rule,
            ),
        )

    def _check_pair(self, kind: str, relation: Relation, source: EntityCheck, target: EntityCheck) -> CriticResult:
        late = {"property-is-material", "method-is-material"}
        for check in (source, target):
            if not check.accepted and check.rule not in late:
                return CriticResult(False, check.rule, check.reason)
        for rule in (self._self_loop, self._is_material, self._illegal):
            refused = rule(kind, source, target)
            if refused is not None:
                return refused
        for check in (source, target):
            if not check.accepted:
                return CriticResult(False, check.rule, check.reason)
        return self._value(kind, relation) or self._evidence(kind, relation) or CriticResult(True)

    def _self_loop(self, kind: str, source: EntityCheck, target: EntityCheck) -> CriticResult | None:
        one, other = source.entity, target.entity
        same = one.type == other.type and self._identity(one) == self._identity(other)
        # A property, method or use that carries its own material's name says nothing of it; a formula or symbol does.
        named = other.type in {"Property", "Method", "Application"} and self._identity(one) == self._identity(other)
        if not same and not named:
            return None
        return CriticResult(False, "self-loop", f"“{names.shown(one.name)}” {kind} itself: both names are one thing.")

    def _identity(self, entity: Entity) -> str:
        return names.material_key((entity.canonical or entity.name)[: names.LONGEST_NAME], self.lexicon) or entity.name

    def _is_material(self, kind: str, source: EntityCheck, target: EntityCheck) -> CriticResult | None:
        rule = {"SYNTHESIZED_BY": "method-is-material", "HAS_PROPERTY": "property-is-material"}.get(kind)
        if (
            rule is None
            or self.lexicon.resolve("method", target.entity.name)
            or self.lexicon.property(target.entity.name)
        ):
            return None
        if (
            target.rule != rule
            and target.entity.type != "Material"
            and not names.is_material(target.entity.name, self.lexicon, self.known)
        ):
            return None
        what = "a way of making it" if kind == "SYNTHESIZED_BY" else "a property"
        return CriticResult(False, rule, f"“{names.shown(target.entity.name)}” is a material, not {what}.")

    def _illegal(self, kind: str, source: EntityCheck, target: EntityCheck) -> CriticResult | None:
        if self.lexicon.domain.legal(source.entity.type, kind, target.entity.type):
            return None
        triple = f"({source.entity.type}, {kind}, {target.entity.type})"
        return CriticResult(False, "illegal-triple", f"{triple} is not an allowed relation of this field.")

    def _value(self, kind: str, relation: Relation) -> CriticResult | None:
        """A value whose dimension cannot be its property's."""
        spec = self.lexicon.specs.get(relation.property_id)
        if kind != "HAS_VALUE" or spec is None or not spec.dimension:
            return None
        dimensions = {spec.dimension, *spec.other_dimensions}
        quantity = relation.quantity or names.parse_any(relation.target.name, frozenset(dimensions))
        if quantity.ambiguous or not quantity.ok or quantity.dimension in dimensions:
            return None
        return CriticResult(
            False,
            "bad-value",
            f"“{names.shown(relation.target.name)}” measures {quantity.dimension or 'nothing known'}, "
            f"which the {spec.label} does not.",
        )

    def _evidence(self, kind: str, relation: Relation) -> CriticResult | None:
        sentence = relation.evidence.sentence
        if self.text is not None:
            if not sentence.strip():
                return CriticResult(False, "ungrounded", "No evidence sentence was given, so nothing can be shown.")
            if sentence not in self.text:
                return CriticResult(False, "ungrounded", f"The evidence “{names.shown(sentence)}” is not in the text.")
        if not sentence.strip():
            return None
        return stated_otherwise(kind, relation, self.lexicon)


def _spellings(name: str, entity: Entity) -> set[str]:
    cleaned = names.clean_name(name[: names.LONGEST_NAME])
    spellings = {f"={cleaned}"}
    if entity.type not in {"Formula", "Element"}:  # their case is never folded
        spellings.add(f"~{fold_name(cleaned)}" if fold_name(cleaned) else f"={cleaned}")
    return spellings


def _tiers(entity: Entity) -> list[str]:
    """Keys by which an endpoint is looked up, the most exact first."""
    tiers: list[str] = []
    for name in (entity.canonical, entity.name):
        if name:
            cleaned = names.clean_name(name[: names.LONGEST_NAME])
            tiers.append(f"={cleaned}")
    for name in (entity.canonical, entity.name):
        if name and fold_name(name[: names.LONGEST_NAME]):
            tiers.append(f"~{fold_name(name[: names.LONGEST_NAME])}")
    return tiers or ["="]


def relation_type(written: str, domain: Domain) -> str:
    """The relation type that was written, in the domain's spelling; "" when it is none."""
    if len(written) > 60:
        return ""
    name = re.sub(r"[\s_-]+", "_", names.clean_name(written)).upper()
    return name if domain.relation_type(name) is not None else ""


# ------------------------------------------------------------------------------------------------------ JSON
def check_json(data: dict[str, Any], domain: Domain) -> dict[str, Any]:
    """The critic over plain data: the shape of ``inspect critic``, in input order.

    Raises:
        UsageError: "entities" or "relations" is not a list, or "text" is no text.
    """
    raw_entities, raw_relations = _list(data, "entities"), _list(data, "relations")
    text = data.get("text")
    if text is not None and not isinstance(text, str):
        raise UsageError("“text” must be a text.")
    faults: list[str] = []
    entities: list[Entity] = []
    warnings: list[str] = []
    for item in raw_entities:
        entity, fault, warning = entity_of(item)
        entities.append(entity)
        faults.append(fault)
        warnings.append(warning)
    read = [relation_of(item, domain) for item in raw_relations]
    sound = [entity if not fault else Entity("", "") for entity, fault in zip(entities, faults, strict=True)]
    checks, results = check_paper(sound, [item[0] for item in read], domain, text=text)
    return {
        "entities": [
            _entity_json(entity, check, fault, warning)
            for entity, check, fault, warning in zip(entities, checks, faults, warnings, strict=True)
        ],
        "relations": [
            _relation_json(relation, result, fault, warning, domain)
            for (relation, fault, warning), result in zip(read, results, strict=True)
        ],
    }


def _list(data: dict[str, Any], key: str) -> list[Any]:
    value = data.get(key, [])
    if not isinstance(value, list):
        raise UsageError(f"“{key}” must be a list.")
    return value


def _entity_json(entity: Entity, check: EntityCheck, fault: str, warning: str) -> dict[str, Any]:
    rule, _, reason = fault.partition(": ")
    canonical = check.entity.canonical if check.accepted and not fault else names.shown(entity.name)
    return {
        "name": entity.name if len(entity.name) <= names.LONGEST_NAME else names.shown(entity.name),
        "type": check.entity.type if not fault else names.shown(entity.type),
        "accepted": check.accepted and not fault,
        "canonical": canonical,
        "form": check.entity.form,
        "rule": rule or check.rule,
        "reason": reason or check.reason,
        "warnings": [item for item in (*check.warnings, warning) if item] if not fault else [],
    }


def _relation_json(
    relation: Relation, result: CriticResult, fault: str, warning: str, domain: Domain
) -> dict[str, Any]:
    rule, _, reason = fault.partition(": ") if fault.startswith("confidence: ") else ("relation-type", "", fault)
    modality = relation.modality
    if result.accepted and modality == "reported" and relation.evidence.sentence.strip():
        supposed = supposes(relation, locate(relation, lexicon_of(domain)))
        modality = "hypothetical" if supposed else modality
    return {
        "accepted": result.accepted and not fault,
        "rule": rule if fault else result.rule,
        "reason": reason if fault else result.reason,
        "modality": modality,
        "warnings": [warning] if warning and not fault else [],
    }
