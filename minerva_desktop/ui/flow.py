"""A layout that puts its items side by side and goes on in the next line where the width ends."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    """Items from left to right, lines from top to bottom; hidden widgets take no room."""

    def __init__(self, parent: QWidget | None = None, *, spacing: int = 10) -> None:
        super().__init__(parent)
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)
        self._items: list[QLayoutItem] = []

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._place(QRect(0, 0, width, 0), move=False)

    def sizeHint(self) -> QSize:
        wide = sum(item.sizeHint().width() + self.spacing() for item in self._items if not item.isEmpty())
        return QSize(wide, self.minimumSize().height())

    def minimumSize(self) -> QSize:
        sizes = [item.minimumSize() for item in self._items if not item.isEmpty()]
        return QSize(
            max((size.width() for size in sizes), default=0), max((size.height() for size in sizes), default=0)
        )

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._place(rect, move=True)

    def _place(self, rect: QRect, *, move: bool) -> int:
        """The height that the lines need; ``move`` puts the items there."""
        x, y = rect.x(), rect.y()
        line: list[tuple[QLayoutItem, int, QSize]] = []
        lines: list[tuple[int, int, list[tuple[QLayoutItem, int, QSize]]]] = []
        for item in self._items:
            if item.isEmpty():
                continue
            size = item.sizeHint()
            if line and x + size.width() > rect.x() + rect.width():
                high = max(size.height() for _, _, size in line)
                lines.append((y, high, line))
                x, y, line = rect.x(), y + high + self.spacing() // 2, []
            line.append((item, x, item.sizeHint()))
            x += item.sizeHint().width() + self.spacing()
        high = max((size.height() for _, _, size in line), default=0)
        lines.append((y, high, line))
        if move:
            for top, tall, items in lines:
                for item, left, size in items:
                    item.setGeometry(QRect(QPoint(left, top + (tall - size.height()) // 2), size))
        return y + high - rect.y()
