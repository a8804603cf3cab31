"""A window onto the page at the place of an evidence; for a paper without pages, the words around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QImage, QKeyEvent, QMouseEvent, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QStackedWidget, QTextBrowser, QWidget

from minerva_desktop.records import Box, Evidence
from minerva_desktop.ui.theme import is_theme_change, tokens

MARKER = QColor(255, 234, 130)
LARGEST = 1.7
"""Pixels for one point at most: a little larger than print."""
MARGIN = 22.0
NARROWEST = 230.0
GAP = 6
MOST_PIECES = 3


@dataclass(frozen=True, slots=True)
class Window:
    """``view`` (points of the page) is shown at ``place`` (pixels of the widget), ``scale`` pixels for a point."""

    place: QRectF
    view: QRectF
    scale: float

    def on_widget(self, rect: QRectF) -> QRectF:
        """Where a rectangle of the page is on the widget."""
        return QRectF(
            self.place.x() + (rect.x() - self.view.x()) * self.scale,
            self.place.y() + (rect.y() - self.view.y()) * self.scale,
            rect.width() * self.scale,
            rect.height() * self.scale,
        )


class PageCrop(QWidget):
    """Paints the part of a page around boxes. ``opened``: clicked or Enter; ``stepped``: an arrow key, by so many facts."""

    opened = Signal()
    stepped = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Place of the evidence on its page")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip("Open the page at this sentence (Enter)")
        self.picture: QImage | None = None
        self._boxes: tuple[Box, ...] = ()
        self._note = ""

    def show_page(self, picture: QImage | None, boxes: tuple[Box, ...], note: str = "") -> None:
        """``picture`` None: the page is on its way, or ``note`` says why there is none."""
        self.picture = picture
        first = boxes[0][0] if boxes else 0
        self._boxes = tuple(box for box in boxes if box[0] == first)
        self._note = note
        self.update()

    def windows(self) -> list[Window]:
        """What is shown where: one window onto the page, or one for each piece of a sentence that goes on in the next
        column, side by side."""
        if self.picture is None:
            return []
        pieces = _pieces(self._boxes)
        whole = self._window(QRectF(self.rect()), self._boxes)
        if len(pieces) == 1 or all(whole.view.contains(_rect(box)) for box in self._boxes):
            return [whole]
        pieces = pieces[:MOST_PIECES]
        wide = (self.width() - GAP * (len(pieces) - 1)) / len(pieces)
        places = [QRectF(number * (wide + GAP), 0, wide, self.height()) for number in range(len(pieces))]
        return [self._window(place, piece) for place, piece in zip(places, pieces, strict=True)]

    def _window(self, place: QRectF, boxes: Sequence[Box]) -> Window:
        """The boxes in the middle, inside the page where that goes."""
        assert self.picture is not None
        page = self.picture.deviceIndependentSize()
        around = _around(boxes)
        scale = max(0.4, min(LARGEST, place.width() / max(NARROWEST, around.width() + 2 * MARGIN)))
        wide, high = place.width() / scale, place.height() / scale
        top = around.center().y() - high / 2 if around.height() + MARGIN < high else around.top() - MARGIN / 2
        x, y = _inside(around.center().x() - wide / 2, wide, page.width()), _inside(top, high, page.height())
        return Window(place, QRectF(x, y, wide, high), scale)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = tokens()
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.hover)
        if self.picture is not None:
            for window in self.windows():
                self._paint(painter, self.picture, window)
        elif self._note:
            painter.setPen(theme.muted)
            flags = int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap)
            painter.drawText(self.rect().adjusted(24, 12, -24, -12), flags, self._note)
        painter.setClipping(False)
        painter.setPen(theme.accent if self.hasFocus() else theme.border)
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def _paint(self, painter: QPainter, picture: QImage, window: Window) -> None:
        ratio, page = picture.devicePixelRatio(), picture.deviceIndependentSize()
        shown = window.view.intersected(QRectF(0, 0, page.width(), page.height()))
        source = QRectF(shown.x() * ratio, shown.y() * ratio, shown.width() * ratio, shown.height() * ratio)
        painter.setClipRect(window.place)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(window.on_widget(shown), picture, source)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)  # print stays black
        lines = QPainterPath()
        lines.setFillRule(Qt.FillRule.WindingFill)  # where lines overlap it is no darker
        for box in self._boxes:
            lines.addRect(window.on_widget(_rect(box)))
        painter.fillPath(lines, MARKER)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.opened.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}.get(event.key())
        if step is None:
            super().keyPressEvent(event)
        else:
            self.stepped.emit(step)


class CropView(QStackedWidget):
    """The place of an evidence: on its page, or in the text around it."""

    def __init__(self) -> None:
        super().__init__()
        self.page = PageCrop()
        self.words = QTextBrowser()
        self.words.setAccessibleName("The words around the evidence")
        self.words.setOpenLinks(False)
        self.words.setAcceptDrops(False)
        self.words.document().setDocumentMargin(16)
        self._text: tuple[str, int, int] = ("", 0, 0)
        self.addWidget(self.page)
        self.addWidget(self.words)
        self.setMinimumHeight(96)

    def show_page(self, picture: QImage | None, evidence: Evidence, note: str = "") -> None:
        """A page's picture with the evidence marked."""
        self.page.setAccessibleDescription(evidence.sentence)
        self.page.show_page(picture, evidence.boxes, note)
        self.setCurrentWidget(self.page)

    def show_words(self, text: str, start: int, end: int) -> None:
        """Words with those from ``start`` to ``end`` marked."""
        self._text = (text, start, end)
        mark = tokens().mark.name()
        before, marked, after = (
            escape(part).replace("\n", "<br>") for part in (text[:start], text[start:end], text[end:])
        )
        muted = tokens().muted.name()
        self.words.setHtml(
            f"<p style='line-height:145%; color:{muted}'>{before}<span style='background-color:{mark}; "
            f"color:{tokens().text.name()}'>{marked}</span>{after}</p>"
        )
        self.setCurrentWidget(self.words)

    @property
    def target(self) -> QWidget:
        """What takes the keyboard."""
        return self.page if self.currentWidget() is self.page else self.words

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_theme_change(event) and self._text[0]:
            shown = self.currentWidget()
            self.show_words(*self._text)
            self.setCurrentWidget(shown)


def _inside(start: float, size: float, whole: float) -> float:
    """Where a window of that size begins so that it stays inside the page; centred where it is larger than the page."""
    return (whole - size) / 2 if size >= whole else max(0.0, min(start, whole - size))


def _rect(box: Box) -> QRectF:
    return QRectF(box[1], box[2], box[3] - box[1], box[4] - box[2])


def _around(boxes: Sequence[Box]) -> QRectF:
    rect = QRectF()
    for box in boxes:
        rect = rect.united(_rect(box))
    return rect


def _pieces(boxes: Sequence[Box]) -> list[list[Box]]:
    """The lines of a sentence, parted where it goes on further up or far below."""
    pieces: list[list[Box]] = []
    for box in boxes:
        last = pieces[-1][-1] if pieces else None
        high = box[4] - box[2]
        if last is None or box[2] < last[2] - high or box[2] > last[4] + 3 * high:
            pieces.append([])
        pieces[-1].append(box)
    return pieces
