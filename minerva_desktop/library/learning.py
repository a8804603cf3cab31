"""What learning from decisions asks of the catalog: which facts stand under a name as it was read, and what was dismissed."""

from __future__ import annotations

from collections.abc import Callable

from minerva_desktop.library.identity import fold
from minerva_desktop.library.journal import JournalPart
from minerva_desktop.records import ChangeSet, FactStatus

TABLE = "suggestion_dismissals"


class LearningPart(JournalPart):
    """Facts by the name they were read under, and dismissed suggestions."""

    def read_under(self, kind: str, name: str, status: FactStatus) -> list[str]:
        """Ids of the facts of that status of which an end of this type was read in this very spelling."""
        ends = "SELECT n.entity FROM names n JOIN entities s ON s.seq = n.entity WHERE n.folded = ? AND n.name = ?"
        found: set[str] = set()
        for side in ("source", "target"):
            query = (
                f"SELECT DISTINCT r.id FROM relations r JOIN evidences e ON e.relation = r.id AND e.live "
                f"WHERE r.{side} IN ({ends} AND s.type = ?) AND r.live = 1 AND r.status = ? AND e.{side}_name = ?"
            )
            found |= {row[0] for row in self.db.rows(query, [fold(name), name, kind, status, name])}
        return sorted(found)

    def measured_under(self, property_id: str, status: FactStatus, says: Callable[[str], bool]) -> list[str]:
        """Ids of the measured facts of that status of which a sentence passes; ``property_id`` empty = any property."""
        query = (
            "SELECT DISTINCT r.id, e.sentence FROM relations r JOIN evidences e ON e.relation = r.id AND e.live "
            "WHERE r.type = 'HAS_VALUE' AND r.live = 1 AND r.status = ?"
        )
        values: list[str] = [status]
        if property_id:
            query += " AND r.property_id = ?"
            values.append(property_id)
        return sorted({row["id"] for row in self.db.rows(query, values) if says(row["sentence"])})

    def dismissed_suggestions(self) -> dict[str, int]:
        """By the id of each suggestion that was dismissed, how many decisions it had then."""
        return {row["id"]: row["decisions"] for row in self.db.rows(f"SELECT id, decisions FROM {TABLE}")}

    def dismiss_suggestion(self, suggestion: str, decisions: int, label: str) -> ChangeSet:
        """Note that a suggestion with so many decisions behind it was dismissed; one event that can be undone."""
        known = self.dismissed_suggestions().get(suggestion)
        before = None if known is None else {"id": suggestion, "decisions": known}
        change = (TABLE, {"id": suggestion}, before, {"id": suggestion, "decisions": decisions})
        with self.db.transaction():
            self._apply([change])
            event = self._record(label, undoable=True, changes=[change])
        return ChangeSet(label, event=event)
