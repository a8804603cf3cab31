"""How many sentences a second the extraction takes, on one core, with and without the parser, and whether that stays so.

The rules of the domain need no parser. What a quantity measures does: the sentences that have a quantity go to it, and
the share of them is given. To see that time grows as the work does and memory not at all, the papers are gone through
several times (MINERVA_BENCH_ROUNDS, 4 unless set), or as often as makes ``--sentences N`` (then the parser is left out,
and the figures are given for every 100,000). Speeds are by the clock and by processor time: on a machine that does other
work too, the second is the one to compare.
"""

from __future__ import annotations

import itertools
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped, unused-ignore]

from minerva_desktop.bench import need
from minerva_desktop.bench.extraction import documents_of
from minerva_desktop.domains import Domain, load_domain
from minerva_desktop.extraction import extract
from minerva_desktop.extraction.measured import measured
from minerva_desktop.language import parser
from minerva_desktop.language.quantities import find_quantities
from minerva_desktop.records import Document

_MEGABYTE = 1_048_576
_STEP = 100_000


def run(data: Path | None, *, sentences: int | None = None) -> dict[str, Any]:
    """Sentences per second by rules, stretch by stretch with the memory after each; per second through the parser."""
    folder = need(data, "pdf", "materials")
    begin = time.perf_counter()
    documents = documents_of(folder)
    domain = load_domain("materials")
    extract(documents[0], domain, paper_id="")  # the lexicon is compiled once a session
    once = sum(map(_mined, documents))
    start = _memory()
    rounds = int(os.environ.get("MINERVA_BENCH_ROUNDS", "4"))
    wanted, step = (once * rounds, once) if sentences is None else (sentences, _STEP)
    stretches = _by_rules(documents, domain, wanted, step)
    figures: dict[str, Any] = {"sentences": once, "at_the_start": start, "by_rules": stretches, "at_the_end": _memory()}
    if sentences is None and parser.available():
        figures["through_the_parser"] = _parsed([s.text for d in documents for s in d.sentences if s.mined])
    count = sum(int(stretch["sentences"]) for stretch in stretches)
    seconds = round(time.perf_counter() - begin, 2)
    return {"name": "extract-speed", "n": count, "seconds": seconds, "figures": figures}


def _mined(document: Document) -> int:
    return sum(1 for sentence in document.sentences if sentence.mined)


def _by_rules(documents: Sequence[Document], domain: Domain, wanted: int, step: int) -> list[dict[str, float]]:
    """The papers one after the other, from the first again after the last, until ``wanted`` sentences are read."""
    stretches: list[dict[str, float]] = []
    total = count = 0
    clock, processor = time.perf_counter(), time.process_time()
    for document in itertools.cycle(documents):
        extract(document, domain, paper_id="")
        count += _mined(document)
        if count < step and total + count < wanted:
            continue
        speeds = _speeds(count, time.perf_counter() - clock, time.process_time() - processor)
        stretches.append({"sentences": count, **speeds, **_memory()})
        total, count = total + count, 0
        clock, processor = time.perf_counter(), time.process_time()
        if total >= wanted:
            break
    return stretches


def _speeds(count: int, seconds: float, processor: float) -> dict[str, float]:
    return {"sentences_per_second": round(count / seconds), "per_second_of_processor": round(count / processor)}


def _memory() -> dict[str, float]:
    """Memory of this process now, and the most it ever had, in megabytes."""
    now = psutil.Process().memory_info()
    if sys.platform == "win32":
        most = now.peak_wset
    else:
        import resource

        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return {"memory_mb": round(now.rss / _MEGABYTE), "peak_memory_mb": round(most / _MEGABYTE)}


def _parsed(texts: list[str]) -> dict[str, float]:
    with_quantity = [text for text in texts if find_quantities(text)]
    measured(with_quantity[0])
    clock, processor = time.perf_counter(), time.process_time()
    for at in range(0, len(with_quantity), 200):
        measured("\n\n".join(with_quantity[at : at + 200]))
    speeds = _speeds(len(with_quantity), time.perf_counter() - clock, time.process_time() - processor)
    return {"sentences": len(with_quantity), "share": round(len(with_quantity) / len(texts), 3), **speeds}
