"""The plot of values: a strip for each material, or dots against a condition. Every dot leads to its evidence."""

from __future__ import annotations

from html import escape
from pathlib import Path

from PySide6.QtCore import QEvent, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetricsF,
    QHelpEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip

from minerva_desktop.measurements.tables import condition_words, value_words
from minerva_desktop.records import MeasuredValue
from minerva_desktop.ui.theme import is_theme_change, light_palette, scaled_font, tokens
from minerva_desktop.ui.value_paint import Frame, frame_of, paint_plot, points_of, rows_height
from minerva_desktop.ui.value_points import Plot

_NEAR = 10.0
_QUOTE = 400
_PICTURE_WIDTH = 900
_PICTURE_SCALE = 2


class ValuePlot(QAbstractScrollArea):
    """``chosen`` carries the id of the value under the cursor, ``opened`` of one that was clicked or entered."""

    chosen = Signal(str)
    opened = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.plot = Plot()
        self._points: list[QPointF] = []
        self._frame: Frame | None = None
        self._chosen = -1
        self._hover = -1
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setMouseTracking(True)
        self.setMinimumSize(260, 110)
        self.setAccessibleName("Plot of values")
        self.verticalScrollBar().valueChanged.connect(lambda _: self._place())

    # ------------------------------------------------------------------------------------------------ content
    def set_plot(self, plot: Plot) -> None:
        """Show this; what was chosen stays chosen where it is still there."""
        kept = self.chosen_id()
        self.plot = plot
        self._hover = -1
        self._chosen = self._number(kept)
        materials = f" of {len(plot.rows)} materials" if plot.rows else ""
        self.setAccessibleDescription(
            f"{len(plot.dots)} values of the {plot.label}{materials}. The table below holds the same values."
        )
        self._lay_out()

    def chosen_id(self) -> str:
        return self.plot.dots[self._chosen].value.id if 0 <= self._chosen < len(self.plot.dots) else ""

    def choose(self, value_id: str) -> None:
        """Mark a value and bring its row into view, without a signal."""
        self._chosen = self._number(value_id)
        if self._chosen >= 0 and self.plot.rows and self._frame is not None:
            top = self.plot.dots[self._chosen].across * self._frame.row
            bar = self.verticalScrollBar()
            if top < bar.value():
                bar.setValue(int(top))
            elif top + self._frame.row > bar.value() + self._frame.inner.height():
                bar.setValue(int(top + self._frame.row - self._frame.inner.height()) + 1)
        self.viewport().update()

    def _number(self, value_id: str) -> int:
        return next((n for n, dot in enumerate(self.plot.dots) if dot.value.id == value_id), -1) if value_id else -1

    def point(self, value_id: str) -> QPointF | None:
        """Where a value is drawn in the viewport; None when it is not."""
        number = self._number(value_id)
        return self._points[number] if number >= 0 else None

    def value_at(self, point: QPointF) -> MeasuredValue | None:
        """The value under a point."""
        number = self._at(point)
        return self.plot.dots[number].value if number >= 0 else None

    # ------------------------------------------------------------------------------------------------- layout
    def _lay_out(self) -> None:
        size = self.viewport().size()
        frame = frame_of(self.plot, size.width(), size.height(), self._metrics())
        over = rows_height(self.plot, frame) - frame.inner.height() if self.plot.rows else 0.0
        bar = self.verticalScrollBar()
        bar.setPageStep(max(1, int(frame.inner.height())))
        bar.setSingleStep(int(frame.row) or 20)
        bar.setRange(0, max(0, int(over + 0.5)))
        self._place()

    def _place(self) -> None:
        size = self.viewport().size()
        scroll = float(self.verticalScrollBar().value())
        self._frame = frame_of(self.plot, size.width(), size.height(), self._metrics(), scroll)
        self._points = points_of(self.plot, self._frame)
        self.viewport().update()

    def _metrics(self) -> QFontMetricsF:
        return QFontMetricsF(scaled_font(0.92))

    def sizeHint(self) -> QSize:
        return QSize(600, 320)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_theme_change(event):
            self._lay_out()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = tokens()
        painter = QPainter(self.viewport())
        if self._frame is not None:
            paint_plot(painter, self.plot, self._frame, self._points, theme, chosen=self._chosen, hover=self._hover)
        if self.hasFocus():
            painter.setPen(QPen(theme.accent, 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.viewport().rect().adjusted(0, 0, -1, -1))

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    # -------------------------------------------------------------------------------------------------- events
    def _at(self, point: QPointF) -> int:
        if self._frame is None or not self._frame.inner.adjusted(-_NEAR, -_NEAR, _NEAR, _NEAR).contains(point):
            return -1
        best, nearest = -1, _NEAR
        for number, spot in enumerate(self._points):
            away = ((spot.x() - point.x()) ** 2 + (spot.y() - point.y()) ** 2) ** 0.5
            if away < nearest:
                best, nearest = number, away
        return best

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        hover = self._at(event.position())
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if hover >= 0 else Qt.CursorShape.ArrowCursor)
        if hover != self._hover:
            self._hover = hover
            self.viewport().update()

    def leaveEvent(self, event: QEvent) -> None:
        self._hover = -1
        self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        number = self._at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and number >= 0:
            self._go(number)
            self.opened.emit(self.chosen_id())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        last = len(self.plot.dots) - 1
        if last < 0:
            super().keyPressEvent(event)
        elif key in (Qt.Key.Key_Right, Qt.Key.Key_Left):
            self._go(min(max(self._chosen + (1 if key == Qt.Key.Key_Right else -1), 0), last))
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self._go(self._neighbour(1 if key == Qt.Key.Key_Down else -1))
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self._go(0 if key == Qt.Key.Key_Home else last)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._chosen >= 0:
            self.opened.emit(self.chosen_id())
        else:
            super().keyPressEvent(event)

    def _neighbour(self, step: int) -> int:
        """The first dot of the next row, or the next dot where there are no rows."""
        last = len(self.plot.dots) - 1
        if self._chosen < 0 or not self.plot.rows:
            return min(max(self._chosen + step, 0), last)
        row = self.plot.dots[self._chosen].across
        there = [n for n, dot in enumerate(self.plot.dots) if (dot.across - row) * step > 0]
        if not there:
            return self._chosen
        nearest = min(abs(self.plot.dots[n].across - row) for n in there)
        return min(n for n in there if abs(self.plot.dots[n].across - row) == nearest)

    def _go(self, number: int) -> None:
        self.choose(self.plot.dots[number].value.id)
        self.chosen.emit(self.chosen_id())

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            value = self.value_at(QPointF(event.pos()))
            text = tip_html(value, self.plot.unit, disputed=value.id in self.plot.marked) if value else ""
            QToolTip.showText(event.globalPos(), text, self.viewport(), QRect())
            return True
        return super().viewportEvent(event)

    # ------------------------------------------------------------------------------------------------- pictures
    def save_picture(self, file: Path) -> None:
        """The whole plot, all rows, on white, as PNG or (by the name's ending) SVG.

        Raises:
            OSError: the file cannot be written.
        """
        width, height = _PICTURE_WIDTH, 480.0
        frame = frame_of(self.plot, width, height, self._metrics())
        if self.plot.rows:
            height = max(220.0, height - frame.inner.height() + rows_height(self.plot, frame))
            frame = frame_of(self.plot, width, height, self._metrics())
        size = QSize(int(width), int(height))
        if file.suffix.lower() == ".svg":
            self._save_svg(file, size, frame)
            return
        image = QImage(size * _PICTURE_SCALE, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(_PICTURE_SCALE)
        painter = QPainter(image)
        self._draw(painter, frame)
        painter.end()
        if not image.save(str(file), "PNG"):
            raise OSError(f"{file} cannot be written")

    def _save_svg(self, file: Path, size: QSize, frame: Frame) -> None:
        from PySide6.QtSvg import QSvgGenerator

        writer = QSvgGenerator()
        writer.setFileName(str(file))
        writer.setSize(size)
        writer.setViewBox(QRect(0, 0, size.width(), size.height()))
        writer.setTitle(self.plot.label)
        painter = QPainter()
        if not painter.begin(writer):
            raise OSError(f"{file} cannot be written")
        self._draw(painter, frame)
        painter.end()

    def _draw(self, painter: QPainter, frame: Frame) -> None:
        paint_plot(painter, self.plot, frame, points_of(self.plot, frame), tokens(light_palette()), chosen=-1, hover=-1)


def tip_html(value: MeasuredValue, unit: str, *, disputed: bool = False) -> str:
    """A value with its circumstances, its paper and its sentence."""
    around = condition_words(value)
    quote = value.quote if len(value.quote) <= _QUOTE else f"{value.quote[:_QUOTE]}…"
    marks = [
        value.status,
        *([] if value.own else ["cited from elsewhere"]),
        *(["retracted"] if value.withdrawn else []),
    ]
    marks += ["papers disagree on it"] if disputed else []
    where = f"{value.title}{f' ({value.year})' if value.year else ''}{f', page {value.page}' if value.page else ''}"
    lines = [
        f"<b>{escape(value.material)}: {escape(value_words(value, unit))}</b>"
        + (f" ({escape(around)})" if around else ""),
        f"“{escape(quote)}”",
        escape(where),
        escape(", ".join(marks)),
    ]
    return f"<div style='width:420px'>{'<br>'.join(lines)}</div>"
