"""Tables that use the width they have: fixed columns as wide as they need, the rest shared, the least important hidden."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QAbstractItemModel, QSize, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from minerva_desktop.ui.theme import scaled_font

_PADDING = 26


@dataclass(frozen=True, slots=True)
class Column:
    """``chars`` is the least width in characters, ``share`` the part of what is left over (0 = fixed).

    ``rank`` 0 is always shown; of the others the highest is the first to be hidden when room is short.
    """

    chars: int
    share: int = 0
    rank: int = 0


class FitTable(QTableView):
    """A table of whole rows, read-only, without grid."""

    def __init__(self, model: QAbstractItemModel, name: str, columns: Sequence[Column], *, several: bool) -> None:
        super().__init__()
        self._columns = tuple(columns)
        self.setModel(model)
        self.setAccessibleName(name)
        modes = QAbstractItemView.SelectionMode
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(modes.ExtendedSelection if several else modes.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(round(self.fontMetrics().height() * 1.9))
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setMinimumSectionSize(30)

    def least_widths(self) -> list[int]:
        """What each column needs: its characters, and its whole title."""
        self.ensurePolished()
        plain = self.fontMetrics()
        bold = scaled_font(1.0, bold=True)
        titles = QFontMetrics(bold)
        widths = []
        for number, column in enumerate(self._columns):
            title = str(self.model().headerData(number, Qt.Orientation.Horizontal) or "")
            arrow = 14 if self.isSortingEnabled() else 0
            text = plain.averageCharWidth() * column.chars
            widths.append(max(titles.horizontalAdvance(title) + arrow, text) + _PADDING)
        return widths

    def fit(self) -> None:
        """Share the width out anew."""
        room = self.viewport().width()
        least = self.least_widths()
        shown = set(range(len(self._columns)))
        for number in sorted(shown, key=lambda n: -self._columns[n].rank):
            if sum(least[n] for n in shown) <= room or self._columns[number].rank == 0:
                break
            shown.discard(number)
        spare = max(0, room - sum(least[n] for n in shown))
        shares = sum(self._columns[n].share for n in shown) or 1
        used = 0
        for number, column in enumerate(self._columns):
            self.setColumnHidden(number, number not in shown)
            if number in shown:
                width = least[number] + spare * column.share // shares
                used += width
                self.setColumnWidth(number, width)
        widest = max(shown, key=lambda n: (self._columns[n].share, -n))
        self.setColumnWidth(widest, max(60, self.columnWidth(widest) + room - used))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def sizeHint(self) -> QSize:
        return QSize(300, 200)
