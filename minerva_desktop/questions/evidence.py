"""What is known of the places that an answer cites: the paper, the fact that was read there, what the textbooks say of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from minerva_desktop.library import Library
from minerva_desktop.library.words import STOP_WORDS, terms
from minerva_desktop.records import Answer, Citation, EvidenceCard, EvidenceRecord, Fact, Paper

_WORD = re.compile(r"[\w+./−–-]+")


def evidence_cards(library: Library, answer: Answer) -> tuple[EvidenceCard, ...]:
    """One card for each citation of the answer, in the order of their numbers."""
    trace = answer.trace
    facts = library.catalog.facts_by_id([item.id for item in trace.facts]) if trace else []
    told = _by_place(facts)
    papers = {paper.id: paper for paper in library.catalog.papers()} if answer.citations else {}
    wanted = _terms(trace.searched if trace and trace.searched else answer.question)
    return tuple(
        _card(number, citation, told, papers, wanted) for number, citation in enumerate(answer.citations, start=1)
    )


def _card(
    number: int,
    citation: Citation,
    told: Mapping[tuple[str, str], tuple[Fact, EvidenceRecord]],
    papers: Mapping[str, Paper],
    wanted: frozenset[str],
) -> EvidenceCard:
    found = told.get((citation.paper, _plain(citation.quote))) if citation.source == "paper" else None
    value = found[1].value_text if found else ""
    card = EvidenceCard(number, citation.title, marks=marks_in(citation.quote, wanted, value))
    paper = papers.get(citation.paper)
    if paper is not None:
        card = replace(
            card,
            title=paper.title or citation.title,
            authors=paper.authors,
            year=paper.year,
            doi=paper.doi,
            venue=paper.venue,
            withdrawn=paper.withdrawn,
        )
    if found is None:
        return card
    fact, record = found
    verdict = record.verdict
    return replace(
        card,
        status=fact.decision.status,
        fact=fact.id,
        verdict=verdict.verdict if verdict is not None and not verdict.error else None,
        verdict_reason=verdict.reason if verdict is not None and not verdict.error else "",
    )


def _by_place(facts: Iterable[Fact]) -> dict[tuple[str, str], tuple[Fact, EvidenceRecord]]:
    """The fact that was read in a sentence of a paper: one with a number before one without, else the first."""
    found: dict[tuple[str, str], tuple[Fact, EvidenceRecord]] = {}
    for fact in sorted(facts, key=lambda item: item.quantity is None):
        for record in fact.evidence:
            found.setdefault((record.evidence.paper, _plain(record.evidence.sentence)), (fact, record))
    return found


def marks_in(text: str, wanted: frozenset[str], value: str = "") -> tuple[tuple[int, int], ...]:
    """Stretches (start, end) of the text that are one of the terms, or the value as it is written; joined where only
    spaces part them."""
    words = ((match.start(), match.group().rstrip("./")) for match in _WORD.finditer(text))
    spans = [(start, start + len(word)) for start, word in words if wanted & set(terms(word))]
    at = text.find(value) if value else -1
    if at >= 0:
        spans.append((at, at + len(value)))
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and not text[joined[-1][1] : start].strip():
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((start, end))
    return tuple(joined)


def _terms(text: str) -> frozenset[str]:
    return frozenset(term for term in terms(text) if term not in STOP_WORDS)


def _plain(text: str) -> str:
    return " ".join(text.split())
