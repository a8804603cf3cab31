"""What an open library holds, as a measurement of answers needs it: texts by document, and whose a citation is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from minerva_desktop.bench._ask_set import AskQuestion, Place, plain
from minerva_desktop.questions.asking import passages_for
from minerva_desktop.questions.lookup import fact_ids_of
from minerva_desktop.records import Answer, Citation, Fact, Passage
from minerva_desktop.workbench import Workbench


class Sources:
    """The texts of one library, read once."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        catalog = bench.library.catalog
        self._names: dict[str, frozenset[str]] = {}
        self._titles: dict[str, list[str]] = {}
        for paper in catalog.papers():
            self._name(paper.id, paper.title, paper.file_name, paper.doi)
        for book in catalog.textbooks():
            self._name(book.id, book.title, book.file_name)
        rows = catalog.passage_rows(("paper", "textbook"))
        self._texts: dict[str, str] = {}
        pieces: dict[str, list[str]] = {}
        for passage in catalog.passages_by_row([(row, 0.0) for row in rows]):
            pieces.setdefault(passage.source, []).append(passage.text)
        for source, texts in pieces.items():
            self._texts[source] = plain(" ".join(texts))

    def _name(self, source: str, title: str, *others: str) -> None:
        names = {title, *others, *(Path(name).stem for name in others)}
        self._names[source] = frozenset(plain(name) for name in names if name)
        self._titles.setdefault(plain(title or others[0]), []).append(source)

    # ------------------------------------------------------------------------------------------------- places
    def is_at(self, place: Place, source: str, text: str) -> bool:
        """Whether a text of a source holds the place. A folder before the document's name says only where it came from."""
        name = plain(place.document)
        known = self._names.get(source, frozenset())
        if not known & {name, name.rpartition("/")[2]}:
            return False
        return plain(place.words) in plain(text)

    def cites(self, citation: Citation, place: Place) -> bool:
        return any(self.is_at(place, source, citation.quote) for source in self.of(citation))

    def missing(self, questions: Iterable[AskQuestion]) -> list[tuple[str, Place]]:
        """Gold places whose words stand nowhere in the library as it was read: (question id, place)."""
        found = []
        for question in questions:
            for place in question.places:
                if not self.holds(place):
                    found.append((question.id, place))
        return found

    def holds(self, place: Place) -> bool:
        """Whether the place stands in the library as it was read."""
        return any(self.is_at(place, source, self._texts.get(source, "")) for source in self._names)

    # ---------------------------------------------------------------------------------------------- citations
    def of(self, citation: Citation) -> Sequence[str]:
        """The ids of what a citation may mean: the paper, or the textbooks with this title."""
        if citation.paper:
            return (citation.paper,)
        return self._titles.get(plain(citation.title), ())

    def is_verbatim(self, citation: Citation) -> bool:
        """Whether the quote stands in its source as it is cited."""
        quote = plain(citation.quote)
        for source in self.of(citation):
            if quote in self._texts.get(source, ""):
                return True
            if citation.paper and any(quote == plain(item) for item in self._sentences(source)):
                return True
        return False

    def _sentences(self, paper: str) -> list[str]:
        return [sentence.text for sentence in self._bench.library.catalog.document(paper).sentences]

    # ----------------------------------------------------------------------------------------------- evidence
    def passages(self, question: str) -> tuple[Passage, ...]:
        bench = self._bench
        return passages_for(bench.library, bench.domain, question, embedder=bench.embedder(), settings=bench.settings)

    def graph_evidence(self, answer: Answer) -> list[tuple[str, str]]:
        """(source, sentence) of the facts behind an answer: those of its rows, then those that it cites; each once."""
        ids = [item for row in answer.rows for item in fact_ids_of(row)]
        facts: list[Fact] = self._bench.library.catalog.facts_by_id(list(dict.fromkeys(ids)))
        found = [(record.evidence.paper, record.evidence.sentence) for fact in facts for record in fact.evidence]
        for sentence in answer.sentences:
            if sentence.status is not None:
                found += [(item.paper, item.quote) for item in sentence.citations]
        return list(dict.fromkeys(found))
