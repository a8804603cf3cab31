"""The command palette: type what you want to do."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QHeaderView, QLineEdit, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from minerva_desktop.ui.commands import COMMANDS, Registry, key_text
from minerva_desktop.ui.theme import tokens
from minerva_desktop.ui.widgets import search_field


class CommandPalette(QDialog):
    """A list of every command that can be done now; arrows and Enter work while typing."""

    def __init__(self, registry: Registry, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._registry = registry
        self.setAccessibleName("All commands")
        self.line: QLineEdit = search_field("What do you want to do?", "Search commands")
        self.list = QTreeWidget()
        self.list.setAccessibleName("Commands")
        self.list.setUniformRowHeights(True)
        self.list.setRootIsDecorated(False)
        self.list.setHeaderHidden(True)
        self.list.setColumnCount(2)
        self.list.setProperty("kind", "bare")
        self.list.header().setStretchLastSection(False)
        self.list.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.list.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 10, 10, 10)
        layout.setSpacing(8)
        layout.addWidget(self.line)
        layout.addWidget(self.list)
        self.resize(520, 380)
        self.line.textChanged.connect(self._fill)
        self.line.installEventFilter(self)
        self.line.returnPressed.connect(self._run)
        self.list.itemClicked.connect(lambda *_: self._run())
        self.list.itemActivated.connect(lambda *_: self._run())

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
            item = QTreeWidgetItem([f"{command.menu}: {title}", key_text(command)])
            item.setData(0, Qt.ItemDataRole.UserRole, command.id)
            item.setToolTip(0, command.tip)
            item.setForeground(1, tokens().muted)
            self.list.addTopLevelItem(item)
        self._choose(0)

    def _choose(self, row: int) -> None:
        count = self.list.topLevelItemCount()
        if count:
            self.list.setCurrentItem(self.list.topLevelItem(min(max(row, 0), count - 1)))

    def _run(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            self.hide()
            self._registry.run(item.data(0, Qt.ItemDataRole.UserRole))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 8, Qt.Key.Key_PageUp: -8}.get(
                Qt.Key(event.key())
            )
            if step is not None:
                self._choose(self.list.indexOfTopLevelItem(self.list.currentItem()) + step)
                return True
        return super().eventFilter(watched, event)
