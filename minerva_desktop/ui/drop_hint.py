"""What lies over the window while files are dragged above it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, QRect, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from minerva_desktop.ui.icons import paint_icon
from minerva_desktop.ui.theme import scaled_font, tokens


class DropHint(QWidget):
    """A veil with one sentence; mouse and drag events pass through it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def cover(self) -> None:
        """Lie over the whole window."""
        self.setGeometry(self.parentWidget().rect())
        self.show()
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = tokens()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        veil = QColor(theme.window)
        veil.setAlpha(225)
        painter.fillRect(self.rect(), veil)
        painter.setPen(QPen(theme.accent, 2, Qt.PenStyle.DashLine))
        painter.drawRoundedRect(self.rect().adjusted(18, 18, -18, -18), 12, 12)
        middle = self.rect().center()
        paint_icon(painter, QRect(middle.x() - 32, middle.y() - 70, 64, 64), "drop", theme.accent_text)
        painter.setPen(theme.text)
        painter.setFont(scaled_font(1.6))
        below = QRect(0, middle.y() + 4, self.width(), 50)
        painter.drawText(below, Qt.AlignmentFlag.AlignCenter, "Drop to add to your library")


def local_files(data: QMimeData) -> list[Path]:
    """The files and folders of this computer that are dragged."""
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
