"""How a plot of values looks. Painted with plain Qt, so the same code draws the window, a PNG and an SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from minerva_desktop.measurements.tables import number_words, unit_words
from minerva_desktop.records import MeasuredValue
from minerva_desktop.ui.theme import Tokens, mix, scaled_font
from minerva_desktop.ui.value_points import Plot

RADIUS = 5.0
ROW = 30.0
"""Least height of a material's row."""
TALLEST_ROW = 64.0
_FOOT = 46.0
_HEAD = 30.0
_RIGHT = 22.0
_NAME_SHARE = 0.32


@dataclass(frozen=True, slots=True)
class Frame:
    """Where things are: ``inner`` is the field of the dots; rows are ``row`` high and moved up by ``scroll``."""

    whole: QRectF
    inner: QRectF
    row: float = 0.0
    scroll: float = 0.0

    @property
    def content(self) -> float:
        """How high the rows are together."""
        return self.inner.height()


def frame_of(plot: Plot, width: float, height: float, metrics: QFontMetricsF, scroll: float = 0.0) -> Frame:
    """The frame of a plot in a widget of that size."""
    whole = QRectF(0, 0, width, height)
    if plot.rows:
        names = max((metrics.horizontalAdvance(name) for name in plot.rows), default=0.0)
        left = min(names + 26, max(90.0, width * _NAME_SHARE))
        inner = QRectF(left, _HEAD, max(40.0, width - left - _RIGHT), max(40.0, height - _HEAD - _FOOT))
        row = min(TALLEST_ROW, max(ROW, inner.height() / len(plot.rows)))
        return Frame(whole, inner, row, scroll)
    labels = [number_words(value) for value in plot.axis.ticks(_how_many(height, 46))]
    left = max((metrics.horizontalAdvance(text) for text in labels), default=20.0) + 18 + metrics.height() + 8
    return Frame(whole, QRectF(left, _HEAD, max(40.0, width - left - _RIGHT), max(40.0, height - _HEAD - _FOOT)))


def rows_height(plot: Plot, frame: Frame) -> float:
    """How much height all rows need."""
    return frame.row * len(plot.rows)


def points_of(plot: Plot, frame: Frame) -> list[QPointF]:
    """Where each dot stands; dots of a row that would cover each other are set apart."""
    inner = frame.inner
    if not plot.rows:
        return [
            QPointF(
                inner.left() + plot.across.place(dot.across) * inner.width(),
                inner.bottom() - plot.axis.place(dot.along) * inner.height(),
            )
            for dot in plot.dots
        ]
    across = [inner.left() + plot.axis.place(dot.along) * inner.width() for dot in plot.dots]
    away = _set_apart([int(dot.across) for dot in plot.dots], across, frame.row / 2 - RADIUS - 3)
    return [
        QPointF(x, inner.top() - frame.scroll + (dot.across + 0.5) * frame.row + up)
        for dot, x, up in zip(plot.dots, across, away, strict=True)
    ]


def _set_apart(rows: Sequence[int], across: Sequence[float], room: float) -> list[float]:
    """How far up or down each dot is moved, so that dots of a row that touch stand beside each other, at most ``room``.

    Dots of a row come from small to large; a run of touching ones is spread evenly, closer where they are many."""
    found = [0.0] * len(rows)
    run: list[int] = []
    for number in range(len(rows) + 1):
        ends = (
            number == len(rows)
            or not run
            or rows[number] != rows[run[-1]]
            or across[number] - across[run[-1]] > 2 * RADIUS
        )
        if ends and run:
            lanes = min(len(run), max(1, int(2 * room / (2 * RADIUS + 1)) + 1))
            step = min(2 * RADIUS + 2, 2 * room / (lanes - 1)) if lanes > 1 else 0.0
            for place, item in enumerate(run):
                found[item] = (place % lanes - (lanes - 1) / 2) * step
            run = []
        run.append(number)
    return found


def dot_color(value: MeasuredValue, theme: Tokens) -> QColor:
    """The textbooks' word where they have one, else whether it was accepted."""
    if value.withdrawn:
        return theme.muted
    return theme.status(value.verdict if value.verdict in ("SUPPORTED", "CONTRADICTED") else value.status)


def paint_plot(
    painter: QPainter, plot: Plot, frame: Frame, points: Sequence[QPointF], theme: Tokens, *, chosen: int, hover: int
) -> None:
    """All of it: ground, lines, axis, bars, dots, legend."""
    painter.fillRect(frame.whole, theme.base)
    if not plot.dots:
        _nothing(painter, plot, frame, theme)
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(scaled_font(0.92))
    _lines(painter, plot, frame, theme)
    painter.save()
    painter.setClipRect(
        frame.inner.adjusted(-RADIUS - 3, 0, RADIUS + 3, 0) if plot.rows else frame.inner.adjusted(-9, -9, 9, 9)
    )
    if plot.rows:
        _medians(painter, plot, frame, theme)
    for number, point in enumerate(points):
        if point.y() > frame.inner.top() - 12 and point.y() < frame.inner.bottom() + 12:
            _bar(painter, plot, number, point, frame, theme)
    for number, point in enumerate(points):
        if point.y() > frame.inner.top() - 12 and point.y() < frame.inner.bottom() + 12:
            _dot(painter, plot, number, point, theme)
    for number in {chosen, hover} - {-1}:
        if number < len(points):
            painter.setPen(QPen(theme.accent_text, 2.2 if number == chosen else 1.4))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(points[number], RADIUS + 4.5, RADIUS + 4.5)
    painter.restore()
    _legend(painter, plot, frame, theme)


