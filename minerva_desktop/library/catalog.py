"""The catalog: everything that is in ``library.sqlite``, as one object."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from minerva_desktop.errors import UsageError
from minerva_desktop.library.asked import AskedPart
from minerva_desktop.library.chunks import paper_chunks
from minerva_desktop.library.completions import CompletionsPart
from minerva_desktop.library.entities import EntitiesPart
from minerva_desktop.library.learning import LearningPart
from minerva_desktop.library.lexicon import LexiconPart
from minerva_desktop.library.neighbours import NeighboursPart
from minerva_desktop.library.passages import PassagesPart
from minerva_desktop.library.question_runs import KIND, question_diff
from minerva_desktop.library.review_order import ReviewOrderPart
from minerva_desktop.library.run_diff import Side, Statement, compare
from minerva_desktop.library.runs import RunsPart
from minerva_desktop.library.words import EDITION, prepared_passage
from minerva_desktop.records import RunDiff

WORD_INDEXES = {
    "passages": "passage_words",
    "textbooks": "textbook_words",
    "facts": "relation_words",
    "names": "name_letters",
}


_PORTION = 2000  # rows whose texts are in memory at once


class Catalog(
    LexiconPart,
    LearningPart,
    AskedPart,
    EntitiesPart,
    ReviewOrderPart,
    CompletionsPart,
    PassagesPart,
    NeighboursPart,
    RunsPart,
):
    """Papers, facts, passages, textbooks, jobs and journal. Thread-safe: one writer at a time, readers beside it.

    Changes return a :class:`~minerva_desktop.records.ChangeSet`; several become one with :meth:`transaction`.
    """

    def diff_runs(self, one: str, other: str) -> RunDiff:
        """What one run found and the other did not, or found otherwise.

        Raises:
            NotFound: there is no such run.
            UsageError: one of them is of a version that did not keep what runs find, or one read papers and the other
                asked questions.
        """
        a, b = self.run(one), self.run(other)
        if a.kind == b.kind == KIND:
            return question_diff(a, b)
        if KIND in {a.kind, b.kind}:
            raise UsageError(
                "One of these runs asked questions and the other read papers.", hint="Compare two runs of one kind."
            )

        def side(ref: str) -> Side:
            run = self.run(ref)
            if not run.kept:
                raise UsageError(
                    f"There is nothing of the run {run.id} to compare: it read no paper, or it was made before runs were "
                    "kept.",
                    hint="Read the papers again (“reextract”); that is a run of its own.",
                )
            return Side(run, self.run_papers(run.id), self.products(run.id))

        def claim(item: Statement) -> str:
            ends = (item["source"][1], item["target"][1])
            return self.claim_text(item["type"], *ends, item["property"], item["value"], item["modality"])

        return compare(side(one), side(other), claim)

    def refresh_all(self) -> tuple[int, int]:
        """Make anew what follows from other rows: what is shown, spellings, word indexes. Returns (papers, facts)."""
        with self.db.transaction() as connection:
            self._remake_word_indexes()  # a broken one refuses what is written below
            papers = self.db.rows("SELECT id FROM papers ORDER BY seq")
            for row in papers:
                self._refresh_paper(row[0])
            for row in self.db.rows("SELECT id FROM textbooks ORDER BY seq"):
                self._refresh_textbook(row[0])
            facts = [row[0] for row in self.db.rows("SELECT id FROM relations")]
            self._refresh_relations(facts)
            self._refresh_names(row[0] for row in self.db.rows("SELECT seq FROM entities"))
            self._renew_passages(connection)
            self._remake_word_indexes()
        return len(papers), len(facts)

    def renew_words(self) -> bool:
        """Make the word indexes anew when another version of the program split texts into other terms; says whether it did."""
        if self.db.meta("words") == EDITION:
            return False
        with self.db.transaction() as connection:
            self._renew_passages(connection)
            ids = [row[0] for row in self.db.rows("SELECT id FROM relations ORDER BY seq")]
            for start in range(0, len(ids), _PORTION):
                expected = self.expected_words(ids[start : start + _PORTION])
                connection.executemany(
                    "UPDATE relations SET words = ? WHERE id = ?", [(w, i) for i, w in expected.items()]
                )
            self._remake_word_indexes()
            self.db.set_meta("words", EDITION)
        return True

    def _renew_passages(self, connection: sqlite3.Connection) -> None:
        last = 0
        query = "SELECT seq, section, text, words FROM passages WHERE seq > ? ORDER BY seq LIMIT ?"
        while rows := self.db.rows(query, [last, _PORTION]):
            last = rows[-1]["seq"]
            made = [(prepared_passage(row["section"], row["text"]), row) for row in rows]
            changed = [(words, row["seq"]) for words, row in made if words != row["words"]]
            connection.executemany("UPDATE passages SET words = ? WHERE seq = ?", changed)

    def cut_again(self, paper_id: str) -> None:
        """Make the passages of a paper anew from its text."""
        with self.db.transaction():
            self._replace_passages(paper_id, paper_chunks(self.document(paper_id), paper_id))
            self._refresh_paper(paper_id)

    def note_repair(self, what: Sequence[str]) -> None:
        """Say in the history that the library was repaired."""
        self._record(f"Repaired the library. {' '.join(what)}".strip())

    def _remake_word_indexes(self) -> None:
        with self.db.transaction() as connection:
            for table in WORD_INDEXES.values():
                connection.execute(f"INSERT INTO {table} ({table}) VALUES ('rebuild')")

    def broken_word_indexes(self) -> list[str]:
        """What of the word indexes does not fit the texts: keys of :data:`WORD_INDEXES`."""
        broken = []
        for name, table in WORD_INDEXES.items():
            try:
                with self.db.transaction() as connection:
                    # With rank 1 the index is also compared with the texts that it was made from.
                    connection.execute(f"INSERT INTO {table} ({table}, rank) VALUES ('integrity-check', 1)")
            except sqlite3.DatabaseError:
                broken.append(name)
        return broken
