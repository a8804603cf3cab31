"""A text inside a page that scrolls as a whole."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor, QResizeEvent, QTextCursor, QTextFragment
from PySide6.QtWidgets import QFrame, QTextBrowser, QTextEdit


class FlowText(QTextBrowser):
    """A text that is as high as it needs to be; what is around it scrolls."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setProperty("kind", "plain")
        self.setAccessibleName(name)
        self.setOpenLinks(False)
        self.setAcceptDrops(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(2)
        self.document().documentLayout().documentSizeChanged.connect(lambda size: self._grow(size.height()))

    def mark_links(self, href: str, color: QColor) -> None:
        """Put a ground of this colour under every link with this target; "" takes it from all."""
        marks = []
        for fragment in self._fragments() if href else ():
            if fragment.charFormat().anchorHref() == href:
                mark = QTextEdit.ExtraSelection()
                cursor = QTextCursor(self.document())
                cursor.setPosition(fragment.position())
                cursor.setPosition(fragment.position() + fragment.length(), QTextCursor.MoveMode.KeepAnchor)
                mark.cursor = cursor  # type: ignore[attr-defined]
                mark.format.setBackground(color)  # type: ignore[attr-defined]
                marks.append(mark)
        self.setExtraSelections(marks)

    def _fragments(self) -> list[QTextFragment]:
        found = []
        block = self.document().begin()
        while block.isValid():
            inside = block.begin()
            while not inside.atEnd():
                found.append(inside.fragment())
                inside += 1
            block = block.next()
        return found

    def _grow(self, height: float) -> None:
        self.setFixedHeight(max(24, round(height) + 4))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._grow(self.document().size().height())

    def wheelEvent(self, event: QEvent) -> None:
        event.ignore()
