"""Writing 10,000 accepted relations of 100 papers into the graph of a fresh library, and making that graph anew."""

from __future__ import annotations

import hashlib
import tempfile
import time
from pathlib import Path
from typing import Any

from minerva_desktop.library import Library
from minerva_desktop.records import (
    CriticResult,
    Decision,
    Document,
    Entity,
    Evidence,
    Finding,
    Paper,
    Quantity,
    Relation,
    Sentence,
    Verification,
)

PAPERS = 100
RELATIONS = 100  # of each paper
JOULES = 1.602176634e-19  # in one electronvolt (exact since 2019)


def run(data: Path | None) -> dict[str, Any]:
    """Figures: seconds for catalog, graph and rebuild, nodes and edges, relations a second into the graph."""
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory() as scratch, Library.open(Path(scratch) / "library", create=True) as library:
        start = time.perf_counter()
        for number in range(PAPERS):
            _add(library, Path(scratch), number)
        catalog = time.perf_counter() - start
        start = time.perf_counter()
        library.project()
        graph = time.perf_counter() - start
        start = time.perf_counter()
        library.rebuild()
        rebuild = time.perf_counter() - start
        stats = library.graph.stats()
    edges = sum(stats["edges"][name] for name in library.graph.schema.fact_edges)
    figures = {
        "relations": edges,
        "nodes": sum(stats["nodes"].values()),
        "edges": sum(stats["edges"].values()),
        "catalog_seconds": round(catalog, 3),
        "graph_seconds": round(graph, 3),
        "relations_per_second": round(edges / graph),
        "rebuild_seconds": round(rebuild, 3),
    }
    return {"name": "graph-write", "n": edges, "seconds": round(time.perf_counter() - begin, 2), "figures": figures}


def _add(library: Library, scratch: Path, number: int) -> None:
    findings, sentences, position = [], [], 0
    for index in range(RELATIONS):
        value = 0.5 + (number * RELATIONS + index) % 977 / 100
        material = f"Al{index}Ga{number % 10}N"
        text = f"The band gap of {material} was {value:.2f} eV in run {number}-{index}."
        sentences.append(Sentence(index, text, position, position + len(text)))
        quantity = Quantity(
            True, f"{value:.2f} eV", value=value, unit="eV", si_value=value * JOULES, si_unit="J", dimension="energy"
        )
        evidence = Evidence("", None, (), position, position + len(text), text, sentence_index=index)
        relation = Relation(
            "HAS_VALUE",
            Entity("Material", material, material),
            Entity("Value", quantity.text, quantity.text),
            evidence,
            "band_gap",
            quantity,
        )
        findings.append(Finding(relation, CriticResult(True), Verification(True, "material_property")))
        position += len(text) + 1
    document = Document("ok", text=" ".join(item.text for item in sentences), sentences=tuple(sentences))
    file = scratch / f"paper-{number}.txt"
    file.write_text(document.text, encoding="utf-8")
    paper = hashlib.sha256(file.read_bytes()).hexdigest()
    catalog = library.catalog
    with catalog.transaction():
        catalog.add_paper(Paper(paper, file.name, title=f"Paper {number}"), document, file)
        change = catalog.put_findings(paper, findings, [item.relation.source for item in findings])
        catalog.set_decisions({fact: Decision("accepted", "gate") for fact in change.facts})
