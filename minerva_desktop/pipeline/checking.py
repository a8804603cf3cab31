"""One paper's candidates through critic, verifier and claim check: a pure function of its inputs.

Cheapest first: the critic drops what is malformed, the verifier what its own sentence does not state, and only the
survivors are held against the textbooks.
"""

from __future__ import annotations

from dataclasses import dataclass

from minerva_desktop.checks import claims, critic, verifier
from minerva_desktop.domains import Domain
from minerva_desktop.events import CancelToken
from minerva_desktop.extraction import Extraction
from minerva_desktop.language.units import using_units
from minerva_desktop.records import Entity, Finding, Relation, Verdict


@dataclass(frozen=True, slots=True)
class CheckedPaper:
    """``entities`` are those the critic let through; ``findings`` are all candidates, refused ones included."""

    entities: tuple[Entity, ...]
    findings: tuple[Finding, ...]


def check_extraction(
    extraction: Extraction,
    text: str,
    domain: Domain,
    find: claims.PassageFinder,
    *,
    known_materials: frozenset[str] = frozenset(),
    cancel: CancelToken | None = None,
) -> CheckedPaper:
    """What every check says of each candidate, in the order of the candidates."""
    with using_units(domain.units):
        return _checked(extraction, text, domain, find, known_materials, cancel)


def _checked(
    extraction: Extraction,
    text: str,
    domain: Domain,
    find: claims.PassageFinder,
    known_materials: frozenset[str],
    cancel: CancelToken | None,
) -> CheckedPaper:
    relations = list(extraction.relations)
    entity_checks, results = critic.check_paper(
        extraction.entities, relations, domain, text=text, known_materials=known_materials
    )
    entities = tuple(check.entity for check in entity_checks if check.accepted)
    verified = [
        verifier.verify(relation, domain) if result.accepted else None
        for relation, result in zip(relations, results, strict=True)
    ]
    verdicts: dict[tuple[object, ...], Verdict] = {}
    findings = []
    for relation, result, verification in zip(relations, results, verified, strict=True):
        if cancel is not None:
            cancel.check()
        verdict = None
        if verification is not None and verification.accepted:
            key = _claim_key(relation)
            if key not in verdicts:
                verdicts[key] = claims.check_claim(claims.claim_of(relation, domain), find, domain)
            verdict = verdicts[key]
        findings.append(Finding(relation, result, verification, verdict))
    return CheckedPaper(entities, tuple(findings))


def _claim_key(relation: Relation) -> tuple[object, ...]:
    return (
        relation.type,
        relation.source.key,
        relation.target.key,
        relation.property_id,
        relation.quantity,
        relation.conditions,
        relation.modality,
    )
