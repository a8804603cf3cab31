"""The canonical export: JSON Lines of what a library knows, the same bytes for equal libraries.

Papers, entities, relations, evidences and decisions, each line with sorted keys, lines sorted by kind and id. No times,
paths, row ids or history.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from minerva_desktop.exchange.lines import write_lines
from minerva_desktop.library import Library
from minerva_desktop.records import EvidenceRecord, Fact, Paper, to_plain

_COUNTS = ("entities", "accepted", "waiting", "refused")


def canonical_lines(library: Library) -> Iterator[str]:
    """The lines of the export, without line ends."""
    catalog = library.catalog
    papers = sorted(catalog.papers(), key=lambda paper: paper.id)
    facts = sorted(catalog.facts(), key=lambda fact: fact.id)
    entities = {entity.key: entity for fact in facts for entity in (fact.source, fact.target)}
    for paper in papers:
        yield _line("paper", _paper(paper))
    for key in sorted(entities):
        yield _line("entity", {"type": key[0], "name": key[1], "aliases": sorted(set(entities[key].aliases))})
    for fact in facts:
        yield _line("relation", _relation(fact))
    for fact in facts:
        for item in sorted(fact.evidence, key=lambda item: item.id):
            yield _line("evidence", _evidence(fact, item))
    for fact in facts:
        yield _line("decision", {"relation": fact.id, "by_person": fact.by_person, **to_plain(fact.decision)})


def write_canonical(library: Library, out: Path) -> int:
    """Write the export to a file, atomically; returns the number of lines."""
    return write_lines(canonical_lines(library), out)


def _line(kind: str, data: dict[str, Any]) -> str:
    return json.dumps({"kind": kind, **data}, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def _paper(paper: Paper) -> dict[str, Any]:
    plain: dict[str, Any] = to_plain(paper)
    return {key: value for key, value in plain.items() if key not in _COUNTS}


def _relation(fact: Fact) -> dict[str, Any]:
    return {
        "id": fact.id,
        "type": fact.type,
        "source": {"type": fact.source.key[0], "name": fact.source.key[1]},
        "target": {"type": fact.target.key[0], "name": fact.target.key[1]},
        "property": fact.property_id,
        "quantity": to_plain(fact.quantity),
        "conditions": to_plain(fact.conditions),
        "method": fact.method,
        "modality": fact.modality,
        "claim": fact.claim,
    }


def _evidence(fact: Fact, item: EvidenceRecord) -> dict[str, Any]:
    return {"relation": fact.id, **to_plain(item)}
