"""The benchmark of the graph on a small scale: its libraries are right, and killed writers lose nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from minerva_desktop import bench
from minerva_desktop.bench._graph_library import add_paper, facts_of, fill, paper_of
from minerva_desktop.errors import UsageError
from minerva_desktop.library import Library


def test_a_generated_library_is_what_the_catalog_itself_would_have_written(tmp_path: Path) -> None:
    with Library.open(tmp_path / "batches", create=True) as library:
        papers, facts = fill(library, 150, 20, 30)
        assert facts >= 150
        # Its facts are found by their ends only; the words of their sentences are left out, to be quick.
        assert [check.name for check in library.audit().checks if not check.ok] == ["the word index fits the texts"]
        batches = {item.id: (item.claim, item.evidence) for item in library.catalog.facts(order="id")}
        library.rebuild()
        content = library.graph.content()
    with Library.open(tmp_path / "one-by-one", create=True) as library:
        (tmp_path / "in").mkdir()
        for number in range(papers):
            add_paper(library, tmp_path / "in", number, 20, 30)
        found = {item.id: (item.claim, item.evidence) for item in library.catalog.facts(order="id")}
        assert found == batches
        assert sorted(found) == facts_of(item for number in range(papers) for item in paper_of(number, 20, 30)[1])
        assert library.graph.content() == content
        assert library.audit().ok


def test_figures_of_a_small_run(tmp_path: Path) -> None:
    report = bench.run("graph", None, relations=1000, kills=2)
    figures = report["figures"]
    assert report["n"] >= 1000
    assert figures["rebuild"]["rebuild_seconds"] < 60
    kills = figures["kills"]
    assert kills["kills"] == 2
    assert (kills["lost"], kills["halves"], kills["audits_failed"]) == (0, 0, 0)
    assert all("stopped" not in figures["large"][name] for name in figures["large"] if name.endswith("_ms"))


def test_sizes_that_a_benchmark_does_not_know_are_refused() -> None:
    with pytest.raises(UsageError, match="cannot take 5 relations"):
        bench.run("formulas", None, relations=5)
    with pytest.raises(UsageError, match="at least 1000"):
        bench.run("graph", None, relations=5)
