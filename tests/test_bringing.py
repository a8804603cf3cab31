"""A person's bibliography, a folder that is watched, and what became of papers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pymupdf
import pytest

from minerva_desktop.errors import MinervaError
from minerva_desktop.records import WorkRecord
from minerva_desktop.settings import Settings
from minerva_desktop.sources.bibliography import plan_import, read_bibliography
from minerva_desktop.workbench import Workbench
from tests.web_support import internet

TEXT = "The band gap of GaN is 3.4 eV. It was measured at room temperature."


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("MINERVA_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("MINERVA_CACHE_DIR", str(tmp_path / "cache"))
    with Workbench(tmp_path / "library", Settings(embeddings=False)) as opened:
        yield opened


def pdf(path: Path, text: str) -> Path:
    with pymupdf.open() as made:
        made.new_page().insert_textbox((72, 72, 520, 700), text, fontsize=11)
        made.save(path)
    return path


def test_a_bibliography_brings_its_files_and_what_it_says(bench: Workbench, tmp_path: Path) -> None:
    pdf(tmp_path / "one.pdf", TEXT)
    (tmp_path / "mine.bib").write_text(
        "@article{one, title = {Gallium nitride, measured}, author = {Berg, Ada}, year = 2020, journal = {J. Films},\n"
        f" doi = {{10.5555/one}}, file = {{:{tmp_path / 'one.pdf'}:PDF}}}}\n"
        "@article{two, title = {Never had}, author = {Dahl, Chen}, year = 2021}\n",
        encoding="utf-8",
    )
    brought = read_bibliography(tmp_path / "mine.bib")
    report = bench.import_bibliography(brought, plan_import(brought))
    assert [paper.status for paper in report.papers] == ["ok"]
    paper = bench.papers()[0]
    assert (paper.title, paper.year, paper.venue, paper.doi) == (
        "Gallium nitride, measured", 2020, "J. Films", "10.5555/one",
    )  # fmt: skip
    assert bench.jobs()[0]["kind"] == "import"


def test_a_bibliography_describes_papers_that_are_there(bench: Workbench, tmp_path: Path) -> None:
    bench.ingest([pdf(tmp_path / "scan0001.pdf", f"doi:10.5555/one. {TEXT}")])
    before = bench.papers()[0]
    record = WorkRecord(
        "bibtex", title="Gallium nitride, measured", authors=("Ada Berg",), year=2020, doi="10.5555/one"
    )
    described = bench.describe_from([record, WorkRecord("bibtex", title="Another matter altogether", year=1999)])
    assert [item.paper for item in described] == [before.id]
    assert bench.papers()[0].title == "Gallium nitride, measured"
    bench.undo()
    assert bench.papers()[0].title == before.title


def test_a_watched_folder_is_read_once(bench: Workbench, tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    pdf(folder / "old.pdf", f"{TEXT} It is old.")
    bench.watch_folder(folder, present=False)
    assert bench.look_at_folders(settle=0.0) == (None, [])
    pdf(folder / "new.pdf", TEXT)
    (folder / "half.pdf.part").write_bytes(b"%PDF-1.7")
    seen = [bench.look_at_folders(settle=0.0)[0] for _ in range(3)]
    reports = [report for report in seen if report is not None]
    assert [[paper.status for paper in report.papers] for report in reports] == [["ok"]]
    assert [paper.file_name for paper in bench.papers()] == ["new.pdf"]
    bench.unwatch_folder(folder)
    assert bench.watched_folders() == []


def test_a_folder_that_is_away_is_said_and_forgotten_by_nobody(bench: Workbench, tmp_path: Path) -> None:
    folder = tmp_path / "drive"
    folder.mkdir()
    bench.watch_folder(folder)
    folder.rmdir()
    report, problems = bench.look_at_folders(settle=0.0)
    assert report is None
    assert len(problems) == 1
    assert bench.watched_folders() == [folder]


def test_a_retraction_is_noted_on_the_paper_and_its_facts(
    bench: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with internet() as net:
        for name, value in net.environment().items():
            monkeypatch.setenv(name, value)
        bench.set_setting("gate", "open")
        bench.ingest([pdf(tmp_path / "one.pdf", f"{TEXT}\n\n\nhttps://doi.org/10.5555/films.13")])
        assert bench.papers()[0].doi == "10.5555/films.13"
        assert {fact.decision.status for fact in bench.facts() if fact.type == "HAS_VALUE"} == {"accepted"}
        assert bench.refresh_notices()
        paper = bench.papers()[0]
        assert paper.withdrawn
        assert {fact.decision.rule for fact in bench.facts() if fact.type == "HAS_VALUE"} == {"withdrawn"}
        assert bench.refresh_notices() == []  # nothing new


def test_asking_while_offline_says_so(bench: Workbench, tmp_path: Path) -> None:
    bench.ingest([pdf(tmp_path / "one.pdf", f"{TEXT}\n\n\nhttps://doi.org/10.5555/films.13")])
    bench.offline = True
    with pytest.raises(MinervaError, match="offline"):
        bench.refresh_notices()