def _nothing(painter: QPainter, plot: Plot, frame: Frame, theme: Tokens) -> None:
    """What is said where no dot can be drawn."""
    why = "Nothing is known of it on this axis." if plot.aside else "There is no value to draw."
    painter.setPen(theme.muted)
    painter.setFont(scaled_font(1.05))
    painter.drawText(frame.whole, int(Qt.AlignmentFlag.AlignCenter), why)


def _how_many(length: float, each: float) -> int:
    return max(2, int(length / each))


def _lines(painter: QPainter, plot: Plot, frame: Frame, theme: Tokens) -> None:
    """Grid, names of rows, axes with their marks and titles."""
    inner = frame.inner
    metrics = QFontMetricsF(painter.font())
    faint = QPen(mix(theme.base, theme.text, 0.09), 1)
    if plot.rows:
        _rows(painter, plot, frame, theme, metrics)
        _marks_below(painter, plot.axis.ticks(_how_many(inner.width(), 90)), plot.axis, inner, theme, faint)
    else:
        _marks_below(painter, plot.across.ticks(_how_many(inner.width(), 90)), plot.across, inner, theme, faint)
        painter.setPen(faint)
        for value in plot.axis.ticks(_how_many(inner.height(), 46)):
            y = inner.bottom() - plot.axis.place(value) * inner.height()
            painter.setPen(faint)
            painter.drawLine(QPointF(inner.left(), y), QPointF(inner.right(), y))
            painter.setPen(theme.muted)
            box = QRectF(0, y - metrics.height() / 2, inner.left() - 8, metrics.height())
            painter.drawText(box, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), number_words(value))
        _title_left(painter, plot, inner, theme)
    painter.setPen(QPen(theme.field_border, 1))
    painter.drawLine(inner.bottomLeft(), inner.bottomRight())
    painter.drawLine(inner.topLeft(), inner.bottomLeft())
    painter.setPen(theme.text)
    title = _title(plot) if plot.rows else plot.across_label
    painter.drawText(
        QRectF(inner.left(), inner.bottom() + 22, inner.width(), 22), int(Qt.AlignmentFlag.AlignCenter), title
    )


def _title(plot: Plot) -> str:
    unit = f" ({unit_words(plot.unit)})" if plot.unit else ""
    return f"{plot.label[:1].upper()}{plot.label[1:]}{unit}"


def _title_left(painter: QPainter, plot: Plot, inner: QRectF, theme: Tokens) -> None:
    painter.save()
    painter.setPen(theme.text)
    painter.translate(4, inner.center().y())
    painter.rotate(-90)
    half = inner.height() / 2 + 14
    painter.drawText(QRectF(-half, 0, 2 * half, 20), int(Qt.AlignmentFlag.AlignCenter), _title(plot))
    painter.restore()


def _rows(painter: QPainter, plot: Plot, frame: Frame, theme: Tokens, metrics: QFontMetricsF) -> None:
    inner = frame.inner
    painter.save()
    painter.setClipRect(QRectF(0, inner.top(), frame.whole.width(), inner.height()))
    for row, name in enumerate(plot.rows):
        top = inner.top() - frame.scroll + row * frame.row
        if top > inner.bottom() or top + frame.row < inner.top():
            continue
        if row % 2 == 0:
            painter.fillRect(QRectF(inner.left(), top, inner.width(), frame.row), theme.raised)
        painter.setPen(theme.text)
        text = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, inner.left() - 20)
        box = QRectF(8, top, inner.left() - 18, frame.row)
        painter.drawText(box, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), text)
    painter.restore()


def _marks_below(
    painter: QPainter, ticks: Sequence[float], axis: object, inner: QRectF, theme: Tokens, faint: QPen
) -> None:
    metrics = QFontMetricsF(painter.font())
    last = -1e9
    for value in ticks:
        x = inner.left() + axis.place(value) * inner.width()  # type: ignore[attr-defined]
        painter.setPen(faint)
        painter.drawLine(QPointF(x, inner.top()), QPointF(x, inner.bottom()))
        text = number_words(value)
        width = metrics.horizontalAdvance(text)
        if x - width / 2 > last + 8:
            painter.setPen(theme.muted)
            painter.drawText(QPointF(x - width / 2, inner.bottom() + 4 + metrics.ascent()), text)
            last = x + width / 2


