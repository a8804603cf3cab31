"""What a run found in one paper, as bytes: the same for the same findings, whatever else is in the library.

Pure. A product names entities as they were read, before merges, and holds no row number, time or decision of the gate:
those belong to the library. So a run can be compared with any other, also of another library.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from typing import Any

from minerva_desktop.library.findings import rank
from minerva_desktop.library.identity import evidence_id, relation_id
from minerva_desktop.records import Entity, Finding, to_plain

PASSED = "passed"


def product_of(paper: str, findings: Sequence[Finding], entities: Sequence[Entity]) -> bytes:
    """Entities and statements of a paper; of two readings of one sentence the one that passed the checks furthest."""
    best: dict[str, tuple[str, Finding]] = {}
    for finding in findings:
        relation = finding.relation
        fact = relation_id(
            relation.type,
            relation.source.key,
            relation.target.key,
            relation.property_id,
            relation.quantity,
            relation.conditions,
            relation.modality,
        )
        key = evidence_id(fact, paper, relation.evidence.start, relation.evidence.end)
        if key not in best or rank(finding) > rank(best[key][1]):
            best[key] = (fact, finding)
    content = {
        "entities": sorted({(entity.type, entity.canonical) for entity in entities}),
        "statements": [
            _statement(key, *best[key]) for key in sorted(best, key=lambda item: _order(best[item][1], item))
        ],
    }
    return json.dumps(content, ensure_ascii=False, sort_keys=True).encode("utf-8", "surrogatepass")


def _order(finding: Finding, key: str) -> tuple[int, int, str]:
    return (finding.relation.evidence.start, finding.relation.evidence.end, key)


def _statement(key: str, fact: str, finding: Finding) -> dict[str, Any]:
    relation = finding.relation
    evidence: dict[str, Any] = to_plain(relation.evidence)
    del evidence["paper"]
    return {
        "fact": fact,
        "evidence_id": key,
        "type": relation.type,
        "source": list(relation.source.key),
        "target": list(relation.target.key),
        "source_name": relation.source.name,
        "target_name": relation.target.name,
        "property": relation.property_id,
        "value": relation.quantity.text if relation.quantity else "",
        "quantity": to_plain(relation.quantity),
        "conditions": to_plain(relation.conditions),
        "method": relation.method,
        "modality": relation.modality,
        "confidence": relation.confidence,
        "extractor": relation.extractor,
        "rule": relation.rule,
        "evidence": evidence,
        "critic": to_plain(finding.critic),
        "verification": to_plain(finding.verification),
        "verdict": to_plain(finding.verdict),
    }


def packed(content: bytes) -> bytes:
    """As it lies in the library."""
    return zlib.compress(content, 6)


def unpacked(data: bytes) -> dict[str, Any]:
    """``entities`` and ``statements`` of a stored product."""
    found: dict[str, Any] = json.loads(zlib.decompress(data).decode("utf-8", "surrogatepass"))
    return found


def outcome_of(statement: dict[str, Any]) -> str:
    """ "passed", or which check refused a statement and by which rule."""
    critic, verification = statement["critic"], statement["verification"]
    if not critic["accepted"]:
        return f"refused by the critic: {critic['rule']}"
    if verification is None or verification["error"]:
        return "not verified"
    if not verification["accepted"]:
        return f"refused by the verifier: {verification['rule']}"
    return PASSED


def verdict_of(statement: dict[str, Any]) -> str:
    """The textbook verdict; empty when the statement was not held against the textbooks."""
    return str(statement["verdict"]["verdict"]) if statement["verdict"] else ""
