"""What a person decides on facts: accept, refuse, correct. Each is one event that can be undone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from minerva_desktop.errors import NotFound, UsageError
from minerva_desktop.library.base import RowChange
from minerva_desktop.library.facts import FactsPart
from minerva_desktop.library.findings import (
    EVIDENCE_COLUMNS,
    RELATION_COLUMNS,
    FindingsPart,
    evidence_row,
    relation_row,
)
from minerva_desktop.library.identity import evidence_id, relation_id
from minerva_desktop.library.journal import JournalPart
from minerva_desktop.records import (
    ChangeSet,
    CriticResult,
    Entity,
    EvidenceRecord,
    Fact,
    FactStatus,
    Finding,
    Quantity,
    Relation,
)

_EDITABLE = ("source", "target", "property_id", "value", "quantity")
PERSON = ("person_status", "person_rule", "person_reason")
_VERBS = {"accepted": "Accepted", "refused": "Rejected", "waiting": "Put back to waiting"}


class DecisionsPart(JournalPart, FactsPart, FindingsPart):
    """Changes a person makes to facts."""

    def decide(self, ids: Sequence[str], status: FactStatus, reason: str = "") -> ChangeSet:
        """A person's decision on facts; it outranks the gate's, now and after every later reading."""
        if status not in _VERBS:
            raise UsageError(f"There is no status “{status}”.", hint="Use accepted, waiting or refused.")
        facts = self.facts_by_id(ids)
        missing = sorted(set(ids) - {fact.id for fact in facts})
        if missing:
            raise NotFound(f"There is no fact “{missing[0]}” in this library.", hint="“review list” shows their ids.")
        illegal = next((fact for fact in facts if status == "accepted" and not self._legal(fact)), None)
        if illegal is not None:
            raise UsageError(
                f"“{illegal.claim}” cannot be accepted: a {illegal.source.type} {illegal.type} a {illegal.target.type} "
                "means nothing in this domain.",
                hint="Correct it instead.",
            )
        label = f"{_VERBS[status]} {_named(facts)}"
        changes = [self._decision_change(fact, status, "", reason) for fact in facts]
        return self._person_change(label, changes, [fact.id for fact in facts])

    def edit_fact(self, fact_id: str, fields: Mapping[str, Any]) -> ChangeSet:
        """Correct a fact: ``source`` or ``target`` (names), ``property_id``, ``value`` (text) or ``quantity``.

        The corrected fact is accepted with the same evidence; the one as read is refused and says what replaced it.
        Both outlast a later reading of the papers.
        """
        fact = self.fact(fact_id)
        edited = self._edited(fact, fields)
        new_id = relation_id(
            edited.type,
            edited.source.key,
            edited.target.key,
            edited.property_id,
            edited.quantity,
            edited.conditions,
            edited.modality,
        )
        if new_id == fact.id:
            raise UsageError("That changes nothing: the fact says so already.")
        with self.db.transaction():
            changes = self._new_relation(new_id, edited)
            changes += [
                change
                for item in fact.evidence
                if (change := self._copied_evidence(new_id, fact, edited, item)) is not None
            ]
            old_person = self.db.row(f"SELECT {', '.join(PERSON)} FROM relations WHERE id = ?", [new_id])
            before = dict(old_person) if old_person else dict.fromkeys(PERSON, "") | {"person_status": None}
            accepted = {"person_status": "accepted", "person_rule": "corrected", "person_reason": ""}
            changes.append(("relations", {"id": new_id}, before, accepted))
            changes.append(self._decision_change(fact, "refused", "corrected", f"Corrected to “{self._claim(edited)}”"))
            return self._person_change(f"Corrected {_named([fact])}", changes, [fact.id, new_id])

    def gate(self) -> str:
        """The gate by which this library decides; empty when none was ever noted."""
        return self.db.meta("gate")

    def set_gate(self, gate: str) -> ChangeSet:
        """Note the gate by which this library decides from now on, as a change that can be undone."""
        old = self.gate()
        if old in ("", gate):
            self.db.set_meta("gate", gate)
            return ChangeSet()
        label = f"Changed the gate from {old} to {gate}"
        self._person_change(label, [("meta", {"key": "gate"}, {"value": old}, {"value": gate})], [])
        return ChangeSet(label, settings=True, everything=True, event=self.last_event())

    # ------------------------------------------------------------------------------------------------ internals
    def _person_change(self, label: str, changes: Sequence[RowChange], facts: Sequence[str]) -> ChangeSet:
        with self.db.transaction():
            self._apply(changes)
            event = self._record(label, undoable=True, changes=changes)
        return ChangeSet(label, facts=tuple(dict.fromkeys(facts)), event=event)

    def _decision_change(self, fact: Fact, status: str, rule: str, reason: str) -> RowChange:
        row = self.db.row(f"SELECT {', '.join(PERSON)} FROM relations WHERE id = ?", [fact.id])
        assert row is not None
        after = {"person_status": status, "person_rule": rule, "person_reason": reason}
        return ("relations", {"id": fact.id}, dict(row), after)

    def _legal(self, fact: Fact) -> bool:
        triple = (fact.source.type, fact.type, fact.target.type)
        return self.domain is None or any(pack.legal(*triple) for pack in self._packs)

    def _edited(self, fact: Fact, fields: Mapping[str, Any]) -> Fact:
        unknown = sorted(set(fields) - set(_EDITABLE))
        if unknown:
            raise UsageError(f"“{unknown[0]}” cannot be corrected.", hint=f"What can: {', '.join(_EDITABLE[:4])}.")
        source, target, property_id, quantity = fact.source, fact.target, fact.property_id, fact.quantity
        if fields.get("source"):
            source = _renamed(source, str(fields["source"]))
        if fields.get("target"):
            target = _renamed(target, str(fields["target"]))
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
        return replace(fact, source=source, target=target, property_id=property_id, quantity=quantity)

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
        relation = _relation(edited, item)
        source_span = evidence.source_span if edited.source == old.source else _find(evidence.sentence, edited.source)
        target_span = evidence.target_span if edited.target == old.target else _find(evidence.sentence, edited.target)
        relation = replace(
            relation,
            evidence=replace(evidence, source_span=source_span, target_span=target_span),
            extractor="person",
            rule="corrected",
            confidence=1.0,
        )
        row = evidence_row(key, new_id, evidence.paper, Finding(relation, CriticResult(True)), by_person=True)
        read = self.db.row("SELECT source_read, target_read FROM evidences WHERE id = ?", [item.id])
        if read is not None:  # so that an entity that is taken out of another again takes its corrected facts along
            row["source_read"] = read["source_read"] if edited.source == old.source else ""
            row["target_read"] = read["target_read"] if edited.target == old.target else ""
        return ("evidences", {"id": key}, None, {name: row[name] for name in EVIDENCE_COLUMNS})


def _renamed(entity: Entity, name: str) -> Entity:
    return Entity(entity.type, name, name, entity.form)


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


def _find(sentence: str, entity: Entity) -> tuple[int, int] | None:
    start = sentence.find(entity.name)
    return None if start < 0 else (start, start + len(entity.name))


def _named(facts: Sequence[Fact]) -> str:
    if len(facts) != 1:
        return f"{len(facts)} facts"
    claim = facts[0].claim.rstrip(".")
    return f"“{claim if len(claim) <= 60 else claim[:57].rstrip() + '…'}”"
