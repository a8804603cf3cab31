"""The catalog: everything that is in ``library.sqlite``, as one object."""

from __future__ import annotations

import sqlite3

from minerva_desktop.library.entities import EntitiesPart
from minerva_desktop.library.jobs import JobsPart
from minerva_desktop.library.lexicon import LexiconPart
from minerva_desktop.library.passages import PassagesPart
from minerva_desktop.library.review_order import ReviewOrderPart
from minerva_desktop.library.view import ViewPart
from minerva_desktop.library.words import prepared

WORD_INDEXES = {"passages": "passage_words", "textbooks": "textbook_words", "facts": "relation_words"}


class Catalog(LexiconPart, EntitiesPart, ReviewOrderPart, ViewPart, PassagesPart, JobsPart):
    """Papers, facts, passages, textbooks, jobs and journal. Thread-safe: one writer at a time, readers beside it.

    Changes return a :class:`~minerva_desktop.records.ChangeSet`; several become one with :meth:`transaction`.
    """

    def repair(self) -> None:
        """Make anew what follows from other rows: what is shown, the word indexes, the marks for the graph."""
        with self.db.transaction() as connection:
            for row in self.db.rows("SELECT id FROM papers ORDER BY seq"):
                self._refresh_paper(row[0])
            for row in self.db.rows("SELECT id FROM textbooks ORDER BY seq"):
                self._refresh_textbook(row[0])
            self._refresh_relations(row[0] for row in self.db.rows("SELECT id FROM relations"))
            for row in self.db.rows("SELECT seq, section, text, words FROM passages ORDER BY seq"):
                words = prepared(f"{row['section']}\n{row['text']}")
                if words != row["words"]:
                    connection.execute("UPDATE passages SET words = ? WHERE seq = ?", [words, row["seq"]])
            for table in WORD_INDEXES.values():
                connection.execute(f"INSERT INTO {table} ({table}) VALUES ('rebuild')")
            self._record("Repaired the library")

    def broken_word_indexes(self) -> list[str]:
        """What of the word indexes does not fit the texts: "passages", "facts" or both."""
        broken = []
        for name, table in WORD_INDEXES.items():
            try:
                with self.db.transaction() as connection:
                    # With rank 1 the index is also compared with the texts that it was made from.
                    connection.execute(f"INSERT INTO {table} ({table}, rank) VALUES ('integrity-check', 1)")
            except sqlite3.DatabaseError:
                broken.append(name)
        return broken
