"""The line that a search is typed in, with what was searched before under it."""

from __future__ import annotations

import json

from PySide6.QtCore import QPoint, QSettings, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QListWidget, QVBoxLayout

from minerva_desktop.ui.icons import icon
from minerva_desktop.ui.widgets import label

_KEPT = 60
_SHOWN = 10


class QueryLine(QLineEdit):
    """Arrow down opens earlier searches; ``chosen(text)`` when one of them was picked."""

    chosen = Signal(str)

    def __init__(self, memory: QSettings) -> None:
        super().__init__()
        self._memory = memory
        self.setProperty("kind", "question")
        self.setAccessibleName("What to find")
        self.setAcceptDrops(False)
        self.setMaxLength(4000)
        self.setClearButtonEnabled(True)
        self.addAction(icon("search"), QLineEdit.ActionPosition.LeadingPosition)
        self.earlier = self._read()
        self._popup: _Earlier | None = None
        self._more = self.addAction(icon("next"), QLineEdit.ActionPosition.TrailingPosition)
        self._more.setToolTip("Earlier searches (arrow down)")
        self._more.triggered.connect(self.show_earlier)
        self._more.setVisible(bool(self.earlier))

    def _read(self) -> list[str]:
        try:
            kept = json.loads(str(self._memory.value("find/history", "[]")))
        except ValueError:
            kept = []
        return [item for item in kept if isinstance(item, str)] if isinstance(kept, list) else []

    def remember(self, text: str) -> None:
        """Put a search first among the earlier ones."""
        self._keep([text, *(item for item in self.earlier if item != text)][:_KEPT])

    def forget(self, text: str) -> None:
        """Take a search out of the earlier ones."""
        self._keep([item for item in self.earlier if item != text])

    def _keep(self, items: list[str]) -> None:
        self.earlier = items
        self._more.setVisible(bool(items))
        self._memory.setValue("find/history", json.dumps(items, ensure_ascii=False))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down and self.earlier:
            self.show_earlier()
            return
        super().keyPressEvent(event)

    @property
    def popup(self) -> _Earlier:
        """The list of earlier searches, made when it is first needed."""
        if self._popup is None:
            self._popup = _Earlier(self)
        return self._popup

    def show_earlier(self) -> None:
        """Open the list of earlier searches under the line."""
        if self.earlier:
            self.popup.open_under()

    def take(self, text: str) -> None:
        self.setText(text)
        self.setFocus(Qt.FocusReason.PopupFocusReason)
        self.chosen.emit(text)


class _Earlier(QFrame):
    """Earlier searches: Enter searches again, Delete forgets one, Esc leaves."""

    def __init__(self, line: QueryLine) -> None:
        super().__init__(line, Qt.WindowType.Popup)
        self._line = line
        self.setProperty("kind", "popup")
        self.setAccessibleName("Earlier searches")
        self.list = _Choices(self)
        self.list.setAccessibleName("Earlier searches")
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.itemClicked.connect(lambda _: self.pick())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 6, 6, 6)
        layout.setSpacing(4)
        layout.addWidget(self.list, 1)
        layout.addWidget(label("Enter searches again · Del forgets", kind="muted", factor=0.9))

    def open_under(self) -> None:
        self.fill()
        self.move(self._line.mapToGlobal(QPoint(0, self._line.height() + 2)))
        self.show()
        self.list.setFocus(Qt.FocusReason.PopupFocusReason)

    def fill(self, row: int = 0) -> None:
        self.list.clear()
        self.list.addItems(self._line.earlier)
        self.list.setCurrentRow(min(row, self.list.count() - 1))
        high = max(22, self.list.sizeHintForRow(0)) * min(_SHOWN, max(1, self.list.count())) + 8
        self.list.setFixedHeight(high)
        self.setFixedWidth(max(260, self._line.width()))
        self.adjustSize()

    def pick(self) -> None:
        """Search the chosen one again."""
        item = self.list.currentItem()
        self.hide()
        if item is not None:
            self._line.take(item.text())

    def forget(self) -> None:
        """Forget the chosen one."""
        item, row = self.list.currentItem(), self.list.currentRow()
        if item is None:
            return
        self._line.forget(item.text())
        self.fill(row)
        if not self._line.earlier:
            self.hide()


class _Choices(QListWidget):
    """The list inside, whose keys decide."""

    def __init__(self, owner: _Earlier) -> None:
        super().__init__(owner)
        self._owner = owner
        self.setProperty("kind", "bare")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._owner.pick()
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self._owner.forget()
        elif key == Qt.Key.Key_Escape or (key == Qt.Key.Key_Up and self.currentRow() == 0):
            self._owner.hide()
        else:
            super().keyPressEvent(event)
