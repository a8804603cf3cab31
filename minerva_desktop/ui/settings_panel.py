"""Settings: the program's settings as a form, and the lexicon that a person teaches it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedWidget, QTabBar, QVBoxLayout

from minerva_desktop.records import ChangeSet
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.lexicon_editor import LexiconEditor
from minerva_desktop.ui.settings_form import SettingsForm
from minerva_desktop.ui.widgets import Panel, label


class SettingsPanel(Panel):
    """Made when it is first shown, so that the window opens as fast as without it."""

    title = "Settings"

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self._made = False

    def _make(self) -> None:
        self._made = True
        self.form = SettingsForm(self.bridge)
        self.form.said.connect(lambda text: self.notice.emit(text, False))
        self.editor = LexiconEditor(self.bridge)
        self.editor.said.connect(self.notice)
        self.tabs = QTabBar()
        self.tabs.setAccessibleName("Settings or lexicon")
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.addTab("General")
        self.tabs.addTab("Lexicon")
        self.shelf = QStackedWidget()
        self.shelf.addWidget(self.form)
        self.shelf.addWidget(self.editor)
        self.tabs.currentChanged.connect(self.shelf.setCurrentIndex)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 14, 20, 14)
        layout.setSpacing(10)
        layout.addWidget(label("Settings", factor=1.6))
        layout.addWidget(self.tabs)
        layout.addWidget(self.shelf, 1)

    def concerns(self, changes: ChangeSet) -> bool:
        return changes.lexicon or changes.settings or changes.everything

    def reload(self) -> None:
        if not self._made:
            self._make()
        self.form.show_settings(self.workbench.settings)
        self.editor.reload()

    def show_lexicon(self) -> None:
        """Show the lexicon instead of the settings."""
        if not self._made:
            self._make()
        self.tabs.setCurrentIndex(1)

    def unsaved(self) -> str:
        names = self.editor.unsaved() if self._made else []
        return f"Your lexicon has edits that are not saved: {', '.join(names)}." if names else ""

    def focus_search(self) -> None:
        if not self._made:
            return
        if self.tabs.currentIndex() == 1:
            self.editor.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.editor.search.selectAll()
        else:
            self.form.focus_first()

    def focus_work(self) -> None:
        if self._made and self.tabs.currentIndex() == 1 and self.editor.pages:
            self.editor.page().table.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif self._made:
            self.tabs.setFocus(Qt.FocusReason.ShortcutFocusReason)
