"""The graph at size, on generated libraries: made anew, opened, one more paper, questions of one to three hops, kills.

Every duration is given as seconds by the clock and, with ``_cpu``, as seconds of this process on a processor: on a machine
that does other things the first says how busy it was, the second what the work takes.
"""

from __future__ import annotations

import random
import resource
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from minerva_desktop.bench import _graph_kills
from minerva_desktop.bench._graph_library import add_paper, fill
from minerva_desktop.errors import GraphError, UsageError
from minerva_desktop.library import Library
from minerva_desktop.questions import guard

REBUILT = 100_000  # relations of the library that is made anew, about a hundred in each paper
EDGES = 500_000
OF_A_PAPER = 100
KILLS = 200
QUESTIONS = 100  # of each kind
_HOPS = {
    "hops_1": "MATCH (a:Material {{name: '{name}'}})-[r]->(b) RETURN label(b), b.name, r.evidence_ids",
    "hops_2": "MATCH (a:Material {{name: '{name}'}})-[:HAS_PROPERTY]->(p)<-[:HAS_PROPERTY]-(b) RETURN DISTINCT b.name",
    "hops_3": (
        "MATCH (a:Material {{name: '{name}'}})-[:HAS_PROPERTY]->(p)<-[:HAS_PROPERTY]-(b:Material)-[:USED_IN]->(c) "
        "RETURN c.name, count(*) AS found ORDER BY found DESC, c.name"
    ),
    "within_3_hops": (
        "MATCH (a:Material {{name: '{name}'}})-[:HAS_PROPERTY|USED_IN|SYNTHESIZED_BY* SHORTEST 1..3]-(b) "
        "RETURN label(b), b.name LIMIT 200"
    ),
}
Figures = dict[str, Any]


def run(data: Path | None, *, relations: int = EDGES, kills: int = KILLS) -> dict[str, Any]:
    """Figures by part. ``relations``: how many the large library has; the smaller one never has more.

    Raises:
        UsageError: less than a thousand relations.
    """
    if relations < 1000 or kills < 0:
        raise UsageError("The graph is measured with at least 1000 relations and no negative number of kills.")
    begin = time.perf_counter()
    figures: Figures = {}
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        figures["rebuild"] = _rebuilt(folder / "small", min(relations, REBUILT))
        figures["rebuild"]["peak_memory_mb"] = _peak_memory()
        figures["large"] = _large(folder, relations)
        figures["large"]["peak_memory_mb"] = _peak_memory()
        if kills:
            figures["kills"] = _graph_kills.kill(folder / "killed", kills, lambda done: _tell("kills", done, kills))
    return {
        "name": "graph",
        "n": figures["large"]["relations"],
        "seconds": round(time.perf_counter() - begin, 2),
        "figures": figures,
    }


@contextmanager
def _timed(figures: Figures, name: str) -> Iterator[None]:
    clock, cpu = time.perf_counter(), time.process_time()
    yield
    figures[f"{name}_seconds"] = round(time.perf_counter() - clock, 3)
    figures[f"{name}_cpu"] = round(time.process_time() - cpu, 3)


def _generated(library: Library, relations: int, figures: Figures) -> int:
    """Fill a library; returns how many papers and notes the number of relations."""
    with _timed(figures, "generate"):
        papers, figures["relations"] = fill(
            library, relations, OF_A_PAPER, relations // 10, lambda _, found: _tell("relations", found, relations)
        )
    figures["papers"] = papers
    return papers


def _rebuilt(path: Path, relations: int) -> Figures:
    figures: Figures = {}
    with Library.open(path, create=True) as library:
        _generated(library, relations, figures)
        with _timed(figures, "rebuild"):
            library.rebuild()
        figures["edges"] = sum(library.graph.stats()["edges"].values())
    return figures


def _large(folder: Path, relations: int) -> Figures:
    figures: Figures = {}
    path = folder / "large"
    with Library.open(path, create=True) as library:
        papers = _generated(library, relations, figures)
        with _timed(figures, "rebuild"):
            library.rebuild()
    figures["graph_file_mb"] = round((path / "graph.kuzu").stat().st_size / 2**20)
    with _timed(figures, "open"):
        library = Library.open(path)
        library.graph.query("MATCH (p:Paper) RETURN count(p)")
    with library:
        figures["edges"] = sum(library.graph.stats()["edges"].values())
        figures |= _incremental(library, folder, papers, relations)
        figures |= _questions(library, relations // 10)
    with _timed(figures, "open_after_writes"), Library.open(path) as library:
        library.graph.query("MATCH (p:Paper) RETURN count(p)")
    return figures


def _incremental(library: Library, scratch: Path, papers: int, relations: int) -> Figures:
    """Five more papers, one by one: what the catalog and the graph take of each; then one is taken away."""
    parts: dict[str, list[float]] = {"catalog_seconds": [], "graph_seconds": [], "catalog_cpu": [], "graph_cpu": []}
    for number in range(papers, papers + 5):
        one: Figures = {}
        with _timed(one, "catalog"):
            paper = add_paper(library, scratch, number, OF_A_PAPER, relations // 10)
        with _timed(one, "graph"):
            library.project()
        for name, values in parts.items():
            values.append(one[name])
    figures: Figures = {f"write_{name}": _spread(values) for name, values in parts.items()}
    with _timed(figures, "remove"):
        library.catalog.remove_paper(paper)
        library.project()
    return figures


def _questions(library: Library, materials: int) -> Figures:
    """The way of a person's query: through the guard, with its limits."""
    dice = random.Random(7)
    names = [f"M{int(materials * dice.random() ** 3)}O" for _ in range(QUESTIONS)]
    figures: Figures = {}
    for kind, pattern in _HOPS.items():
        milliseconds = []
        stopped = 0
        for name in names:
            if stopped >= 3:  # each has taken its whole time
                break
            start = time.perf_counter()
            checked = guard.check_cypher(pattern.format(name=name))
            try:
                library.graph.query(checked.query)
            except GraphError:
                stopped += 1
            milliseconds.append((time.perf_counter() - start) * 1000)
        figures[f"{kind}_ms"] = _spread(milliseconds) | ({"stopped": stopped} if stopped else {})
    return figures


def _spread(values: Sequence[float]) -> dict[str, float]:
    ordered = sorted(values)
    at = {"p50": 0.5, "p95": 0.95, "max": 1.0}
    return {name: round(ordered[round(part * (len(ordered) - 1))], 3) for name, part in at.items()}


def _peak_memory() -> int:
    """The most memory that this process has had so far, in megabytes."""
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit)


def _tell(what: str, done: int, total: int) -> None:
    sys.stderr.write(f"{done} of {total} {what}\n")
    sys.stderr.flush()
