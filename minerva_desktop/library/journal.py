"""The journal: one event for each change, undo and redo by writing back the rows as they were."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from minerva_desktop.errors import UsageError
from minerva_desktop.library.base import RowChange, insert
from minerva_desktop.library.database import Database, Row
from minerva_desktop.library.readings import TABLE as READINGS
from minerva_desktop.library.readings import ReadingsPart
from minerva_desktop.records import ChangeSet

RowKey = dict[str, Any]


class JournalPart(ReadingsPart):
    """Undo, redo and history."""

    def undo(self) -> ChangeSet:
        """Take back the last change of a person.

        Raises:
            UsageError: there is nothing to take back.
        """
        with self.db.transaction() as connection:
            row = self._last_undoable()
            if row is None:
                raise UsageError("There is nothing to undo.", code="nothing-to-undo")
            changes = [(table, key, after, before) for table, key, before, after in reversed(self._changes_of(row))]
            connection.execute("UPDATE events SET undone = 1 WHERE id = ?", [row["id"]])
            return self._replayed(f"Undid: {row['label']}", changes)

    def redo(self) -> ChangeSet:
        """Make the change again that was undone last.

        Raises:
            UsageError: there is none.
        """
        with self.db.transaction() as connection:
            row = self._first_redoable()
            if row is None:
                raise UsageError("There is nothing to redo.", code="nothing-to-redo")
            connection.execute("UPDATE events SET undone = 0 WHERE id = ?", [row["id"]])
            return self._replayed(f"Redid: {row['label']}", self._changes_of(row))

    def undo_labels(self) -> tuple[str, str]:
        """What undo and redo would do; empty when nothing."""
        last, first = self._last_undoable(), self._first_redoable()
        return (last["label"] if last else "", first["label"] if first else "")

    def history(self, limit: int = 50) -> list[dict[str, Any]]:
        """The latest events, newest first: ``id, when, actor, label, undone``."""
        rows = self.db.rows("SELECT * FROM events ORDER BY id DESC LIMIT ?", [limit])
        return [
            {
                "id": row["id"],
                "when": row["at"],
                "actor": row["actor"],
                "label": row["label"],
                "undone": bool(row["undone"]),
            }
            for row in rows
        ]

    # ------------------------------------------------------------------------------------------------ internals
    def _replayed(self, label: str, changes: Sequence[RowChange]) -> ChangeSet:
        papers, facts, books = self._apply(changes)
        event = self._record(label)
        lexicon = self._write_files(changes)
        settings = any(table == "meta" for table, _, _, _ in changes)
        return ChangeSet(label, papers, facts, books, settings=settings, lexicon=lexicon, event=event)

    def _changes_of(self, event: Row) -> list[RowChange]:
        """The row changes of an event in the order in which they were made."""
        parts = self.db.rows("SELECT changes FROM event_parts WHERE event = ? ORDER BY position", [event["id"]])
        texts = [event["changes"], *(part["changes"] for part in parts)]
        return [(table, key, before, after) for text in texts for table, key, before, after in json.loads(text)]

    def _write_files(self, changes: Sequence[RowChange]) -> bool:
        """Bring files that mirror rows up to date, as the last thing before a commit; whether there were any."""
        return False

    def _last_undoable(self) -> Row | None:
        return self.db.row("SELECT * FROM events WHERE undoable = 1 AND undone = 0 ORDER BY id DESC LIMIT 1")

    def _first_redoable(self) -> Row | None:
        return self.db.row("SELECT * FROM events WHERE undoable = 1 AND undone = 1 ORDER BY id LIMIT 1")

    def _apply(self, changes: Sequence[RowChange]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
        """Make row changes and bring what follows from them up to date: (papers, facts, textbooks) touched."""
        with self.db.transaction():
            papers, facts, books, entities = _touched(changes)
            for change in changes:
                table, key, _, after = change
                if table == READINGS:
                    facts |= self._restore(key["paper"], after or {})
                    papers.add(key["paper"])
                else:
                    apply_changes(self.db, [change])
            facts |= self._judged_anew(changes)
            for book in sorted(books):
                self._refresh_textbook(book)
            for paper in sorted(papers):
                facts |= set(self._refresh_paper(paper))
            self._refresh_relations(facts)
            self._refresh_names(entities)
            if entities:  # merged or split: which papers mention what has changed
                self._mark("paper", sorted(_mentioning(changes)))
        return tuple(sorted(papers)), tuple(sorted(facts)), tuple(sorted(books))

    def _judged_anew(self, changes: Sequence[RowChange]) -> set[str]:
        """The facts of evidences of which only columns changed, such as their verdict."""
        ids = sorted(
            key["id"]
            for table, key, before, after in changes
            if table == "evidences" and before and after and "relation" not in after
        )
        return {row[0] for row in self.db.rows_in("SELECT DISTINCT relation FROM evidences WHERE id IN (…)", ids)}


def apply_changes(db: Database, changes: Sequence[RowChange]) -> None:
    """Write rows: insert, update or delete each as its change says. One that is so already stays."""
    with db.transaction() as connection:
        for table, key, before, after in changes:
            where = " AND ".join(f"{name} = :key_{name}" for name in key)
            values = {f"key_{name}": value for name, value in key.items()}
            if after is None:
                # A later reading may state by itself what a person's change made: then it stays.
                unsaid = " AND NOT EXISTS (SELECT 1 FROM evidences WHERE relation = relations.id)"
                connection.execute(f"DELETE FROM {table} WHERE {where}{unsaid if table == 'relations' else ''}", values)
            elif before is None:
                connection.execute(insert(table, list(after), verb="INSERT OR IGNORE"), after)
            else:
                sets = ", ".join(f"{name} = :{name}" for name in after)
                connection.execute(f"UPDATE {table} SET {sets} WHERE {where}", values | after)


def _touched(changes: Sequence[RowChange]) -> tuple[set[str], set[str], set[str], set[int]]:
    papers: set[str] = set()
    facts: set[str] = set()
    books: set[str] = set()
    entities: set[int] = set()
    for table, key, before, after in changes:
        if table == "papers":
            papers.add(key["id"])
        elif table == "textbooks":
            books.add(key["id"])
        elif table == "relations":
            facts.add(key["id"])
        elif table == "evidences":
            facts.update(state["relation"] for state in (before, after) if state and "relation" in state)
        elif table == "paper_entities":
            entities.add(key["entity"])
    return papers, facts, books, entities


def _mentioning(changes: Sequence[RowChange]) -> set[str]:
    return {key["paper"] for table, key, _, _ in changes if table == "paper_entities"}
