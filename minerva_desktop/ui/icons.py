"""Line icons drawn on a 24 by 24 grid in the colour of the theme at the moment of painting: no files, any scale."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QIconEngine, QPainter, QPainterPath, QPen, QPixmap

from minerva_desktop.ui.theme import tokens


def _lines(*points: tuple[float, float], close: bool = False) -> QPainterPath:
    path = QPainterPath(QPointF(*points[0]))
    for point in points[1:]:
        path.lineTo(QPointF(*point))
    if close:
        path.closeSubpath()
    return path


def _circle(x: float, y: float, radius: float) -> QPainterPath:
    path = QPainterPath()
    path.addEllipse(QPointF(x, y), radius, radius)
    return path


def _rect(x: float, y: float, width: float, height: float, radius: float = 1.5) -> QPainterPath:
    path = QPainterPath()
    path.addRoundedRect(QRectF(x, y, width, height), radius, radius)
    return path


def _arc_arrow(mirror: bool) -> list[QPainterPath]:
    path = QPainterPath(QPointF(5, 10))
    path.lineTo(14, 10)
    path.cubicTo(QPointF(21, 10), QPointF(21, 19), QPointF(14, 19))
    path.lineTo(10, 19)
    head = _lines((9, 6), (5, 10), (9, 14))
    if not mirror:
        return [path, head]
    return [_mirrored(path), _mirrored(head)]


def _mirrored(path: QPainterPath) -> QPainterPath:
    from PySide6.QtGui import QTransform

    return QTransform(-1, 0, 0, 1, 24, 0).map(path)


def _bubble() -> list[QPainterPath]:
    path = _lines((8, 20), (8, 16.5), (6, 16.5))
    path.quadTo(4, 16.5, 4, 14.5)
    path.lineTo(4, 6.5)
    path.quadTo(4, 4.5, 6, 4.5)
    path.lineTo(18, 4.5)
    path.quadTo(20, 4.5, 20, 6.5)
    path.lineTo(20, 14.5)
    path.quadTo(20, 16.5, 18, 16.5)
    path.lineTo(11.5, 16.5)
    path.closeSubpath()
    return [path, _lines((8, 9), (16, 9)), _lines((8, 12.5), (13, 12.5))]


_DRAWINGS: dict[str, Callable[[], list[QPainterPath]]] = {
    "library": lambda: [
        _rect(4, 4, 4, 16, 1),
        _rect(8, 4, 4, 16, 1),
        _lines((13.5, 5.2), (17, 4.2), (20.8, 18.6), (17.3, 19.6), close=True),
    ],
    "review": lambda: [
        _lines((4, 7), (6, 9), (9.5, 4.8)),
        _lines((4, 16), (6, 18), (9.5, 13.8)),
        _lines((13, 7), (20, 7)),
        _lines((13, 16), (20, 16)),
    ],
    "graph": lambda: [
        _circle(6, 7, 2.5),
        _circle(18, 6, 2),
        _circle(14, 18, 3),
        _lines((8.4, 6.8), (16, 6.2)),
        _lines((7.4, 9.1), (12.2, 15.7)),
        _lines((17.4, 7.9), (15, 15.2)),
    ],
    "values": lambda: [
        _lines((4.5, 4), (4.5, 19.5), (20, 19.5)),
        _circle(9, 14.5, 1.7),
        _circle(13.5, 9, 1.7),
        _circle(18, 12, 1.7),
        _lines((13.5, 4.5), (13.5, 7.2)),
        _lines((13.5, 10.8), (13.5, 13.5)),
    ],
    "ask": _bubble,
    "runs": lambda: [
        _rect(4, 4, 10, 12),
        _lines((17, 8), (20, 8), (20, 20), (10, 20), (10, 19)),
        _lines((7, 8), (11, 8)),
        _lines((7, 12), (11, 12)),
    ],
    "settings": lambda: [
        _lines((4, 7), (13, 7)),
        _lines((17.6, 7), (20, 7)),
        _circle(15.3, 7, 2.3),
        _lines((4, 16.5), (6.4, 16.5)),
        _lines((11, 16.5), (20, 16.5)),
        _circle(8.7, 16.5, 2.3),
    ],
    "page": lambda: [
        _lines((6, 3.5), (14, 3.5), (18.5, 8), (18.5, 20.5), (6, 20.5), close=True),
        _lines((14, 3.5), (14, 8), (18.5, 8)),
        _lines((9, 12.5), (15.5, 12.5)),
        _lines((9, 16), (15.5, 16)),
    ],
    "find": lambda: [
        _circle(10.5, 10.5, 6.5),
        _lines((15.3, 15.3), (20.5, 20.5)),
        _lines((7.5, 9), (13.5, 9)),
        _lines((7.5, 12), (11.5, 12)),
    ],
    "search": lambda: [_circle(10.5, 10.5, 6), _lines((15, 15), (20, 20))],
    "add": lambda: [_lines((12, 5), (12, 19)), _lines((5, 12), (19, 12))],
    "minus": lambda: [_lines((5, 12), (19, 12))],
    "close": lambda: [_lines((6, 6), (18, 18)), _lines((18, 6), (6, 18))],
    "previous": lambda: [_lines((6, 15), (12, 9), (18, 15))],
    "next": lambda: [_lines((6, 9), (12, 15), (18, 9))],
    "right": lambda: [_lines((9, 6), (15, 12), (9, 18))],
    "fit": lambda: [
        _lines((4, 9), (4, 4), (9, 4)),
        _lines((15, 4), (20, 4), (20, 9)),
        _lines((20, 15), (20, 20), (15, 20)),
        _lines((9, 20), (4, 20), (4, 15)),
    ],
    "order": lambda: [_lines((5, 6), (19, 6), (5, 18), (19, 18)), _lines((16, 15), (19, 18), (16, 21))],
    "width": lambda: [_lines((4, 12), (20, 12)), _lines((8, 8), (4, 12), (8, 16)), _lines((16, 8), (20, 12), (16, 16))],
    "describe": lambda: [
        _rect(4, 5, 16, 14),
        _lines((4, 16), (9, 11), (13, 15), (16, 12.5), (20, 16)),
        _circle(15.5, 9, 1.4),
    ],
    "undo": partial(_arc_arrow, False),
    "redo": partial(_arc_arrow, True),
    "check": lambda: [_lines((5, 12.5), (10, 17.5), (19, 7))],
    "trash": lambda: [
        _lines((4.5, 7), (19.5, 7)),
        _lines((9, 7), (9, 4.5), (15, 4.5), (15, 7)),
        _lines((6.5, 7), (7.3, 20), (16.7, 20), (17.5, 7)),
    ],
    "drop": lambda: [
        _lines((12, 4), (12, 14)),
        _lines((8, 10.5), (12, 14.5), (16, 10.5)),
        _lines((4, 15), (4, 20), (20, 20), (20, 15)),
    ],
    "book": lambda: [
        _lines((12, 7), (9, 5), (3.5, 5), (3.5, 18), (9, 18), (12, 20)),
        _lines((12, 7), (15, 5), (20.5, 5), (20.5, 18), (15, 18), (12, 20)),
        _lines((12, 7), (12, 20)),
    ],
    "warning": lambda: [
        _lines((12, 4), (21, 20), (3, 20), close=True),
        _lines((12, 10), (12, 14.5)),
        _lines((12, 17), (12, 17.3)),
    ],
}

ICON_NAMES = tuple(sorted(_DRAWINGS))


def paint_icon(painter: QPainter, rect: QRect, name: str, color: QColor) -> None:
    """Draw the icon into the rectangle, kept square and centred."""
    side = min(rect.width(), rect.height())
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(rect.x() + (rect.width() - side) / 2, rect.y() + (rect.height() - side) / 2)
    painter.scale(side / 24, side / 24)
    pen = QPen(color, 1.7, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for path in _DRAWINGS[name]():
        painter.drawPath(path)
    painter.restore()


class _LineIcon(QIconEngine):
    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        theme = tokens()
        color = theme.text
        if mode == QIcon.Mode.Disabled:
            color = theme.field_border
        elif state == QIcon.State.On:
            color = theme.accent_text
        paint_icon(painter, rect, self._name, color)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        pixmap = QPixmap(size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        self.paint(painter, QRect(0, 0, size.width(), size.height()), mode, state)
        painter.end()
        return pixmap

    def clone(self) -> QIconEngine:
        return _LineIcon(self._name)


def icon(name: str) -> QIcon:
    """A themed icon by name (:data:`ICON_NAMES`)."""
    return QIcon(_LineIcon(name))
