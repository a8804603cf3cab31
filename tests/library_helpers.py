"""Small libraries for tests: papers of one text, facts of one sentence."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from pathlib import Path

from minerva_desktop.library import Catalog, Library
from minerva_desktop.records import (
    Condition,
    CriticResult,
    Document,
    Entity,
    Evidence,
    Finding,
    Modality,
    Paper,
    Passage,
    Quantity,
    Relation,
    Sentence,
    Textbook,
    Verification,
)

JOULES = 1.602176634e-19


def make_document(text: str) -> Document:
    """A document of one page, split at full stops followed by space."""
    sentences = []
    for index, match in enumerate(re.finditer(r"\S.*?(?:\.(?=\s|$)|$)", text, re.DOTALL)):
        top = 72.0 + 14 * index
        sentences.append(
            Sentence(index, match.group(), match.start(), match.end(), 1, ((1, 72.0, top, 500.0, top + 12),), "Results")
        )
    return Document("ok", media_type="text/plain", text=text, sentences=tuple(sentences))


def fact_of(
    sentence: str,
    material: str,
    value: float,
    *,
    unit: str = "eV",
    si: float | None = None,
    si_unit: str = "J",
    temperature: float | None = None,
    modality: Modality = "reported",
    written: str = "",
    source_type: str = "Material",
    verification: Verification | None = None,
    property_id: str = "band_gap",
) -> Finding:
    """A measured value as read in a sentence at the start of a document."""
    text = f"{value:g} {unit}"
    dimension = {"J": "energy", "m": "length"}[si_unit]
    quantity = Quantity(
        True, text, value=value, unit=unit, si_value=si or value * JOULES, si_unit=si_unit, dimension=dimension
    )
    conditions = () if temperature is None else (Condition("temperature", f"{temperature:g} K", temperature, "K"),)
    name = written or material
    start = max(sentence.find(name), 0)
    relation = Relation(
        "HAS_VALUE",
        Entity(source_type, name, material),
        Entity("Value", text, text),
        Evidence("", 1, (), 0, len(sentence), sentence, "Results", "RESULTS", 0, (start, start + len(name))),
        property_id,
        quantity,
        conditions,
        modality=modality,
    )
    return Finding(relation, CriticResult(True), verification or Verification(True, "material_property"))


class Shelf:
    """An open library with a scratch folder for the files that go in."""

    def __init__(self, library: Library, scratch: Path) -> None:
        self.library = library
        self.scratch = scratch
        self.catalog: Catalog = library.catalog

    def add(self, name: str, text: str, *, document: Document | None = None, doi: str = "") -> str:
        """Add a paper; returns its id."""
        file = self.scratch / "in" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
        paper = Paper(hashlib.sha256(file.read_bytes()).hexdigest(), file.name, title=f"Title of {name}", doi=doi)
        self.catalog.add_paper(paper, document or make_document(text), file)
        return paper.id

    def add_fact(self, name: str, sentence: str, material: str, value: float, **options: object) -> str:
        """Add a paper of one sentence with the value it states; returns the paper's id."""
        paper = self.add(name, sentence, document=_one_sentence(sentence))
        finding = fact_of(sentence, material, value, **options)  # type: ignore[arg-type]
        self.catalog.put_findings(paper, [finding], [finding.relation.source])
        return paper

    def add_textbook(self, name: str, texts: list[str], level: int = 1) -> str:
        """Add a textbook of these passages; returns its id."""
        book = Textbook(name * 10, f"Book {name}", f"{name}.md", level, len(texts))
        chunks = [Passage(f"{name}:{n}", "textbook", book.id, "", text, level=level) for n, text in enumerate(texts)]
        self.catalog.add_textbook(book, chunks)
        return book.id

    def accept_all(self) -> None:
        """Accept every fact and bring the graph up to date."""
        self.catalog.decide([fact.id for fact in self.catalog.facts()], "accepted")
        self.library.project()

    def status(self, fact_id: str) -> str:
        return self.catalog.fact(fact_id).decision.status


def _one_sentence(text: str) -> Document:
    sentence = Sentence(0, text, 0, len(text), 1, ((1, 72.0, 72.0, 500.0, 84.0),), "Results", "RESULTS")
    return replace(make_document(text), sentences=(sentence,))
