"""What a job found is kept as it was, so that two runs can be compared: the same bytes, or exactly what differs."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from minerva_desktop.cli import main
from minerva_desktop.errors import NotFound, UsageError
from minerva_desktop.exchange import canonical_lines
from minerva_desktop.library import product_of
from minerva_desktop.library.products import packed, unpacked
from minerva_desktop.library.run_diff import Side, compare
from minerva_desktop.records import Run, RunPaper, Verdict
from minerva_desktop.settings import load_settings, save_settings
from minerva_desktop.workbench import Workbench
from tests.library_helpers import fact_of, make_document

TEXTS = {
    "one": "The band gap of GaN is 3.4 eV at 300 K. ZnO was grown by sputtering.",
    "two": "The band gap of GaN is 3.4 eV at 300 K. The band gap of ZnO is 3.3 eV.",
    "new": "The wobble strength of GaN is 5 eV. GaN is used in blue LEDs.",
}


@pytest.fixture(autouse=True)
def words_only() -> None:
    save_settings({"embeddings": False})


def opened(folder: Path) -> Workbench:
    return Workbench(folder / "library", load_settings())


def ingest(bench: Workbench, folder: Path, *names: str) -> str:
    """Take papers in that have been read already; returns the run."""
    folder.mkdir(exist_ok=True)
    files = [folder / f"{name}.txt" for name in names]
    for file in files:
        file.write_text(TEXTS[file.stem], encoding="utf-8")
        bench._kept.keep(hashlib.sha256(file.read_bytes()).hexdigest(), make_document(TEXTS[file.stem]))
    report = bench.ingest(files, engine="builtin")
    assert {paper.status for paper in report.papers} == {"ok"}
    return report.job


def bad(bench: Workbench) -> dict[str, list[str]]:
    return {check.name: [str(item) for item in check.samples] for check in bench.audit().checks if not check.ok}


def test_an_identical_run_gives_the_same_bytes_also_in_another_library(tmp_path: Path) -> None:
    with opened(tmp_path / "a") as bench:
        first = ingest(bench, tmp_path / "a", "one", "two")
        before = list(canonical_lines(bench.library))
        second = bench.reextract(engine="builtin").job
        diff = bench.diff_runs(first, second)
        assert diff.identical
        assert (diff.rows, diff.circumstances, diff.papers) == ((), (), 2)
        assert diff.a.digest == diff.b.digest
        assert diff.same == diff.a.statements > 3
        assert list(canonical_lines(bench.library)) == before
        assert [run.id for run in bench.runs()] == [second, first]
        kept = bench.library.catalog.db.scalar("SELECT count(*) FROM run_products")
        assert kept == 2, "equal products are kept once"
        digest = bench.run(first).run.digest
    with opened(tmp_path / "b") as bench:
        assert bench.run(ingest(bench, tmp_path / "b", "two", "one")).run.digest == digest


def test_a_run_says_what_it_was_made_of(tmp_path: Path) -> None:
    with opened(tmp_path) as bench:
        details = bench.run(ingest(bench, tmp_path, "one"))
        manifest = details.run.manifest
        assert set(manifest["editions"]) == {"reader", "rules"}
        assert all(len(item) == 64 for item in manifest["editions"].values())
        assert manifest["domain"]["name"] == "materials"
        assert manifest["settings"]["gate"] == "strict"
        assert details.run.engine == "builtin"
        (paper,) = details.papers
        assert (paper.file_name, paper.facts) == ("one.txt", details.run.facts)
        assert sum(details.types.values()) == sum(details.outcomes.values()) == paper.statements
        assert bench.run("1") == details
        with pytest.raises(NotFound):
            bench.run("reextract-99")


def test_what_a_word_of_the_lexicon_brought_is_told_with_its_place(tmp_path: Path) -> None:
    with opened(tmp_path) as bench:
        first = ingest(bench, tmp_path, "one", "new")
        bench.save_lexicon("properties", [{"label": "wobble strength", "unit": "eV"}])
        second = bench.reextract(engine="builtin").job
        diff = bench.diff_runs(first, second)
        assert not diff.identical
        assert diff.only_a == ()
        rows = [row for row in diff.only_b if "wobble" in row.claim]
        assert rows
        assert {(row.file_name, row.page, row.sentence) for row in rows} == {
            ("new.txt", 1, "The wobble strength of GaN is 5 eV.")
        }
        assert all(row.boxes for row in rows)
        assert {"lexicon.sha256", "lexicon.counts.properties"} <= {item.field for item in diff.circumstances}
        assert bench.diff_runs(second, first).only_a == tuple(replace(row, kind="only_a") for row in diff.only_b)
        assert bad(bench) == {}
        # Taken back, the run stays to be looked at, and the audit knows that its facts are gone.
        bench.undo()
        assert bench.run(second).run.undone
        assert not bench.run(first).run.undone
        assert bad(bench) == {}


def test_a_textbook_changes_verdicts_and_nothing_else(tmp_path: Path) -> None:
    with opened(tmp_path) as bench:
        first = ingest(bench, tmp_path, "one", "two")
        book = tmp_path / "book.md"
        book.write_text("# Nitrides\n\nThe band gap of gallium nitride (GaN) is 3.4 eV.\n", encoding="utf-8")
        bench.add_textbooks([book])
        second = bench.reextract([bench.papers()[0].id], engine="builtin").job
        diff = bench.diff_runs(first, second)
        assert (diff.only_a, diff.only_b, diff.papers) == ((), (), 1)
        assert diff.papers_only_a == ("two.txt",)
        changed = {row.claim: {item.field: (item.a, item.b) for item in row.changes} for row in diff.changed}
        assert [fields["verdict"] for claim, fields in changed.items() if "3.4" in claim] == [
            ("INSUFFICIENT", "SUPPORTED")
        ]
        assert {item.field for item in diff.circumstances} == {"textbooks"}
        assert all(
            item.field in {"reason of the verdict", "passages looked at"} for r in diff.grounds for item in r.changes
        )
        assert diff.same + len(diff.changed) + len(diff.grounds) == diff.b.statements


def side(*findings: Any, job: str = "ingest-1") -> Side:
    content = product_of("p", findings, [])
    digest = hashlib.sha256(content).hexdigest()
    run = Run(job, "ingest", "", "done", "builtin", 1, len(findings), len(findings), len(findings), digest)
    return Side(run, [RunPaper("p", "p.pdf", "P", 1, 1, 1, digest)], {"p": unpacked(packed(content))})


def test_value_confidence_verdict_and_place_are_told_as_changes() -> None:
    sentence = "GaN has a band gap of 3.4 eV."
    read = fact_of(sentence, "GaN", 3.4)
    other = fact_of(sentence, "GaN", 3.5)
    diff = compare(side(read), side(other), lambda item: item["value"])
    (row,) = diff.rows
    assert row.kind == "changed"
    assert ("value", "3.4 eV", "3.5 eV") in [(item.field, item.a, item.b) for item in row.changes]

    surer = replace(read, relation=replace(read.relation, confidence=0.25), verdict=Verdict("CONTRADICTED"))
    (row,) = compare(side(read), side(surer), lambda item: item["value"]).changed
    assert [(item.field, item.a, item.b) for item in row.changes] == [
        ("confidence", f"{read.relation.confidence:g}", "0.25"),
        ("verdict", "none", "CONTRADICTED"),
    ]

    moved = replace(read, relation=replace(read.relation, evidence=replace(read.relation.evidence, start=7, end=36)))
    (row,) = compare(side(read), side(moved), lambda item: item["value"]).changed
    assert [item.field for item in row.changes] == ["place"]


def test_statements_that_only_one_run_has_find_no_partner() -> None:
    one = fact_of("GaN has a band gap of 3.4 eV.", "GaN", 3.4)
    two = fact_of("AlN has a band gap of 6.2 eV.", "AlN", 6.2)
    diff = compare(side(one), side(two), lambda item: item["source"][1])
    assert [row.claim for row in diff.only_a] == ["GaN"]
    assert [row.claim for row in diff.only_b] == ["AlN"]
    assert diff.same == 0
    both = compare(side(one, two), side(two, one), lambda item: "")
    assert both.identical


def test_a_job_of_an_older_version_cannot_be_compared(tmp_path: Path) -> None:
    with opened(tmp_path) as bench:
        first = ingest(bench, tmp_path, "one")
        with bench.library.catalog.db.transaction() as connection:
            connection.execute("DELETE FROM run_papers")
        second = bench.reextract(engine="builtin").job
        assert bench.run(first).run.kept == 0
        with pytest.raises(UsageError, match=f"nothing of the run {first}"):
            bench.diff_runs(first, second)


def sql(bench: Workbench, statement: str) -> None:
    with bench.library.catalog.db.transaction() as connection:
        connection.execute(statement)


KEPT = "what runs found is kept, and stands"


def test_the_audit_misses_what_a_run_found(tmp_path: Path) -> None:
    with opened(tmp_path) as bench:
        ingest(bench, tmp_path, "one", "two")
        data = bench.library.catalog.db.rows("SELECT digest, data FROM run_products ORDER BY digest")
        sql(bench, "DELETE FROM run_products WHERE digest = (SELECT min(digest) FROM run_products)")
        assert "cannot be found" in bad(bench)[KEPT][0]
        with bench.library.catalog.db.transaction() as connection:
            connection.execute("INSERT INTO run_products VALUES (?, ?)", [data[0]["digest"], data[1]["data"]])
        assert "is not what was kept" in bad(bench)[KEPT][0]


def test_one_of_two_evidences_that_is_dropped_is_missed(tmp_path: Path) -> None:
    """The fact still stands on the other paper's sentence: only what the run found tells that something is gone."""
    with opened(tmp_path) as bench:
        ingest(bench, tmp_path, "one", "two")
        paper = next(paper.id for paper in bench.papers() if paper.file_name == "two.txt")
        sql(bench, f"DELETE FROM evidences WHERE paper = '{paper}' AND sentence LIKE '%3.4%'")
        assert "have no evidence, such as “The band gap of GaN is 3.4 eV at 300 K.”" in bad(bench)[KEPT][0]
        bench.reextract(engine="builtin")
        assert bad(bench) == {}


