"""What a person decides on facts: accept, refuse, put back. Each is one event that can be undone, with what it was about.

Beside the rows that undo writes back, an event keeps each decision in the table ``decisions``: the fact as it was (relation,
names, value, unit, sentences with the spans of both ends), what it became, and of what kind a rejection is. Whoever wants
to learn from decisions, or to make a test set of them, reads :meth:`DecisionsPart.decisions`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from minerva_desktop.errors import NotFound, UsageError
from minerva_desktop.library import codec
from minerva_desktop.library.base import RowChange
from minerva_desktop.library.database import Row
from minerva_desktop.library.facts import FactsPart
from minerva_desktop.library.findings import FindingsPart
from minerva_desktop.library.journal import JournalPart
from minerva_desktop.records import (
    REJECTION_KINDS,
    ChangeSet,
    Decided,
    DecisionVerb,
    EvidenceRecord,
    Fact,
    FactStatus,
    StatedPlace,
    Statement,
)

PERSON = ("person_status", "person_rule", "person_reason")
_LABELS = {"accepted": "Accepted", "refused": "Rejected", "waiting": "Put back to waiting"}
_VERBS: Mapping[FactStatus, DecisionVerb] = {"accepted": "accept", "refused": "reject", "waiting": "reopen"}
_MOST_PLACES = 8


@dataclass(frozen=True, slots=True)
class Note:
    """What is kept of one decision beside its row changes."""

    verb: DecisionVerb
    before: Fact
    kind: str = ""
    reason: str = ""
    after: Fact | None = None


class DecisionsPart(JournalPart, FactsPart, FindingsPart):
    """Decisions of a person, and what is kept of them."""

    def decide(self, ids: Sequence[str], status: FactStatus, reason: str = "", kind: str = "") -> ChangeSet:
        """A person's decision on facts; it outranks the gate's, now and after every later reading.

        ``kind``: of a rejection, why (:data:`REJECTION_KINDS`).
        """
        if status not in _VERBS:
            raise UsageError(f"There is no status “{status}”.", hint="Use accepted, waiting or refused.")
        if kind and (kind not in REJECTION_KINDS or status != "refused"):
            raise UsageError(
                f"There is no kind of rejection “{kind}”.", hint=f"Kinds: {', '.join(REJECTION_KINDS)}; for rejections."
            )
        facts = self.facts_by_id(ids)
        missing = sorted(set(ids) - {fact.id for fact in facts})
        if missing:
            raise NotFound(f"There is no fact “{missing[0]}” in this library.", hint="“review list” shows their ids.")
        illegal = next((fact for fact in facts if status == "accepted" and not self.legal(fact)), None)
        if illegal is not None:
            raise meaningless(illegal, f"“{illegal.claim}” cannot be accepted")
        why = f" ({REJECTION_KINDS[kind]})" if kind else ""
        rows = self._person_rows([fact.id for fact in facts])
        after = {"person_status": status, "person_rule": kind, "person_reason": reason}
        changes: list[RowChange] = [("relations", {"id": fact.id}, rows[fact.id], after) for fact in facts]
        notes = [Note(_VERBS[status], fact, kind, reason) for fact in facts]
        label = f"{_LABELS[status]} {named(facts)}{why}"
        return self._person_change(label, changes, [fact.id for fact in facts], notes)

    def decisions(self, *, in_force: bool = True) -> Iterator[Decided]:
        """Every decision of a person on a fact, oldest first; ``in_force`` leaves out those that were undone.

        A fact may have several: the last one counts.
        """
        only = "WHERE e.undone = 0 " if in_force else ""
        query = f"SELECT d.*, e.at, e.undone FROM decisions d JOIN events e ON e.id = d.event {only}ORDER BY d.event, d.fact"
        for row in self.db.rows(query):
            yield _decided(row)

    def legal(self, fact: Fact) -> bool:
        """Whether a fact means something in the domain."""
        triple = (fact.source.type, fact.type, fact.target.type)
        return self.domain is None or any(pack.legal(*triple) for pack in self.packs)

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
    def _person_change(
        self, label: str, changes: Sequence[RowChange], facts: Sequence[str], notes: Sequence[Note] = ()
    ) -> ChangeSet:
        with self.db.transaction() as connection:
            self._apply(changes)
            event = self._record(label, undoable=True, changes=changes)
            connection.executemany(
                "INSERT INTO decisions (event, fact, verb, kind, reason, before, after) VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    (
                        event,
                        note.before.id,
                        note.verb,
                        note.kind,
                        note.reason,
                        codec.encode(statement_of(note.before)),
                        codec.encode(statement_of(note.after)) if note.after else None,
                    )
                    for note in notes
                ],
            )
        return ChangeSet(label, facts=tuple(dict.fromkeys(facts)), event=event)

    def _person_rows(self, ids: Sequence[str]) -> dict[str, dict[str, object]]:
        """What a person had decided on these facts, as columns."""
        rows = self.db.rows_in(f"SELECT id, {', '.join(PERSON)} FROM relations WHERE id IN (…)", list(ids))
        return {row["id"]: {name: row[name] for name in PERSON} for row in rows}


def statement_of(fact: Fact) -> Statement:
    """A fact as decisions keep it."""
    quantity = fact.quantity
    return Statement(
        fact=fact.id,
        type=fact.type,
        source_type=fact.source.type,
        source=fact.source.name,
        target_type=fact.target.type,
        target=fact.target.name,
        source_canonical=fact.source.key[1],
        target_canonical=fact.target.key[1],
        property_id=fact.property_id,
        value=quantity.text if quantity else "",
        unit=quantity.unit if quantity else "",
        si_value=quantity.si_value if quantity else None,
        conditions=tuple(item.text for item in fact.conditions),
        modality=fact.modality,
        claim=fact.claim,
        places=tuple(_place(item) for item in fact.evidence[:_MOST_PLACES]),
    )


def meaningless(fact: Fact, lead: str) -> UsageError:
    """The error that a fact's types do not go together in the domain."""
    return UsageError(
        f"{lead}: a {fact.source.type} {fact.type} a {fact.target.type} means nothing in this domain.",
        hint="Correct it instead.",
    )


def named(facts: Sequence[Fact]) -> str:
    """Facts in the sentence of an event: the claim of one, the number of several."""
    if len(facts) != 1:
        return f"{len(facts)} facts"
    return quoted(facts[0].claim)


def quoted(claim: str) -> str:
    """A claim in quotation marks, cut where it is long."""
    claim = claim.rstrip(".")
    return f"“{claim if len(claim) <= 60 else claim[:57].rstrip() + '…'}”"


def _place(item: EvidenceRecord) -> StatedPlace:
    where = item.evidence
    return StatedPlace(
        where.paper,
        where.page,
        where.start,
        where.end,
        where.sentence,
        where.source_span,
        where.target_span,
        item.extractor,
        item.rule,
        item.confidence,
    )


def _decided(row: Row) -> Decided:
    return Decided(
        event=row["event"],
        at=row["at"],
        fact=row["fact"],
        verb=row["verb"],
        kind=row["kind"],
        reason=row["reason"],
        before=codec.decode(Statement, row["before"]),
        after=codec.decode(Statement, row["after"]) if row["after"] else None,
        in_force=row["undone"] == 0,
    )
