"""Small pictures in the colours of a theme, as files in the cache folder: style sheets draw only files."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from minerva_desktop.settings import cache_dir

_SIDE = 28
_DRAWINGS: Mapping[str, tuple[tuple[float, float], ...]] = {
    "tick": ((6, 14.5), (11.5, 20), (22, 8.5)),
    "up": ((6, 18), (14, 9.5), (22, 18)),
    "down": ((6, 10), (14, 18.5), (22, 10)),
}


def picture_file(name: str, color: QColor) -> str:
    """The path of the picture "tick", "up" or "down"; "" where it cannot be written."""
    path = cache_dir() / "window" / f"{name}-{color.name()[1:]}.png"
    picture = QImage(_SIDE, _SIDE, QImage.Format.Format_ARGB32_Premultiplied)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(color, 4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
    painter.drawPolyline([QPointF(x, y) for x, y in _DRAWINGS[name]])
    painter.end()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError:
        return ""
    return path.as_posix() if picture.save(str(path)) else ""
