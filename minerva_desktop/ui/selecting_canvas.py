"""Pages on which a place can be marked with the mouse."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen

from minerva_desktop.ui.page_canvas import PageCanvas
from minerva_desktop.ui.theme import tokens

Rect = tuple[float, float, float, float]


class SelectingCanvas(PageCanvas):
    """``marked(page, rect)``: the person dragged over a part of a page, or clicked (points, x0 y0 x1 y1)."""

    marked = Signal(int, object)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Page; mark a sentence with the mouse")
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor)
        self._from: QPointF | None = None
        self._to = QPointF()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._from = self._to = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._from is not None:
            self._to = event.position()
            self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._from is None or event.button() != Qt.MouseButton.LeftButton:
            return
        begin, self._from, self._to = self._from, None, event.position()
        self.viewport().update()
        page = self._page_at(begin)
        if page:
            self.marked.emit(page, self._points(page, QRectF(begin, event.position()).normalized()))

    def _page_at(self, point: QPointF) -> int:
        return next((number for number in self._visible() if self._page_rect(number).contains(point)), 0)

    def _points(self, page: int, rect: QRectF) -> Rect:
        place = self._page_rect(page)
        x, y = (rect.x() - place.x()) / self.zoom, (rect.y() - place.y()) / self.zoom
        return x, y, x + max(0.5, rect.width() / self.zoom), y + max(0.5, rect.height() / self.zoom)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._from is not None:
            painter = QPainter(self.viewport())
            painter.setPen(QPen(tokens().accent, 1.5, Qt.PenStyle.DashLine))
            painter.drawRect(QRectF(self._from, self._to).normalized())
