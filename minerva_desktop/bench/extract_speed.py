"""How many sentences a second the extraction takes, on one core, with and without the parser, and whether that stays so.

The rules of the domain need no parser. What a quantity measures does: the sentences that have a quantity go to it, and
the share of them is given. To see that time grows as the work does and memory not at all, the papers are gone through
several times (MINERVA_BENCH_ROUNDS, 4 unless set).
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped, unused-ignore]

from minerva_desktop.bench import need
from minerva_desktop.bench.extraction import documents_of
from minerva_desktop.domains import load_domain
from minerva_desktop.extraction import extract
from minerva_desktop.extraction.measured import measured
from minerva_desktop.language import parser
from minerva_desktop.language.quantities import find_quantities

_MEGABYTE = 1_048_576


def run(data: Path | None) -> dict[str, Any]:
    """Sentences per second by rules, round by round with the memory after each; per second through the parser."""
    folder = need(data, "pdf", "materials")
    begin = time.perf_counter()
    documents = documents_of(folder)
    domain = load_domain("materials")
    extract(documents[0], domain, paper_id="")  # the lexicon is compiled once a session
    sentences = sum(1 for document in documents for sentence in document.sentences if sentence.mined)
    rounds: list[dict[str, float]] = []
    for _ in range(int(os.environ.get("MINERVA_BENCH_ROUNDS", "4"))):
        start = time.perf_counter()
        for document in documents:
            extract(document, domain, paper_id="")
        seconds = time.perf_counter() - start
        memory = psutil.Process().memory_info().rss / _MEGABYTE
        rounds.append({"sentences_per_second": round(sentences / seconds), "memory_mb": round(memory)})
    figures: dict[str, Any] = {"sentences": sentences, "by_rules": rounds}
    if parser.available():
        figures["through_the_parser"] = _parsed([s.text for d in documents for s in d.sentences if s.mined])
    seconds = round(time.perf_counter() - begin, 2)
    return {"name": "extract-speed", "n": sentences * len(rounds), "seconds": seconds, "figures": figures}


def _parsed(texts: list[str]) -> dict[str, float]:
    with_quantity = [text for text in texts if find_quantities(text)]
    measured(with_quantity[0])
    start = time.perf_counter()
    for at in range(0, len(with_quantity), 200):
        measured("\n\n".join(with_quantity[at : at + 200]))
    seconds = time.perf_counter() - start
    return {
        "sentences": len(with_quantity),
        "share": round(len(with_quantity) / len(texts), 3),
        "sentences_per_second": round(len(with_quantity) / seconds),
    }
