"""One paper's candidates through critic, verifier and claim check: a pure function of its inputs.

Cheapest first: the critic drops what is malformed, the verifier what its own sentence does not state, and only the
survivors are held against the textbooks. In each of the last two the rules go before a model.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from minerva_desktop.checks import claims, critic, verifier
from minerva_desktop.checks.claims import Claim
from minerva_desktop.domains import Domain
from minerva_desktop.events import CancelToken
from minerva_desktop.extraction import Extraction
from minerva_desktop.language.units import using_units
from minerva_desktop.pipeline.engines import BUILTIN, Engines
from minerva_desktop.records import Document, Entity, Finding, Relation, Verdict, Verification


@dataclass(frozen=True, slots=True)
class CheckedPaper:
    """``entities`` are those the critic let through; ``findings`` are all candidates, refused ones included. ``notes``:
    sentences for the report."""

    entities: tuple[Entity, ...]
    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = ()


def check_extraction(
    extraction: Extraction,
    document: Document,
    domain: Domain,
    find: claims.PassageFinder,
    *,
    known_materials: frozenset[str] = frozenset(),
    engines: Engines = BUILTIN,
    cancel: CancelToken | None = None,
) -> CheckedPaper:
    """What every check says of each candidate, in the order of the candidates."""
    with using_units(domain.units):
        return _checked(extraction, document, domain, find, known_materials, engines, cancel or CancelToken())


def _checked(
    extraction: Extraction,
    document: Document,
    domain: Domain,
    find: claims.PassageFinder,
    known_materials: frozenset[str],
    engines: Engines,
    cancel: CancelToken,
) -> CheckedPaper:
    relations = list(extraction.relations)
    entity_checks, results = critic.check_paper(
        extraction.entities, relations, domain, text=document.text, known_materials=known_materials
    )
    entities = tuple(check.entity for check in entity_checks if check.accepted)
    first = [
        verifier.verify(relation, domain) if result.accepted else None
        for relation, result in zip(relations, results, strict=True)
    ]
    verified = engines.verify(relations, first, document, domain, cancel)
    said: dict[tuple[object, ...], Claim] = {}
    for relation, verification in zip(relations, verified, strict=True):
        if verification is not None and verification.accepted:
            said.setdefault(claim_key(relation), claims.claim_of(relation, domain))
    checked = engines.check_claims(list(said.values()), find, domain, cancel)
    verdicts = dict(zip(said, checked, strict=True))
    findings = tuple(
        Finding(relation, result, verification, _verdict_on(relation, verification, verdicts))
        for relation, result, verification in zip(relations, results, verified, strict=True)
    )
    return CheckedPaper(entities, findings, _notes(first, verified, checked))


def _verdict_on(
    relation: Relation, verification: Verification | None, verdicts: dict[tuple[object, ...], Verdict]
) -> Verdict | None:
    accepted = verification is not None and verification.accepted
    return verdicts[claim_key(relation)] if accepted else None


def _notes(
    first: Sequence[Verification | None], verified: Sequence[Verification | None], checked: Sequence[Verdict]
) -> tuple[str, ...]:
    """What a person should know of a model that failed here: how much that concerns, and the reason it gave most often."""
    unsure = [
        now.error
        for before, now in zip(first, verified, strict=True)
        if before is not None and before.accepted and now is not None and now.error
    ]
    undecided = [item.error for item in checked if item.error and item.engine != "rules"]
    notes = []
    if unsure:
        count, wait = ("1 relation", "it waits") if len(unsure) == 1 else (f"{len(unsure)} relations", "they wait")
        notes.append(f"The model could not verify {count}, so {wait} for you: {_most_often(unsure)}")
    if undecided:
        count = "1 claim was" if len(undecided) == 1 else f"{len(undecided)} claims were"
        notes.append(f"{count} held against the textbooks by the rules alone: {_most_often(undecided)}")
    return tuple(notes)


def _most_often(reasons: Sequence[str]) -> str:
    counts = Counter(reasons)
    return min(counts, key=lambda reason: (-counts[reason], reason))


def claim_key(relation: Relation) -> tuple[object, ...]:
    """Relations with equal keys make the same claim."""
    return (
        relation.type,
        relation.source.key,
        relation.target.key,
        relation.property_id,
        relation.quantity,
        relation.conditions,
        relation.modality,
    )
