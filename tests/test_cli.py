"""The command line as a person and a script use it: real processes, real files."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

PAPER = """# Notes on nitrides

## Introduction

Gallium nitride (GaN) is a semiconductor.

## Results

The band gap of GaN is 3.4 eV at 300 K. GaN was grown by MOCVD. GaN is used in blue LEDs.
"""


def minerva(*words: str | Path, stdin: str = "", code: int = 0) -> Any:
    """Run one command with --json; check the exit code and that stdout is exactly one JSON document."""
    command = [sys.executable, "-m", "minerva_desktop", "--json", *map(str, words)]
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=300)
    assert done.returncode == code, f"exit {done.returncode}: {done.stdout[-800:]} {done.stderr[-2000:]}"
    return json.loads(done.stdout)


@pytest.fixture
def library(tmp_path: Path) -> Path:
    return tmp_path / "library"


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    path = tmp_path / "nitrides.md"
    path.write_text(PAPER, encoding="utf-8")
    return path


def test_a_paper_goes_in_and_is_found_asked_about_and_taken_out_again(library: Path, paper: Path) -> None:
    report = minerva("--library", library, "ingest", paper)
    (line,) = report["papers"]
    assert line["status"] == "ok"
    assert line["file"] == str(paper)
    assert line["accepted"] + line["waiting"] >= 3

    (listed,) = minerva("papers", "--library", library)
    assert listed["title"] == "Notes on nitrides"

    answer = minerva("ask", "What is the band gap of GaN?", "--library", library)
    assert answer["found"]
    assert "3.4 eV" in answer["answer"]
    quotes = [citation["quote"] for item in answer["sentences"] for citation in item["citations"]]
    assert any("The band gap of GaN is 3.4 eV" in quote for quote in quotes)
    assert all(item["citations"] for item in answer["sentences"])

    minerva("remove", "nitrides.md", "--library", library)
    assert minerva("papers", "--library", library) == []
    assert minerva("review", "list", "--status", "all", "--library", library) == []
    minerva("undo", "--library", library)
    assert [item["title"] for item in minerva("papers", "--library", library)] == ["Notes on nitrides"]


def test_the_same_file_twice_is_a_duplicate_and_counts_as_done(library: Path, paper: Path) -> None:
    minerva("--library", library, "ingest", paper)
    copy = paper.with_name("copy.md")
    shutil.copy(paper, copy)
    (line,) = minerva("--library", library, "ingest", copy)["papers"]
    assert line["status"] == "duplicate"
    assert line["title"] == "Notes on nitrides"
    assert len(minerva("--library", library, "papers")) == 1


def test_a_bad_file_does_not_stop_the_others(library: Path, paper: Path) -> None:
    bad = paper.with_name("bad.pdf")
    bad.write_bytes(b"%PDF-1.4\nnothing of a PDF follows")
    missing = paper.with_name("missing.pdf")
    report = minerva("--library", library, "ingest", bad, missing, paper, code=3)
    statuses = {Path(item["file"]).name: item["status"] for item in report["papers"]}
    assert statuses["nitrides.md"] == "ok"
    assert statuses["bad.pdf"] in {"damaged", "empty", "failed"}
    assert statuses["missing.pdf"] == "failed"
    assert all(item["reason"].endswith((".", "?")) for item in report["papers"] if item["status"] != "ok")
    assert report["summary"]["done"] == 1
    assert report["summary"]["failed"] == 2


def test_all_files_bad_exits_1(library: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.txt"
    empty.touch()
    report = minerva("--library", library, "ingest", empty, code=1)
    assert report["papers"][0]["status"] == "empty"


def test_a_folder_names_files_relative_to_it(library: Path, tmp_path: Path, paper: Path) -> None:
    folder = tmp_path / "papers"
    (folder / "deep").mkdir(parents=True)
    shutil.copy(paper, folder / "deep" / "a.md")
    (folder / "notes.xyz").write_text("not a paper")
    report = minerva("--library", library, "ingest", folder)
    assert [item["file"] for item in report["papers"]] == ["deep/a.md"]


def test_a_query_on_a_missing_library_fails_and_makes_none(library: Path) -> None:
    error = minerva("--library", library, "papers", code=1)["error"]
    assert error["message"].endswith(".")
    assert error["hint"]
    assert not library.exists()


@pytest.mark.parametrize(
    "words",
    [
        ["no-such-command"],
        ["ingest"],
        ["ask"],
        ["shelves", "band_gap"],
        ["ask", "What?", "--route", "sideways"],
        ["papers", "--library"],
        ["settings", "set", "gate", "ajar"],
        ["bench", "no-such-bench"],
        ["bench", "formulas", "--sentences", "5"],
    ],
)
def test_wrong_usage_exits_2_with_one_json_error(words: list[str], tmp_path: Path) -> None:
    error = minerva(*words, code=2)["error"]
    assert set(error) == {"code", "message", "hint"}
    assert error["message"]


def test_text_that_starts_with_a_dash_follows_two_dashes() -> None:
    assert minerva("inspect", "value", "--", "-5 °C")["si_value"] == pytest.approx(268.15)


def test_decisions_are_told_with_their_kind_and_with_what_was_there(library: Path, paper: Path) -> None:
    minerva("--library", library, "ingest", paper)
    first, second, *_ = minerva("--library", library, "review", "list", "--order", "useful", "--limit", "2")
    minerva("--library", library, "review", "reject", first["id"], "--kind", "not-stated")
    minerva("--library", library, "review", "edit", second["id"], "--source", "something else")
    told = minerva("--library", library, "review", "decisions")
    assert [(item["verb"], item["kind"], item["before"]["fact"]) for item in told] == [
        ("reject", "not-stated", first["id"]),
        ("edit", "", second["id"]),
    ]
    assert told[1]["after"]["source"] == "something else"
    minerva("--library", library, "undo")
    assert len(minerva("--library", library, "review", "decisions")) == 1
    assert len(minerva("--library", library, "review", "decisions", "--undone")) == 2
    minerva("--library", library, "review", "reopen", first["id"])
    waiting = minerva("--library", library, "review", "list")
    assert {first["id"], second["id"]} <= {item["id"] for item in waiting}


def test_review_by_id_moves_a_fact_into_the_graph_and_undo_takes_it_out(library: Path, paper: Path) -> None:
    minerva("--library", library, "ingest", paper)
    waiting = minerva("--library", library, "review", "list", "--type", "HAS_VALUE")
    (fact,) = [item for item in waiting if "band gap" in item["claim"]]
    before = minerva("--library", library, "graph", "stats")["edges"]["HAS_VALUE"]
    minerva("--library", library, "review", "accept", fact["id"])
    assert minerva("--library", library, "graph", "stats")["edges"]["HAS_VALUE"] == before + 1
    rows = minerva(
        "--library", library, "cypher", "MATCH (m:Material)-[r:HAS_VALUE]->(v:Value) RETURN m.name, r.property, v.name"
    )
    assert {"m.name": "GaN", "r.property": "band_gap", "v.name": "3.4 eV"} in rows
    minerva("--library", library, "undo")
    assert minerva("--library", library, "graph", "stats")["edges"]["HAS_VALUE"] == before
    minerva("--library", library, "redo")
    assert minerva("--library", library, "graph", "stats")["edges"]["HAS_VALUE"] == before + 1


def test_a_writing_cypher_query_is_refused_and_changes_nothing(library: Path, paper: Path) -> None:
    minerva("--library", library, "ingest", paper)
    error = minerva("--library", library, "cypher", "MATCH (n) DETACH DELETE n", code=2)["error"]
    assert error["code"] == "cypher-refused"
    assert minerva("--library", library, "audit")["ok"]


def test_rebuild_and_a_second_library_give_the_same_export(library: Path, paper: Path, tmp_path: Path) -> None:
    exports = []
    for name in ("one", "two"):
        folder = tmp_path / name
        minerva("--library", folder, "ingest", paper)
        if name == "two":
            minerva("--library", folder, "rebuild")
        out = tmp_path / f"{name}.jsonl"
        minerva("--library", folder, "export", "canonical", out)
        exports.append(out.read_bytes())
    assert exports[0] == exports[1]
    assert len(exports[0].splitlines()) > 5


def test_the_graph_may_be_deleted_between_two_commands(library: Path, paper: Path) -> None:
    minerva("--library", library, "ingest", paper)
    ids = [item["id"] for item in minerva("--library", library, "review", "list")]
    minerva("--library", library, "review", "accept", *ids)
    before = minerva("--library", library, "graph", "stats")
    for path in library.glob("graph.kuzu*"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    answer = minerva("--library", library, "ask", "What is the band gap of GaN?", "--route", "graph")
    assert answer["found"]
    assert minerva("--library", library, "graph", "stats") == before


def test_a_second_process_is_told_at_once_that_the_library_is_open(library: Path, paper: Path) -> None:
    minerva("--library", library, "ingest", paper)
    hold = (
        "import sys, pathlib\n"
        "from minerva_desktop.settings import Settings\n"
        "from minerva_desktop.workbench import Workbench\n"
        "bench = Workbench(pathlib.Path(sys.argv[1]), Settings())\n"
        "print('open', flush=True)\n"
        "sys.stdin.read()\n"
        "bench.close()\n"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", hold, str(library)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdin is not None
    assert holder.stdout is not None
    try:
        assert holder.stdout.readline() == "open\n"
        assert minerva("--library", library, "papers", code=1)["error"]["code"] == "library-busy"
    finally:
        holder.stdin.close()
        holder.wait(30)
        holder.stdout.close()
    assert len(minerva("--library", library, "papers")) == 1


def test_inspect_takes_many_lines_and_many_files(tmp_path: Path) -> None:
    values = minerva("inspect", "value", "-", stdin="39 K\n\nabout 5 nm\n")
    assert [item["ok"] for item in values] == [True, False, True]
    first, second = tmp_path / "a.txt", tmp_path / "b.txt"
    first.write_text("The film was 40 nm thick.", encoding="utf-8")
    second.write_text("It melts at 1064 °C.", encoding="utf-8")
    found = minerva("inspect", "quantities", first, second)
    assert [item["text"] for item in found[str(first)]] == ["40 nm"]
    assert [item["text"] for item in found[str(second)]] == ["1064 °C"]


def test_inspect_relations_says_why(tmp_path: Path, paper: Path) -> None:
    found = minerva("inspect", "relations", paper, "--explain")
    values = [item for item in found if item["type"] == "HAS_VALUE" and item["property"] == "band_gap"]
    assert values
    for item in values:
        assert item["explain"]["rule"]
        assert item["critic"]["accepted"]
        assert item["evidence"]["sentence"].startswith("The band gap of GaN is 3.4 eV")


def test_settings_are_kept_and_checked() -> None:
    assert minerva("settings", "get", "gate") == {"gate": "strict"}
    minerva("settings", "set", "gate", "open")
    assert minerva("settings", "get")["gate"] == "open"


def test_a_textbook_decides_what_waits(library: Path, paper: Path, tmp_path: Path) -> None:
    minerva("--library", library, "ingest", paper)
    assert minerva("--library", library, "review", "list", "--status", "accepted") == []
    book = tmp_path / "book.md"
    book.write_text(
        "# Nitrides\n\nThe band gap of gallium nitride (GaN) is 3.4 eV at room temperature.\n", encoding="utf-8"
    )
    report = minerva("--library", library, "textbook", "add", book, "--level", "2")
    assert report["textbooks"][0]["status"] == "ok"
    accepted = minerva("--library", library, "review", "list", "--status", "accepted")
    assert any("band gap" in item["claim"] for item in accepted)
    assert minerva("--library", library, "textbook", "list")[0]["level"] == 2


def test_a_textbook_is_taken_out_and_what_it_decided_with_it(library: Path, paper: Path, tmp_path: Path) -> None:
    minerva("--library", library, "ingest", paper)
    book = tmp_path / "Book.md"
    book.write_text("# Nitrides\n\nThe band gap of gallium nitride (GaN) is 3.4 eV.\n", encoding="utf-8")
    minerva("--library", library, "textbook", "add", book)
    accepted = minerva("--library", library, "review", "list", "--status", "accepted")
    assert any("band gap" in item["claim"] for item in accepted)
    removed = minerva("--library", library, "textbook", "remove", "Book.md")
    assert removed["label"] == "Removed the textbook “Nitrides”"
    assert minerva("--library", library, "textbook", "list") == []
    assert minerva("--library", library, "review", "list", "--status", "accepted") == []
    minerva("--library", library, "undo")
    assert [item["id"] for item in minerva("--library", library, "textbook", "list")] == [removed["removed"]]
    assert minerva("--library", library, "review", "list", "--status", "accepted") == accepted
    assert minerva("--library", library, "textbook", "remove", "nothing", code=1)["error"]["code"] == "not-found"
    assert minerva("--library", library, "audit", "--strict")["ok"]


def test_the_gate_in_force_is_the_librarys_own(library: Path, paper: Path) -> None:
    minerva("--library", library, "ingest", paper)
    minerva("settings", "set", "gate", "open")
    shown = minerva("--library", library, "settings", "get", "gate")
    assert shown == {"gate": "strict", "gate_of": f"library {library}", "gate_of_new_libraries": "open"}
    assert minerva("--library", library, "settings", "get")["gate"] == "strict"
    minerva("--library", library, "settings", "set", "gate", "corroborated")
    assert minerva("--library", library, "settings", "get", "gate")["gate"] == "corroborated"


def test_the_audit_names_what_is_wrong_and_its_exit_code_stops_a_build(library: Path, paper: Path) -> None:
    minerva("--library", library, "ingest", paper)
    sound = minerva("--library", library, "audit")
    assert all(
        {"name", "critical", "metric", "threshold", "ok", "message", "samples"} <= set(c) for c in sound["checks"]
    )
    with closing(sqlite3.connect(library / "library.sqlite")) as db, db:
        db.execute("UPDATE evidences SET source_span = '[0,3]'")
        db.execute("DELETE FROM names WHERE name = 'GaN'")
    report = minerva("--library", library, "audit", code=1)
    bad = {check["name"]: check for check in report["checks"] if not check["ok"]}
    assert set(bad) == {
        "the ends of every statement stand in its sentence",
        "entities are found under the names that papers use",
    }
    samples = bad["entities are found under the names that papers use"]["samples"]
    assert ("Material GaN", "is not found under “GaN”") in [(item["name"], item["problem"]) for item in samples]
    repaired = minerva("--library", library, "audit", "--repair", code=1)
    assert [check["name"] for check in repaired["checks"] if not check["ok"]] == list(bad)[-1:]
    assert repaired["repaired"]
    assert "Read the paper again" in repaired["left"][0]
    minerva("--library", library, "reextract")
    assert minerva("--library", library, "audit", "--strict")["ok"]
    (library / "files" / "stray.txt").write_text("mine")
    assert minerva("--library", library, "audit")["ok"]
    minerva("--library", library, "audit", "--strict", code=1)


def test_doctor_names_what_it_looked_at() -> None:
    report = minerva("doctor")
    assert report["ok"]
    assert {"Kuzu", "PyMuPDF", "FAISS", "embedding model"} <= {check["name"] for check in report["checks"]}
