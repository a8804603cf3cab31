"""What a person corrects in facts: names, types, relation, property, value, direction, and the sentence that states it.

The corrected fact is accepted with the same evidence; the one as read is refused and says what replaced it. Both outlast a
later reading of the papers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from minerva_desktop.domains import Domain
from minerva_desktop.errors import NotFound, UsageError
from minerva_desktop.library.base import RowChange
from minerva_desktop.library.decisions import DecisionsPart, Note, meaningless, named
from minerva_desktop.library.findings import EVIDENCE_COLUMNS, RELATION_COLUMNS, evidence_row, relation_row
from minerva_desktop.library.identity import evidence_id, relation_id
from minerva_desktop.library.papers import PapersPart
from minerva_desktop.records import (
    ChangeSet,
    CriticResult,
    DecisionVerb,
    Document,
    Entity,
    Evidence,
    EvidenceRecord,
    Fact,
    Finding,
    Quantity,
    Relation,
)

EDITABLE = ("source", "target", "property_id", "value", "quantity", "type", "source_type", "target_type", "evidence")
_CORRECTED = {"person_status": "accepted", "person_rule": "corrected", "person_reason": ""}
_LABELS: Mapping[DecisionVerb, str] = {"edit": "Corrected", "reverse": "Reversed", "relabel": "Relabelled"}
MOST_CHOICES = 9


@dataclass(frozen=True, slots=True)
class Choice:
    """A relation that a fact may be relabelled to; ``target_type`` differs from the fact's where the pack wants another."""

    type: str
    target_type: str
    current: bool = False


@dataclass(frozen=True, slots=True)
class EvidencePlace:
    """Another sentence for a fact: characters ``start`` to ``end`` of a paper's text, in place of the evidence ``id``."""

    id: str
    paper: str
    start: int
    end: int


