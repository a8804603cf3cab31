"""A picture of how times grow with size, both axes in powers of ten. Painted with plain Qt, without a window."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen
from PySide6.QtWidgets import QApplication

_WIDTH, _HEIGHT, _SCALE = 760, 480, 2
_FRAME = QRectF(80, 40, 480, 370)
_COLOURS = ("#2f6fb3", "#c05621", "#2f855a", "#6b46c1")
_INK, _PALE = QColor("#333333"), QColor("#dddddd")
_PARTS = ("p50", "p95")
_APPLICATION: list[Any] = []


def save_growth(file: Path, measured: Sequence[tuple[int, Mapping[str, Any]]], names: Sequence[str]) -> None:
    """Write a PNG of the ``p50`` (solid) and ``p95`` (dashed) of each of these figures, in milliseconds, over size.

    Raises:
        OSError: the file cannot be written.
    """
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    _APPLICATION.append(QApplication.instance() or QApplication([]))  # texts need one; it lives as long as the process
    image = QImage(_WIDTH * _SCALE, _HEIGHT * _SCALE, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(_SCALE)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    lines = {
        (name, part): [(size, float(item[name][part])) for size, item in measured if name in item]
        for name in names
        for part in _PARTS
    }
    values = [max(value, 0.01) for line in lines.values() for _, value in line]
    sizes = [size for size, _ in measured]
    _paint(painter, lines, list(names), _decades(sizes), _decades(values))
    painter.end()
    if not image.save(str(file), "PNG"):
        raise OSError(f"{file} cannot be written")


def _decades(values: Sequence[float]) -> tuple[int, int]:
    """The powers of ten around these values."""
    low = math.floor(math.log10(min(values)) + 1e-9)
    return low, max(low + 1, math.ceil(math.log10(max(values)) - 1e-9))


def _paint(
    painter: QPainter,
    lines: Mapping[tuple[str, str], Sequence[tuple[float, float]]],
    names: Sequence[str],
    across: tuple[int, int],
    up: tuple[int, int],
) -> None:
    def place(size: float, value: float) -> QPointF:
        x = (math.log10(size) - across[0]) / (across[1] - across[0])
        y = (math.log10(max(value, 0.01)) - up[0]) / (up[1] - up[0])
        return QPointF(_FRAME.left() + x * _FRAME.width(), _FRAME.bottom() - y * _FRAME.height())

    for power in range(across[0], across[1] + 1):
        at = place(10.0**power, 10.0 ** up[0])
        painter.setPen(_PALE)
        painter.drawLine(QPointF(at.x(), _FRAME.top()), at)
        painter.setPen(_INK)
        painter.drawText(QRectF(at.x() - 50, at.y() + 6, 100, 20), Qt.AlignmentFlag.AlignHCenter, f"{10**power:,}")
    for power in range(up[0], up[1] + 1):
        at = place(10.0 ** across[0], 10.0**power)
        painter.setPen(_PALE)
        painter.drawLine(at, QPointF(_FRAME.right(), at.y()))
        painter.setPen(_INK)
        label = f"{10.0**power:g}"
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(at.x() - 66, at.y() - 10, 58, 20), right, label)
    painter.drawText(
        QRectF(_FRAME.left(), _FRAME.bottom() + 30, _FRAME.width(), 20), Qt.AlignmentFlag.AlignHCenter, "passages"
    )
    painter.drawText(QPointF(16, _FRAME.top() - 14), "milliseconds (solid: p50, dashed: p95)")
    for number, name in enumerate(names):
        colour = QColor(_COLOURS[number % len(_COLOURS)])
        for part in _PARTS:
            style = Qt.PenStyle.SolidLine if part == _PARTS[0] else Qt.PenStyle.DashLine
            painter.setPen(QPen(colour, 2.0, style))
            points = [place(*point) for point in lines[name, part]]
            painter.drawPolyline(points)
            for point in points:
                painter.drawEllipse(point, 2.5, 2.5)
        painter.drawText(QPointF(_FRAME.right() + 20, _FRAME.top() + 24 + 24 * number), name.removesuffix("_ms"))
