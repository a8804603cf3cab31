"""Check boxes for the types of nodes; at the same time the legend of their colours."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QIcon, QPainter, QPixmap, Qt
from PySide6.QtWidgets import QCheckBox, QGridLayout, QWidget

from minerva_desktop.ui.theme import is_theme_change, tokens, type_color


class TypeFilter(QWidget):
    """One check box a type, with its colour."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._boxes: dict[str, QCheckBox] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(1)

    def set_types(self, names: Sequence[str]) -> None:
        """Offer these types; what was switched off stays off."""
        if list(names) == sorted(self._boxes):
            return
        off = self.hidden()
        for box in self._boxes.values():
            self._grid.removeWidget(box)
            box.deleteLater()
        self._boxes = {}
        for place, name in enumerate(names):
            box = QCheckBox(name)
            box.setChecked(name not in off)
            box.setToolTip(f"Show nodes of type {name}")
            box.toggled.connect(lambda _: self.changed.emit())
            self._grid.addWidget(box, place // 2, place % 2)
            self._boxes[name] = box
        self._color()

    def hidden(self) -> set[str]:
        """Types that are switched off."""
        return {name for name, box in self._boxes.items() if not box.isChecked()}

    def box(self, name: str) -> QCheckBox:
        return self._boxes[name]

    def _color(self) -> None:
        theme = tokens()
        for name, box in self._boxes.items():
            dot = QPixmap(24, 24)
            dot.setDevicePixelRatio(2)
            dot.fill(Qt.GlobalColor.transparent)
            painter = QPainter(dot)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(type_color(name, theme))
            painter.drawEllipse(1, 1, 10, 10)
            painter.end()
            box.setIcon(QIcon(dot))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_theme_change(event):
            self._color()
