"""Each thing that a person does is one event with a sentence, and can be taken back, also after a restart."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

from minerva_desktop.errors import MinervaError
from minerva_desktop.exchange import canonical_lines
from minerva_desktop.settings import load_settings, save_settings
from minerva_desktop.workbench import Workbench
from tests.library_helpers import make_document

SHARED = "The band gap of GaN is 3.4 eV at 300 K."
TEXTS = {"one": f"{SHARED} ZnO was grown by sputtering.", "two": f"{SHARED} The band gap of ZnO is 3.3 eV."}


@pytest.fixture(autouse=True)
def words_only() -> None:
    save_settings({"embeddings": False})


def opened(tmp_path: Path) -> Workbench:
    return Workbench(tmp_path / "library", load_settings())


def ingest(bench: Workbench, tmp_path: Path, *names: str) -> None:
    """Papers that have been read already, as one job."""
    files = [tmp_path / f"{name}.txt" for name in names]
    for file in files:
        file.write_text(TEXTS[file.stem], encoding="utf-8")
        bench._kept.keep(hashlib.sha256(file.read_bytes()).hexdigest(), make_document(TEXTS[file.stem]))
    assert {paper.status for paper in bench.ingest(files, engine="builtin").papers} == {"ok"}


def the_gap(bench: Workbench) -> str:
    (fact,) = [item for item in bench.facts() if item.source.key[1] == "GaN" and item.property_id == "band_gap"]
    return fact.decision.status


def test_a_job_is_one_step_back_and_one_step_forth_also_after_a_restart(tmp_path: Path) -> None:
    with opened(tmp_path) as bench:
        ingest(bench, tmp_path, "one", "two")
        there = list(canonical_lines(bench.library))
    with opened(tmp_path) as bench:
        assert bench.stats()["undo_label"] == "Added 2 papers: “one”, “two”"
        bench.undo()
        assert bench.papers() == []
        assert bench.facts() == []
        assert bench.graph_nodes() == [] or not any(node["type"] == "Material" for node in bench.graph_nodes())
    with opened(tmp_path) as bench:
        bench.redo()
        assert list(canonical_lines(bench.library)) == there
        assert bench.audit().ok
        with pytest.raises(MinervaError):
            bench.redo()


def test_what_was_undone_cannot_be_redone_after_something_new(tmp_path: Path) -> None:
    with opened(tmp_path) as bench:
        ingest(bench, tmp_path, "one")
        bench.undo()
        ingest(bench, tmp_path, "two")
        assert bench.stats()["redo_label"] == ""
        assert bench.stats()["undo_label"] == "Added the paper “two”"


def test_a_gate_change_is_taken_back_with_its_decisions_and_the_setting(tmp_path: Path) -> None:
    with opened(tmp_path) as bench:
        ingest(bench, tmp_path, "one")
        assert the_gap(bench) == "waiting"
        bench.set_setting("gate", "open")
        assert the_gap(bench) == "accepted"
    with opened(tmp_path) as bench:
        assert bench.stats()["undo_label"] == "Changed the gate from strict to open"
        bench.undo()
        assert (bench.settings.gate, load_settings().gate, the_gap(bench)) == ("strict", "strict", "waiting")
        bench.redo()
        assert (bench.settings.gate, load_settings().gate, the_gap(bench)) == ("open", "open", "accepted")


def test_a_library_keeps_its_gate_when_the_setting_is_changed_for_another(tmp_path: Path) -> None:
    with opened(tmp_path) as bench:
        ingest(bench, tmp_path, "one")
    save_settings({"gate": "open"})
    with opened(tmp_path) as bench:
        assert (bench.settings.gate, the_gap(bench)) == ("strict", "waiting")
        bench.set_setting("results", "7")
        assert bench.settings.gate == "strict"


def test_removing_a_paper_takes_only_what_no_other_says(tmp_path: Path) -> None:
    with opened(tmp_path) as bench:
        bench.set_setting("gate", "corroborated")
        ingest(bench, tmp_path, "one", "two")
        assert the_gap(bench) == "accepted"
        assert "ZnO" in {fact.source.key[1] for fact in bench.facts()}
        whole = list(canonical_lines(bench.library))
        bench.remove("two.txt")
        assert the_gap(bench) == "waiting"  # one paper is no corroboration
        (gap,) = [fact for fact in bench.facts() if fact.source.key[1] == "GaN" and fact.property_id == "band_gap"]
        assert len(gap.evidence) == 1
        assert not any(fact.property_id == "band_gap" and fact.source.key[1] == "ZnO" for fact in bench.facts())
        assert any(fact.source.key[1] == "ZnO" for fact in bench.facts())  # the other paper grew it
        assert bench.audit().ok
        bench.remove("one.txt")
        assert bench.facts() == []
        assert bench.library.catalog.entity_spellings() == {}
        assert [node for node in bench.graph_nodes() if node["type"] in {"Material", "Paper"}] == []
        bench.undo()
        bench.undo()
        assert list(canonical_lines(bench.library)) == whole


def test_vectors_of_a_paper_that_comes_again_are_dropped_with_embeddings_off(tmp_path: Path) -> None:
    """They were made while embeddings were on; nobody who looks for stale ones is there any more."""
    with opened(tmp_path) as bench:
        ingest(bench, tmp_path, "one", "two")
        rows = bench.library.catalog.passage_rows()
        bench.library.vectors.add(rows, np.eye(len(rows), 8, dtype=np.float32), "test-model")
        bench.library.vectors.save()
    with opened(tmp_path) as bench:
        bench.remove("one.txt")
        assert bench.audit().ok
        ingest(bench, tmp_path, "one")
        report = bench.audit()
        assert report.ok, [check for check in report.checks if not check.ok]
        assert bench.library.vectors.ids() == [rows[-1]]
        assert len(bench.library.vectors.missing("test-model")) == 1
