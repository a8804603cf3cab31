"""Scans: read by text recognition when a person asks for it and Tesseract is there."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest

from minerva_desktop.documents import Limits, ReaderPool, ocr
from minerva_desktop.errors import MinervaError
from minerva_desktop.settings import Settings
from minerva_desktop.workbench import Workbench

TEXT = "The band gap of gallium nitride is wide. It was measured at room temperature in the laboratory."


@pytest.fixture
def scan(tmp_path: Path) -> Path:
    """A page that is nothing but a picture of text."""
    with pymupdf.open() as printed:
        page = printed.new_page()
        page.insert_textbox((72, 100, 520, 400), TEXT, fontsize=16)
        picture = page.get_pixmap(dpi=200)
    path = tmp_path / "scan.pdf"
    with pymupdf.open() as pdf:
        pdf.new_page().insert_image((0, 0, 595, 842), pixmap=picture)
        pdf.save(path)
    return path


def test_a_scan_says_what_it_needs(scan: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ReaderPool(Limits(), workers=1) as pool:
        document = pool.read(scan)
    assert document.status == "no text layer"
    assert "“Recognise Text…”" in document.reason  # what the window has a button for, at the very place that says so
    assert "--ocr" in document.reason
    assert ocr.languages() or "sudo apt-get install tesseract-ocr" in document.reason
    assert document.sentences == ()


@pytest.mark.skipif(not ocr.usable("eng"), reason="Tesseract with English is not installed")
def test_recognised_text_has_its_place_on_the_page(scan: Path) -> None:
    with ReaderPool(Limits(), workers=1) as pool:
        document = pool.read(scan, ocr="eng")
    assert document.status == "ok"
    assert " ".join(sentence.text for sentence in document.sentences) == TEXT
    assert document.notes == ("Recognised from the picture, so with more errors: page 1.",)
    first = document.sentences[0].boxes[0]
    assert 60 < first[1] < 90
    assert 90 < first[2] < 130


def test_without_tesseract_one_sentence_says_so(scan: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "tessdata", lambda: None)
    with Workbench(tmp_path / "library", Settings.model_validate({"embeddings": False})) as bench:
        with pytest.raises(MinervaError) as refused:
            bench.ingest([scan], recognise=True)
        assert refused.value.code == "no-ocr"
        assert "tesseract-ocr" in refused.value.hint
        assert bench.papers() == []
