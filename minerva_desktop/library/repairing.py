"""Making anew what follows from the record. Nothing of the record itself is changed: no paper, text, evidence, decision
or event (the journal gets one more, that the library was repaired)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from minerva_desktop.library.audit import DATABASE, GATE, GRAPH, INVARIANTS, PASSAGES, SHOWN, VECTORS, audit, look
from minerva_desktop.library.audit_types import AuditReport, Circumstances

if TYPE_CHECKING:
    from minerva_desktop.library.library import Library

_PORTION = 2000


def repair(library: Library, now: Circumstances | None = None) -> AuditReport:
    """Audit, make anew what does not fit, audit again. The report says what was made and what is left."""
    circumstances = now or Circumstances()
    before = audit(library, circumstances)
    broken = {check.name for check in before.checks if not check.ok}
    if DATABASE in broken:
        kept = "Nothing was repaired: what is made from a damaged database could be wrong as well."
        return _with_rest(replace(before, repaired=(kept,)))
    needed = {item.repair for item in INVARIANTS if item.repair and item.name in broken}
    if PASSAGES in needed:
        needed.add(VECTORS)  # passages that are cut again leave their vectors behind
    if not needed:
        return _with_rest(before)
    done = [sentence for name, mend in _STEPS if name in needed for sentence in mend(library, circumstances)]
    library.catalog.note_repair(done)
    if GRAPH in needed:
        library.graph.rebuild()
        done.append(f"The graph was filled anew with {_count(len(library.graph.fact_ids()), 'accepted fact')}.")
    else:
        library.graph.ensure()
    return _with_rest(replace(audit(library, circumstances), repaired=tuple(done)))


def _shown(library: Library, _: Circumstances) -> list[str]:
    papers, facts = library.catalog.refresh_all()
    return [
        "What is shown, the names of entities and the word indexes were made anew from "
        f"{_count(papers, 'paper')} and {_count(facts, 'fact')}."
    ]


def _passages(library: Library, now: Circumstances) -> list[str]:
    invariant = next(item for item in INVARIANTS if item.repair == PASSAGES)
    found = look(library, invariant, now)
    db = library.catalog.db
    sources = {
        item.id if item.kind == "paper" else db.scalar("SELECT source FROM passages WHERE id = ?", [item.id])
        for item in found.problems
    }
    papers = [row[0] for row in db.rows_in("SELECT id FROM papers WHERE id IN (…)", sorted(filter(None, sources)))]
    for paper in sorted(papers):
        library.catalog.cut_again(paper)
    return [f"The text of {_count(len(papers), 'paper')} was cut into passages again."]


def _vectors(library: Library, _: Circumstances) -> list[str]:
    before = library.vectors.count()
    library.vectors.repair()
    gone = before - library.vectors.count()
    return (
        [f"{_count(gone, 'vector')} that could not be trusted {'was' if gone == 1 else 'were'} dropped."]
        if gone
        else []
    )


def _gate(library: Library, now: Circumstances) -> list[str]:
    if now.decide is None:
        return []
    ids = [row[0] for row in library.catalog.db.rows("SELECT id FROM relations WHERE live = 1 ORDER BY id")]
    count = 0
    for start in range(0, len(ids), _PORTION):
        facts = library.catalog.facts_by_id(ids[start : start + _PORTION])
        count += len(library.catalog.set_decisions(now.decide(facts)))
    return [f"The gate decided anew over {_count(count, 'fact')}; what a person decided stays."]


_STEPS = ((PASSAGES, _passages), (SHOWN, _shown), (GATE, _gate), (VECTORS, _vectors))
"""In this order: passages are shown and indexed, decisions go into the graph."""


def _with_rest(report: AuditReport) -> AuditReport:
    """Say what is not in order and what can be done about it."""
    advice = {item.name: item.advice for item in INVARIANTS}
    left = tuple(
        f"{check.name}: {check.wrong} {'is' if check.wrong == 1 else 'are'} not. {advice[check.name]}".strip()
        for check in report.checks
        if not check.ok
    )
    return replace(report, left=left)


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
