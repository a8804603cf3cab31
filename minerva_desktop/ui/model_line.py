"""A line for the name of a model: typed, or chosen among those that the server was found to have."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QStringListModel, Qt
from PySide6.QtWidgets import QCompleter, QLineEdit

from minerva_desktop.ui.icons import icon


class ModelLine(QLineEdit):
    """``editingFinished`` also when a name was chosen. Alt+Down, or the arrow at its end, shows the names."""

    def __init__(self, placeholder: str = "") -> None:
        super().__init__()
        self.setPlaceholderText(placeholder)
        self.setAcceptDrops(False)
        self._names = QStringListModel(self)
        completer = QCompleter(self._names, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.activated.connect(lambda _: self.editingFinished.emit())
        self.setCompleter(completer)
        self._arrow = self.addAction(icon("next"), QLineEdit.ActionPosition.TrailingPosition)
        self._arrow.setToolTip("Models of this server (Alt+Down)")
        self._arrow.setShortcut("Alt+Down")
        self._arrow.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self._arrow.triggered.connect(self.show_names)
        self.offer(())

    def offer(self, names: Sequence[str]) -> None:
        """The names to choose from."""
        self._names.setStringList(list(names))
        self._arrow.setVisible(bool(names))

    def offered(self) -> list[str]:
        return self._names.stringList()

    def show_names(self) -> None:
        """All names, whatever is typed."""
        completer = self.completer()
        completer.setCompletionPrefix("")
        completer.complete()
