"""How long an answer takes at size: a generated library of so many passages and facts, asked offline.

For each size: a whole question with its answer as the window asks it, the search for passages alone, the search by vector
alone with its recall against looking at every vector, opening the library, and one more paper in the index. Times are
milliseconds by the clock (``_cpu``: of this process on its processors, which says more on a machine that does other
things), after one question that warms up what is loaded once. The graph has at most 100,000 relations.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from minerva_desktop import retrieval
from minerva_desktop.bench import _generated_vectors
from minerva_desktop.bench._ask_library import generate, questions
from minerva_desktop.bench.graph import _spread, _tell
from minerva_desktop.errors import UsageError
from minerva_desktop.library import Library
from minerva_desktop.library.vector_engine import Mask, nearest
from minerva_desktop.settings import Settings
from minerva_desktop.workbench import Workbench

SIZES = (10_000, 100_000)
EDGES = 100_000
QUESTIONS = 70
PAPER = 60  # passages of one more paper
_RECALL = 10
_LIMIT = 12  # passages that an answer is sought in
AIMS = {"p50": 100, "p95": 300}
Figures = dict[str, Any]


def run(
    data: Path | None, *, sizes: Sequence[int] = SIZES, plot: Path | None = None, library: Path | None = None
) -> dict[str, Any]:
    """Figures for each number of passages. ``plot``: a PNG of the growth, log by log. ``library``: an empty folder in which
    the generated libraries are kept and found again; a scratch folder otherwise.

    Raises:
        UsageError: a size is below a thousand.
    """
    if not sizes or min(sizes) < 1000:
        raise UsageError("The latency is measured with at least 1000 passages.")
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory() as scratch:
        measured = [_measured((library or Path(scratch)) / str(size), size) for size in sorted(set(sizes))]
    result = {
        "name": "ask-latency",
        "n": QUESTIONS,
        "seconds": round(time.perf_counter() - begin, 2),
        "figures": {"aims_ms": AIMS, "sizes": measured},
    }
    if plot is not None:
        from minerva_desktop.ui.growth_picture import save_growth

        save_growth(plot, [(item["passages"], item) for item in measured], ("ask_ms", "search_ms", "vectors_ms"))
    return result


def _measured(path: Path, size: int) -> Figures:
    edges = min(size, EDGES)
    figures: Figures = {"passages": size, "edges": edges}
    settings = Settings(gate="open")
    if not (path / "library.sqlite").exists():
        start = time.perf_counter()
        with Workbench(path, settings, offline=True) as bench:
            embedder = bench.embedder()
            generate(
                bench.library, size, edges, embedder.model_id if embedder else "", lambda *at: _tell("passages", *at)
            )
        figures["generate_seconds"] = round(time.perf_counter() - start, 1)
    start = time.perf_counter()
    with Workbench(path, settings, offline=True, create=False) as bench:
        figures["open_seconds"] = round(time.perf_counter() - start, 3)
        figures["first_ask_seconds"] = _seconds(lambda: bench.ask("What is the band gap of M1O?"))
        figures |= _asked(bench, edges)
        figures |= _searched(bench, edges)
        if bench.library.vectors.count():
            figures |= _vectors(bench.library, size)
            figures["one_more_paper_seconds"] = _one_more(bench.library)
    return figures


def _asked(bench: Workbench, edges: int) -> Figures:
    by_kind: dict[str, list[float]] = {}
    cpu = []
    for kind, question in questions(QUESTIONS, edges):
        begin = time.process_time()
        by_kind.setdefault(kind, []).append(1000 * _seconds(partial(bench.ask, question)))
        cpu.append(1000 * (time.process_time() - begin))
    return {
        "ask_ms": _spread([value for values in by_kind.values() for value in values]),
        "ask_cpu_ms": _spread(cpu),
        "ask_ms_by_kind": {kind: _spread(values) for kind, values in by_kind.items()},
    }


def _searched(bench: Workbench, edges: int) -> Figures:
    embedder = bench.embedder()
    took = [
        1000 * _seconds(partial(retrieval.search, bench.library, text, limit=_LIMIT, embedder=embedder))
        for _, text in questions(QUESTIONS, edges)
    ]
    return {"search_ms": _spread(took)}


def _vectors(library: Library, size: int) -> Figures:
    """The search by vector alone, and how much of the truly nearest it finds."""
    import numpy as np

    vectors = library.vectors
    rows = library.catalog.passage_rows()
    picked = list(range(0, size, max(1, size // QUESTIONS)))[:QUESTIONS]
    asked = _generated_vectors.queries(vectors.reconstruct([rows[at] for at in picked]))
    took, found = [], []
    for query in asked:
        start = time.perf_counter()
        found.append({item for item, _ in vectors.search(query, _RECALL, rows)})
        took.append(1000 * (time.perf_counter() - start))
    whole = vectors.reconstruct(rows)
    exact = [{rows[at] for at in nearest(whole, query, _RECALL, Mask(len(whole)))[0].tolist()} for query in asked]
    recall = float(np.mean([len(one & other) / _RECALL for one, other in zip(found, exact, strict=True)]))
    return {"vectors_ms": _spread(took), f"vectors_recall_at_{_RECALL}": round(recall, 4)}


def _one_more(library: Library) -> float:
    """Seconds until a paper's vectors are in the index for good; they are those of passages that are there."""
    rows = library.catalog.passage_rows()[:PAPER]
    array = library.vectors.reconstruct(rows)
    start = time.perf_counter()
    library.vectors.add(rows, array, library.vectors.model())
    library.vectors.save()
    return round(time.perf_counter() - start, 4)


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return round(time.perf_counter() - start, 5)
