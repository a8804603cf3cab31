"""Citations: the place in a paper or textbook, or the row of the graph, that an answer's sentence stands on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from minerva_desktop.library import Library
from minerva_desktop.questions.aspects import addresses_the_reader
from minerva_desktop.records import Citation, Fact, Passage, Sentence

MOST = 4
"""Citations of one fact: the first places that say it."""


class Citer:
    """Makes citations of one library; what it reads is read once."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._titles: dict[str, str] = {}
        self._sentences: dict[str, list[Sentence]] = {}

    def title(self, paper: str) -> str:
        if paper not in self._titles:
            self._titles[paper] = self._library.catalog.paper_title(paper)
        return self._titles[paper]

    def fact(self, fact: Fact) -> tuple[Citation, ...]:
        """The places that say a fact, those of different papers first."""
        places: list[Citation] = []
        later: list[Citation] = []
        seen: set[str] = set()
        spoken = [record for record in fact.evidence if not addresses_the_reader(record.evidence.sentence)]
        for record in spoken or fact.evidence:
            item = record.evidence
            place = Citation("paper", item.paper, self.title(item.paper), item.page, item.boxes, item.sentence)
            (later if item.paper in seen else places).append(place)
            seen.add(item.paper)
        return tuple([*places, *later][:MOST])

    def facts(self, facts: Iterable[Fact]) -> tuple[Citation, ...]:
        """The places of several facts, one for each fact before a second for any."""
        lists = [list(self.fact(fact)) for fact in facts]
        found: list[Citation] = []
        for depth in range(MOST):
            for places in lists:
                if depth < len(places) and places[depth] not in found:
                    found.append(places[depth])
        return tuple(found)

    def frequencies(self, stems: Sequence[str], most: int) -> dict[str, int]:
        """In how many passages of the library each stem stands, counted up to ``most``."""
        return self._library.catalog.term_counts(stems, most)

    def sentences(self, passage: Passage) -> list[Sentence]:
        """The sentences of a paper's passage as its document has them, with page and boxes; none for a textbook."""
        if passage.kind != "paper":
            return []
        if passage.id not in self._sentences:
            self._sentences[passage.id] = self._library.catalog.sentences(passage.source, passage.sentences)
        return self._sentences[passage.id]


def passage_citation(passage: Passage, quote: str, sentence: Sentence | None) -> Citation:
    """The place of a sentence of a passage. A textbook has no boxes; its page is the passage's."""
    paper = passage.source if passage.kind == "paper" else ""
    page = sentence.page if sentence is not None else passage.page
    boxes = sentence.boxes if sentence is not None else passage.boxes
    return Citation(passage.kind, paper, passage.title, page, boxes, quote)


def graph_citation(title: str, quote: str) -> Citation:
    """A row of the graph that no single place of a paper stands for: a concept, a computed column."""
    return Citation("graph", title=title, quote=quote)


def distinct(citations: Sequence[Citation]) -> tuple[Citation, ...]:
    return tuple(dict.fromkeys(citations))
