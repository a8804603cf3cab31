"""The texts of papers and textbooks as they are stored: cut into passages, with a person's corrections at their places."""

from __future__ import annotations

from collections.abc import Sequence

from minerva_desktop.library.base import CatalogBase, insert
from minerva_desktop.library.chunks import paper_chunks
from minerva_desktop.library.codec import encode, unpack_document
from minerva_desktop.library.words import prepared_passage
from minerva_desktop.records import Passage

PASSAGE_COLUMNS = "id kind source text words page boxes section level sentences".split()


class TextsPart(CatalogBase):
    """Storing and restoring texts."""

    def _restore_text(self, paper: str, data: bytes) -> None:
        """Bring back a paper's text and its passages."""
        with self.db.transaction() as connection:
            connection.execute("UPDATE documents SET data = ? WHERE paper = ?", [data, paper])
            document = unpack_document(data)
            self._anchor(paper, document.text)
            self._replace_passages(paper, paper_chunks(document, paper))

    def _anchor(self, paper_id: str, text: str) -> None:
        """Find the evidence of a person's corrections in a text that was read anew, where its offsets may differ."""
        with self.db.transaction() as connection:
            for row in connection.execute(
                'SELECT seq, start, "end", sentence FROM evidences WHERE paper = ? AND by_person', [paper_id]
            ).fetchall():
                start = text.find(row["sentence"])
                if text[row["start"] : row["end"]] != row["sentence"] and start >= 0:
                    end = start + len(row["sentence"])
                    connection.execute(
                        'UPDATE evidences SET start = ?, "end" = ? WHERE seq = ?', [start, end, row["seq"]]
                    )

    def _replace_passages(self, source: str, chunks: Sequence[Passage]) -> None:
        """Put these passages in the place of those that a paper or textbook had."""
        with self.db.transaction() as connection:
            connection.execute("DELETE FROM passages WHERE source = ?", [source])
            connection.executemany(
                insert("passages", PASSAGE_COLUMNS),
                [
                    {
                        "id": chunk.id,
                        "kind": chunk.kind,
                        "source": source,
                        "text": chunk.text,
                        "words": prepared_passage(chunk.section, chunk.text),
                        "page": chunk.page,
                        "boxes": encode(chunk.boxes),
                        "section": chunk.section,
                        "level": chunk.level,
                        "sentences": encode(chunk.sentences),
                    }
                    for chunk in chunks
                ],
            )
