"""The middle of the window: the pages of the program, and beside them the page of a paper. Where there is no room for both,
the paper's page lies over the other until it is closed."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

NARROW = 880
"""Pixels below which either side would be too narrow to work in."""
_LEAST = 320


class PageSplitter(QSplitter):
    """``shelf`` and, when it is open, ``page``."""

    escaped = Signal()
    """Esc was pressed while the page lies over the shelf."""

    def __init__(self, shelf: QWidget, page: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._shelf, self._page = shelf, page
        self.setObjectName("page-splitter")
        self.setChildrenCollapsible(False)
        for place, part in enumerate((shelf, page)):
            self.addWidget(part)
            self.setStretchFactor(place, 1)
        page.hide()

    @property
    def is_open(self) -> bool:
        """Whether the page is open."""
        return not self._page.isHidden()

    @property
    def is_over(self) -> bool:
        """Whether the page lies over the shelf."""
        return self.is_open and self.width() < NARROW

    def open(self) -> None:
        if self.is_open:
            return
        self._page.show()
        self._arrange()

    def close_page(self) -> None:
        self._page.hide()
        self._shelf.show()

    def _arrange(self) -> None:
        if not self.is_open:
            return
        self._shelf.setVisible(not self.is_over)
        if not self.is_over and min(self.sizes()) < _LEAST:
            self.setSizes([self.width() * 55 // 100, self.width() * 45 // 100])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.is_over:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)
