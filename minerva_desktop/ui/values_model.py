"""The table beneath the plot: the same values, sortable."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Any

from PySide6.QtCore import Qt

from minerva_desktop.measurements.tables import condition_words, value_words
from minerva_desktop.records import MeasuredValue
from minerva_desktop.ui.models import RowsModel
from minerva_desktop.ui.tables import Column
from minerva_desktop.ui.theme import tokens

VALUE_COLUMNS = (
    Column(14, share=3),
    Column(19),
    Column(14, share=2, rank=3),
    Column(16, share=4, rank=2),
    Column(4, rank=5),
    Column(4, rank=6),
    Column(14, rank=1),
    Column(8, rank=4),
)
_VERDICTS = {"SUPPORTED": "supported", "CONTRADICTED": "contradicted", "INSUFFICIENT": "not covered"}


class ValuesModel(RowsModel):
    """Values in the unit of their report. Those on which papers disagree carry a mark."""

    status_column = 6

    def __init__(self) -> None:
        super().__init__()
        self.unit = ""
        self.marked: frozenset[str] = frozenset()
        self.columns = (
            ("Material", lambda value: value.material, None, False),
            ("Value", self._value, lambda value: value.middle if value.middle is not None else 0.0, True),
            ("Conditions", condition_words, None, False),
            ("Paper", lambda value: value.title, None, False),
            ("Year", lambda value: str(value.year or ""), lambda value: value.year or 0, True),
            ("Page", lambda value: str(value.page or ""), lambda value: value.page or 0, True),
            ("Status", _status, None, False),
            ("Textbooks", lambda value: _VERDICTS.get(value.verdict, "–"), None, False),
        )

    def _value(self, value: MeasuredValue) -> str:
        mark = "≠ " if value.id in self.marked else ""
        return mark + value_words(value, self.unit)

    def show_values(self, values: Sequence[MeasuredValue], unit: str, marked: Set[str]) -> None:
        """Show these. The rows are always another table: nothing of the old one stays chosen."""
        self.unit, self.marked = unit, frozenset(marked)
        self.beginResetModel()
        self.rows = list(values)
        self.endResetModel()

    def row_of(self, value_id: str) -> int:
        return next((number for number, value in enumerate(self.rows) if value.id == value_id), -1)

    def look(self, row: MeasuredValue, column: int, role: int) -> Any:
        if role == Qt.ItemDataRole.ForegroundRole:
            if column == 1 and row.id in self.marked:
                return tokens().refused
            if column == self.status_column:
                return tokens().muted if row.withdrawn else tokens().status(row.status)
            if column == 7:
                return tokens().status(row.verdict)
            return None
        if role == Qt.ItemDataRole.ToolTipRole:
            if column == 1:
                said = f"As written: {row.written}"
                return f"{said}\nPapers disagree on it." if row.id in self.marked else said
            return row.quote if column in (2, 3) else super().look(row, column, role)
        return super().look(row, column, role)


def _status(value: MeasuredValue) -> str:
    marks = [*([] if value.own else ["cited"]), *(["retracted"] if value.withdrawn else [])]
    return ", ".join([value.status, *marks])
