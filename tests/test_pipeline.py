"""What the ingest job promises: stable order, resumable, nothing half-written."""

from __future__ import annotations

import threading
from itertools import pairwise
from pathlib import Path

import pymupdf
import pytest

from minerva_desktop.errors import MinervaError
from minerva_desktop.events import CancelToken, Progress
from minerva_desktop.pipeline import collect_files
from minerva_desktop.pipeline.textbooks import CHUNK, textbook_chunks
from minerva_desktop.records import Document, Sentence
from minerva_desktop.settings import Settings
from minerva_desktop.workbench import Workbench, sample_papers

NOTE = "# Note {n}\n\n## Results\n\nThe band gap of GaN is 3.{n} eV at 300 K. ZnO was grown by sputtering.\n"


def notes(folder: Path, count: int) -> list[Path]:
    folder.mkdir(exist_ok=True)
    paths = [folder / f"note-{number}.md" for number in range(count)]
    for number, path in enumerate(paths):
        path.write_text(NOTE.format(n=number), encoding="utf-8")
    return paths


@pytest.fixture
def settings() -> Settings:
    return Settings.model_validate({"embeddings": False})


def test_folders_are_walked_in_a_stable_order_and_each_file_counts_once(tmp_path: Path) -> None:
    paths = notes(tmp_path / "papers", 3)
    (tmp_path / "papers" / ".hidden.md").write_text("x")
    items = collect_files([tmp_path / "papers", paths[0], tmp_path / "nowhere.pdf"])
    assert [item.name for item in items] == ["note-0.md", "note-1.md", "note-2.md", str(tmp_path / "nowhere.pdf")]


def test_a_cancelled_job_keeps_what_is_done_and_resume_does_the_rest(tmp_path: Path, settings: Settings) -> None:
    paths = notes(tmp_path / "papers", 5)
    token = CancelToken()

    def stop_after_two(step: Progress) -> None:
        if step.status and step.done >= 2:
            token.cancel()

    with Workbench(tmp_path / "library", settings) as bench:
        report = bench.ingest(paths, progress=stop_after_two, cancel=token)
        assert report.cancelled
        done = len(report.papers)
        assert 2 <= done < 5
        assert len(bench.papers()) == done
        assert bench.job(report.job)["status"] == "cancelled"
        rest = bench.resume(report.job)
        assert not rest.cancelled
        assert len(rest.papers) == 5 - done
        assert len(bench.papers()) == 5
        assert bench.audit().ok


def test_two_equal_files_in_one_job_become_one_paper(tmp_path: Path, settings: Settings) -> None:
    (first,) = notes(tmp_path / "papers", 1)
    second = first.with_name("same.md")
    second.write_bytes(first.read_bytes())
    with Workbench(tmp_path / "library", settings) as bench:
        report = bench.ingest([first, second])
        assert [paper.status for paper in report.papers] == ["ok", "duplicate"]
        assert len(bench.papers()) == 1


def test_a_persons_decision_outlives_a_new_textbook(tmp_path: Path, settings: Settings) -> None:
    paths = notes(tmp_path / "papers", 1)
    book = tmp_path / "book.md"
    book.write_text("# Book\n\nThe band gap of gallium nitride (GaN) is 3.0 eV at 300 K.\n", encoding="utf-8")
    with Workbench(tmp_path / "library", settings) as bench:
        bench.ingest(paths)
        (fact,) = [item for item in bench.facts() if item.property_id == "band_gap"]
        bench.reject([fact.id], "measured on a bad film")
        bench.add_textbooks([book])
        after = bench.fact(fact.id)
        assert after.decision.status == "refused"
        assert after.by_person