def _medians(painter: QPainter, plot: Plot, frame: Frame, theme: Tokens) -> None:
    """A short upright line in each row that has several values."""
    painter.setPen(QPen(mix(theme.base, theme.text, 0.55), 1.5))
    for row, median in enumerate(plot.medians):
        if median is None or (plot.axis.log and median <= 0):
            continue
        x = frame.inner.left() + plot.axis.place(median) * frame.inner.width()
        y = frame.inner.top() - frame.scroll + (row + 0.5) * frame.row
        painter.drawLine(QPointF(x, y - frame.row * 0.48), QPointF(x, y + frame.row * 0.48))


def _bar(painter: QPainter, plot: Plot, number: int, point: QPointF, frame: Frame, theme: Tokens) -> None:
    """The uncertainty, or the extent of a range, with a stroke at each end."""
    dot = plot.dots[number]
    if dot.low is None or dot.high is None:
        return
    color = dot_color(dot.value, theme)
    painter.setPen(QPen(color, 1.4))
    inner = frame.inner
    if plot.rows:
        ends = [QPointF(inner.left() + plot.axis.place(end) * inner.width(), point.y()) for end in (dot.low, dot.high)]
        across = QPointF(0, 4)
    else:
        ends = [
            QPointF(point.x(), inner.bottom() - plot.axis.place(end) * inner.height()) for end in (dot.low, dot.high)
        ]
        across = QPointF(4, 0)
    painter.drawLine(ends[0], ends[1])
    for end in ends:
        painter.drawLine(end - across, end + across)


def _dot(painter: QPainter, plot: Plot, number: int, point: QPointF, theme: Tokens) -> None:
    """Full for the paper's own value, hollow for one it cites, an arrow for a bound; a red ring where papers disagree."""
    value = plot.dots[number].value
    color = dot_color(value, theme)
    painter.setPen(QPen(color if not value.own else theme.base, 1.6 if not value.own else 1.0))
    painter.setBrush(theme.base if not value.own else color)
    if value.kind == "bound":
        painter.drawPolygon(_arrow(point, value.comparator, along_x=bool(plot.rows)))
    else:
        painter.drawEllipse(point, RADIUS, RADIUS)
    if value.id in plot.marked:
        painter.setPen(QPen(theme.refused, 1.8))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(point, RADIUS + 2.2, RADIUS + 2.2)


def _arrow(point: QPointF, comparator: str, *, along_x: bool) -> QPolygonF:
    """A triangle that points to where the value may lie."""
    up = ">" in comparator
    r = RADIUS + 0.5
    if along_x:
        tip = r if up else -r
        corners = ((tip, 0.0), (-tip, -r), (-tip, r))
    else:
        tip = -r if up else r
        corners = ((0.0, tip), (-r, -tip), (r, -tip))
    return QPolygonF([QPointF(point.x() + x, point.y() + y) for x, y in corners])


def _legend(painter: QPainter, plot: Plot, frame: Frame, theme: Tokens) -> None:
    """What colours and shapes mean, of those that occur."""
    painter.setFont(scaled_font(0.85))
    metrics = QFontMetricsF(painter.font())
    x, y = frame.inner.left(), _HEAD / 2
    for draw, text, color in _keys(plot, theme):
        width = metrics.horizontalAdvance(text) + 32
        if x + width > frame.whole.right() - 6:
            break
        point = QPointF(x + 6, y)
        painter.setPen(QPen(color, 1.6))
        painter.setBrush(color if draw == "full" else theme.base)
        if draw == "arrow":
            painter.setBrush(color)
            painter.drawPolygon(_arrow(point, "<", along_x=bool(plot.rows)))
        elif draw == "line":
            painter.drawLine(QPointF(point.x(), y - 6), QPointF(point.x(), y + 6))
        else:
            painter.drawEllipse(point, RADIUS - 0.6, RADIUS - 0.6)
        painter.setPen(theme.muted)
        painter.drawText(QPointF(x + 16, y + metrics.ascent() / 2 - 1), text)
        x += width


def _keys(plot: Plot, theme: Tokens) -> list[tuple[str, str, QColor]]:
    values = [dot.value for dot in plot.dots]
    keys = [
        ("full", "accepted", theme.accepted, any(item.status == "accepted" and not item.withdrawn for item in values)),
        ("full", "waiting for review", theme.waiting, any(item.status == "waiting" for item in values)),
        ("full", "a textbook contradicts it", theme.refused, any(item.verdict == "CONTRADICTED" for item in values)),
        ("full", "retracted paper", theme.muted, any(item.withdrawn for item in values)),
        ("hollow", "cited from elsewhere", theme.muted, any(not item.own for item in values)),
        ("arrow", "at most or at least", theme.muted, any(item.kind == "bound" for item in values)),
        ("hollow", "papers disagree", theme.refused, any(item.id in plot.marked for item in values)),
        ("line", "median", mix(theme.base, theme.text, 0.55), any(median is not None for median in plot.medians)),
    ]
    return [(shape, text, color) for shape, text, color, shown in keys if shown]
