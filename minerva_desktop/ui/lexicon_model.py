"""The rows of one kind of a person's lexicon as an editable table with undo; what is wrong with a cell is marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QSortFilterProxyModel, Qt, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from minerva_desktop.domains.user_lexicon import LexiconProblem, key_of
from minerva_desktop.ui.theme import mix, tokens

Rows = list[dict[str, str]]
Index = QModelIndex | QPersistentModelIndex


class LexiconModel(QAbstractTableModel):
    """``edited`` is emitted after every change of the rows, undone ones included."""

    edited = Signal()

    def __init__(self, kind: str, columns: Sequence[str], help_texts: Mapping[str, str]) -> None:
        super().__init__()
        self.kind = kind
        self.columns = list(columns)
        self.help = dict(help_texts)
        self.rows: Rows = []
        self.problems: dict[tuple[int, str], str] = {}
        self.stack = QUndoStack(self)

    # ------------------------------------------------------------------------------------------------- as Qt asks
    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Vertical:
            return section + 1 if role == Qt.ItemDataRole.DisplayRole else None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.columns[section].capitalize()
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ToolTipRole:
            return self.help.get(self.columns[section], "A column of your own; the program does not read it.")
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        column = self.columns[index.column()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return self.rows[index.row()].get(column, "")
        wrong = self.problem_at(index.row(), index.column())
        if role == Qt.ItemDataRole.ToolTipRole:
            return (
                f"{wrong[:1].upper()}{wrong[1:]}. This row is left out."
                if wrong
                else self.rows[index.row()].get(column)
            )
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return wrong or self.help.get(column, "")
        if role == Qt.ItemDataRole.BackgroundRole and wrong:
            theme = tokens()
            return mix(theme.base, theme.refused, 0.22)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        return super().flags(index) | Qt.ItemFlag.ItemIsEditable

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.EditRole or not index.isValid():
            return False
        text = " ".join(str(value).split())
        column = self.columns[index.column()]
        if text == self.rows[index.row()].get(column, ""):
            return False
        self.change_cells({(index.row(), index.column()): text}, f"Change {column}")
        return True

    # --------------------------------------------------------------------------------------------------- changes
    def load(self, columns: Sequence[str], rows: Sequence[Mapping[str, str]]) -> None:
        """Show rows as they are stored; what could be undone is forgotten."""
        self.beginResetModel()
        self.columns = list(columns)
        self.rows = [dict(row) for row in rows]
        self.problems = {}
        self.endResetModel()
        self.stack.clear()

    def change_cells(self, cells: Mapping[tuple[int, int], str], text: str) -> None:
        """Set cells, by (row, column); rows behind the last one are added."""
        after = [dict(row) for row in self.rows]
        for (row, column), value in cells.items():
            while row >= len(after):
                after.append({})
            after[row][self.columns[column]] = value
        self._push(after, text)

    def add_row(self) -> int:
        """A new empty row at the end; its number. An empty last row is taken instead."""
        if self.rows and not any(self.rows[-1].values()):
            return len(self.rows) - 1
        self._push([*self.rows, {}], "Add a row")
        return len(self.rows) - 1

    def delete_rows(self, numbers: Sequence[int]) -> None:
        gone = set(numbers)
        if gone:
            count = f"{len(gone)} rows" if len(gone) > 1 else "1 row"
            self._push([row for at, row in enumerate(self.rows) if at not in gone], f"Delete {count}")

    def take_over(self, rows: Sequence[Mapping[str, str]], text: str) -> None:
        """Add rows; one of a name that is there already replaces it."""
        after = [dict(row) for row in self.rows if any(row.values())]
        places = {key_of(self.kind, row): at for at, row in enumerate(after)}
        for row in rows:
            at = places.setdefault(key_of(self.kind, dict(row)), len(after))
            if at < len(after):
                after[at] = dict(row)
            else:
                after.append(dict(row))
        self._push(after, text)

    def filled(self) -> tuple[Rows, list[int]]:
        """The rows that hold something, and their numbers."""
        numbers = [at for at, row in enumerate(self.rows) if any(row.values())]
        return [dict(self.rows[at]) for at in numbers], numbers

    def set_problems(self, problems: Sequence[LexiconProblem], numbers: Sequence[int]) -> None:
        """Mark what is wrong; ``row`` of a problem counts in ``numbers``."""
        found: dict[tuple[int, str], str] = {}
        for item in problems:
            if 0 <= item.row < len(numbers):
                column = item.column if item.column in self.columns else self.columns[0]
                found.setdefault((numbers[item.row], column), item.reason)
        if found != self.problems:
            self.problems = found
            self._all_changed()

    def problem_at(self, row: int, column: int) -> str:
        """Why a cell is marked; "" when it is not."""
        return self.problems.get((row, self.columns[column]), "")

    def bad_rows(self) -> int:
        return len({row for row, _ in self.problems})

    # -------------------------------------------------------------------------------------------------- internals
    def _push(self, after: Rows, text: str) -> None:
        if after != self.rows:
            self.stack.push(_Change(self, after, text))

    def show_rows(self, rows: Rows) -> None:
        """Put rows in place of those that are shown, telling views as little as possible."""
        old = len(self.rows)
        if len(rows) > old and rows[:old] == self.rows:
            self.beginInsertRows(QModelIndex(), old, len(rows) - 1)
            self.rows = rows
            self.endInsertRows()
        elif len(rows) == old:
            self.rows = rows
            self._all_changed()
        else:
            self.beginResetModel()
            self.rows, self.problems = rows, {}
            self.endResetModel()
        self.edited.emit()

    def _all_changed(self) -> None:
        if self.rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, len(self.columns) - 1))


class _Change(QUndoCommand):
    def __init__(self, model: LexiconModel, after: Rows, text: str) -> None:
        super().__init__(text)
        self._model = model
        self._before = model.rows
        self._after = after

    def redo(self) -> None:
        self._model.show_rows(self._after)

    def undo(self) -> None:
        self._model.show_rows(self._before)


class LexiconRows(QSortFilterProxyModel):
    """The rows that hold the text that is searched for, sorted as the person chose; edits do not make rows jump."""

    def __init__(self, model: LexiconModel) -> None:
        super().__init__()
        self.setSourceModel(model)
        self.setDynamicSortFilter(False)
        self.setSortCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.setFilterKeyColumn(-1)

    def set_text(self, text: str) -> None:
        self.setFilterFixedString(text.strip())
