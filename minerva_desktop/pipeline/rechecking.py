"""Holding stored facts against the textbooks again, after textbooks came or went."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from minerva_desktop.checks import claims
from minerva_desktop.domains import Domain
from minerva_desktop.events import CancelToken, Progress, ProgressSink, ignore_progress
from minerva_desktop.language.units import using_units
from minerva_desktop.library import Library
from minerva_desktop.pipeline.ingest import decide_facts
from minerva_desktop.records import EvidenceRecord, Fact, Relation, Verdict
from minerva_desktop.settings import Settings


def recheck_waiting(
    library: Library,
    domain: Domain,
    settings: Settings,
    find: claims.PassageFinder,
    *,
    writing: AbstractContextManager[Any] | None = None,
    progress: ProgressSink = ignore_progress,
    cancel: CancelToken | None = None,
) -> set[str]:
    """Give every verified evidence a fresh verdict and let the gate decide anew; returns the ids looked at.

    ``writing`` is held while the decisions are written.
    """
    token = cancel or CancelToken()
    facts = [fact for fact in library.catalog.facts() if any(_verified(item) for item in fact.evidence)]
    for done, fact in enumerate(facts):
        token.check()
        progress(Progress("", "check", fact.claim, done, len(facts), "facts"))
        with using_units(domain.units):
            verdicts: dict[str, Verdict] = {
                item.id: claims.check_claim(claims.claim_of(relation_of(fact, item), domain), find, domain)
                for item in fact.evidence
                if _verified(item)
            }
        library.catalog.update_verdicts(verdicts)
    ids = {fact.id for fact in facts}
    with writing or nullcontext():
        decide_facts(library, sorted(ids), settings.gate)
    return ids


def _verified(item: EvidenceRecord) -> bool:
    return item.verification is not None and item.verification.accepted


def relation_of(fact: Fact, item: EvidenceRecord) -> Relation:
    """The candidate that a stored evidence came from."""
    return Relation(
        type=fact.type,
        source=fact.source,
        target=fact.target,
        evidence=item.evidence,
        property_id=fact.property_id,
        quantity=item.quantity or fact.quantity,
        conditions=fact.conditions,
        method=fact.method,
        modality=item.modality,
        confidence=item.confidence,
        extractor=item.extractor,
        rule=item.rule,
    )
