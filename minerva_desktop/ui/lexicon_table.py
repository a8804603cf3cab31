"""The table in which a lexicon is edited: cells as in a spreadsheet, all of it with the keyboard."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics, QGuiApplication, QKeyEvent, QKeySequence, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from minerva_desktop.ui.lexicon_model import LexiconModel, LexiconRows
from minerva_desktop.ui.theme import scaled_font, tokens

_WIDE = {"synonyms": 3, "canonical": 2, "definition": 2, "label": 2, "name": 2, "term": 2, "note": 2, "spelling": 2}
_STANDARD = QKeySequence.StandardKey
_KEYS = (
    _STANDARD.Undo,
    _STANDARD.Redo,
    _STANDARD.Paste,
    _STANDARD.Copy,
    _STANDARD.Cut,
    _STANDARD.Save,
    _STANDARD.Delete,
)


class LexiconTable(QTableView):
    """Keys: Return or typing edits, Insert adds a row, Delete empties cells, Ctrl+Delete deletes rows, Ctrl+C and Ctrl+V
    as in a spreadsheet, Ctrl+Z and Ctrl+Shift+Z undo and redo here, Ctrl+S saves."""

    save_wanted = Signal()

    def __init__(self, model: LexiconModel, rows: LexiconRows, name: str) -> None:
        super().__init__()
        self.editor_model = model
        self._proxy = rows
        self.setModel(rows)
        self.setAccessibleName(name)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(triggers.DoubleClicked | triggers.EditKeyPressed | triggers.AnyKeyPressed)
        self.setItemDelegate(_Marks(self))
        self.setSortingEnabled(True)
        self.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.horizontalHeader().setSortIndicatorClearable(True)
        self.setWordWrap(False)
        self.setAlternatingRowColors(True)
        self.setTabKeyNavigation(True)
        self.setShowGrid(False)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.horizontalHeader().setMinimumSectionSize(60)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(round(self.fontMetrics().height() * 1.9))
        self._fitting = self._by_hand = False
        self.horizontalHeader().sectionResized.connect(self._resized)

    # ---------------------------------------------------------------------------------------------------- keyboard
    def event(self, event: QEvent) -> bool:
        # The window has keys of its own for undo and redo; in here they mean the table.
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._is_ours(event):
            event.accept()
            return True
        return super().event(event)

    def _is_ours(self, event: QKeyEvent) -> bool:
        return any(event.matches(key) for key in _KEYS) or event.key() == Qt.Key.Key_Insert or self._ends_rows(event)

    def _ends_rows(self, event: QKeyEvent) -> bool:
        return event.key() == Qt.Key.Key_Delete and bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        stack = self.editor_model.stack
        if self._ends_rows(event):
            self.delete_rows()
        elif event.matches(_STANDARD.Undo):
            stack.undo()
        elif event.matches(_STANDARD.Redo) or event.keyCombination() == QKeySequence("Ctrl+Y")[0]:
            stack.redo()
        elif event.matches(_STANDARD.Paste):
            self.paste()
        elif event.matches(_STANDARD.Copy):
            self.copy()
        elif event.matches(_STANDARD.Cut):
            self.copy()
            self.clear_cells()
        elif event.matches(_STANDARD.Save):
            self.save_wanted.emit()
        elif event.key() == Qt.Key.Key_Insert:
            self.add_row()
        elif event.matches(_STANDARD.Delete) or event.key() == Qt.Key.Key_Backspace:
            self.clear_cells()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.state() != self.State.EditingState:
            self.edit(self.currentIndex())
        elif event.key() == Qt.Key.Key_Escape:
            self.clearSelection()
        else:
            super().keyPressEvent(event)

    # ----------------------------------------------------------------------------------------------------- changes
    def add_row(self) -> None:
        """A new row at the end, with its first cell open."""
        row = self.editor_model.add_row()
        index = self._proxy.mapFromSource(self.editor_model.index(row, 0))
        if index.isValid():
            self.setCurrentIndex(index)
            self.scrollTo(index)
            self.setFocus(Qt.FocusReason.OtherFocusReason)
            # The click or key that asked for the row is still being worked off and would close the editor again.
            QTimer.singleShot(0, self, lambda: self.edit(self.currentIndex()))

    def delete_rows(self) -> None:
        """Delete every row in which a cell is selected."""
        rows = sorted({self._source(index).row() for index in self.selectedIndexes()})
        column, place = self.currentIndex().column(), self.currentIndex().row()
        self.editor_model.delete_rows(rows)
        if rows and self.model().rowCount():
            place = max(0, min(place, self.model().rowCount() - 1))
            self.setCurrentIndex(self.model().index(place, max(0, column)))

    def clear_cells(self) -> None:
        sources = [self._source(index) for index in self.selectedIndexes()]
        cells = {(item.row(), item.column()): "" for item in sources if item.data()}
        if cells:
            self.editor_model.change_cells(cells, "Empty cells" if len(cells) > 1 else "Empty a cell")

    def copy(self) -> None:
        """The selected cells as spreadsheets take them."""
        chosen = self.selectedIndexes()
        if not chosen:
            return
        rows = sorted({index.row() for index in chosen})
        columns = sorted({index.column() for index in chosen})
        marked = {(index.row(), index.column()): str(index.data() or "") for index in chosen}
        lines = ["\t".join(marked.get((row, column), "") for column in columns) for row in rows]
        QGuiApplication.clipboard().setText("\n".join(lines))

    def paste(self) -> None:
        """Cells of a spreadsheet from the current cell on; rows are added as needed. A first line of column names says
        where each column goes, and its rows are added at the end."""
        lines = [line.split("\t") for line in QGuiApplication.clipboard().text().rstrip("\r\n").splitlines()]
        if not lines:
            return
        model = self.editor_model
        names = [name.strip().casefold() for name in lines[0]]
        if len(lines) > 1 and all(name in model.columns for name in names):
            cells = {
                (len(model.rows) + at, model.columns.index(name)): " ".join(value.split())
                for at, line in enumerate(lines[1:])
                for name, value in zip(names, line, strict=False)
            }
            model.change_cells(cells, _pasted(len(lines) - 1))
            return
        model.change_cells(self._placed_cells(lines), _pasted(len(lines)))

    def _placed_cells(self, lines: list[list[str]]) -> dict[tuple[int, int], str]:
        model, here = self.editor_model, self.currentIndex()
        first, left = (here.row(), here.column()) if here.isValid() else (self._proxy.rowCount(), 0)
        cells: dict[tuple[int, int], str] = {}
        added = len(model.rows)
        for at, line in enumerate(lines):
            shown = self._proxy.index(first + at, 0)
            if shown.isValid():
                row = self._source(shown).row()
            else:
                row, added = added, added + 1
            for column, value in enumerate(line[: len(model.columns) - left], start=left):
                cells[row, column] = " ".join(value.split())
        return cells

    def _source(self, index: QModelIndex) -> QModelIndex:
        return self._proxy.mapToSource(index)

    # ------------------------------------------------------------------------------------------------------ widths
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self._by_hand:
            self.fit()

    def _resized(self) -> None:
        self._by_hand = self._by_hand or not self._fitting

    def fit(self) -> None:
        """Share the width out: what holds more gets more, and no title is cut."""
        self._fitting = True
        columns = self.editor_model.columns
        metrics = QFontMetrics(scaled_font(1.0, bold=True))
        least = [metrics.horizontalAdvance(name.capitalize()) + 46 for name in columns]
        shares = [_WIDE.get(name, 1) for name in columns]
        spare = max(0, self.viewport().width() - sum(least))
        for at, width in enumerate(least):
            self.setColumnWidth(at, width + spare * shares[at] // sum(shares))
        self._fitting = False


class _Marks(QStyledItemDelegate):
    """Cells with a fault stand on a tinted ground with a line under them; the style sheet paints no ground of its own."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        ground = index.data(Qt.ItemDataRole.BackgroundRole)
        if ground is None:
            super().paint(painter, option, index)
            return
        rect = QRect(option.rect)
        painter.fillRect(rect, ground)
        super().paint(painter, option, index)
        painter.fillRect(QRect(rect.left() + 8, rect.bottom() - 2, rect.width() - 16, 2), tokens().refused)


def _pasted(count: int) -> str:
    return f"Paste {count} rows" if count > 1 else "Paste"
