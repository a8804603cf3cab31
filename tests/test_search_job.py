"""Taking in what a search found: a job that says what became of each work, survives a kill, and does nothing twice."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from minerva_desktop.records import Notice, Work, WorkRecord
from minerva_desktop.settings import Settings
from minerva_desktop.workbench import Workbench
from tests.web_server import Answer, Request
from tests.web_support import Internet, internet


@pytest.fixture
def net() -> Any:
    with internet() as running:
        yield running


@pytest.fixture
def environment(net: Internet, tmp_path: Path) -> dict[str, str]:
    folders = {"MINERVA_CONFIG_DIR": str(tmp_path / "config"), "MINERVA_CACHE_DIR": str(tmp_path / "cache")}
    return {**os.environ, **net.environment(), **folders, "MINERVA_EMAIL": ""}


def command(environment: dict[str, str], library: Path, *words: str) -> subprocess.Popen[str]:
    """The program itself, in a process of its own."""
    arguments = [sys.executable, "-m", "minerva_desktop", "--library", str(library), "--json", *words]
    return subprocess.Popen(arguments, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def result(process: subprocess.Popen[str]) -> tuple[int, Any]:
    out, error = process.communicate(timeout=300)
    assert out, error
    return process.returncode, json.loads(out)


def finished(library: Path) -> int:
    """How many items of the job have a result."""
    try:
        with closing(sqlite3.connect(f"file:{library / 'library.sqlite'}?mode=ro", uri=True)) as db:
            return int(db.execute("SELECT count(*) FROM job_items WHERE status <> 'pending'").fetchone()[0])
    except sqlite3.Error:
        return 0


def test_search_finds_joins_and_repeats_for_nothing(environment: dict[str, str], net: Internet, tmp_path: Path) -> None:
    code, found = result(command(environment, tmp_path / "L", "search", "nitride films", "--max-per-source", "5"))
    assert code == 0
    assert [report["status"] for report in found["reports"]] == ["ok", "ok", "ok"]
    assert found["works"][0]["sources"] == ["arxiv", "crossref", "openalex"]
    assert len({work["doi"] for work in found["works"]}) == len(found["works"])
    asked = net.asked
    again = result(command(environment, tmp_path / "L", "search", "nitride films", "--max-per-source", "5"))
    assert again[1]["works"] == found["works"]
    assert net.asked == asked  # not one request


def test_one_source_that_fails_loses_nobody(environment: dict[str, str], net: Internet, tmp_path: Path) -> None:
    net.arxiv.answer = lambda _: (503, {}, b"busy")
    code, found = result(command(environment, tmp_path / "L", "search", "nitride films", "--max-per-source", "3"))
    assert code == 3
    statuses = {report["source"]: report["status"] for report in found["reports"]}
    assert statuses["crossref"] == statuses["openalex"] == "ok"
    assert statuses["arxiv"] != "ok"
    assert next(report["message"] for report in found["reports"] if report["source"] == "arxiv")
    assert found["works"]


def test_offline_opens_no_socket(environment: dict[str, str], net: Internet, tmp_path: Path) -> None:
    code, found = result(command(environment, tmp_path / "L", "search", "nitride films", "--offline"))
    assert code == 1
    assert {report["status"] for report in found["reports"]} == {"offline"}
    assert net.asked == 0


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system cannot kill a process outright")
def test_a_killed_job_is_taken_up_with_nothing_lost_or_done_twice(
    environment: dict[str, str], net: Internet, tmp_path: Path
) -> None:
    library = tmp_path / "L"
    words = ("search", "nitride films", "--source", "crossref", "--max-per-source", "60", "--ingest")
    process = command(environment, library, *words)
    limit = time.monotonic() + 120
    while finished(library) < 8 and process.poll() is None and time.monotonic() < limit:
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    done = finished(library)
    assert 8 <= done < 60
    jobs = result(command(environment, library, "jobs", "list"))[1]
    assert [(job["kind"], job["status"]) for job in jobs] == [("search", "interrupted")]
    code, report = result(command(environment, library, "jobs", "resume", jobs[0]["id"]))
    assert code == 0
    assert len(report["papers"]) == 60 - done
    after = result(command(environment, library, "jobs", "show", jobs[0]["id"]))[1]
    assert Counter(item["status"] for item in after["items"]) == {"ok": 60}
    papers = result(command(environment, library, "papers"))[1]
    assert len(papers) == 60
    assert len({paper["doi"] for paper in papers}) == 60
    assert all(paper["extent"] == "abstract" for paper in papers)
    assert result(command(environment, library, "audit"))[1]["ok"]


# ----------------------------------------------------------------------------------------------- within the program
@pytest.fixture
def bench(environment: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    for name, value in environment.items():
        if name.startswith("MINERVA_"):
            monkeypatch.setenv(name, value)
    with Workbench(tmp_path / "library", Settings(embeddings=False)) as opened:
        yield opened


def pdf(text: str) -> bytes:
    with pymupdf.open() as made:
        made.new_page().insert_textbox((72, 72, 520, 700), text, fontsize=11)
        return bytes(made.tobytes())


def site(files: dict[str, bytes]) -> Callable[[Request], Answer]:
    def answer(request: Request) -> Answer:
        data = files.get(request.path)
        return (200, {"Content-Type": "application/pdf"}, data) if data else (404, {}, b"")

    return answer


def a_work(net: Internet, name: str, **fields: Any) -> Work:
    record = WorkRecord(
        "openalex", title=name, doi=f"10.5555/{name}", pdf_urls=(f"{net.site.url}/{name}.pdf",), **fields
    )
    return Work(record, (record,))


def test_the_open_pdf_comes_with_what_the_source_says(bench: Workbench, net: Internet) -> None:
    net.site.answer = site({"/one.pdf": pdf("The band gap of GaN is 3.4 eV. It was measured at room temperature.")})
    works = [
        a_work(net, "one", authors=("Ada Berg",), year=2020, venue="Journal of Films"),
        a_work(net, "two", abstract="x" * 20),
    ]
    report = bench.ingest_works(works)
    assert [(paper.status, paper.title or paper.file) for paper in report.papers] == [("ok", "one"), ("skipped", "two")]
    assert report.papers[1].reason
    paper = bench.papers()[0]
    assert (paper.title, paper.doi, paper.year, paper.venue) == ("one", "10.5555/one", 2020, "Journal of Films")
    assert paper.extent == "full"
    assert any(fact.type == "HAS_VALUE" for fact in bench.facts())
    asked = len(net.site.seen)
    again = bench.ingest_works([works[0]])
    assert again.papers[0].status == "duplicate"
    assert len(net.site.seen) == asked  # known by its DOI, so not fetched


def test_what_only_a_retracted_paper_says_waits(bench: Workbench, net: Internet) -> None:
    net.site.answer = site({"/one.pdf": pdf("The band gap of GaN is 3.4 eV. It was measured at room temperature.")})
    bench.set_setting("gate", "open")
    notice = Notice("retraction", "10.5555/notice", "2024-01-01", "", "crossref")
    bench.ingest_works([a_work(net, "one", notices=(notice,))])
    assert bench.papers()[0].withdrawn
    statuses = {fact.decision.rule for fact in bench.facts() if fact.type == "HAS_VALUE"}
    assert statuses == {"withdrawn"}


def test_versions_count_as_one_voice_until_undone(bench: Workbench, net: Internet) -> None:
    text = "The band gap of GaN is 3.4 eV. It was measured at room temperature."
    net.site.answer = site({"/one.pdf": pdf(text), "/two.pdf": pdf(f"{text} This is the preprint.")})
    bench.set_setting("gate", "corroborated")
    bench.ingest_works([a_work(net, "one"), a_work(net, "two")])

    def decided() -> set[str]:
        return {fact.decision.status for fact in bench.facts() if fact.type == "HAS_VALUE"}

    assert decided() == {"accepted"}
    first, second = bench.papers()
    bench.merge_papers(first.id, [second.id])
    assert decided() == {"waiting"}
    assert bench.paper(second.id).version_of == first.id
    bench.undo()
    assert decided() == {"accepted"}
    assert bench.paper(second.id).version_of == ""


def test_the_network_log_has_every_request_and_no_secret(bench: Workbench, net: Internet) -> None:
    bench.settings.email = "reader@university.example"
    bench.search_web("nitride films", sources=("crossref",), limit=2)
    lines = bench.network_log()
    assert len(lines) == len(net.crossref.seen) == 1
    assert "/works" in lines[0]["url"]
    assert "reader" not in json.dumps(lines)