class CorrectionsPart(DecisionsPart, PapersPart):
    """Corrections of a person."""

    def edit_fact(self, fact_id: str, fields: Mapping[str, Any]) -> ChangeSet:
        """Correct a fact. ``fields``: ``source`` or ``target`` (names), ``source_type``, ``target_type``, ``type`` (the
        relation), ``property_id``, ``value`` (text) or ``quantity``, ``evidence`` (:class:`EvidencePlace`).

        Raises:
            UsageError: it changes nothing, the value cannot be read, or the result means nothing in the domain.
        """
        fact = self.fact(fact_id)
        edited = self._edited(fact, fields)
        if not self.legal(edited):
            raise meaningless(edited, f"{named([fact])} cannot be corrected so")
        return self._correct("edit", fact, edited, fields.get("evidence"))

    def reverse_fact(self, fact_id: str) -> ChangeSet:
        """Make the subject the object and the object the subject.

        Raises:
            UsageError: the pack does not allow the relation that way round.
        """
        fact = self.fact(fact_id)
        reason = why_not_reversed(self.domain, fact)
        if reason:
            raise UsageError(reason, hint="Correct the names instead (edit).", code="not-reversible")
        return self._correct("reverse", fact, replace(fact, source=fact.target, target=fact.source))

    def relabel_fact(self, fact_id: str, relation: str, target_type: str = "") -> ChangeSet:
        """Make it another relation between the same two, see :func:`relabel_choices`.

        Raises:
            UsageError: the pack does not allow that.
        """
        fact = self.fact(fact_id)
        wanted = Choice(relation, target_type or fact.target.type)
        if wanted not in [replace(choice, current=False) for choice in relabel_choices(self.domain, fact)]:
            raise UsageError(
                f"A {fact.source.type} cannot be said to {words_of(relation)} a {wanted.target_type} in this domain.",
                hint="The relations that can be chosen are shown with their number.",
                code="no-such-relation",
            )
        target = fact.target if wanted.target_type == fact.target.type else _retyped(fact.target, wanted.target_type)
        return self._correct("relabel", fact, replace(fact, type=relation, target=target))

    # ------------------------------------------------------------------------------------------------ internals
    def _correct(self, verb: DecisionVerb, fact: Fact, edited: Fact, place: EvidencePlace | None = None) -> ChangeSet:
        new_id = relation_id(
            edited.type,
            edited.source.key,
            edited.target.key,
            edited.property_id,
            edited.quantity,
            edited.conditions,
            edited.modality,
        )
        if new_id == fact.id and place is None:
            raise UsageError("That changes nothing: the fact says so already.")
        with self.db.transaction():
            moved = self._moved(fact, edited, new_id, place) if place is not None else []
            changes: list[RowChange] = []
            if new_id != fact.id:
                changes += self._new_relation(new_id, edited)
                changes += [
                    change
                    for item in fact.evidence
                    if place is None or item.id != place.id
                    if (change := self._copied_evidence(new_id, fact, edited, item)) is not None
                ]
                old = self._person_rows([new_id]).get(new_id, dict.fromkeys(_CORRECTED, "") | {"person_status": None})
                changes.append(("relations", {"id": new_id}, old, _CORRECTED))
                told = {
                    "person_status": "refused",
                    "person_rule": "corrected",
                    "person_reason": f"Corrected to “{self._claim(edited)}”",
                }
            else:
                told = _CORRECTED
            changes += moved
            changes.append(("relations", {"id": fact.id}, self._person_rows([fact.id])[fact.id], told))
            after = replace(edited, id=new_id, claim=self._claim(edited), evidence=self._shown(fact, edited, place))
            note = Note(verb, fact, after=after)
            return self._person_change(f"{_LABELS[verb]} {named([fact])}", changes, [fact.id, new_id], [note])

    def _edited(self, fact: Fact, fields: Mapping[str, Any]) -> Fact:
        unknown = sorted(set(fields) - set(EDITABLE))
        if unknown:
            raise UsageError(f"“{unknown[0]}” cannot be corrected.", hint=f"What can: {', '.join(EDITABLE[:4])}.")
        source, target, property_id, quantity = fact.source, fact.target, fact.property_id, fact.quantity
        if fields.get("source"):
            source = _renamed(source, str(fields["source"]))
        if fields.get("target"):
            target = _renamed(target, str(fields["target"]))
        if fields.get("source_type"):
            source = _retyped(source, str(fields["source_type"]))
        if fields.get("target_type"):
            target = _retyped(target, str(fields["target_type"]))
        if fields.get("property_id"):
            property_id = str(fields["property_id"])
            if self.domain and self.domain.property(property_id) is None:
                raise UsageError(
                    f"There is no property “{property_id}” in the domain pack {self.domain.name}.",
                    hint="Use its id, such as band_gap.",
                )
        if fields.get("quantity") or fields.get("value"):
            quantity = fields.get("quantity") or self._parsed(str(fields["value"]), property_id)
            shown = self.tools.canonical_value(quantity) if self.tools.canonical_value else quantity.text
            target = Entity(target.type, quantity.text, shown)
        kind = str(fields.get("type") or fact.type)
        return replace(fact, type=kind, source=source, target=target, property_id=property_id, quantity=quantity)

    def _parsed(self, text: str, property_id: str) -> Quantity:
        if self.tools.parse_value is None:
            raise UsageError("Values cannot be corrected here: no quantity parser is at hand.")
        spec = self.domain.property(property_id) if self.domain else None
        quantity = self.tools.parse_value(text, spec.dimension or None if spec else None)
        if not quantity.ok:
            raise UsageError(
                f"“{text}” is no value that can be used: {quantity.reason}", hint="Write a number with its unit."
            )
        return quantity if quantity.text else replace(quantity, text=text)

    def _new_relation(self, new_id: str, fact: Fact) -> list[RowChange]:
        if self.db.row("SELECT 1 FROM relations WHERE id = ?", [new_id]) is not None:
            return []
        rows = self._entity_rows([fact.source.key, fact.target.key])
        relation = _relation(fact, fact.evidence[0]) if fact.evidence else None
        assert relation is not None
        row = relation_row(new_id, Finding(relation, CriticResult(True)), rows)
        return [("relations", {"id": new_id}, None, {name: row[name] for name in RELATION_COLUMNS})]

    def _copied_evidence(self, new_id: str, old: Fact, edited: Fact, item: EvidenceRecord) -> RowChange | None:
        evidence = item.evidence
        key = evidence_id(new_id, evidence.paper, evidence.start, evidence.end)
        if self.db.row("SELECT 1 FROM evidences WHERE id = ?", [key]) is not None:
            return None
        row = evidence_row(key, new_id, evidence.paper, _by_person(edited, _spanned(old, edited, item)), by_person=True)
        read = self.db.row("SELECT source_read, target_read FROM evidences WHERE id = ?", [item.id])
        if read is not None:  # so that an entity that is taken out of another again takes its corrected facts along
            names = {old.source: read["source_read"], old.target: read["target_read"]}
            row["source_read"] = names.get(edited.source, "")
            row["target_read"] = names.get(edited.target, "")
        return ("evidences", {"id": key}, None, {name: row[name] for name in EVIDENCE_COLUMNS})

    def _moved(self, fact: Fact, edited: Fact, new_id: str, place: EvidencePlace) -> list[RowChange]:
        """The evidence where the person says it is. What was read stays beside it: the record of a run is not thinned out."""
        item = _placed(edited, place, self.document(place.paper), self._record_of(fact, place))
        evidence = item.evidence
        key = evidence_id(new_id, evidence.paper, evidence.start, evidence.end)
        changes: list[RowChange] = []
        if key == place.id:
            raise UsageError("That changes nothing: it is this sentence already.")
        if self.db.row("SELECT 1 FROM evidences WHERE id = ?", [key]) is None:
            row = evidence_row(key, new_id, evidence.paper, _by_person(edited, item), by_person=True)
            changes.append(("evidences", {"id": key}, None, {name: row[name] for name in EVIDENCE_COLUMNS}))
        return changes

    def _shown(self, fact: Fact, edited: Fact, place: EvidencePlace | None) -> tuple[EvidenceRecord, ...]:
        """The evidence of a corrected fact."""
        if place is None:
            return tuple(_spanned(fact, edited, item) for item in fact.evidence)
        new = _placed(edited, place, self.document(place.paper), self._record_of(fact, place))
        return tuple(new if item.id == place.id else _spanned(fact, edited, item) for item in fact.evidence)

    def _record_of(self, fact: Fact, place: EvidencePlace) -> EvidenceRecord:
        found = next((item for item in fact.evidence if item.id == place.id), None)
        if found is None or found.evidence.paper != place.paper:
            raise NotFound("That evidence is not there any more.", hint="Open the correction again.")
        return found


