"""The command palette: type what you want to do."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from minerva_desktop.ui.commands import COMMANDS, Registry, key_text
from minerva_desktop.ui.widgets import search_field


class CommandPalette(QDialog):
    """A list of every command that can be done now; arrows and Enter work while typing."""

    def __init__(self, registry: Registry, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._registry = registry
        self.setAccessibleName("All commands")
        self.line: QLineEdit = search_field("What do you want to do?", "Search commands")
        self.list = QListWidget()
        self.list.setAccessibleName("Commands")
        self.list.setUniformItemSizes(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 10, 10, 10)
        layout.setSpacing(8)
        layout.addWidget(self.line)
        layout.addWidget(self.list)
        self.resize(520, 380)
        self.line.textChanged.connect(self._fill)
        self.line.installEventFilter(self)
        self.line.returnPressed.connect(self._run)
        self.list.itemClicked.connect(lambda _: self._run())
        self.list.itemActivated.connect(lambda _: self._run())

    def popup(self) -> None:
        """Show it over the middle of the window, empty."""
        self.line.clear()
        self._fill("")
        parent = self.parentWidget()
        corner = parent.mapToGlobal(parent.rect().topLeft())
        self.move(corner.x() + (parent.width() - self.width()) // 2, corner.y() + 80)
        self.show()
        self.line.setFocus()

    def _fill(self, text: str) -> None:
        self.list.clear()
        words = text.casefold().split()
        for command in COMMANDS:
            action = self._registry.actions[command.id]
            if not action.isEnabled() or command.id == "palette":
                continue
            title = action.text().replace("&", "").rstrip("…")
            hay = f"{command.menu} {title} {command.tip}".casefold()
            if not all(word in hay for word in words):
                continue
            keys = key_text(command)
            item = QListWidgetItem(f"{command.menu}: {title}" + (f"    {keys}" if keys else ""))
            item.setData(Qt.ItemDataRole.UserRole, command.id)
            item.setToolTip(command.tip)
            self.list.addItem(item)
        self.list.setCurrentRow(0)

    def _run(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            self.hide()
            self._registry.run(item.data(Qt.ItemDataRole.UserRole))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 8, Qt.Key.Key_PageUp: -8}.get(
                Qt.Key(event.key())
            )
            if step is not None and self.list.count():
                self.list.setCurrentRow(min(max(self.list.currentRow() + step, 0), self.list.count() - 1))
                return True
        return super().eventFilter(watched, event)
