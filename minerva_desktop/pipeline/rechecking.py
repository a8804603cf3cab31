"""Holding stored facts against the textbooks again, after textbooks came or went."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from minerva_desktop.checks import claims
from minerva_desktop.domains import Domain
from minerva_desktop.events import CancelToken, Progress, ProgressSink, ignore_progress
from minerva_desktop.language.units import using_units
from minerva_desktop.library import Job, Library
from minerva_desktop.pipeline.engines import BUILTIN, Engines
from minerva_desktop.pipeline.ingest import decide_facts
from minerva_desktop.records import EvidenceRecord, Fact, Relation, Verdict
from minerva_desktop.settings import Settings

_TOGETHER = 24  # facts whose claims are put to a model side by side; what is done is stored after each lot


def recheck_waiting(
    library: Library,
    domain: Domain,
    settings: Settings,
    find: claims.PassageFinder,
    *,
    engines: Engines = BUILTIN,
    writing: AbstractContextManager[Any] | None = None,
    event: Job | None = None,
    facts: Sequence[Fact] | None = None,
    progress: ProgressSink = ignore_progress,
    cancel: CancelToken | None = None,
) -> set[str]:
    """Give every verified evidence a fresh verdict and let the gate decide anew; returns the ids looked at.

    What a model found earlier stays where the rules alone find no verdict, as long as its passage is there. ``writing`` is
    held while something is written. ``event``: where the journal notes the new verdicts. ``facts``: only these.

    Raises:
        ModelError: one that ends the job; verdicts that were found before are stored and decided upon.
    """
    token = cancel or CancelToken()
    lock = writing or nullcontext()
    found = library.catalog.facts() if facts is None else facts
    checked = [fact for fact in found if any(_verified(item) for item in fact.evidence)]
    looked_at: set[str] = set()
    try:
        for lot in _lots(checked, _TOGETHER if "claims" in engines.models else 1):
            token.check()
            progress(Progress("", "check", lot[0].claim, len(looked_at), len(checked), "facts"))
            verdicts = _verdicts(library, lot, domain, find, engines, token)
            with lock:
                library.catalog.update_verdicts(verdicts, job=event)
            looked_at.update(fact.id for fact in lot)
    finally:
        with lock:
            decide_facts(library, sorted(looked_at), settings.gate)
    return looked_at


def _lots(facts: Sequence[Fact], size: int) -> Iterator[Sequence[Fact]]:
    return (facts[start : start + size] for start in range(0, len(facts), size))


def _verdicts(
    library: Library,
    facts: Sequence[Fact],
    domain: Domain,
    find: claims.PassageFinder,
    engines: Engines,
    cancel: CancelToken,
) -> dict[str, Verdict]:
    """New verdicts by evidence id; what a paper says is worded by the pack that the paper was read with."""
    by_pack: dict[str, tuple[Domain, list[tuple[Fact, EvidenceRecord]]]] = {}
    for fact in facts:
        for item in filter(_verified, fact.evidence):
            pack = library.pack_of(item.evidence.paper)
            worded_by = domain if pack.name == domain.name else pack
            by_pack.setdefault(pack.name, (worded_by, []))[1].append((fact, item))
    found: dict[str, Verdict] = {}
    for pack, items in by_pack.values():
        with using_units(pack.units):
            said = [claims.claim_of(relation_of(fact, item), pack) for fact, item in items]
            fresh = engines.check_claims(said, find, pack, cancel)
        for (_, item), verdict in zip(items, fresh, strict=True):
            old = item.verdict
            found[item.id] = old if old is not None and _outlasts(library, old, verdict) else verdict
    return found


def _outlasts(library: Library, old: Verdict, new: Verdict) -> bool:
    """Whether a model's verdict stands beside rules that found none."""
    by_model = old.engine != "rules" and old.verdict != "INSUFFICIENT"
    nothing_new = new.engine == "rules" and new.verdict == "INSUFFICIENT"
    return by_model and nothing_new and bool(library.catalog.passages([old.passage]))


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
