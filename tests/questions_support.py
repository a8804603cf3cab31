"""Libraries that questions are put to: real catalog and graph, facts read by the real extraction."""

from __future__ import annotations

import hashlib
from typing import Any

from minerva_desktop.domains import Domain
from minerva_desktop.extraction import extract
from minerva_desktop.language.sentences import split_sentences
from minerva_desktop.library import Library
from minerva_desktop.questions import ask as put
from minerva_desktop.questions.guard import check_cypher
from minerva_desktop.records import (
    Answer,
    CriticResult,
    Decision,
    Document,
    FactStatus,
    Finding,
    Metadata,
    PageInfo,
    Paper,
    Passage,
    Sentence,
    Textbook,
    Verification,
)
from minerva_desktop.settings import Settings

WORDS_ONLY = Settings(embeddings=False)
NITRIDES = (
    "The band gap of GaN is 3.4 eV at 300 K. GaN was grown by MOCVD. GaN is used in blue LEDs. "
    "GaN has a wurtzite crystal structure. The band gap of AlN is 6.2 eV."
)
DIBORIDE = "The critical temperature of MgB2 is 39 K. The critical temperature of NbN is 16 K."
OTHER = "The band gap of GaN is 3.2 eV. GaN films were deposited by MBE. GaN is used in lasers."
BOOK = (
    "The band gap of gallium nitride (GaN) is 3.4 eV at 300 K. The band gap of indium phosphide (InP) is 1.34 eV.\n\n"
    "The lattice parameter of silicon (Si) is 0.5431 nm.\n\n"
    "Annealing removes defects from a crystal. Mirrors of telescopes show no symmetry of the heavens."
)


def add_paper(library: Library, domain: Domain, text: str, title: str, status: FactStatus) -> str:
    """A paper of one page, its facts decided as ``status``; returns its id."""
    sentences = tuple(
        Sentence(
            index, text[a:b], a, b, 1, ((1, 50.0, 60.0 + 12 * index, 500.0, 70.0 + 12 * index),), "Results", "RESULTS"
        )
        for index, (a, b) in enumerate(split_sentences(text))
    )
    document = Document(
        "ok", metadata=Metadata(title=title), pages=(PageInfo(1, 595, 842),), text=text, sentences=sentences
    )
    paper = hashlib.sha256(text.encode()).hexdigest()
    file = library.path / f"{title}.txt"
    file.write_text(text, encoding="utf-8")
    library.catalog.add_paper(Paper(paper, file.name, title=title, pages=1), document, file)
    extraction = extract(document, domain, paper_id=paper)
    findings = [Finding(item, CriticResult(True), Verification(True)) for item in extraction.relations]
    library.catalog.put_findings(paper, findings, extraction.entities)
    facts = [fact.id for fact in library.catalog.facts(paper=paper) if fact.papers == (paper,)]
    library.catalog.set_decisions({item: Decision(status, "gate") for item in facts})
    library.project(facts, papers=True)
    return paper


def add_book(library: Library, text: str = BOOK, title: str = "Small textbook") -> None:
    book = hashlib.sha256(text.encode()).hexdigest()
    parts = text.split("\n\n")
    chunks = [
        Passage(f"{book[:16]}:{index}", "textbook", book, title, part, page=index + 1, level=1)
        for index, part in enumerate(parts)
    ]
    library.catalog.add_textbook(Textbook(book, title, "book.md", 1, len(parts), len(parts)), chunks)


def ask(library: Library, domain: Domain, question: str, **options: Any) -> Answer:
    """An answer, of which what holds for every answer is held."""
    answer = put(library, domain, question, **({"settings": WORDS_ONLY} | options))
    assert len(answer.sentences) <= 5
    for sentence in answer.sentences:
        assert sentence.citations, sentence
        assert all(item.quote for item in sentence.citations)
    if answer.cypher:
        assert check_cypher(answer.cypher).query == answer.cypher
        library.graph.query(answer.cypher)
    assert answer.found == bool(answer.sentences)
    return answer