def test_the_same_fact_of_two_papers_is_one_fact_with_two_evidences(tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    for name in ("a", "b"):
        text = f"# Paper {name}\n\n## Results\n\nThe band gap of GaN is 3.4 eV in film {name}.\n"
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    settings = Settings.model_validate({"embeddings": False, "gate": "corroborated"})
    with Workbench(tmp_path / "library", settings) as bench:
        bench.ingest([folder])
        (fact,) = [item for item in bench.facts() if item.property_id == "band_gap"]
        assert len(fact.papers) == 2
        assert fact.decision.status == "accepted"
        bench.remove("b.md")
        again = bench.fact(fact.id)
        assert len(again.papers) == 1
        assert again.decision.status == "waiting"
        bench.undo()
        assert bench.fact(fact.id).decision.status == "accepted"
        assert bench.audit().ok


def test_textbook_chunks_keep_sentences_whole_and_overlap(tmp_path: Path) -> None:
    texts = [f"Sentence number {number} tells of one more thing in a plain way." for number in range(60)]
    text = " ".join(texts)
    sentences, start = [], 0
    for index, item in enumerate(texts):
        sentences.append(Sentence(index, item, start, start + len(item), section="One"))
        start += len(item) + 1
    chunks = textbook_chunks(Document("ok", text=text, sentences=tuple(sentences)), "book")
    assert len(chunks) > 3
    for chunk in chunks:
        assert len(chunk.text) <= CHUNK
        assert chunk.text.endswith("way.")
        assert chunk.text.startswith("Sentence number")
    for before, after in pairwise(chunks):
        assert after.text.split(". ")[0] in before.text
    joined = " ".join(chunk.text for chunk in chunks)
    assert all(item in joined for item in texts)


def test_progress_names_every_file_and_how_it_ended(tmp_path: Path, settings: Settings) -> None:
    paths = notes(tmp_path / "papers", 2)
    steps: list[Progress] = []
    with Workbench(tmp_path / "library", settings) as bench:
        bench.ingest(paths, progress=steps.append)
    ended = [(step.item, step.status) for step in steps if step.status]
    assert ended == [(str(path), "ok") for path in paths]
    assert {"read", "extract", "check", "write"} <= {step.stage for step in steps}


def test_a_paper_with_odd_numbers_behind_units_is_read(tmp_path: Path, settings: Settings) -> None:
    path = tmp_path / "odd.md"
    path.write_text(
        "# Odd\n\n## Results\n\nThe film is 5 cm400 wide. The band gap of GaN is 3.4 eV.\n", encoding="utf-8"
    )
    with Workbench(tmp_path / "library", settings) as bench:
        (report,) = bench.ingest([path]).papers
        assert report.status == "ok"
        assert any(fact.property_id == "band_gap" for fact in bench.facts())


def test_a_person_corrects_a_value_and_undo_takes_it_back(tmp_path: Path, settings: Settings) -> None:
    with Workbench(tmp_path / "library", settings) as bench:
        bench.ingest(notes(tmp_path / "papers", 1))
        (fact,) = [item for item in bench.facts() if item.property_id == "band_gap"]
        bench.edit(fact.id, value="3.39 eV")
        (kept,) = [item for item in bench.facts(status="accepted") if item.property_id == "band_gap"]
        assert kept.quantity is not None
        assert kept.quantity.value == 3.39
        rows = bench.cypher("MATCH (m:Material) WHERE m.name = 'GaN' RETURN m.band_gap_eV AS gap")
        assert rows == [{"gap": 3.39}]
        bench.undo()
        assert [item for item in bench.facts(status="accepted") if item.property_id == "band_gap"] == []


def test_a_person_decides_and_takes_back_while_a_job_runs(tmp_path: Path, settings: Settings) -> None:
    first, *others = notes(tmp_path / "papers", 3)
    seen: list[str] = []
    with Workbench(tmp_path / "library", settings) as bench:
        bench.ingest([first])
        fact = next(item for item in bench.facts(status="waiting") if item.property_id == "band_gap")

        def decide_once(step: Progress) -> None:
            """Called in the middle of the job; another thread decides, and does not have to wait for the job's end."""
            if seen or step.stage != "check":
                return
            for change in (lambda: bench.accept([fact.id]), bench.undo, lambda: bench.accept([fact.id])):
                person = threading.Thread(target=change)
                person.start()
                person.join(20)
                seen.append("waits" if person.is_alive() else bench.fact(fact.id).decision.status)

        report = bench.ingest(others, progress=decide_once)
        assert seen == ["accepted", "waiting", "accepted"]
        assert [paper.status for paper in report.papers] == ["ok", "ok"]
        assert bench.fact(fact.id).decision.status == "accepted"
        assert bench.audit().ok


def test_a_gate_that_is_changed_while_a_job_runs_holds_for_its_papers_too(tmp_path: Path, settings: Settings) -> None:
    paths = notes(tmp_path / "papers", 2)
    with Workbench(tmp_path / "library", settings) as bench:

        def open_gate(step: Progress) -> None:
            if step.stage == "check" and bench.settings.gate != "open":
                bench.set_setting("gate", "open")

        bench.ingest(paths, progress=open_gate)
        values = [fact for fact in bench.facts() if fact.property_id == "band_gap"]
        assert len(values) == 2
        assert {fact.decision.status for fact in values} == {"accepted"}


def test_the_pages_of_an_encrypted_paper_need_its_password(tmp_path: Path, settings: Settings) -> None:
    locked = tmp_path / "locked.pdf"
    with pymupdf.open(sample_papers()[0]) as pdf:
        pdf.save(locked, encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="sesame", owner_pw="owner")
    with Workbench(tmp_path / "library", settings) as bench:
        bench.ingest([locked], password="sesame")
        (paper,) = bench.papers()
        assert bench.page_image(paper.id, 1).width > 100
    with Workbench(tmp_path / "library", settings) as bench:
        with pytest.raises(MinervaError) as refused:
            bench.page_image(paper.id, 1)
        assert refused.value.code == "encrypted"
        with pytest.raises(MinervaError):
            bench.unlock(paper.id, "wrong")
        bench.unlock(paper.id, "sesame")
        assert bench.page_image(paper.id, 1).width > 100
    everything = b"".join(file.read_bytes() for file in (tmp_path / "library").rglob("*") if file.is_file())
    assert b"sesame" not in everything


def test_a_paper_without_abstract_is_told_by_its_opening(tmp_path: Path, settings: Settings) -> None:
    text = tmp_path / "plain.md"
    body = "The band gap of GaN is 3.4 eV. " * 200
    text.write_text(f"# Gallium nitride\n\n## Introduction\n\n{body}\n", encoding="utf-8")
    with Workbench(tmp_path / "library", settings) as bench:
        bench.ingest([text])
        abstract = bench.papers()[0].abstract
    assert abstract.startswith("The band gap of GaN is 3.4 eV.")
    assert "Introduction" not in abstract
    assert 2_900 < len(abstract) <= 3_000
