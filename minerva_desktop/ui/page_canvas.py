"""Pages of one document under one another, rendered when they come into view, with highlight boxes painted on top."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QColor, QImage, QKeyEvent, QPainter, QPainterPath, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea

from minerva_desktop.records import Box, PageImage, PageInfo
from minerva_desktop.ui.reading_order import Shape, paint
from minerva_desktop.ui.theme import tokens

GAP = 14
MARK = QColor(255, 234, 130)
"""Laid over the page as a marker pen is: what is printed keeps its colour, the paper takes this one."""


class PageCanvas(QAbstractScrollArea):
    """Shows pages; ``page_wanted(page, scale)`` asks for a picture, :meth:`put_image` brings it."""

    page_wanted = Signal(int, float)
    page_changed = Signal(int)
    zoom_changed = Signal(float)
    MIN_ZOOM, MAX_ZOOM = 0.25, 6.0

    def __init__(self) -> None:
        super().__init__()
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Page")
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self._pages: list[PageInfo] = []
        self._boxes: tuple[Box, ...] = ()
        self._images: OrderedDict[int, tuple[float, QImage]] = OrderedDict()
        self._asked: set[tuple[int, float]] = set()
        self._failed: dict[int, str] = {}
        self._overlay: Mapping[int, list[Shape]] | None = None
        self._tops: list[float] = []
        self._zoom = 1.0
        self._fit = True
        self._current = 0
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        self.horizontalScrollBar().valueChanged.connect(lambda _: self.viewport().update())

    # ------------------------------------------------------------------------------------------------ content
    def set_pages(self, pages: Sequence[PageInfo]) -> None:
        """A new document."""
        self._pages = list(pages)
        self._boxes = ()
        self._images.clear()
        self._asked.clear()
        self._failed.clear()
        self._current = 0
        self.verticalScrollBar().setValue(0)
        self._lay_out()

    def set_boxes(self, boxes: Sequence[Box]) -> None:
        """Highlight these boxes (page points, origin top left)."""
        self._boxes = tuple(boxes)
        self.viewport().update()

    def set_overlay(self, shapes: Mapping[int, list[Shape]] | None) -> None:
        """Draw how the pages were read over them; None takes the drawing away."""
        self._overlay = shapes
        self.viewport().update()

    def put_image(self, image: PageImage) -> None:
        """A picture has come."""
        picture = QImage(image.rgb, image.width, image.height, image.width * 3, QImage.Format.Format_RGB888).copy()
        self._images[image.page] = (image.scale, picture)
        self._images.move_to_end(image.page)
        while len(self._images) > 12:
            self._images.popitem(last=False)
        self._asked.discard((image.page, image.scale))
        self.viewport().update()

    def put_failure(self, page: int, scale: float, reason: str) -> None:
        """A page cannot be shown; say why in its place."""
        self._asked.discard((page, scale))
        self._failed[page] = reason
        self.viewport().update()

    # ------------------------------------------------------------------------------------------------- places
    @property
    def zoom(self) -> float:
        """Pixels of the window for one page point."""
        return self._zoom

    @property
    def page(self) -> int:
        """The page at the top of the view, from 1; 0 without a document."""
        return self._current

    @property
    def ready(self) -> bool:
        """Whether every page in view has its picture in the current size."""
        scale = self._scale()
        return all(self._images.get(n, (0.0, None))[0] == scale or n in self._failed for n in self._visible())

    def box_rect(self, box: Box) -> QRectF:
        """Where a box is in the viewport, in widget pixels."""
        page, x0, y0, x1, y1 = box
        place = self._page_rect(page)
        return QRectF(
            place.x() + x0 * self._zoom, place.y() + y0 * self._zoom, (x1 - x0) * self._zoom, (y1 - y0) * self._zoom
        )

    def set_zoom(self, zoom: float, *, fit: bool = False) -> None:
        """Change the size and keep what is in the middle of the view there."""
        zoom = min(self.MAX_ZOOM, max(self.MIN_ZOOM, zoom))
        bar = self.verticalScrollBar()
        middle = (bar.value() + self.viewport().height() / 2) / self._zoom if self._pages else 0.0
        self._fit = fit
        self._zoom = zoom
        self._lay_out()
        bar.setValue(round(middle * zoom - self.viewport().height() / 2))
        self.zoom_changed.emit(zoom)

    def fit_width(self) -> None:
        self.set_zoom(self._fitting_zoom(), fit=True)

    def go_to_page(self, page: int) -> None:
        if 1 <= page <= len(self._pages):
            self.verticalScrollBar().setValue(round(self._tops[page - 1] - GAP / 2))

    def go_to_box(self, box: Box) -> None:
        """Bring a box into the upper third of the view."""
        if not 1 <= box[0] <= len(self._pages):
            return
        top = self._tops[box[0] - 1] + box[2] * self._zoom
        self.verticalScrollBar().setValue(round(top - self.viewport().height() / 3))
        left = self._page_left(box[0]) + box[1] * self._zoom
        bar = self.horizontalScrollBar()
        if not bar.value() <= left <= bar.value() + self.viewport().width() * 0.7:
            bar.setValue(round(left - 20))

    # ------------------------------------------------------------------------------------------------- layout
    def _fitting_zoom(self) -> float:
        widest = max((page.width for page in self._pages), default=612.0)
        return max(self.MIN_ZOOM, (self.viewport().width() - 2 * GAP) / max(widest, 1.0))

    def _lay_out(self) -> None:
        top = float(GAP)
        self._tops = []
        for page in self._pages:
            self._tops.append(top)
            top += page.height * self._zoom + GAP
        widest = max((page.width for page in self._pages), default=0.0) * self._zoom + 2 * GAP
        view = self.viewport().size()
        vertical, horizontal = self.verticalScrollBar(), self.horizontalScrollBar()
        vertical.setRange(0, max(0, round(top - view.height())))
        vertical.setPageStep(view.height())
        vertical.setSingleStep(40)
        horizontal.setRange(0, max(0, round(widest - view.width())) if not self._fit else 0)
        horizontal.setPageStep(view.width())
        self._scrolled()

    def _page_left(self, number: int) -> float:
        width = self._pages[number - 1].width * self._zoom
        return max(float(GAP), (self.viewport().width() - width) / 2)

    def _page_rect(self, number: int) -> QRectF:
        page = self._pages[number - 1]
        corner = QPointF(
            self._page_left(number) - self.horizontalScrollBar().value(),
            self._tops[number - 1] - self.verticalScrollBar().value(),
        )
        return QRectF(corner, QSizeF(page.width * self._zoom, page.height * self._zoom))

    def _visible(self) -> list[int]:
        top = self.verticalScrollBar().value()
        bottom = top + self.viewport().height()
        return [
            number
            for number, (start, page) in enumerate(zip(self._tops, self._pages, strict=True), start=1)
            if start < bottom and start + page.height * self._zoom > top
        ]

    def _scrolled(self) -> None:
        middle = self.verticalScrollBar().value() + self.viewport().height() * 0.35
        current = sum(1 for top in self._tops if top <= middle) or (1 if self._pages else 0)
        if current != self._current:
            self._current = current
            self.page_changed.emit(current)
        self.viewport().update()

    def _scale(self) -> float:
        return round(self._zoom * self.devicePixelRatioF(), 3)

    # ------------------------------------------------------------------------------------------------- events
    def paintEvent(self, event: QPaintEvent) -> None:
        theme = tokens()
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), theme.hover)
        for number in self._visible():
            self._paint_page(painter, number, theme.border)

    def _paint_page(self, painter: QPainter, number: int, border: QColor) -> None:
        place = self._page_rect(number)
        painter.fillRect(place.adjusted(-1, -1, 1, 1), border)
        painter.fillRect(place, Qt.GlobalColor.white)
        scale = self._scale()
        have = self._images.get(number)
        if have is not None:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, have[0] != scale)
            painter.drawImage(place, have[1])
        if number in self._failed:
            painter.setPen(QColor(90, 90, 90))
            painter.drawText(place.adjusted(20, 20, -20, -20), int(Qt.TextFlag.TextWordWrap), self._failed[number])
        elif (have is None or have[0] != scale) and (number, scale) not in self._asked:
            self._asked.add((number, scale))
            self.page_wanted.emit(number, scale)
        if self._overlay is not None:
            paint(painter, self._overlay.get(number, []), place.topLeft(), self._zoom)
        lines = QPainterPath()
        lines.setFillRule(Qt.FillRule.WindingFill)  # where lines overlap it is no darker
        for box in self._boxes:
            if box[0] == number:
                lines.addRect(self.box_rect(box))
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
        painter.fillPath(lines, MARK)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._fit and self._pages:
            bar = self.verticalScrollBar()
            top = bar.value() / self._zoom
            self._zoom = self._fitting_zoom()
            self._lay_out()
            bar.setValue(round(top * self._zoom))
            self.zoom_changed.emit(self._zoom)
        else:
            self._lay_out()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.set_zoom(self._zoom * (1.0015 ** event.angleDelta().y()))
            event.accept()
        else:
            super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        bar = self.verticalScrollBar()
        page = bar.pageStep() - 40
        steps = {
            Qt.Key.Key_Down: 60,
            Qt.Key.Key_Up: -60,
            Qt.Key.Key_PageDown: page,
            Qt.Key.Key_PageUp: -page,
            Qt.Key.Key_Space: page,
            Qt.Key.Key_Home: -bar.maximum(),
            Qt.Key.Key_End: bar.maximum(),
        }
        step = steps.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            bar.setValue(bar.value() + step)