def relabel_choices(domain: Domain | None, fact: Fact) -> tuple[Choice, ...]:
    """The relations a fact may be relabelled to, the present one among them, in the order of the pack; nine at most.

    Those that the pack allows between the types of its two ends; where there is no number in it, also those that the pack
    allows from its subject to an object of another type, since what is wrong with a relation is most often the type that
    its object was taken for.
    """
    if domain is None:
        return ()
    found: list[Choice] = []
    for relation in domain.relation_types:
        allowed = [target for source, target in relation.triples if source == fact.source.type]
        if fact.target.type in allowed:
            found.append(Choice(relation.name, fact.target.type, relation.name == fact.type))
        elif allowed and fact.quantity is None and fact.target.type != "Value" and allowed[0] != "Value":
            found.append(Choice(relation.name, allowed[0]))
    return tuple(found[:MOST_CHOICES])


def why_not_reversed(domain: Domain | None, fact: Fact) -> str:
    """Why subject and object of a fact cannot change places; empty when they can."""
    if domain is None or domain.legal(fact.target.type, fact.type, fact.source.type):
        return ""
    return (
        f"This cannot be reversed: the pack {domain.name} knows no {fact.target.type} that is said to "
        f"{words_of(fact.type)} a {fact.source.type}."
    )


def words_of(relation: str) -> str:
    """A relation's name as words: “used in”."""
    return relation.replace("_", " ").lower()


def _renamed(entity: Entity, name: str) -> Entity:
    return Entity(entity.type, name, name, entity.form)


def _retyped(entity: Entity, kind: str) -> Entity:
    return replace(entity, type=kind)


def _relation(fact: Fact, item: EvidenceRecord) -> Relation:
    return Relation(
        type=fact.type,
        source=fact.source,
        target=fact.target,
        evidence=item.evidence,
        property_id=fact.property_id,
        quantity=fact.quantity,
        conditions=fact.conditions,
        method=fact.method,
        modality=fact.modality,
        confidence=item.confidence,
        extractor=item.extractor,
        rule=item.rule,
    )


def _by_person(fact: Fact, item: EvidenceRecord) -> Finding:
    relation = replace(_relation(fact, item), extractor="person", rule="corrected", confidence=1.0)
    return Finding(relation, CriticResult(True))


def _spanned(old: Fact, edited: Fact, item: EvidenceRecord) -> EvidenceRecord:
    """A reading of the old fact with the spans of the edited one's ends."""
    evidence = item.evidence
    known = {old.source: evidence.source_span, old.target: evidence.target_span}

    def span(entity: Entity) -> tuple[int, int] | None:
        same = next((where for end, where in known.items() if end.name == entity.name), None)
        return same if same is not None else _find(evidence.sentence, entity)

    return replace(item, evidence=replace(evidence, source_span=span(edited.source), target_span=span(edited.target)))


def _placed(fact: Fact, place: EvidencePlace, document: Document, item: EvidenceRecord) -> EvidenceRecord:
    start, end = place.start, place.end
    text = document.text[start:end]
    start, end = start + len(text) - len(text.lstrip()), end - (len(text) - len(text.rstrip()))
    if not text.strip() or start < 0 or end > len(document.text):
        raise UsageError("Nothing was marked in the paper.", hint="Mark the sentence that states it.")
    inside = [one for one in document.sentences if one.start < end and one.end > start]
    first = inside[0] if inside else None
    sentence = document.text[start:end]
    evidence = Evidence(
        paper=place.paper,
        page=first.page if first else None,
        boxes=tuple(box for one in inside for box in one.boxes),
        start=start,
        end=end,
        sentence=sentence,
        section=first.section if first else "",
        imrad=first.imrad if first else "OTHER",
        sentence_index=first.index if first else -1,
        source_span=_find(sentence, fact.source),
        target_span=_find(sentence, fact.target),
    )
    return replace(item, evidence=evidence)


def _find(sentence: str, entity: Entity) -> tuple[int, int] | None:
    start = sentence.find(entity.name)
    return None if start < 0 else (start, start + len(entity.name))
