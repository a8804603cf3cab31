"""Passages of papers and textbooks, and finding them by words."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from minerva_desktop.errors import NotFound
from minerva_desktop.library import codec
from minerva_desktop.library.base import Job, RowChange
from minerva_desktop.library.database import Row
from minerva_desktop.library.files import store_file
from minerva_desktop.library.words import match_any, quoted
from minerva_desktop.library.works import WorksPart
from minerva_desktop.records import ChangeSet, Passage, Textbook

KINDS = ("paper", "textbook")
_SPARE = 100  # rows of the word index beyond what is asked for: some are hidden

_SELECT = (
    "SELECT p.*, coalesce(b.title, a.title, '') AS title FROM passages p "
    "LEFT JOIN papers a ON a.id = p.source AND p.kind = 'paper' "
    "LEFT JOIN textbooks b ON b.id = p.source AND p.kind = 'textbook' "
)


class PassagesPart(WorksPart):
    """Passages by id, by row number and by words; textbooks."""

    def passages(self, ids: Sequence[str]) -> list[Passage]:
        """The passages with these ids that are there, in that order."""
        rows = {row["id"]: row for row in self.db.rows_in(_SELECT + "WHERE p.live AND p.id IN (…)", list(ids))}
        return [_passage(rows[item]) for item in dict.fromkeys(ids) if item in rows]

    def passages_by_row(self, scores: Sequence[tuple[int, float]]) -> list[Passage]:
        """Passages by row number, with these scores, in that order."""
        rows = {
            row["seq"]: row
            for row in self.db.rows_in(_SELECT + "WHERE p.live AND p.seq IN (…)", [seq for seq, _ in scores])
        }
        return [_passage(rows[seq], score) for seq, score in scores if seq in rows]

    def search_words(
        self, query: str, kinds: Sequence[str] = KINDS, limit: int = 20, *, max_level: int = 4
    ) -> list[Passage]:
        """Passages with any of the words, best (BM25) first; a higher score is better."""
        return self.passages_by_row(self.word_scores(query, kinds, limit, max_level=max_level))

    def word_scores(
        self, query: str, kinds: Sequence[str] = KINDS, limit: int = 20, *, max_level: int = 4
    ) -> list[tuple[int, float]]:
        """(row number, score) of :meth:`search_words`. The words are a person's: nothing in them is syntax."""
        match = match_any(query)
        if not match or limit <= 0 or not kinds:
            return []
        # Claims are checked against textbooks only, and often: that index does not grow with the papers.
        index = "textbook_words" if set(kinds) == {"textbook"} else "passage_words"
        # The index is asked alone, and sorts by itself: a common word stands in a tenth of all passages. To look up each of
        # their rows takes longer than to find them, and each row that is handed over lets another thread go first.
        wanted = limit + _SPARE
        query = f"SELECT rowid, -rank FROM {index} WHERE {index} MATCH ? ORDER BY rank LIMIT ?"
        while True:
            found = [(row[0], row[1]) for row in self.db.rows(query, [match, wanted])]
            best = self._in_order(found, kinds, max_level)
            if len(found) < wanted or (len(best) >= limit and best[limit - 1][1] > found[-1][1]):
                return best[:limit]
            if len(best) >= limit:
                break
            wanted *= 8  # many are hidden
        # What was left out may be as good as the last one that is kept, and would then be ordered by its id.
        query = f"SELECT rowid, -bm25({index}) FROM {index} WHERE {index} MATCH ? AND -bm25({index}) >= ?"
        found = [(row[0], row[1]) for row in self.db.rows(query, [match, best[limit - 1][1]])]
        return self._in_order(found, kinds, max_level)[:limit]

    def _in_order(
        self, found: Sequence[tuple[int, float]], kinds: Sequence[str], max_level: int
    ) -> list[tuple[int, float]]:
        """Those of these (row number, score) that a search of these kinds may return, best first, equal ones by id."""
        ids = self.shown_ids([row for row, _ in found], kinds, max_level)
        return sorted((item for item in found if item[0] in ids), key=lambda item: (-item[1], ids[item[0]]))

    def shown_ids(self, rows: Sequence[int], kinds: Sequence[str], max_level: int) -> dict[int, str]:
        """Those of these row numbers that a search of these kinds may return, each with its passage's id."""
        condition = _filter(kinds).replace(":level", str(int(max_level)))
        query = f"SELECT p.seq, p.id FROM passages p WHERE p.live AND {condition} AND p.seq IN (…)"
        return {row[0]: row[1] for row in self.db.rows_in(query, rows)}

    def term_counts(self, terms: Sequence[str], most: int) -> dict[str, int]:
        """In how many passages each term stands, counted up to ``most``; terms as the index has them."""
        query = "SELECT count(*) FROM (SELECT 1 FROM passage_words WHERE passage_words MATCH ? LIMIT ?)"
        with self.db.read() as connection:
            return {term: connection.execute(query, [quoted(term), most]).fetchone()[0] for term in terms}

    def rows_with(self, groups: Sequence[Sequence[Sequence[str]]], limit: int) -> list[tuple[int, float]]:
        """(row number, score) of passages, best (BM25) first: those that fit any group, that is hold one term of each of
        its lists."""
        match = " OR ".join(
            "(" + " AND ".join("(" + " OR ".join(map(quoted, any_of)) + ")" for any_of in group) + ")"
            for group in groups
        )
        if not match or limit <= 0:
            return []
        rows = self.db.rows(
            "SELECT p.seq, -bm25(passage_words) AS score FROM passage_words JOIN passages p ON p.seq = passage_words.rowid "
            "WHERE passage_words MATCH ? AND p.live ORDER BY score DESC, p.id LIMIT ?",
            [match, limit],
        )
        return [(row["seq"], row["score"]) for row in rows]

    def passage_rows(self, kinds: Sequence[str] = KINDS, *, max_level: int = 4) -> Sequence[int]:
        """Row numbers of all passages that a search of these kinds may return, ascending.

        As long as no passage comes or goes, the same call gives the same object.
        """
        key = (self.db.scalar("SELECT value FROM counters WHERE name = 'passages'"), tuple(kinds), max_level)
        if key in self._rows_by_filter and not self.db.in_transaction:
            return self._rows_by_filter[key]
        found = self._passage_rows(kinds, max_level)
        if not self.db.in_transaction:
            kept = {old: rows for old, rows in self._rows_by_filter.items() if old[0] == key[0]}
            self._rows_by_filter = kept | {key: found}
        return found

    def _passage_rows(self, kinds: Sequence[str], max_level: int) -> Sequence[int]:
        rows = self.db.rows(
            f"SELECT p.seq FROM passages p WHERE p.live AND {_filter(kinds)} ORDER BY p.seq", {"level": max_level}
        )
        return tuple(row[0] for row in rows)

    def passage_ids(self, rows: Sequence[int]) -> dict[int, str]:
        """Passage ids by row number."""
        return {row["seq"]: row["id"] for row in self.db.rows_in("SELECT seq, id FROM passages WHERE seq IN (…)", rows)}

    def rows_of(self, ids: Sequence[str]) -> dict[str, int]:
        """Row numbers of passages by id, in that order."""
        rows = {row["id"]: row["seq"] for row in self.db.rows_in("SELECT seq, id FROM passages WHERE id IN (…)", ids)}
        return {item: rows[item] for item in dict.fromkeys(ids) if item in rows}

    # ------------------------------------------------------------------------------------------------ textbooks
    def add_textbook(
        self, book: Textbook, chunks: Sequence[Passage], file: Path | None = None, *, job: Job | None = None
    ) -> ChangeSet:
        """Store a textbook and its passages; one that is there already is replaced. ``job``: whose event it belongs to."""
        if file is not None:
            store_file(file, self.files, book.id)
        columns = "title, file_name, level, chunks, pages, removed"
        with self.db.transaction() as connection:
            row = self.db.row(f"SELECT {columns} FROM textbooks WHERE id = ?", [book.id])
            connection.execute(
                "INSERT INTO textbooks (id, title, file_name, level, chunks, pages) VALUES (?, ?, ?, ?, ?, ?) "
                "ON CONFLICT (id) DO UPDATE SET title = excluded.title, file_name = excluded.file_name, "
                "level = excluded.level, chunks = excluded.chunks, pages = excluded.pages, removed = 0",
                [book.id, book.title, book.file_name, book.level, len(chunks), book.pages],
            )
            self._replace_passages(book.id, chunks)
            if job is not None:
                now = self.db.row(f"SELECT {columns} FROM textbooks WHERE id = ?", [book.id])
                change: RowChange = (
                    "textbooks",
                    {"id": book.id},
                    dict(row) if row else None,
                    dict(now) if now else None,
                )
                if row is None:
                    change = ("textbooks", {"id": book.id}, {"removed": 1}, {"removed": 0})
                event = self._extend(job, book.title, [change])
            else:
                query = "UPDATE events SET undone = 2 WHERE subject = ? AND undone < 2"
                connection.execute(query, [f"textbook:{book.id}"])
                event = self._record(f"Added the textbook “{book.title}”", actor="pipeline")
        return ChangeSet(f"Added the textbook “{book.title}”", textbooks=(book.id,), event=event)

    def textbooks(self) -> list[Textbook]:
        """All textbooks, by level and title."""
        rows = self.db.rows("SELECT * FROM textbooks WHERE removed = 0 ORDER BY level, title, id")
        return [
            Textbook(row["id"], row["title"], row["file_name"], row["level"], row["chunks"], row["pages"])
            for row in rows
        ]

    def textbook_id(self, textbook_id: str) -> str:
        """The full id of the textbook with this id, title, file name, or beginning of an id of 6 or more characters.

        Raises:
            NotFound: there is none, or there are several.
        """
        ref = textbook_id.strip()
        named = "id = ? OR file_name = ? COLLATE NOCASE OR title = ? COLLATE NOCASE"
        rows = self.db.rows(
            f"SELECT id, title FROM textbooks WHERE removed = 0 AND ({named}) ORDER BY seq", [ref.lower(), ref, ref]
        )
        if not rows and len(ref) >= 6:
            query = "SELECT id, title FROM textbooks WHERE removed = 0 AND id >= ? AND id < ? ORDER BY seq"
            rows = self.db.rows(query, [ref.lower(), ref.lower() + "\uffff"])
        if not rows:
            raise NotFound(f"There is no textbook “{textbook_id}” in this library.", hint="See “textbook list”.")
        if len(rows) > 1:
            several = "; ".join(f"{row['id'][:10]} {row['title']}" for row in rows[:3])
            raise NotFound(
                f"“{textbook_id}” stands for {len(rows)} textbooks.",
                hint=f"Name one by its id: {several}.",
                code="ambiguous",
            )
        return str(rows[0]["id"])

    def remove_textbook(self, textbook_id: str, *, job: Job | None = None) -> ChangeSet:
        """Take a textbook out; undo brings it back. ``job``: whose event it belongs to."""
        book = self.textbook_id(textbook_id)
        title = self.db.scalar("SELECT title FROM textbooks WHERE id = ?", [book])
        label = f"Removed the textbook “{title}”"
        changes: list[RowChange] = [("textbooks", {"id": book}, {"removed": 0}, {"removed": 1})]
        with self.db.transaction() as connection:
            connection.execute("UPDATE textbooks SET removed = 1 WHERE id = ?", [book])
            self._refresh_textbook(book)
            if job is not None:
                event = self._extend(job, title, changes)
            else:
                event = self._record(label, subject=f"textbook:{book}", undoable=True, changes=changes)
        return ChangeSet(label, textbooks=(book,), event=event)


def _filter(kinds: Sequence[str]) -> str:
    """Which passages a search may return; levels are a matter of textbooks only."""
    wanted = [kind for kind in KINDS if kind in kinds]
    parts = [f"p.kind = '{kind}'" + (" AND p.level <= :level" if kind == "textbook" else "") for kind in wanted]
    return f"({' OR '.join(parts) or '0'})"


def _passage(row: Row, score: float = 0.0) -> Passage:
    return Passage(
        id=row["id"],
        kind=row["kind"],
        source=row["source"],
        title=row["title"],
        text=row["text"],
        page=row["page"],
        boxes=codec.boxes(row["boxes"]),
        section=row["section"],
        level=row["level"],
        score=score,
        sentences=tuple(json.loads(row["sentences"])),
    )
