"""The real model, and documents of our own writing for it to read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pymupdf

from minerva_desktop.documents import Limits, ReaderPool
from minerva_desktop.events import CancelToken
from minerva_desktop.models.probing import ProbeReport, probe
from minerva_desktop.records import Document
from minerva_desktop.settings.guests import GuestSettings, ModelProfile


@dataclass(frozen=True)
class RealModel:
    """A server with a model, and what the connection test said of it."""

    profile: ModelProfile
    key: str
    report: ProbeReport


def find_model(address: str, name: str, key: str) -> RealModel:
    """The named model of a server, or the first that it lists, tested.

    Raises:
        AssertionError: it does not answer.
    """
    settings = GuestSettings(model_timeout_seconds=600)
    if not name:
        asked = ModelProfile(base_url=address, model="any", key=bool(key))
        listed = probe(asked, settings, key, CancelToken()).seen_models
        assert listed, f"{address} lists no model; name one with MINERVA_TEST_MODEL"
        name = listed[0]
    profile = ModelProfile(base_url=address, model=name, key=bool(key))
    report = probe(profile, settings, key, CancelToken(), seconds=900)
    assert report.model_present, f"{name} at {address} does not answer: {report.error} {report.sentences}"
    return RealModel(profile, key, report)


def write_pdf(path: Path, title: str, paragraphs: Sequence[tuple[str, str]]) -> Path:
    """A paper of one column: headings with a paragraph each, on as many pages as there are sections."""
    with pymupdf.open() as pdf:
        for number, (heading, text) in enumerate(paragraphs):
            page = pdf.new_page(width=595, height=842)
            top = 72
            if number == 0:
                page.insert_textbox(pymupdf.Rect(72, top, 523, top + 40), title, fontname="tibo", fontsize=18)
                top += 60
            page.insert_textbox(pymupdf.Rect(72, top, 523, top + 24), heading, fontname="tibo", fontsize=13)
            page.insert_textbox(pymupdf.Rect(72, top + 28, 523, 760), text, fontname="tiro", fontsize=11)
        pdf.set_metadata({"title": title})
        pdf.save(path)
    return path


def words_in(path: Path, boxes: Sequence[tuple[int, float, float, float, float]]) -> str:
    """The words of a PDF whose middle lies in one of the boxes, box by box, in one line."""
    found: list[str] = []
    with pymupdf.open(path) as pdf:
        for number, left, top, right, bottom in boxes:
            for x0, y0, x1, y1, word, *_ in pdf[number - 1].get_text("words", sort=True):
                if left <= (x0 + x1) / 2 <= right and top <= (y0 + y1) / 2 <= bottom:
                    found.append(word)
    return " ".join(found)


def read_text(folder: Path, *paragraphs: str) -> Document:
    """A document with these paragraphs under one heading."""
    path = folder / "note.md"
    path.write_text("# A note on materials\n\n## Results\n\n" + "\n\n".join(paragraphs) + "\n", encoding="utf-8")
    with ReaderPool(Limits(), workers=1) as pool:
        return pool.read(path)
