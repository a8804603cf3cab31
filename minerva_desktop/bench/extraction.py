"""Built-in extraction over the materials papers: facts per page, counts per type and rule, sentences per second."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import Any

from minerva_desktop.bench import need
from minerva_desktop.documents import Limits, ReaderPool
from minerva_desktop.domains import load_domain
from minerva_desktop.extraction import extract
from minerva_desktop.records import Document


def run(data: Path | None) -> dict[str, Any]:
    """Figures: pages, mined sentences, sentences per second (extraction alone, without reading), facts per page, facts
    by type, by rule and by modality, dropped candidates by reason."""
    folder = need(data, "pdf", "materials")
    begin = time.perf_counter()
    documents = documents_of(folder)
    domain = load_domain("materials")
    extract(documents[0], domain, paper_id="") if documents else None  # the lexicon is compiled once a session
    types: Counter[str] = Counter()
    rules: Counter[str] = Counter()
    modalities: Counter[str] = Counter()
    dropped: Counter[str] = Counter()
    start = time.perf_counter()
    for document in documents:
        extraction = extract(document, domain, paper_id="")
        types.update(relation.type for relation in extraction.relations)
        rules.update(relation.rule for relation in extraction.relations)
        modalities.update(relation.modality for relation in extraction.relations)
        dropped.update(reason.split(":")[0] for _, reason in extraction.dropped)
    seconds = time.perf_counter() - start
    pages = sum(len(document.pages) for document in documents)
    sentences = sum(1 for document in documents for sentence in document.sentences if sentence.mined)
    return {
        "name": "extraction",
        "n": len(documents),
        "seconds": round(time.perf_counter() - begin, 2),
        "figures": {
            "pages": pages,
            "sentences": sentences,
            "sentences_per_second": round(sentences / seconds) if seconds else 0,
            "facts_per_page": round(types.total() / pages, 2) if pages else 0.0,
            "types": _sorted(types),
            "rules": _sorted(rules),
            "modalities": _sorted(modalities),
            "dropped": _sorted(dropped),
        },
    }


def documents_of(folder: Path) -> list[Document]:
    """The PDFs of a folder as read; those that could not be read are left out."""
    with ReaderPool(Limits(), workers=1) as pool:
        read = [pool.read(path) for path in sorted(folder.glob("*.pdf"))]
    return [document for document in read if document.status in {"ok", "damaged"}]


def _sorted(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
