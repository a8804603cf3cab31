"""Facts in a list: which ones and in which order is known, the facts themselves come when they are looked at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, Qt, Signal

from minerva_desktop.records import Fact
from minerva_desktop.ui.models import Index, RowsModel, claim_of, confidence_of, verdict_of
from minerva_desktop.ui.theme import scaled_font, tokens

_VERDICTS = {"SUPPORTED": "supported", "CONTRADICTED": "contradicted", "INSUFFICIENT": "not covered", "": "–"}
MANY = 40
"""Taking out more rows than that is done at once, which loses the view's selection."""


class FactsModel(RowsModel):
    """Facts by id: ``wanted(ids)`` asks for some that are looked at, :meth:`fill` brings them."""

    wanted = Signal(list)
    portion = 100
    kept = 8000

    def __init__(self) -> None:
        super().__init__()
        self.titles: dict[str, str] = {}
        self.withdrawn: frozenset[str] = frozenset()
        self.ids: list[str] = []
        self._facts: dict[str, Fact] = {}
        self._asked: set[str] = set()
        self.columns = (
            ("Claim", claim_of, None, False),
            ("Status", lambda fact: fact.decision.status, None, False),
            ("Reason", lambda fact: fact.decision.reason, None, False),
            ("Paper", self._paper, None, False),
            ("Confidence", lambda fact: f"{confidence_of(fact):.0%}".replace("%", "\u2009%"), None, True),
            ("Textbooks", lambda fact: _VERDICTS[verdict_of(fact)], None, False),
        )
        self.status_column = 1

    def _paper(self, fact: Fact) -> str:
        papers = fact.papers
        if not papers:
            return ""
        more = f" +{len(papers) - 1}" if len(papers) > 1 else ""
        mark = "RETRACTED · " if self.withdrawn.intersection(papers) else ""
        return mark + self.titles.get(papers[0], papers[0][:8]) + more

    # ------------------------------------------------------------------------------------------------- content
    @property
    def total(self) -> int:
        """How many facts are listed."""
        return len(self.ids)

    def reset(self, ids: Sequence[str], facts: Iterable[Fact] = ()) -> None:
        """List these facts, of which some are already here; what was loaded before counts no more."""
        same = len(ids) == len(self.ids)
        if not same:
            self.beginResetModel()
        self.ids = list(ids)
        self._facts = {fact.id: fact for fact in facts}
        self._asked = set(self._facts)
        if not same:
            self.endResetModel()
        elif ids:
            self._changed(0, len(ids) - 1)

    def fill(self, asked: Sequence[str], facts: Sequence[Fact]) -> None:
        """Facts that were asked for have come."""
        if len(self._facts) > self.kept:
            self._facts.clear()
            self._asked.clear()
        self._facts |= {fact.id: fact for fact in facts}
        self._asked.update(asked)
        rows = [row for item in facts if (row := self.row_of(item.id)) >= 0] if len(facts) <= 3 else None
        if rows is None:
            first = self.row_of(asked[0]) if asked else -1
            rows = [first, min(first + len(asked), self.total) - 1] if first >= 0 else []
        if rows:
            self._changed(min(rows), max(rows))

    def forget(self, ids: Iterable[str]) -> None:
        """These could not be loaded; they are asked for again when they are looked at."""
        self._asked.difference_update(ids)

    def take_out(self, ids: Sequence[str]) -> None:
        """List these no more."""
        if len(ids) > MANY:
            gone = set(ids)
            self.beginResetModel()
            self.ids = [item for item in self.ids if item not in gone]
            self.endResetModel()
            return
        for item in ids:
            row = self.row_of(item)
            if row >= 0:
                self.beginRemoveRows(QModelIndex(), row, row)
                del self.ids[row]
                self.endRemoveRows()

    def put_in(self, row: int, fact: Fact) -> int:
        """List one more fact, at this place or at the end; returns its row."""
        row = max(0, min(row, self.total))
        self._facts[fact.id] = fact
        self._asked.add(fact.id)
        self.beginInsertRows(QModelIndex(), row, row)
        self.ids.insert(row, fact.id)
        self.endInsertRows()
        return row

    def row_of(self, fact_id: str) -> int:
        """Where a fact is listed, or -1."""
        try:
            return self.ids.index(fact_id)
        except ValueError:
            return -1

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self.ids)

    def row(self, number: int) -> Fact | None:
        fact = self.loaded(number)
        if fact is None and 0 <= number < len(self.ids) and self.ids[number] not in self._asked:
            first = number // self.portion * self.portion
            ids = [item for item in self.ids[first : first + self.portion] if item not in self._asked]
            self._asked.update(ids)
            self.wanted.emit(ids)
        return fact

    def loaded(self, number: int) -> Fact | None:
        """The fact of a row if it is here; never asks for it."""
        return self._facts.get(self.ids[number]) if 0 <= number < len(self.ids) else None

    def look(self, row: Fact, column: int, role: int) -> Any:
        if role == Qt.ItemDataRole.ForegroundRole and column == 5:
            return tokens().status(verdict_of(row))
        if role == Qt.ItemDataRole.ForegroundRole and column == 3 and self.withdrawn.intersection(row.papers):
            return tokens().refused
        if role == Qt.ItemDataRole.FontRole and column == 0 and row.by_person:
            return scaled_font(1.0, bold=True)
        if role == Qt.ItemDataRole.ToolTipRole and column == 1 and row.by_person:
            return f"{row.decision.status}, decided by you"
        return super().look(row, column, role)

    def _changed(self, first: int, last: int) -> None:
        self.dataChanged.emit(self.index(first, 0), self.index(last, len(self.columns) - 1))