def test_merged_and_corrected_facts_are_not_missed(tmp_path: Path) -> None:
    with opened(tmp_path) as bench:
        ingest(bench, tmp_path, "one", "two")
        fact = next(item for item in bench.facts() if item.property_id == "band_gap" and item.source.key[1] == "ZnO")
        bench.edit(fact.id, value="3.37 eV")
        bench.library.catalog.merge_entities("Material", "ZnO", "GaN")
        bench.library.project()
        assert KEPT not in bad(bench)
        bench.reextract(engine="builtin")
        assert KEPT not in bad(bench)


def test_the_command_line_lists_shows_and_compares(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with opened(tmp_path) as bench:
        first = ingest(bench, tmp_path, "one")
        second = bench.reextract(engine="builtin").job

    def said(*words: str, code: int = 0) -> str:
        assert main(["--library", str(tmp_path / "library"), *words]) == code
        return capsys.readouterr().out

    listed = json.loads(said("runs", "list", "--json"))
    assert [item["id"] for item in listed] == [second, first]
    shown = json.loads(said("runs", "show", first, "--json"))
    assert shown["run"] == first
    assert shown["papers"][0]["file_name"] == "one.txt"
    diff = json.loads(said("runs", "diff", first, second, "--json"))
    assert diff["identical"] is True
    assert diff["only_a"] == diff["only_b"] == diff["changed"] == []
    assert "No difference" in said("runs", "diff", first, second)
    assert first in said("runs", "list")
    assert "sha256" in said("runs", "show", second)
    assert json.loads(said("runs", "diff", first, "nothing", "--json", code=1))["error"]["code"] == "not-found"
