"""The audit: what must always hold between record, graph, vectors and files, each as a figure with samples.

The checks stand in :mod:`.audit_record`, :mod:`.audit_facts`, :mod:`.audit_journal` and :mod:`.audit_projections`; this
module lists them, runs them, and gives what they find its name.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING

from minerva_desktop.errors import MinervaError
from minerva_desktop.library import audit_facts, audit_journal, audit_projections, audit_record
from minerva_desktop.library.audit_types import (
    SAMPLES,
    AuditCheck,
    AuditReport,
    AuditSample,
    Circumstances,
    Found,
    Invariant,
    Problem,
)

if TYPE_CHECKING:
    from minerva_desktop.library.library import Library

SHOWN, PASSAGES, GRAPH, VECTORS, GATE = "shown", "passages", "graph", "vectors", "gate"
"""What a repair makes anew; see :mod:`.repairing`."""

DATABASE = "the database is whole"
_BACKUP = "Put back a copy of library.sqlite from a backup; nothing is written into a damaged one."
_READ_AGAIN = "Read the paper again (“reextract PAPER”); what a person decided stays."
_BY_HAND = "The record was changed by other means than this program; put back a backup, or decide again what it names."

INVARIANTS: Sequence[Invariant] = (
    Invariant(DATABASE, audit_record.database, advice=_BACKUP),
    # projections against the record
    Invariant("every accepted fact is in the graph once, and nothing else is", audit_projections.facts, repair=GRAPH),
    Invariant("edges of the graph say what the catalog says", audit_projections.edges, repair=GRAPH),
    Invariant("nodes of the graph are those of its facts and papers", audit_projections.nodes, repair=GRAPH),
    Invariant("key columns of the graph follow from its facts", audit_projections.columns, repair=GRAPH),
    Invariant("mentions and uses in the graph are those of the catalog", audit_projections.links, repair=GRAPH),
    Invariant("what is shown is what the papers there say", audit_projections.visibility, repair=SHOWN),
    Invariant("entities are found under the names that papers use", audit_projections.spellings, repair=SHOWN),
    Invariant("the word index fits the texts", audit_projections.words, repair=SHOWN),
    Invariant("passages are cut from their papers' texts", audit_projections.passages, repair=PASSAGES),
    Invariant("the search index file is as it was written", audit_projections.vector_file, repair=VECTORS),
    Invariant("every vector has its passage", audit_projections.vector_passages, repair=VECTORS),
    Invariant("every vector reads back as written", audit_projections.vector_values, repair=VECTORS),
    Invariant("every passage has its vector", audit_projections.vectors_missing, repair=VECTORS),
    # the record itself
    Invariant("every evidence reads as its sentence", audit_facts.evidence_text, advice=_READ_AGAIN),
    Invariant("the ends of every statement stand in its sentence", audit_facts.evidence_spans, advice=_READ_AGAIN),
    Invariant("every evidence has its place on a page", audit_facts.evidence_places, advice=_READ_AGAIN),
    Invariant(
        "every textbook quote stands in its passage",
        audit_facts.quotes,
        advice="Add the textbook again: facts are held against it anew.",
    ),
    Invariant("facts and evidences are what their ids say", audit_facts.identity, advice=_READ_AGAIN),
    Invariant("every accepted fact has its reason", audit_facts.reasons, repair=GATE, advice=_BY_HAND),
    Invariant("decisions of persons are as the journal has them", audit_journal.decisions, advice=_BY_HAND),
    Invariant(
        "the journal is unbroken",
        audit_journal.unbroken,
        advice="Nothing of the papers is lost by it, but undo may not reach behind the gap; a backup has the rest.",
    ),
    Invariant("what runs found is kept, and stands", audit_journal.products, advice=_READ_AGAIN),
    Invariant("names belong to entities, and nothing leads back to itself", audit_record.names, advice=_BY_HAND),
    Invariant("every paper has its text", audit_record.texts, advice="Remove the paper and add it again."),
    Invariant(
        "files are as they were added",
        audit_record.files,
        advice="Put the original into the library's “files” folder under that name, or remove the paper and add it again.",
    ),
    Invariant("textbooks are complete", audit_record.textbooks, advice="Remove the textbook and add it again."),
    # what is worth knowing, but leaves the library in order
    Invariant("the gate decided as it would today", audit_facts.as_decided_now, critical=False, repair=GATE),
    Invariant(
        "the folder of files holds nothing else",
        audit_record.stray_files,
        critical=False,
        advice="What a killed program left there can be deleted.",
    ),
)


def audit(library: Library, now: Circumstances | None = None) -> AuditReport:
    """All checks on an open library. Reads everything: some seconds for a hundred papers, two for a thousand facts."""
    circumstances = now or Circumstances()
    checks = tuple(_checked(library, invariant, look(library, invariant, circumstances)) for invariant in INVARIANTS)
    notes = ("A job is running: whether the search index is complete was not looked at.",) if circumstances.busy else ()
    return AuditReport(all(check.ok for check in checks if check.critical), checks, notes=notes)


def look(library: Library, invariant: Invariant, now: Circumstances) -> Found:
    """What one check finds. One that cannot be made found something, too."""
    try:
        return invariant.look(library, now)
    except MinervaError as error:
        text = error.message
    except sqlite3.DatabaseError as error:
        text = f"library.sqlite cannot be read: {error}"
    except (ValueError, TypeError, KeyError, IndexError) as error:  # a column holds what was never written there
        text = f"what is stored cannot be read: {error}"
    return Found(1, [Problem("", "", text)])


def _checked(library: Library, invariant: Invariant, found: Found) -> AuditCheck:
    wrong = len(found.problems)
    total = max(found.total, wrong)
    if not wrong:
        message = f"{total} looked at, all in order." if total else "There is nothing to look at."
    else:
        what = "A repair makes it right." if invariant.repair else invariant.advice
        message = f"{wrong} of {total} {'is' if wrong == 1 else 'are'} not. {what}".strip()
    return AuditCheck(
        name=invariant.name,
        critical=invariant.critical,
        metric=round(1.0 - wrong / total, 6) if wrong else 1.0,
        threshold=1.0,
        ok=not wrong,
        samples=tuple(AuditSample(item.id, name_of(library, item), item.text) for item in found.problems[:SAMPLES]),
        message=message,
        looked_at=total,
        wrong=wrong,
        mends=bool(invariant.repair),
    )


# ------------------------------------------------------------------------------------------------------ naming
_NAMES = {
    "fact": "SELECT s.name || ' ' || lower(replace(r.type, '_', ' ')) || ' ' || CASE r.property_id WHEN '' THEN '' ELSE "
    "replace(r.property_id, '_', ' ') || ' ' END || t.name FROM relations r JOIN entities s ON s.seq = r.source "
    "JOIN entities t ON t.seq = r.target WHERE r.id = ?",
    "evidence": "SELECT '“' || e.sentence || '” (' || CASE p.title WHEN '' THEN p.file_name ELSE p.title END || "
    "coalesce(', p. ' || e.page, '') || ')' FROM evidences e JOIN papers p ON p.id = e.paper WHERE e.id = ?",
    "paper": "SELECT CASE title WHEN '' THEN file_name ELSE title || ' (' || file_name || ')' END FROM papers WHERE id = ?",
    "textbook": "SELECT title || ' (' || file_name || ')' FROM textbooks WHERE id = ?",
    "passage": "SELECT '“' || substr(text, 1, 80) || '…”' FROM passages WHERE id = ?",
    "vector": "SELECT '“' || substr(text, 1, 80) || '…”' FROM passages WHERE seq = ?",
    "entity": "SELECT type || ' ' || name FROM entities WHERE seq = ?",
    "event": "SELECT label FROM events WHERE id = ?",
}


def name_of(library: Library, problem: Problem) -> str:
    """What a person calls the thing that a problem is about; empty when it has no name beside its id."""
    query = _NAMES.get(problem.kind)
    if query is None:
        return ""
    try:
        return str(library.catalog.db.scalar(query, [problem.id]) or "")
    except sqlite3.DatabaseError:
        return ""


__all__ = ["INVARIANTS", "AuditCheck", "AuditReport", "AuditSample", "Circumstances", "audit", "look"]
